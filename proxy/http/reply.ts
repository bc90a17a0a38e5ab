import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type Duplex, pipeline, Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { isFailure } from '@/lib/wire/lifecycle';
import { contentSecurityPolicy } from './csp';

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
