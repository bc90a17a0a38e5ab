import type { IncomingMessage } from 'node:http';
import { ConnectionError } from '@/lib/transports/transport';

/** The failure of a response that ends before it is complete. */
export function brokenOff(): ConnectionError {
  return new ConnectionError({
    code: 'connection-reset',
    message: 'The server cut a response off.',
    advice: 'The host saw the same. Check the server’s own log.',
  });
}

/** Returns the status of a response. Throws if no response can have it; after a 101, nothing would end it. */
export function requireStatus({ statusCode = 0 }: Pick<IncomingMessage, 'statusCode'>): number {
  if (statusCode >= 200) return statusCode;
  throw new ConnectionError({
    code: 'status-invalid',
    message: `The server answered with the invalid status ${statusCode}.`,
    advice: 'Check the server’s own log.',
  });
}

/** Returns the facts of a failure that are recorded. */
export function recordedFailure({ code, message }: ConnectionError): {
  readonly code: string;
  readonly message: string;
} {
  return { code: String(code), message };
}
