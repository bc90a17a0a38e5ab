import { type Headers, headerOf } from './http-link';

/** Most session ids remembered. A correct server assigns a few. */
const MOST_SESSIONS = 100;

/**
 * Numbers the session ids of a connection by their first appearance. The log masks session ids, but has to say which
 * are the same.
 */
export class SessionNumbers {
  readonly #numbers = new Map<string, number>();
  #last = 0;

  /** Returns the number of the id in `Mcp-Session-Id`, from 1; 0 for an invalid id, undefined without one. */
  numberOf(headers: Headers): number | undefined {
    const id = headerOf(headers, 'mcp-session-id');
    if (id === undefined) return undefined;
    // Only visible ASCII is valid (2025-11-25, session management).
    if (!/^[\x21-\x7e]+$/.test(id)) return 0;
    const number = this.#numbers.get(id) ?? ++this.#last;
    this.#numbers.set(id, number);
    if (this.#numbers.size > MOST_SESSIONS) this.#numbers.delete(this.#numbers.keys().next().value!);
    return number;
  }
}
