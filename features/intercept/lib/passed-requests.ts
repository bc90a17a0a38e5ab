import { isObject, own } from '@/lib/json/value';
import { type Direction, OPPOSITE } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { idKey, type RequestId } from '@/lib/wire/message';
import { METHOD } from '@/lib/wire/protocol-names';
import { type PassedRequest, type PassingFrame, type PassingMessage, progressTokenOf } from './passing-message';

/** The requests that wait for their responses, so that a response has a method. The oldest are forgotten first. */
export class PassedRequests {
  readonly #requests: Readonly<Record<Direction, Map<string, PassedRequest>>> = {
    'to-server': new Map(),
    'to-client': new Map(),
  };
  /** The last progress of each token, by the direction of its notifications. */
  readonly #progress: Readonly<Record<Direction, Map<string, number>>> = {
    'to-server': new Map(),
    'to-client': new Map(),
  };

  /** Returns the request that a response in this direction answers. */
  requestOf(direction: Direction, id: RequestId): PassedRequest | undefined {
    return this.#requests[OPPOSITE[direction]].get(idKey(id));
  }

  /** Remembers the requests of a frame, and forgets those that it answers. */
  add(direction: Direction, frame: PassingFrame): void {
    for (const message of frame.messages) {
      const { kind, id, method, name } = message;
      if (kind === 'request' && id !== undefined && method !== undefined) {
        const progressToken = progressTokenOf(message);
        remember(this.#requests[direction], idKey(id), { method, name, progressToken });
      } else if (kind === 'notification' && method === METHOD.progress) {
        const params = message.body && own(message.body, 'params');
        const token = isObject(params) ? own(params, 'progressToken') : undefined;
        const progress = isObject(params) ? own(params, 'progress') : undefined;
        if (typeof progress === 'number') remember(this.#progress[direction], idKey(token), progress);
      } else if ((kind === 'response' || kind === 'error') && id !== undefined) {
        const answered = this.#requests[OPPOSITE[direction]];
        const token = answered.get(idKey(id))?.progressToken;
        if (token !== undefined) this.#progress[direction].delete(idKey(token));
        answered.delete(idKey(id));
      }
    }
  }

  /** Returns the progress token of the request that a response answers, before {@link add} has seen the response. */
  tokenFor(direction: Direction, { kind, id }: PassingMessage): RequestId | undefined {
    if (id === undefined || (kind !== 'response' && kind !== 'error')) return undefined;
    return this.requestOf(direction, id)?.progressToken;
  }

  /** Returns the last progress that went in this direction for a token; 0 if there was none. */
  progressOf(direction: Direction, token: RequestId): number {
    return this.#progress[direction].get(idKey(token)) ?? 0;
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > LIMITS.rulesMemory) map.delete(map.keys().next().value!);
}
