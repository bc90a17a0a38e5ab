import { Waiting } from '@/lib/store/waiting';
import { canonicalJson } from './canonical-json';

/**
 * Requests of one side that wait for an answer, by id. Of several under one id the oldest that waits is answered first, then those that were
 * given up. `1` and `"1"` are two ids, and so are numbers that no double tells apart.
 */
export class OpenRequests<T> {
  readonly #byId = new Map<string, Waiting>();
  /** By a number of our own: a batch has several requests in one frame. */
  readonly #requests = new Map<number, T>();
  #added = 0;

  add(id: string, request: T): void {
    const key = canonicalJson(id);
    const waiting = this.#byId.get(key) ?? new Waiting();
    this.#byId.set(key, waiting);
    this.#requests.set(++this.#added, request);
    waiting.add(this.#added);
  }

  /** The request that an answer with this id is for; undefined if there is none. */
  answer(id: string): T | undefined {
    const key = canonicalJson(id);
    const waiting = this.#byId.get(key);
    const number = waiting?.answer();
    if (waiting?.isEmpty) this.#byId.delete(key);
    if (number === undefined) return undefined;
    const request = this.#requests.get(number);
    this.#requests.delete(number);
    return request;
  }

  /** The request with this id that is given up; an answer may still come. */
  end(id: string): T | undefined {
    const number = this.#byId.get(canonicalJson(id))?.end();
    return number === undefined ? undefined : this.#requests.get(number);
  }
}
