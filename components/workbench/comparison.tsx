import { useState } from 'react';
import { CompareView } from '@/components/compare/compare-view';
import type { Side } from '@/components/compare/side';
import { visibleText } from '@/components/ui/visible-text';
import { useLocation } from '@/lib/hooks/use-location';
import { useLog, useLogState } from '@/lib/hooks/use-log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { sideTitle } from './side-title';

/** The comparison of two connections, the older one before, whichever of them is selected, until they are swapped. */
export function Comparison({ connections }: { readonly connections: readonly [ConnectionSummary, ConnectionSummary] }) {
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
      onSwap={() => setSwapped(!swapped)}
      onClose={() => navigate({ compare: undefined })}
    />
  );
}

function useSide(connection: ConnectionSummary, label: Side['label']): Side {
  const log = useLog(connection.id);
  const given = useLogState(log, (state) => state.notes.about.name);
  const server = useLogState(log, (state) => state.server.info?.name);
  return { id: connection.id, label, log, title: sideTitle(connection, given, server) };
}

/** Of two that are called the same, the file tells which one it is. */
function withFile(side: Side, { recording }: ConnectionSummary): Side {
  return recording ? { ...side, title: `${side.title} · ${visibleText(recording.file)}` } : side;
}

type Two = readonly [ConnectionSummary, ConnectionSummary];

function olderFirst([one, other]: Two): Two {
  return one.startedAt <= other.startedAt ? [one, other] : [other, one];
}

/** A recording comes in as it is read. */
function isRead({ recording }: ConnectionSummary): boolean {
  return !recording || recording.report !== undefined || recording.failure !== undefined;
}
