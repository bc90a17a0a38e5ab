import { visibleText } from '@/components/ui/visible-text';
import type { ConnectionFacts } from '@/lib/store/state/state';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatClock, formatDate } from '@/lib/wire/format';

/** Returns a connection's name. A recording has the name a person gave it, or its server's own name. */
export function connectionName({
  name,
  serverName,
  recording,
}: Pick<ConnectionSummary, 'name' | 'serverName' | 'recording'>): string {
  return visibleText((recording && (recording.called || serverName)) || name);
}

/**
 * Returns each connection's label by id: its name, a recording's time, and a number when another has the same label.
 */
export function connectionLabels(connections: readonly ConnectionSummary[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  return new Map(
    connections.map((connection) => {
      const shown = [connectionName(connection), connection.recording && timeOf(connection.startedAt)]
        .filter(Boolean)
        .join(' · ');
      const count = (counts.get(shown) ?? 0) + 1;
      counts.set(shown, count);
      return [connection.id, count === 1 ? shown : `${shown} (${count})`];
    }),
  );
}

/** Returns the time of day, with the date unless it is today; '' for an invalid time. */
function timeOf(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? formatClock(at) : formatDate(at);
}

const CLOSED_REASONS: Readonly<Record<NonNullable<ConnectionFacts['closing']>, string>> = {
  user: 'You disconnected.',
  restart: 'You restarted this connection. The new one has its own entry in the list.',
  'no-viewer': 'mcp-inspect stopped the server because no tab was open during the grace period.',
  'page-gone': 'The page was closed or reloaded, which ends a direct connection.',
  shutdown: 'mcp-inspect quit.',
  failure: 'mcp-inspect stopped the server because the connection failed.',
};

/** Returns a sentence on why a connection ended, unless it failed. */
export function closedReason(reason: ConnectionFacts['closing']): string {
  // A newer mcp-inspect may have written another reason into the log.
  return reason !== undefined && Object.hasOwn(CLOSED_REASONS, reason)
    ? CLOSED_REASONS[reason]
    : 'This connection has ended.';
}
