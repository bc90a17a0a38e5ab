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
  if (frame.kind === 'response') {
    if (!(frame.status >= 400) || HARMLESS.get(method ?? '')?.includes(frame.status)) return undefined;
    return frame.status === 401 ? 'warn' : 'error';
  }
  if (frame.kind !== 'end') return undefined;
  if (Array.isArray(frame.unanswered)) return 'error';
  if (frame.by !== 'failure') return undefined;
  return method === 'GET' || method === 'DELETE' ? 'warn' : 'error';
}
