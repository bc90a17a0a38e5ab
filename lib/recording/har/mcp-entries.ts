import { isObject, type JsonObject, own } from '@/lib/json/value';
import { mediaType } from '@/lib/transports/http-link';
import { formatCount } from '@/lib/wire/format';
import type { ShownHeaders } from '@/lib/wire/http-frame';
import { fromBase64 } from '../base64';
import { utf8Text } from '../encode-lines';
import { RecordingError } from '../errors';
import { readHarDate } from './har-format';

/** Longest plausible duration in an HTTP Archive, in milliseconds. Anything longer counts as 0. */
export const HAR_MS = 30 * 24 * 60 * 60_000;

const EVENT_STREAM = 'text/event-stream';

/** A validated archive entry. */
export interface ValidEntry {
  /** Unix ms. */
  readonly began: number;
  /** Milliseconds from the start to the response status, and to the end. */
  readonly waited: number;
  readonly took: number;
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: ShownHeaders;
  readonly sent: string | undefined;
  /** 0: no response. */
  readonly status: number;
  readonly answerHeaders: ShownHeaders;
  readonly body: Uint8Array;
  /** Milliseconds from the start to each block of an event stream, if known. */
  readonly blockTimes: readonly number[];
  readonly error: string | undefined;
  /** True if the body can't be decoded. */
  readonly isDamaged: boolean;
}

/** The entries of an archive that belong to one MCP server. */
export interface McpEntries {
  readonly url: string;
  readonly transport: 'http' | 'sse';
  /** In order of their start. */
  readonly entries: readonly ValidEntry[];
  /** Number of entries that were left out because they are damaged. */
  readonly damaged: number;
}

/**
 * Finds the entries of one MCP server: those with the URL that received the most messages, and on HTTP+SSE also the
 * stream that named this URL. Returns undefined if the archive has no JSON-RPC message.
 */
export function findMcpEntries(sound: readonly ValidEntry[]): McpEntries | undefined {
  const entries = sound.toSorted((a, b) => a.began - b.began);
  const posts = new Map<string, number>();
  for (const { method, sent, url } of entries) {
    if (method !== 'POST' || !isMessage(sent)) continue;
    posts.set(endpointOf(url), (posts.get(endpointOf(url)) ?? 0) + 1);
  }
  const [most] = [...posts].sort(([, a], [, b]) => b - a);
  if (!most) return undefined;
  const [place] = most;
  const stream = entries.find((entry) => {
    if (endpointOf(entry.url) === place || originOf(entry.url) !== originOf(place)) return false;
    return namesEndpoint(entry);
  });
  if (!stream) {
    return ofServer(entries, 'http', [place]);
  }
  return ofServer(entries, 'sse', [endpointOf(stream.url), place]);
}

/** Returns the entries of a server with these endpoints; undefined if all are damaged. */
function ofServer(
  entries: readonly ValidEntry[],
  transport: McpEntries['transport'],
  places: readonly string[],
): McpEntries | undefined {
  const all = entries.filter(({ url }) => places.includes(endpointOf(url)));
  const sound = all.filter(({ isDamaged }) => !isDamaged);
  const first = sound.find(({ url }) => endpointOf(url) === places[0]) ?? sound[0];
  return first && { url: first.url, transport, entries: sound, damaged: all.length - sound.length };
}

/**
 * Collects the entries of an archive that may be of MCP. Of URLs that got no message so far, it holds a limited number:
 * archives of browsers have many entries of other servers.
 */
export class EntryCollector {
  readonly #kept: ValidEntry[] = [];
  readonly #places = new Set<string>();
  /** By URL. */
  readonly #waiting = new Map<string, ValidEntry[]>();
  #waitingCount = 0;
  #waitingBytes = 0;

  get entries(): readonly ValidEntry[] {
    return this.#kept;
  }

