import { createParser } from 'eventsource-parser';
import { formatBytes } from '@/lib/wire/format';
import { ConnectionError } from './transport';

/** One thing that an event stream said: an event (with `data`), a `retry` or a `comment`. */
export interface StreamEvent {
  readonly event?: string;
  readonly id?: string;
  /** Exact bytes, lines joined by a line feed. */
  readonly data?: Uint8Array;
  /** Milliseconds. */
  readonly retry?: number;
  readonly comment?: string;
}

const MARK = [0xef, 0xbb, 0xbf];

/** Bytes turned into characters at a time: more would overflow the call stack. */
const SLICE = 8192;

/**
 * Splits an event stream. The parser is fed one character a byte and its strings are turned back into bytes, because
 * nothing of the format is beyond ASCII: so characters cut by chunks stay whole, and bytes that are no UTF-8 exact.
 */
export class SseParser {
  readonly #feed: (text: string) => void;
  /** Bytes of a byte order mark at the beginning so far; undefined once that is past. */
  #mark: number | undefined = 0;

  /** `push` throws ConnectionError `body-too-large` when one event is longer than `maxBytes`. */
  constructor(maxBytes: number, onEvent: (event: StreamEvent) => void) {
    const parser = createParser({
      maxBufferSize: maxBytes,
      onEvent: ({ id, event, data }) =>
        onEvent({
          ...(id !== undefined && { id: toText(id) }),
          ...(event !== undefined && { event: toText(event) }),
          data: toBytes(data),
        }),
      onRetry: (retry) => onEvent({ retry }),
      onComment: (comment) => onEvent({ comment: toText(comment) }),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') throw tooLarge(maxBytes);
      },
    });
    this.#feed = (text) => parser.feed(text);
  }

  feed(chunk: Uint8Array): void {
    for (let at = this.#skipMark(chunk); at < chunk.length; at += SLICE) {
      this.#feed(String.fromCharCode.apply(null, chunk.subarray(at, at + SLICE) as unknown as number[]));
    }
  }

  /** Where the stream itself begins: a mark may come in pieces, which the parser doesn't know as one. */
  #skipMark(chunk: Uint8Array): number {
    let at = 0;
    while (this.#mark !== undefined && at < chunk.length) {
      if (chunk[at] === MARK[this.#mark]) {
        at++;
        this.#mark = this.#mark === MARK.length - 1 ? undefined : this.#mark + 1;
      } else {
        if (this.#mark > 0) this.#feed(String.fromCharCode(...MARK.slice(0, this.#mark)));
        this.#mark = undefined;
      }
    }
    return at;
  }
}

/** A body or an event is beyond `LIMITS.httpBodyBytes`. */
export function tooLarge(maxBytes: number): ConnectionError {
  return new ConnectionError({
    code: 'body-too-large',
    message: `The server sent more than ${formatBytes(maxBytes)} as one message, so reading it was stopped.`,
    advice: 'Make the server answer with less, or in pages.',
  });
}

function toBytes(characters: string): Uint8Array {
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}

const decoder = new TextDecoder();

function toText(characters: string): string {
  return decoder.decode(toBytes(characters));
}

/** The `Last-Event-ID` of a text: UTF-8, one character a byte, as header values travel. */
export function idAsHeader(id: string): string {
  return Array.from(new TextEncoder().encode(id), (byte) => String.fromCharCode(byte)).join('');
}
