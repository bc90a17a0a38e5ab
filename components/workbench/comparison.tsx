import { useState } from 'react';
import { CompareView } from '@/components/compare/compare-view';
import type { ComparedSide } from '@/components/compare/differences';
import { runLabel } from '@/components/exchange/connection-labels';
import { visibleText } from '@/components/ui/visible-text';
import { useLocation } from '@/lib/hooks/location';
import { useLog, useLogState } from '@/lib/hooks/log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatDate } from '@/lib/wire/format';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { isLive } from './connection-state';
import { CHOOSE } from './other-run';

/** Compares two connections. The older one is "before" until the user swaps them. */
export function ComparisonView({
  connections,
}: {
  readonly connections: readonly [ConnectionSummary, ConnectionSummary];
}) {
  const { navigate } = useLocation();
  const [swapped, setSwapped] = useState(false);
  const [older, newer] = olderFirst(connections);
  const [before, after] = swapped ? [newer, older] : [older, newer];
  const sides = [useSide(before, 'before'), useSide(after, 'after')] as const;
  const isSame = sides[0].title === sides[1].title;
  return (
    <CompareView
      before={isSame ? withFile(sides[0], before) : sides[0]}
      after={isSame ? withFile(sides[1], after) : sides[1]}
      ready={isRead(before) && isRead(after)}
      reading={readingOf(connections)}
      onSwap={() => setSwapped(!swapped)}
      onChoose={() => navigate({ compare: CHOOSE })}
    />
  );
}

function useSide(connection: ConnectionSummary, label: ComparedSide['label']): ComparedSide {
  const log = useLog(connection.id);
  const given = useLogState(log, (state) => state.notes.about.name);
  const server = useLogState(log, (state) => state.server.info?.name);
  return { id: connection.id, label, log, title: sideTitle(connection, given, server) };
}

/** Adds the file name to a title, for two sides with the same title. */
function withFile(side: ComparedSide, { recording }: ConnectionSummary): ComparedSide {
  return recording ? { ...side, title: `${side.title} · ${visibleText(recording.file)}` } : side;
}

type Two = readonly [ConnectionSummary, ConnectionSummary];

function olderFirst([one, other]: Two): Two {
  return one.startedAt <= other.startedAt ? [one, other] : [other, one];
}

/** True unless the connection is a recording that is still being read. */
function isRead({ recording }: ConnectionSummary): boolean {
  if (!recording) return true;
  const { report, failure, inParts, reading } = recording;
  return report !== undefined || failure !== undefined || (inParts === true && !reading);
}

/** Returns how far the files of both are read; undefined once they are. */
function readingOf(connections: Two): ReadingProgress | undefined {
  const files = connections.flatMap(({ recording }) => recording?.reading ?? []);
  const sum = (of: 'done' | 'of') => files.reduce((all, file) => all + file[of], 0);
  return files.length === 0 ? undefined : { done: sum('done'), of: sum('of') };
}

/**
 * Returns a title that tells a connection from others of the same server: the name a person gave it, the server's name,
 * its run, its state and its start time.
 */
export function sideTitle(
  connection: Pick<ConnectionSummary, 'name' | 'recording' | 'state' | 'startedAt' | 'run'>,
  given: string,
  server: string | undefined,
): string {
  const { name, recording, state, startedAt, run } = connection;
  const what = recording ? 'recorded' : isLive(state) ? 'live since' : 'ended, started';
  const names = new Set([given, server || name]);
  const when = [what, formatDate(startedAt)].filter(Boolean).join(' ');
  return [...names, run === undefined || recording ? '' : runLabel({ run }), when]
    .filter(Boolean)
    .map(visibleText)
    .join(' · ');
}
