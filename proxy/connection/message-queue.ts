import { withoutBom } from '@/lib/json/parse';

/** Bytes of a message that is read in turns of its own, because each step takes a while. */
const LARGE_MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * Passes messages on in order. A very large one is decoded in one turn of the event loop and delivered in another, so
 * that no other request waits for both. Later messages wait for it.
 */
export class MessageQueue {
  readonly #deliver: (text: string) => void;
  readonly #waiting: (string | (() => string))[] = [];

  constructor(deliver: (text: string) => void) {
    this.#deliver = deliver;
  }

  /** Adds the message `source[start, end)`. Large messages are not copied, so don't write to them later. */
  add(source: Buffer, start: number, end: number): void {
    const decode = (): string => withoutBom(source.toString('utf8', start, end));
    const isLarge = end - start >= LARGE_MESSAGE_BYTES;
    if (!isLarge && this.#waiting.length === 0) this.#deliver(decode());
    else if (this.#waiting.push(isLarge ? decode : decode()) === 1) setImmediate(() => this.#next());
  }

  /** Delivers everything at once, before the end of the connection. */
  flush(): void {
    for (const message of this.#waiting.splice(0)) this.#deliver(typeof message === 'string' ? message : message());
  }

  #next(): void {
    const message = this.#waiting[0];
    if (message === undefined) return;
    if (typeof message === 'string') {
      this.#waiting.shift();
      this.#deliver(message);
    } else this.#waiting[0] = message();
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }
}
