import { createHash } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type Duplex, pipeline, Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { isFailure } from '@/lib/wire/lifecycle';

/**
 * Returns the Content-Security-Policy of a reply. It allows the inline scripts in `html`, a file of our own build, by
 * their hashes: Next's export has a few, and a static file can't carry nonces. Without `html` it allows none.
 *
 * `style-src` keeps 'unsafe-inline' because the editor sets its theme with style elements and attributes. img-src and
 * font-src keep CSS from sending data out. Scripts get the policy too, because a worker obeys that of its own file.
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
    // Only the pages of apps can be framed: all others have frame-ancestors 'none'.
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

/** The worker of direct connections. The page itself can only reach us. */
const DIRECT_WORKER = '/direct/worker.js';

/** The worker may reach servers of any origin, and runs no code but its own. */
const DIRECT_WORKER_POLICY = [
  "default-src 'none'",
  'connect-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Returns the policy of a file that is not a page. undefined: the default policy. */
export function policyOfFile(path: string): string | undefined {
  return path === DIRECT_WORKER ? DIRECT_WORKER_POLICY : undefined;
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi;

/** Hashes a script as browsers do: after parsing, which turns every line end into a line feed. */
function sourceHash(script: string): string {
  const text = script.replace(/\r\n?/g, '\n');
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A response, as a value. Security headers are added when it is sent. */
export interface Reply {
  readonly status: number;
  readonly body?: string | Buffer;
  /** Used instead of `body` for long responses. `length`: in bytes, if known. */
  readonly stream?: { readonly bytes: ReadableStream<Uint8Array>; readonly length?: number };
  readonly type?: string;
  /** `no-store` if absent. */
  readonly cache?: string;
  /** Content-Security-Policy. Default: a policy without inline scripts. */
  readonly csp?: string;
}

export function jsonReply(status: number, value: unknown): Reply {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** Returns a reply for a {@link Failure}. Rethrows other errors, which become a 500. */
export function failureReply(error: unknown): Reply {
  if (!isFailure(error)) throw error;
  const { code, message, advice } = error;
  return jsonReply(409, { code, message, advice });
}

/** Returns a reply with only its status. */
export function bareReply(status: number): Reply {
  return { status, type: 'text/plain; charset=utf-8', body: `${status} ${STATUS_CODES[status] ?? ''}\n` };
}

/** The policy of replies that are not a page. */
const NO_INLINE_SCRIPTS = contentSecurityPolicy();

/** Sends a reply. `close` also ends the socket, for requests that were refused before their body arrived. */
export function sendReply(response: ServerResponse, reply: Reply, close = false): void {
  const body = Buffer.from(reply.body ?? '');
  const length = reply.stream ? reply.stream.length : body.length;
  const sized = length !== undefined && { 'Content-Length': length };
  const headers = { ...headersOf(reply), ...sized, ...(close && { Connection: 'close' }) };
  response.writeHead(reply.status, headers);
  if (!reply.stream) response.end(body);
  // If the reader goes away or the disk fails, the response just ends.
  else pipeline(Readable.fromWeb(reply.stream.bytes as WebStream), response, () => {});
}

/** Milliseconds in which a client can read a reply on a socket that is then destroyed. */
const LINGER_MS = 500;

const REFUSED = new WeakSet<Duplex>();

/** Returns true for a socket that got its last reply by {@link sendRawReply}. */
export function isRefused(socket: Duplex): boolean {
  return REFUSED.has(socket);
}

/**
 * Sends a reply on a socket without a response object, for a refused upgrade or an invalid request. Ends the socket.
 */
export function sendRawReply(socket: Duplex, reply: Reply): void {
  const body = Buffer.from(reply.body ?? '');
  const headers = { ...headersOf(reply), 'Content-Length': body.length, Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${lines.join('')}\r\n`;
  REFUSED.add(socket);
  socket.on('error', () => socket.destroy());
  // Bytes of the client that are not read would reset the connection, and the client would lose the reply.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.on('close', () => clearTimeout(timer));
  socket.end(Buffer.concat([Buffer.from(head), body]));
}

/** Returns the headers of a reply. None of them is a CORS header, because only our own page may read our responses. */
function headersOf(reply: Reply): Record<string, string> {
  return {
    'Content-Security-Policy': reply.csp ?? NO_INLINE_SCRIPTS,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    // Looking a name up would send it to a name server, and no policy covers that.
    'X-DNS-Prefetch-Control': 'off',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': reply.cache ?? 'no-store',
    ...(reply.type && { 'Content-Type': reply.type }),
  };
}

const STYLE =
  ':root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1.5em}h1{font-size:1.15em}pre{font-size:13px;white-space:pre-wrap;overflow-wrap:anywhere;padding:.6em .8em;border:1px solid #8886;border-radius:4px}';

/** Allows only the page's own style: no scripts and no requests. */
const CSP = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Returns a short page for browsers without a token. `body` is HTML, so it must not contain unchecked parts of a
 * request.
 */
export function plainPage(status: number, heading: string, body: string): Reply {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title><style>${STYLE}</style></head>
<body><h1>${heading}</h1>${body}</body></html>
`;
  return { status, type: 'text/html; charset=utf-8', body: html, csp: CSP };
}
