import { visibleText } from '@/components/ui/visible-text';
import type { ConnectionSummary } from '@/lib/wire/command';

/** What a connection is called: a recording as somebody named it, else as its server calls itself; others as they were started. */
export function connectionName({
  name,
  serverName,
  recording,
}: Pick<ConnectionSummary, 'name' | 'serverName' | 'recording'>): string {
  return visibleText((recording && (recording.called || serverName)) || name);
}

/** What each connection is called on the page, by id: its name, of a recording with its time, from the second of these on with a number. */
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

/** Of the day, and the day if that is not today; '' for what is no time. */
function timeOf(at: string): string {
  const when = new Date(at);
  if (Number.isNaN(when.getTime())) return '';
  const time = when.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (when.toDateString() === new Date().toDateString()) return time;
  return `${when.toLocaleDateString(undefined, { month: 'short', day: 'numeric' })}, ${time}`;
}
