import { ConnectionError } from '@/lib/transports/transport';

/** The failure of a response that ends before it is complete. */
export function brokenOff(): ConnectionError {
  return new ConnectionError({
    code: 'connection-reset',
    message: 'The server cut a response off.',
    advice: 'The host saw the same. Check the server’s own log.',
  });
}

/** Returns the facts of a failure that are recorded. */
export function failureOf({ code, message }: ConnectionError): { readonly code: string; readonly message: string } {
  return { code: String(code), message };
}
