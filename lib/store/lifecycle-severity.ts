import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { isUnverified } from '@/lib/wire/tls';

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
