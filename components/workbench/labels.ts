import { visibleText } from '@/components/ui/visible-text';
import type { ConnectionFacts } from '@/lib/store/state/state';
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

const WORDS: Readonly<Record<NonNullable<ConnectionFacts['closing']>, string>> = {
  user: 'You disconnected.',
  restart: 'You restarted it: the new connection is another one in the list.',
  'no-viewer': 'It was ended because no page was open for the whole grace time.',
  'page-gone': 'It was direct, so it ended when the page was closed or loaded again.',
  shutdown: 'It was ended because mcp-inspect quit.',
  failure: 'It was ended because the connection failed.',
};

/** Why a connection that did not fail is over. */
export function closedReason(reason: ConnectionFacts['closing']): string {
  // A log may be of a newer version.
  return reason !== undefined && Object.hasOwn(WORDS, reason) ? WORDS[reason] : 'This connection has ended.';
}
