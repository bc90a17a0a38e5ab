import type { HttpFrame } from '@/lib/wire/http-frame';
import type { Severity } from './lifecycle-severity';

/** Refusals that mean nothing: no stream to listen on, no way to end a session. */
const HARMLESS: ReadonlyMap<string, readonly number[]> = new Map([
  ['GET', [405]],
  ['DELETE', [404, 405]],
]);

/**
 * How bad an http frame is; `method` is that of its exchange. A bad one is shown even where HTTP is hidden. A stream to
 * listen on (GET) that breaks is opened again, so it only warns.
 */
export function httpSeverity(frame: HttpFrame, method: string | undefined): Severity | undefined {
  if (frame.kind === 'response') return statusSeverity(frame.status, method);
  // Another address may do; and one that is not verified must not be overlooked.
  if (frame.kind === 'socket') return frame.failure || frame.tls?.verified === false ? 'warn' : undefined;
  if (frame.kind === 'cors-probe') return frame.passed ? undefined : 'warn';
  if (frame.kind !== 'end') return undefined;
  if (frame.unanswered) return 'error';
  if (frame.by !== 'failure') return undefined;
  return method === 'GET' || method === 'DELETE' ? 'warn' : 'error';
}

/** The same for an OAuth exchange. Metadata is looked for where it may be; only of what comes of it all depends anything. */
export function oauthSeverity(frame: HttpFrame, method: string | undefined): Severity | undefined {
  if (frame.kind === 'response' && method === 'GET' && frame.status < 500) return undefined;
  return httpSeverity(frame, method) && 'warn';
}

/** How bad a status is as the answer to `method`. */
export function statusSeverity(status: number, method: string | undefined): Severity | undefined {
  if (!(status >= 400) || HARMLESS.get(method ?? '')?.includes(status)) return undefined;
  return status === 401 ? 'warn' : 'error';
}
