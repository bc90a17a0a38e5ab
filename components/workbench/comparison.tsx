import { CompareView } from '@/components/compare/compare-view';
import { useLocation } from '@/lib/hooks/use-location';
import { useLog } from '@/lib/hooks/use-log';
import type { ConnectionSummary } from '@/lib/wire/command';

/** The comparison of two connections, the older one first, whichever of them is selected. */
export function Comparison({
  connections,
  labels,
}: {
  readonly connections: readonly [ConnectionSummary, ConnectionSummary];
  readonly labels: ReadonlyMap<string, string>;
}) {
  const { navigate } = useLocation();
  const [before, after] = olderFirst(connections);
  const [beforeLog, afterLog] = [useLog(before.id), useLog(after.id)];
  return (
    <CompareView
      before={{ id: before.id, label: labels.get(before.id)!, log: beforeLog }}
      after={{ id: after.id, label: labels.get(after.id)!, log: afterLog }}
      ready={isRead(before) && isRead(after)}
      onClose={() => navigate({ compare: undefined })}
    />
  );
}

type Two = readonly [ConnectionSummary, ConnectionSummary];

function olderFirst([one, other]: Two): Two {
  return one.startedAt <= other.startedAt ? [one, other] : [other, one];
}

/** A recording comes in as it is read. */
function isRead({ recording }: ConnectionSummary): boolean {
  return !recording || recording.report !== undefined || recording.failure !== undefined;
}
