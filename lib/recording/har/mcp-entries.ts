import { isObject, type JsonObject, own } from '@/lib/json/value';
import { mediaType } from '@/lib/transports/http-link';
import type { ShownHeaders } from '@/lib/wire/http-frame';
import { fromBase64 } from '../base64';
import { readHarDate } from './har-format';

/** Milliseconds that something in an HTTP Archive may have taken, or have begun after the first: more is no time. */
export const HAR_MS = 30 * 24 * 60 * 60_000;

/** What MCP has use for; what else a browser asks, as whether it may (`OPTIONS`), is none of the session. */
type HttpMethod = (typeof METHODS)[number];
const METHODS = ['GET', 'POST', 'DELETE'] as const;

/** An entry of somebody's archive, made sound. */
export interface ValidEntry {
  /** Unix time in ms. */
  readonly began: number;
  /** Milliseconds from the beginning to the status, and to the end. */
  readonly waited: number;
  readonly took: number;
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: ShownHeaders;
  readonly sent: string | undefined;
  /** 0: there was no response. */
  readonly status: number;
  readonly answerHeaders: ShownHeaders;
  readonly body: Uint8Array;
  /** Milliseconds from the beginning to each block of an event stream, if it says so. */
  readonly blockTimes: readonly number[];
  readonly error: string | undefined;
}

/** What of an archive is one MCP session over HTTP. */
export interface McpEntries {
  readonly url: string;
  readonly transport: 'http' | 'sse';
  /** By the time they began. */
  readonly entries: readonly ValidEntry[];
}

const EVENT_STREAM = 'text/event-stream';

/**
 * The MCP session in the entries of an archive: those about the address that most messages went to, or of HTTP+SSE, those at the
 * origin of the stream that named it. undefined if there is no JSON-RPC message in it.
 */
export function findMcpEntries(values: readonly unknown[]): McpEntries | undefined {
  const entries = values.flatMap((value) => soundEntry(value) ?? []).sort((a, b) => a.began - b.began);
  const posts = new Map<string, number>();
  for (const { method, sent, url } of entries) {
    if (method !== 'POST' || !isMessage(sent)) continue;
    posts.set(endpointOf(url), (posts.get(endpointOf(url)) ?? 0) + 1);
  }
  const [most] = [...posts].sort(([, a], [, b]) => b - a);
  if (!most) return undefined;
  const [place] = most;
  const stream = entries.find(({ method, url, answerHeaders, body }) => {
    if (method !== 'GET' || endpointOf(url) === place || originOf(url) !== originOf(place)) return false;
    return mediaType(answerHeaders) === EVENT_STREAM && /(^|\n)event: ?endpoint/.test(startOf(body));
  });
  if (!stream) {
    const own = entries.filter(({ url }) => endpointOf(url) === place);
    return { url: own[0]!.url, transport: 'http', entries: own };
  }
  const places = [place, endpointOf(stream.url)];
  return { url: stream.url, transport: 'sse', entries: entries.filter(({ url }) => places.includes(endpointOf(url))) };
}

/** True for the answer of an event stream. */
export function isStream({ answerHeaders }: ValidEntry): boolean {
  return mediaType(answerHeaders) === EVENT_STREAM;
}

function soundEntry(value: unknown): ValidEntry | undefined {
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
    body: bodyIn(objectIn(response!, 'content')),
    blockTimes: Array.isArray(times)
      ? times.filter((time) => typeof time === 'number' && time >= 0).map((time) => Math.min(time, HAR_MS))
      : [],
    error: error === '' ? undefined : error,
  };
}

/** Of others there is no origin. */
function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function bodyIn(content: JsonObject): Uint8Array {
  const text = textIn(content, 'text');
  if (own(content, 'encoding') !== 'base64') return bodyBytes(text, own(content, 'size'));
  return fromBase64(text);
}

function headersIn(part: JsonObject): ShownHeaders {
  const headers = own(part, 'headers');
  if (!Array.isArray(headers)) return [];
  // Those that begin with a colon are HTTP/2's own.
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

/** Milliseconds: 0 for what can't be, as for what is not known. */
function msIn(object: JsonObject, key: string): number {
  const ms = numberIn(object, key);
  return ms <= HAR_MS ? ms : 0;
}

/** Not below 0: some write -1 for what they don't know. */
function numberIn(object: JsonObject, key: string): number {
  const value = own(object, key);
  return typeof value === 'number' && value > 0 ? value : 0;
}

function isMessage(sent: string | undefined): boolean {
  return sent !== undefined && /^\s*[{[]/.test(sent) && /"jsonrpc"\s*:/.test(sent);
}

/** An address without its query: on HTTP+SSE the session is in that. */
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

const encoder = new TextEncoder();

/** The bytes of each character of windows-1252, which is what `latin1` means on the web. */
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
    (sign, byte) => [sign, byte],
  ),
);

/**
 * The bytes of a body that an archive has as text. Messages are UTF-8, but Chromium reads an event stream that names no charset as
 * windows-1252 (`hÃ©`): where the text is that, and its `size` says so, it is put right.
 */
export function bodyBytes(text: string, size: unknown): Uint8Array {
  const bytes = encoder.encode(text);
  // One character for each byte, and of more than ASCII.
  if (text.length !== size || bytes.length === size) return bytes;
  const misread = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const byte = BYTES.get(text[at]!);
    if (byte === undefined) return bytes;
    misread[at] = byte;
  }
  return isUtf8(misread) ? misread : bytes;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
