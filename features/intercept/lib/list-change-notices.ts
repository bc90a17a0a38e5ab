import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Direction } from '@/lib/wire/frame';
import { idKey, type RequestId } from '@/lib/wire/message';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';

/** Open subscriptions of a host that are remembered. The oldest are forgotten first. */
const MOST_SUBSCRIPTIONS = 100;
const LIST_CHANGED = 'notifications/tools/list_changed';

/** A notification that the list of tools has changed. */
export interface ListChangeNotice {
  readonly text: string;
  /** Id of the request on whose stream it belongs (2026-07-28). */
  readonly stream?: RequestId;
}

/**
 * Finds out which notifications tell a host that its list of tools has changed. A legacy host expects one if the server
 * declared `listChanged`; a modern one only on the streams that it asked for (2026-07-28, subscriptions).
 */
export class ListChangeNotices {
  readonly #initializing = new Set<string>();
  #isDeclared = false;
  /** By key of the `subscriptions/listen` request: its id. */
  readonly #streams = new Map<string, RequestId>();

  /** Reads a message that passes. */
  onMessage(direction: Direction, message: unknown): void {
    if (!isObject(message)) return;
    const method = own(message, 'method');
    const id = idKey(own(message, 'id'));
    if (method === METHOD.cancelled) this.#streams.delete(idKey(memberAt(message, 'params', 'requestId')));
    else if (direction === 'to-server') {
      if (method === 'initialize') this.#initializing.add(id);
    } else if (method === METHOD.acknowledged) this.#onAcknowledged(message);
    else if (method === undefined) {
      if (this.#initializing.delete(id)) {
        this.#isDeclared = memberAt(message, 'result', 'capabilities', 'tools', 'listChanged') === true;
      }
      this.#streams.delete(id);
    }
  }

  #onAcknowledged(message: JsonObject): void {
    const id = memberAt(message, 'params', '_meta', META_KEY.subscriptionId);
    if (typeof id !== 'string' && typeof id !== 'number') return;
    if (memberAt(message, 'params', 'notifications', 'toolsListChanged') !== true) return;
    this.#streams.set(idKey(id), id);
    if (this.#streams.size > MOST_SUBSCRIPTIONS) this.#streams.delete(this.#streams.keys().next().value!);
  }

  /** The notifications that make the client ask for its list again; none if it does not expect any. */
  get notices(): readonly ListChangeNotice[] {
    const streams = [...this.#streams.values()].map((stream) => ({
      stream,
      ...noticeOf({ [META_KEY.subscriptionId]: stream }),
    }));
    return this.#isDeclared ? [noticeOf(undefined), ...streams] : streams;
  }
}

function noticeOf(meta: JsonObject | undefined): ListChangeNotice {
  return { text: JSON.stringify({ jsonrpc: '2.0', method: LIST_CHANGED, ...(meta && { params: { _meta: meta } }) }) };
}

function memberAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) ? own(at, key) : undefined), value);
}
