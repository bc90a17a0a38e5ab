import type { RpcError } from '@/lib/wire/message';
import { type HttpAnswer, headerOf } from './http-link';
import { INITIALIZED } from './outgoing';
import type { Unanswered } from './transport';

/** The session that an answer hands out: visible ASCII, as the specification wants it. Anything else is not sent back. */
export function sessionOf(answer: HttpAnswer): string | undefined {
  const said = headerOf(answer.headers, 'mcp-session-id');
  return said !== undefined && /^[\x21-\x7e]{1,1024}$/.test(said) ? said : undefined;
}

/**
 * Why a server that hides its headers refuses a request without a session: it gave one out, but its CORS headers keep that
 * from a page. Right after the handshake there is no other reason; later it has to say so. undefined if it is none of that.
 */
export function hiddenSession(
  status: number,
  method: string | undefined,
  error: RpcError | undefined,
): Unanswered | undefined {
  if (status !== 400 && status !== 404) return undefined;
  if (method !== INITIALIZED && !/session/i.test(error?.message ?? '')) return undefined;
  return {
    code: 'session-hidden',
    message:
      'The server wants its session back, which this page never saw: Mcp-Session-Id is missing from its Access-Control-Expose-Headers.',
    advice: 'Have it send `Access-Control-Expose-Headers: Mcp-Session-Id`; through the proxy no CORS is needed.',
    status,
    ...(error && { error }),
  };
}
