import { isObject, own, type RequestId, type RpcError } from '@/lib/wire/message';

/** The JSON-RPC error in the body of an HTTP refusal, whatever its id: servers write null. undefined if there is none. */
export function readRefusal(body: Uint8Array): RpcError | undefined {
  const value = jsonIn(body);
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

/** True if the body is a message with one of these ids. */
export function answersOneOf(ids: readonly RequestId[], body: Uint8Array): boolean {
  const value = jsonIn(body);
  const id = isObject(value) ? own(value, 'id') : undefined;
  return ids.some((one) => one === id);
}

/**
 * False for JSON that only a web framework wrote, such as `{"detail":"Not Found"}`. The body of an HTTP refusal need
 * not be an MCP message.
 */
export function mayBeMessage(body: Uint8Array): boolean {
  const value = jsonIn(body);
  return !isObject(value) || Object.hasOwn(value, 'jsonrpc') || isObject(own(value, 'error'));
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
