import { isUnverified } from '@/lib/wire/connection-settings';
import type { HttpFrame } from '@/lib/wire/http-frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';

/** How bad what happened to a connection is; order is the column's encoding, 0 is not at all. */
export const SEVERITIES = [undefined, 'warn', 'error'] as const;
export type Severity = Exclude<(typeof SEVERITIES)[number], undefined>;

const BY_EVENT: { readonly [E in LifecycleEvent['event']]?: Severity } = {
  failed: 'error',
  'handshake-failed': 'error',
  unreachable: 'warn',
  timeout: 'warn',
  'output-held': 'warn',
  'spill-failed': 'warn',
  'recording-failed': 'warn',
  missing: 'warn',
};

/** True for the start of a connection that believes whoever answers. */
export function isInsecure(event: LifecycleEvent): boolean {
  return event.event === 'start' && event.transport !== 'stdio' && isUnverified(event.url, event.tls);
}

/** How bad an event is. An exit that we asked for (`ending`) is no failure, however the server went. */
export function severityOf(event: LifecycleEvent, ending: boolean): Severity | undefined {
  if (isInsecure(event)) return 'warn';
  if (event.event === 'authorization') return event.phase === 'refused' ? 'warn' : undefined;
  if (event.event !== 'exit') return Object.hasOwn(BY_EVENT, event.event) ? BY_EVENT[event.event] : undefined;
  if (event.code === 0) return undefined;
  return ending ? 'warn' : 'error';
}

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
