import type { Header, QueryString } from 'har-format';
import { headerOf, mediaType } from '@/lib/transports/http-link';
import type { Frame } from '@/lib/wire/frame';
import { type HttpFrame, readHttpFrame, type ShownHeaders } from '@/lib/wire/http-frame';
import { toBase64 } from '../base64';
import { utf8Text } from '../encode-lines';
import { type HarEntry, harDate } from './har-format';

/** Facts about an archive, apart from its entries. */
interface HarAbout {
  /** ISO 8601: when the log began. */
  readonly at: string;
  /** Version of mcp-inspect. */
  readonly version: string;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const lenient = new TextDecoder();

/**
 * Returns a log's HTTP exchanges as an HTTP Archive 1.2 (JSON text), which browsers and proxies open. Masked values
 * stay masked. Returns undefined if nothing went over HTTP.
 */
export async function writeHar(frames: AsyncIterable<Frame>, { at, version }: HarAbout): Promise<string | undefined> {
  const writer = new HarWriter();
  for await (const frame of frames) writer.addFrame(frame);
  const entries = writer.entries(Date.parse(at) || 0);
  if (entries.length === 0) return undefined;
  return JSON.stringify(
    { log: { version: '1.2', creator: { name: 'mcp-inspect', version }, pages: [], entries } },
    null,
    1,
  );
}

/** Builds entries from frames. */
class HarWriter {
  readonly #drafts: HarEntryBuilder[] = [];
  /** Exchange → its current entry. A redirect starts another one. */
  readonly #open = new Map<number, HarEntryBuilder>();
  /** The previous frame, if it is an http frame that the next message belongs to. */
  #carrier: HttpFrame | undefined;

  addFrame({ channel, direction, time, bytes }: Frame): void {
    const carrier = this.#carrier;
    this.#carrier = undefined;
    if (channel === 'protocol' && carrier) this.#addMessage(carrier, bytes, time);
    if (channel !== 'http') return;
    const frame = readHttpFrame(decoder.decode(bytes));
    if (frame) this.#addHttp(frame, direction === 'to-server', time);
  }

  entries(start: number): HarEntry[] {
    return this.#drafts.map((draft) => draft.toEntry(start));
  }

  #addHttp(frame: HttpFrame, ours: boolean, time: number): void {
    if (frame.kind === 'request') {
      const draft = new HarEntryBuilder(frame.method, frame.url, frame.headers, time);
      this.#drafts.push(draft);
      this.#open.set(frame.exchange, draft);
      this.#carrier = frame;
      return;
    }
    const draft = this.#open.get(frame.exchange);
    if (!draft) return;
    if (frame.kind === 'socket' && frame.address !== undefined) draft.setAddress(frame.address);
    if (frame.kind === 'response') draft.setResponse(frame.status, frame.headers, time);
    if (frame.kind === 'end') draft.setEnd(frame.by === 'failure' ? (frame.message ?? '') : undefined, time);
    if (frame.kind === 'body') {
      const text = frame.text === undefined ? undefined : encoder.encode(frame.text);
      if (!text) this.#carrier = frame;
      else if (ours) draft.setRequestBody(text);
      else draft.setResponseBody(text, time);
    }
    if (frame.kind === 'sse') {
      if (frame.data === undefined && frame.comment === undefined && frame.retry === undefined) this.#carrier = frame;
      else draft.addStreamBlock(blockOf(frame, frame.data), time);
    }
  }

  #addMessage(carrier: HttpFrame, bytes: Uint8Array, time: number): void {
    const draft = this.#open.get(carrier.exchange);
    if (carrier.kind === 'request') draft?.setRequestBody(bytes);
    if (carrier.kind === 'body') draft?.setResponseBody(bytes, time);
    if (carrier.kind === 'sse') draft?.addStreamBlock(blockOf(carrier, decoder.decode(bytes)), time);
  }
}

/** Rebuilds a block of an event stream. Line ends and the order of fields were not recorded, so they may differ. */
function blockOf({ event, id, retry, comment }: Extract<HttpFrame, { kind: 'sse' }>, data: string | undefined): string {
  const lines = [
    ...(comment === undefined ? [] : [`: ${comment}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(data === undefined ? [] : data.split('\n').map((line) => `data: ${line}`)),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** Builds an archive entry as the frames of its exchange arrive. Times are microseconds since the log began. */
class HarEntryBuilder {
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

  setAddress(address: string): void {
    this.#address = address;
  }

  setRequestBody(body: Uint8Array): void {
    this.#sent = body;
  }

  setResponse(status: number, headers: ShownHeaders, time: number): void {
    this.#response = { status, headers, at: time };
    this.#last = time;
  }

  setResponseBody(body: Uint8Array, time: number): void {
    this.#body = body;
    this.#last = time;
  }

  /** Adds a block of an event stream, with the blank line after it. */
  addStreamBlock(block: string, time: number): void {
    this.#blocks.push(block);
    this.#blockTimes.push((time - this.#began) / 1000);
    this.#last = time;
  }

  setEnd(failure: string | undefined, time: number): void {
    this.#failure = failure;
    this.#last = time;
  }

  /** Returns the entry. `start` is when the log began, in Unix ms. */
  toEntry(start: number): HarEntry {
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

function fields(headers: ShownHeaders): Header[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): QueryString[] {
  if (!URL.canParse(url)) return [];
  return Array.from(new URL(url).searchParams, ([name, value]) => ({ name, value }));
}

function contentOf(bytes: Uint8Array): { text?: string; encoding?: 'base64' } {
  if (bytes.length === 0) return {};
  const text = utf8Text(bytes);
  return text === undefined ? { text: toBase64(bytes), encoding: 'base64' } : { text };
}
