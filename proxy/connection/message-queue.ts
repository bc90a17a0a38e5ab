import { withoutBom } from '@/lib/json/parse';
import { BYTE } from '@/lib/json/scan';

/** Bytes of a message that is read in turns of its own, because each step takes a while. */
const LARGE_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Bytes of a source whose messages are searched and decoded later. Larger ones may be written to before that. */
export const SMALL_SOURCE_BYTES = 4 * 1024;

const SETTLED = Promise.resolve();

/** A part of a source that is not written to later. */
interface Encoded {
  readonly source: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Passes on the messages that concern somebody, in order, once all that arrived now has left for the viewers. A very
 * large one is decoded in one turn of the event loop and delivered in another, so that no other request waits for
 * both.
 */
export class MessageQueue {
  readonly #nextSign: (source: Buffer, from: number) => number;
  readonly #deliver: (text: string) => void;
  readonly #waiting: (string | Encoded)[] = [];

  /** `nextSign` returns the next offset whose message may concern somebody, Infinity for none. */
  constructor(nextSign: (source: Buffer, from: number) => number, deliver: (text: string) => void) {
    this.#nextSign = nextSign;
    this.#deliver = deliver;
  }

  /** Adds the message `source[start, end)` if it concerns somebody. */
  add(source: Buffer, start: number, end: number): void {
    const isSmall = source.length < SMALL_SOURCE_BYTES;
    if (!isSmall && this.#nextSign(source, start) >= end) return;
    const message = { source, start, end };
    const waits = isSmall || end - start >= LARGE_MESSAGE_BYTES;
    // Viewers are notified in a promise that was made earlier, and their messages leave in the next tick.
    if (this.#waiting.push(waits ? message : decode(message)) === 1) void SETTLED.then(this.#afterViewers);
  }

  /** Adds those of the lines in `source[start, end)` that concern somebody. Each has its line feed. */
  addLines(source: Buffer, start: number, end: number): void {
    for (let at = start; at < end; ) {
      const sign = source.length < SMALL_SOURCE_BYTES ? at : this.#nextSign(source, at);
      if (sign >= end) return;
      const lineEnd = source.indexOf(BYTE.lineFeed, sign);
      this.add(source, Math.max(start, source.lastIndexOf(BYTE.lineFeed, sign) + 1), lineEnd);
      at = lineEnd + 1;
    }
  }

  /** Delivers everything at once, before the end of the connection. */
  flush(): void {
    for (const message of this.#waiting.splice(0)) {
      if (typeof message === 'string') this.#deliver(message);
      else if (this.#isRelevant(message)) this.#deliver(decode(message));
    }
  }

  readonly #afterViewers = (): void => process.nextTick(this.#next);

  readonly #next = (): void => {
    for (let message = this.#waiting[0]; message !== undefined; message = this.#waiting[0]) {
      if (typeof message !== 'string' && message.source.length >= SMALL_SOURCE_BYTES) {
        this.#waiting[0] = decode(message);
        setImmediate(this.#next);
        return;
      }
      this.#waiting.shift();
      if (typeof message === 'string') this.#deliver(message);
      else if (this.#isRelevant(message)) this.#deliver(decode(message));
    }
  };

  /** Returns true unless nobody is concerned. Larger sources were asked about when they came. */
  #isRelevant({ source, start, end }: Encoded): boolean {
    return source.length >= SMALL_SOURCE_BYTES || this.#nextSign(source, start) < end;
  }
}

function decode({ source, start, end }: Encoded): string {
  return withoutBom(source.toString('utf8', start, end));
}
