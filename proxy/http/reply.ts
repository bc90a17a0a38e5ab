import { createHash } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type Duplex, pipeline, Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { isFailure } from '@/lib/wire/lifecycle';

/**
 * The Content-Security-Policy of one answer. Inline scripts run only if they are the ones in `html`, which must be a file
 * of our own build: Next's export has a few, and a static file cannot carry nonces. Without `html`, none run.
 *
 * `style-src` keeps 'unsafe-inline' because the editor sets its theme with style elements and attributes; what CSS could
 * leak through stays shut by img-src and font-src. Scripts go with it too: a worker obeys the policy of its own file.
 */
export function contentSecurityPolicy(html = ''): string {
  const scripts = new Set(Array.from(html.matchAll(INLINE_SCRIPT), (match) => sourceHash(match[1]!)));
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

/** The worker that talks to servers for the page. The page reaches nothing but us; what reaches others has its code from us. */
const DIRECT_WORKER = '/direct/worker.js';

/** For the worker of direct connections: it reaches servers of any origin, and runs nothing but itself. */
const DIRECT_WORKER_POLICY = [
  "default-src 'none'",
  'connect-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** The policy of one file of the UI that is no page; undefined for the one that all answers have. */
export function policyOfFile(path: string): string | undefined {
  return path === DIRECT_WORKER ? DIRECT_WORKER_POLICY : undefined;
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi;

/** Browsers hash what their parser made of it, and parsers turn every line end into a line feed. */
function sourceHash(script: string): string {
  const text = script.replace(/\r\n?/g, '\n');
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** An answer, as a value. Every header that is about security is added when it is sent. */
export interface Reply {
  readonly status: number;
  readonly body?: string | Buffer;
  /** Instead of a body: more than should be held. `length` if it is known. */
  readonly stream?: { readonly bytes: ReadableStream<Uint8Array>; readonly length?: number };
  readonly type?: string;
  /** `no-store` if absent. */
  readonly cache?: string;
  /** Content-Security-Policy; one that allows no inline script if absent. */
  readonly csp?: string;
}

/** A reply of JSON. */
export function jsonReply(status: number, value: unknown): Reply {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** A failure that can be told to people. What is none is thrown: the server answers 500. */
export function failureReply(error: unknown): Reply {
  if (!isFailure(error)) throw error;
  const { code, message, advice } = error;
  return jsonReply(409, { code, message, advice });
}

/** A reply that says its status and nothing else. */
export function bareReply(status: number): Reply {
  return { status, type: 'text/plain; charset=utf-8', body: `${status} ${STATUS_CODES[status] ?? ''}\n` };
}

/** For answers without a page in them. */
const NO_INLINE_SCRIPTS = contentSecurityPolicy();

/** Sends it. `close` also ends the socket, for requests that were refused with a body still to come. */
export function sendReply(response: ServerResponse, reply: Reply, close = false): void {
  const body = Buffer.from(reply.body ?? '');
  const length = reply.stream ? reply.stream.length : body.length;
  const sized = length !== undefined && { 'Content-Length': length };
  const headers = { ...headersOf(reply), ...sized, ...(close && { Connection: 'close' }) };
  response.writeHead(reply.status, headers);
  if (!reply.stream) response.end(body);
  // A reader that goes away, or a disk that fails, ends the answer; there is nobody left to tell.
  else pipeline(Readable.fromWeb(reply.stream.bytes as WebStream), response, () => {});
}

/** Answers on a socket that has no response object: a refused upgrade, or what the HTTP parser refused. Ends the socket. */
export function sendRawReply(socket: Duplex, reply: Reply): void {
  const body = Buffer.from(reply.body ?? '');
  const headers = { ...headersOf(reply), 'Content-Length': body.length, Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${lines.join('')}\r\n`;
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(head), body]), () => socket.destroy());
}

/** No CORS header is among these, on any answer: only our own page reads what we say. */
function headersOf(reply: Reply): Record<string, string> {
  return {
    'Content-Security-Policy': reply.csp ?? NO_INLINE_SCRIPTS,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': reply.cache ?? 'no-store',
    ...(reply.type && { 'Content-Type': reply.type }),
  };
}

const STYLE =
  ':root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1.5em}h1{font-size:1.15em}pre{font-size:13px;white-space:pre-wrap;overflow-wrap:anywhere;padding:.6em .8em;border:1px solid #8886;border-radius:4px}';

/** Nothing but its own style: no script runs in it, and it asks for nothing. */
const CSP = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A short page for browsers that come without a token. `body` is HTML: put nothing from a request into it unchecked.
 */
export function plainPage(status: number, heading: string, body: string): Reply {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title><style>${STYLE}</style></head>
<body><h1>${heading}</h1>${body}</body></html>
`;
  return { status, type: 'text/html; charset=utf-8', body: html, csp: CSP };
}