  /** Throws a RecordingError for too many entries. */
  addEntry(entry: ValidEntry): void {
    if (this.#kept.length >= MCP_ENTRIES) throw TOO_MANY;
    const isOfMcp = (entry.method === 'POST' && isMessage(entry.sent)) || namesEndpoint(entry);
    const isFull = this.#waitingCount >= WAITING_ENTRIES || this.#waitingBytes >= WAITING_BYTES;
    if (!isOfMcp && isFull && this.#places.size === 0) return;
    const place = endpointOf(entry.url);
    if (this.#places.has(place)) this.#kept.push(entry);
    else if (isOfMcp) {
      this.#places.add(place);
      for (const earlier of this.#waiting.get(place) ?? []) this.#kept.push(earlier);
      this.#waiting.delete(place);
      this.#kept.push(entry);
    } else if (!isFull) {
      const others = this.#waiting.get(place);
      if (others) others.push(entry);
      else this.#waiting.set(place, [entry]);
      this.#waitingCount++;
      this.#waitingBytes += entry.body.length + (entry.sent?.length ?? 0);
    }
  }
}

/** Most entries of MCP servers. Each takes some kilobytes while it is converted, however short it is. */
const MCP_ENTRIES = 250_000;

const TOO_MANY = new RecordingError(
  'har-too-large',
  `This HTTP Archive has more than ${formatCount(MCP_ENTRIES)} requests to MCP servers.`,
  'Export fewer of them.',
);

/** How many entries wait for a message to their URL, and bytes of their bodies. */
const WAITING_ENTRIES = 10_000;
const WAITING_BYTES = 64 * 1024 * 1024;

/** Returns true for a stream of HTTP+SSE, which names the URL for messages. */
function namesEndpoint({ method, answerHeaders, body }: ValidEntry): boolean {
  if (method !== 'GET' || mediaType(answerHeaders) !== EVENT_STREAM) return false;
  return /(^|\n)event: ?endpoint/.test(startOf(body));
}

function isMessage(sent: string | undefined): boolean {
  return sent !== undefined && /^\s*[{[]/.test(sent) && /"jsonrpc"\s*:/.test(sent);
}

/** Returns a URL without its query, which holds the session on HTTP+SSE. */
function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function originOf(url: string): string {
  return new URL(url).origin;
}

function startOf(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, 4096));
}

/** Returns true if the response is an event stream. */
export function isStream({ answerHeaders }: ValidEntry): boolean {
  return mediaType(answerHeaders) === EVENT_STREAM;
}

/** HTTP methods that MCP uses. Other requests, such as a browser's `OPTIONS`, are ignored. */
type HttpMethod = (typeof METHODS)[number];

const METHODS = ['GET', 'POST', 'DELETE'] as const;

/** Validates an entry; undefined if it can't be of MCP. */
export function soundEntry(value: unknown): ValidEntry | undefined {
  if (!isObject(value)) return undefined;
  const [request, response, timings] = ['request', 'response', 'timings'].map((key) => objectIn(value, key));
  const began = readHarDate(textIn(value, 'startedDateTime'));
  const url = textIn(request!, 'url');
  const sentBy = textIn(request!, 'method').toUpperCase();
  const method = METHODS.find((known) => known === sentBy);
  if (Number.isNaN(began) || !method || !isWebAddress(url)) return undefined;
  const took = msIn(value, 'time');
  const received = msIn(timings!, 'receive');
  const sent = own(objectIn(request!, 'postData'), 'text');
  const times = own(value, '_blockTimes');
  const error = textIn(response!, '_error');
  const body = bodyIn(objectIn(response!, 'content'));
  return {
    began,
    took,
    waited: Math.max(0, took - received),
    method,
    url,
    headers: headersIn(request!),
    sent: typeof sent === 'string' && sent !== '' ? sent : undefined,
    status: numberIn(response!, 'status'),
    answerHeaders: headersIn(response!),
    body: body ?? NO_BODY,
    blockTimes: Array.isArray(times)
      ? times.filter((time) => typeof time === 'number' && time >= 0).map((time) => Math.min(time, HAR_MS))
      : NONE,
    error: error === '' ? undefined : error,
    isDamaged: body === undefined,
  };
}

/** Returns true for http and https URLs. Others may have no origin. */
function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function headersIn(part: JsonObject): ShownHeaders {
  const headers = own(part, 'headers');
  if (!Array.isArray(headers) || headers.length === 0) return NONE;
  // HTTP/2 pseudo-headers start with a colon.
  return headers
    .filter(isObject)
    .map((field) => [textIn(field, 'name'), textIn(field, 'value')] as const)
    .filter(([name]) => name !== '' && !name.startsWith(':'));
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}

function textIn(object: JsonObject, key: string): string {
  const value = own(object, key);
  return typeof value === 'string' ? value : '';
}

/** Milliseconds; 0 if unknown or impossible. */
function msIn(object: JsonObject, key: string): number {
  const ms = numberIn(object, key);
  return ms <= HAR_MS ? ms : 0;
}

/** At least 0: some writers use -1 for unknown values. */
function numberIn(object: JsonObject, key: string): number {
  const value = own(object, key);
  return typeof value === 'number' && value > 0 ? value : 0;
}

// One for all entries: an archive may have millions.
const NO_BODY = new Uint8Array();
const NONE: readonly never[] = [];

/** Returns the bytes of a body; undefined for invalid base64. */
function bodyIn(content: JsonObject): Uint8Array | undefined {
  const text = textIn(content, 'text');
  if (text === '') return NO_BODY;
  if (own(content, 'encoding') !== 'base64') return bodyBytes(text, own(content, 'size'));
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();

/** The byte of each windows-1252 character. The web calls that encoding `latin1`. */
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
    (sign, byte) => [sign, byte],
  ),
);

/**
 * Returns the bytes of a body that an archive holds as text. Messages are UTF-8, but Chromium decodes an event stream
 * without a charset as windows-1252 (`hÃ©`). If the text looks like that and `size` confirms it, the bytes are
 * corrected.
 */
export function bodyBytes(text: string, size: unknown): Uint8Array {
  const bytes = encoder.encode(text);
  // A misread body has one character per byte, and some of them are not ASCII.
  if (text.length !== size || bytes.length === size) return bytes;
  const misread = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const byte = BYTES.get(text[at]!);
    if (byte === undefined) return bytes;
    misread[at] = byte;
  }
  return utf8Text(misread) === undefined ? bytes : misread;
}
