import { parseBounded } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import type { Direction } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { idKey } from '@/lib/wire/message';
import { META_KEY } from '@/lib/wire/protocol-names';

/** Messages that are searched for a handshake. A client shakes hands first. */
const MOST_MESSAGES = 100;

/** Finds the era and version that a client and a server of a tapped session agree on. */
export class SeenHandshake {
  readonly #initializing = new Set<string>();
  #read = 0;

  /** True once it has been found, or is not searched for any more. */
  get isOver(): boolean {
    return this.#read >= MOST_MESSAGES;
  }

  /** Returns the event that the session is open, at the message that opens it. */
  readMessage(direction: Direction, bytes: Uint8Array): Extract<LifecycleEvent, { event: 'open' }> | undefined {
    this.#read++;
    const found =
      direction === 'to-server' ? this.#readRequest(messageIn(bytes)) : this.#readResponse(messageIn(bytes));
    if (found) this.#read = MOST_MESSAGES;
    return found;
  }

  #readRequest(message: unknown): Extract<LifecycleEvent, { event: 'open' }> | undefined {
    if (!isObject(message)) return undefined;
    const method = own(message, 'method');
    if (method === 'initialize') this.#initializing.add(idKey(own(message, 'id')));
    // Every modern request says its version. `server/discover` only asks which ones there are.
    const params = own(message, 'params');
    const meta = isObject(params) ? own(params, '_meta') : undefined;
    const version = isObject(meta) ? own(meta, META_KEY.protocolVersion) : undefined;
    if (typeof version !== 'string' || method === 'server/discover') return undefined;
    return { event: 'open', era: 'modern', version };
  }

  #readResponse(message: unknown): Extract<LifecycleEvent, { event: 'open' }> | undefined {
    if (!isObject(message) || !this.#initializing.has(idKey(own(message, 'id')))) return undefined;
    const result = own(message, 'result');
    const version = isObject(result) ? own(result, 'protocolVersion') : undefined;
    return typeof version === 'string' ? { event: 'open', era: 'legacy', version } : undefined;
  }
}

function messageIn(bytes: Uint8Array): unknown {
  try {
    return parseBounded(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
