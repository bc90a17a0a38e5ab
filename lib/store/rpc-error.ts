import { isObject, own, type RpcError } from '@/lib/wire/message';

/** The `error` member of an answer, made safe: servers leave out the code or the message, or send a string. */
export function toRpcError(error: unknown): RpcError {
  const body = isObject(error) ? error : {};
  const code = own(body, 'code');
  const message = own(body, 'message');
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : typeof error === 'string' ? error : 'The server gave no message.',
    data: isObject(error) ? own(body, 'data') : error,
  };
}
