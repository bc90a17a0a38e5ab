import { isObject, own, type RpcError } from '@/lib/wire/message';

/** The JSON-RPC error in the body of an HTTP refusal, whatever its id: servers write null. undefined if there is none. */
export function readRefusal(body: Uint8Array): RpcError | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
  const error = isObject(value) ? own(value, 'error') : undefined;
  if (!isObject(error)) return undefined;
  const code = own(error, 'code');
  const message = own(error, 'message');
  if (typeof code !== 'number') return undefined;
  return {
    code,
    message: typeof message === 'string' ? message : '',
    ...(Object.hasOwn(error, 'data') ? { data: error.data } : {}),
  };
}
