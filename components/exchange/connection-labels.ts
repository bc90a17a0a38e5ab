import { visibleText } from '@/components/ui/visible-text';
import { type ConnectionSummary, entryOf } from '@/lib/wire/command';
import { formatClock, formatDate } from '@/lib/wire/format';

type Named = Pick<ConnectionSummary, 'name' | 'named' | 'serverName' | 'recording'>;

/** Returns a connection's name: one that a person gave, or else the server's own, or else one made from its command. */
function connectionName({ name, named, serverName, recording }: Named): string {
  return visibleText(recording?.called || (!named && serverName) || name);
}

/** A server that was connected to, or an opened recording. */
export interface ConnectionEntry {
  readonly id: string;
  /** The newest run. */
  readonly newest: ConnectionSummary;
  /** The runs before it, newest first. */
  readonly older: readonly ConnectionSummary[];
}

/** Groups connections into entries. Both are oldest first. A run that only tries other settings is never the newest. */
export function connectionEntries(connections: readonly ConnectionSummary[]): readonly ConnectionEntry[] {
  const entries = new Map<string, ConnectionSummary[]>();
  for (const connection of connections) {
    const id = entryOf(connection);
    entries.set(id, [connection, ...(entries.get(id) ?? [])]);
  }
  return Array.from(entries, ([id, runs]) => {
    const newest = runs.find(({ trial }) => trial === undefined) ?? runs[0]!;
    return { id, newest, older: runs.filter((run) => run !== newest) };
  });
}

/** Returns the runs of a connection’s entry, in their order, without those that only try other settings. */
export function runsOf(connections: readonly ConnectionSummary[], shown: ConnectionSummary): ConnectionSummary[] {
  return connections.filter((one) => entryOf(one) === entryOf(shown) && one.trial === undefined);
}

/** Returns the number of a run in words: “run 3”, and what it tries: “run 4, without roots”. */
export function runLabel({ run = 1, trial }: Pick<ConnectionSummary, 'run' | 'trial'>): string {
  return trial === undefined ? `run ${run}` : `run ${run}, ${visibleText(trial)}`;
}

/**
 * Returns each connection's label by id: its name, a recording's time, a number when another entry has the same label,
 * and the run if it is not the newest.
 */
export function connectionLabels(connections: readonly ConnectionSummary[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const labels = new Map<string, string>();
  for (const { newest, older } of connectionEntries(connections)) {
    const { recording, startedAt } = newest;
    // A run that failed never learned the server's name.
    const known = [newest, ...older].find(({ serverName }) => serverName !== undefined) ?? newest;
    const shown = [connectionName(known), recording && timeOf(startedAt)].filter(Boolean).join(' · ');
    const count = (counts.get(shown) ?? 0) + 1;
    counts.set(shown, count);
    const label = count === 1 ? shown : `${shown} (${count})`;
    labels.set(newest.id, label);
    for (const run of older) labels.set(run.id, `${label}, ${runLabel(run)}`);
  }
  return labels;
}

/** Returns the time of day, with the date unless it is today; '' for an invalid time. */
function timeOf(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? formatClock(at) : formatDate(at);
}
