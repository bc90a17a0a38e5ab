import { toBase64 } from '@/lib/recording/base64';
import { headerOf, mediaType } from '@/lib/transports/http-link';
import type { ShownHeaders } from '@/lib/wire/http-frame';
import type { HarEntry, HarField } from './har';
import { harDate } from './har-date';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder();
const encoder = new TextEncoder();

/** An entry of an archive while its exchange goes on. Times are microseconds since the log began. */
export class HarDraft {
  readonly #method: string;
  readonly #url: string;
  readonly #headers: ShownHeaders;
  readonly #began: number;
  #last: number;
  #sent: Uint8Array | undefined;
  #response: { readonly status: number; readonly headers: ShownHeaders; readonly at: number } | undefined;
  #body: Uint8Array | undefined;
  readonly #blocks: string[] = [];
  readonly #blockTimes: number[] = [];
  #address: string | undefined;
  #failure: string | undefined;

  constructor(method: string, url: string, headers: ShownHeaders, time: number) {
    this.#method = method;
    this.#url = url;
    this.#headers = headers;
    this.#began = time;
    this.#last = time;
  }

  connectedTo(address: string): void {
    this.#address = address;
  }

  sends(body: Uint8Array): void {
    this.#sent = body;
  }

  responds(status: number, headers: ShownHeaders, time: number): void {
    this.#response = { status, headers, at: time };
    this.#last = time;
  }

  answers(body: Uint8Array, time: number): void {
    this.#body = body;
    this.#last = time;
  }

  /** A block of an event stream, with the blank line behind it. */
  streams(block: string, time: number): void {
    this.#blocks.push(block);
    this.#blockTimes.push((time - this.#began) / 1000);
    this.#last = time;
  }

  ends(failure: string | undefined, time: number): void {
    this.#failure = failure;
    this.#last = time;
  }

  /** What it has come to. `start` is when the log began, in Unix milliseconds. */
  entry(start: number): HarEntry {
    const response = this.#response;
    const headers = response?.headers ?? [];
    const bytes = this.#body ?? encoder.encode(this.#blocks.join(''));
    const waited = (response?.at ?? this.#last) - this.#began;
    const redirected = response !== undefined && response.status >= 300 && response.status < 400;
    return {
      startedDateTime: harDate(start + this.#began / 1000),
      time: (this.#last - this.#began) / 1000,
      request: {
        method: this.#method,
        url: this.#url,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: fields(this.#headers),
        queryString: queryOf(this.#url),
        ...(this.#sent && {
          postData: { mimeType: headerOf(this.#headers, 'content-type') ?? '', text: lenient.decode(this.#sent) },
        }),
        headersSize: -1,
        bodySize: this.#sent?.length ?? 0,
      },
      response: {
        status: response?.status ?? 0,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: fields(headers),
        content: { size: bytes.length, mimeType: mediaType(headers), ...contentOf(bytes) },
        redirectURL: (redirected && headerOf(headers, 'location')) || '',
        headersSize: -1,
        bodySize: bytes.length,
        ...(this.#failure !== undefined && { _error: this.#failure }),
      },
      cache: {},
      timings: { send: 0, wait: waited / 1000, receive: (this.#last - this.#began - waited) / 1000 },
      ...(this.#address !== undefined && { serverIPAddress: this.#address }),
      ...(this.#blockTimes.length > 0 && { _blockTimes: this.#blockTimes }),
    };
  }
}

function fields(headers: ShownHeaders): HarField[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): HarField[] {
  if (!URL.canParse(url)) return [];
  return Array.from(new URL(url).searchParams, ([name, value]) => ({ name, value }));
}

function contentOf(bytes: Uint8Array): { text?: string; encoding?: 'base64' } {
  if (bytes.length === 0) return {};
  try {
    return { text: strict.decode(bytes) };
  } catch {
    return { text: toBase64(bytes), encoding: 'base64' };
  }
}
