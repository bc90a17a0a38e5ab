import type { ConnectionFacts } from '@/lib/store/state/state';

const CLOSED_REASONS: Readonly<Record<NonNullable<ConnectionFacts['closing']>, string>> = {
  user: 'You disconnected.',
  restart: 'The server was restarted.',
  'no-viewer': 'Stopped: no tab was connected for a while. --page linger=SECONDS keeps servers longer.',
  'page-gone': 'The page was closed or reloaded, which ends a direct connection.',
  shutdown: 'mcp-inspect quit.',
  failure: 'mcp-inspect stopped the server because the connection failed.',
  host: 'The host ended the session.',
};

/** Returns a sentence on why a connection ended, unless it failed. */
export function closedReason(reason: ConnectionFacts['closing']): string {
  // A newer mcp-inspect may have written another reason into the log.
  return reason !== undefined && Object.hasOwn(CLOSED_REASONS, reason)
    ? CLOSED_REASONS[reason]
    : 'This connection has ended.';
}
