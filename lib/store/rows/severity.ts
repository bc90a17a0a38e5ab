import { isUnverified } from '@/lib/wire/connection-settings';
import type { HttpFrame } from '@/lib/wire/http-frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';

/** Severities of lifecycle and http frames. The order is the column's encoding; 0 is none. */
export const SEVERITIES = [undefined, 'warn', 'error'] as const;
export type RowSeverity = Exclude<(typeof SEVERITIES)[number], undefined>;

const BY_EVENT: { readonly [E in LifecycleEvent['event']]?: RowSeverity } = {
  failed: 'error',
  'handshake-failed': 'error',
  unreachable: 'warn',
  timeout: 'warn',
  task: 'warn',
  'line-unended': 'warn',
  'output-held': 'warn',
  'spill-failed': 'warn',
  'telemetry-dropped': 'warn',
  'recording-failed': 'warn',
  missing: 'warn',
};

/** True for the start of a connection that does not verify certificates. */
export function isInsecure(event: LifecycleEvent): boolean {
  return event.event === 'start' && event.transport !== 'stdio' && isUnverified(event.url, event.tls);
}

/** Returns the severity of an event. An exit that the client requested (`ending`) is not a failure. */
export function severityOf(event: LifecycleEvent, ending: boolean): RowSeverity | undefined {
  if (isInsecure(event)) return 'warn';
  if (event.event === 'auth-step') return event.phase === 'failed' ? 'warn' : undefined;
  if (event.event === 'authorization') return event.phase === 'refused' ? 'warn' : undefined;
  if (event.event !== 'exit') return Object.hasOwn(BY_EVENT, event.event) ? BY_EVENT[event.event] : undefined;
  if (event.code === 0) return undefined;
  return ending ? 'warn' : 'error';
}

/** Harmless refusals: servers need not offer an event stream or let clients end a session. */
const HARMLESS: ReadonlyMap<string, readonly number[]> = new Map([
  ['GET', [405]],
  ['DELETE', [404, 405]],
]);

/**
 * Returns the severity of an http frame. Severe frames are shown even while HTTP is hidden. A broken event stream (GET)
 * is reopened, so it is only a warning.
 */
export function httpSeverity(frame: HttpFrame, method: string | undefined): RowSeverity | undefined {
  if (frame.kind === 'response') return statusSeverity(frame.status, method);
  // A failed address is only a warning, since another may work. An unverified certificate must not be overlooked.
  if (frame.kind === 'socket') return frame.failure || frame.tls?.verified === false ? 'warn' : undefined;
  if (frame.kind === 'cors-probe') return frame.passed ? undefined : 'warn';
  if (frame.kind !== 'end') return undefined;
  if (frame.unanswered) return 'error';
  if (frame.by !== 'failure') return undefined;
  return method === 'GET' || method === 'DELETE' ? 'warn' : 'error';
}

/** Returns the severity of an OAuth frame. Metadata is requested at several URLs, so a missing one is not a failure. */
export function oauthSeverity(frame: HttpFrame, method: string | undefined): RowSeverity | undefined {
  if (frame.kind === 'response' && method === 'GET' && frame.status < 500) return undefined;
  return httpSeverity(frame, method) && 'warn';
}

/** Returns the severity of a status as the response to `method`. */
export function statusSeverity(status: number, method: string | undefined): RowSeverity | undefined {
  if (!(status >= 400) || HARMLESS.get(method ?? '')?.includes(status)) return undefined;
  return status === 401 ? 'warn' : 'error';
}
