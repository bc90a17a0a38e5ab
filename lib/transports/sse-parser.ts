import { createParser } from 'eventsource-parser';
import { formatBytes } from '@/lib/wire/format';
import { ConnectionError } from './transport';

/** One item of an event stream: an event (with `data`), a `retry` or a `comment`. */
export interface StreamEvent {
  readonly event?: string;
  readonly id?: string;
  /** The exact bytes, with lines joined by a line feed. */
  readonly data?: Uint8Array;
  /** Milliseconds. */
  readonly retry?: number;
  readonly comment?: string;
}

/** The UTF-8 byte order mark. */
const MARK = [0xef, 0xbb, 0xbf];

/** Bytes turned into characters at a time. More would overflow the call stack. */
const SLICE = 8192;

/**
 * Parses an event stream. The library gets one character per byte, and its strings are turned back into bytes. This
 * works because the syntax is ASCII. Invalid UTF-8 stays exact, and characters that chunks cut stay whole.
 */
export class SseParser {
  readonly #feed: (text: string) => void;
  /** Bytes of the byte order mark seen so far. undefined once it is complete or ruled out. */
  #mark: number | undefined = 0;

  /** {@link feed} throws ConnectionError `body-too-large` when an event is longer than `maxBytes`. */
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

  /** Returns where the stream begins after a byte order mark, which may come in several chunks. */
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

/** The error for a body or an event that is too long. */
export function tooLarge(maxBytes: number): ConnectionError {
  return new ConnectionError({
    code: 'body-too-large',
    message: `The server sent a message of more than ${formatBytes(maxBytes)}, so mcp-inspect stopped reading it.`,
    advice: 'Make the server send less, or in pages.',
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

/** Returns an id as a `Last-Event-ID` header value: UTF-8, with one character per byte. */
export function idAsHeader(id: string): string {
  return Array.from(new TextEncoder().encode(id), (byte) => String.fromCharCode(byte)).join('');
}
