import type { Unanswered } from '@/lib/transports/transport';
import { isObject, type JsonObject, own, type RpcError } from '@/lib/wire/message';

/**
 * How one of our requests ended. `result` is what the server sent, unchecked, and may be anything. `lost`: the server went
 * before it answered, or HTTP brought none. `http` is there if HTTP refused the request, whatever the body said.
 */
export type Outcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: RpcError; readonly http?: Unanswered }
  | { readonly kind: 'lost'; readonly http?: Unanswered }
  | { readonly kind: 'timeout' | 'cancelled' };

/**
 * Reads a response. Servers add `"error":null` to results, send text for errors and leave `jsonrpc` out; a person who waits
 * for an answer is better served by that answer than by a timeout. With neither member it is no response: undefined.
 */
export function outcomeOf(message: JsonObject): Outcome | undefined {
  const error = own(message, 'error');
  const hasResult = Object.hasOwn(message, 'result');
  if (isObject(error)) return { kind: 'error', error: readError(error) };
  if (hasResult) return { kind: 'result', result: message.result };
  if (!Object.hasOwn(message, 'error')) return undefined;
  return { kind: 'error', error: { code: 0, message: typeof error === 'string' ? error : '' } };
}

function readError(error: JsonObject): RpcError {
  const code = own(error, 'code');
  const message = own(error, 'message');
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : '',
    ...(Object.hasOwn(error, 'data') ? { data: error.data } : {}),
  };
}
