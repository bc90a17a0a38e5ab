import { useEffect } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import type { Request } from '@/components/exchange/use-request';
import { Checkbox } from '@/components/ui/inputs';
import { useDraft } from '@/lib/hooks/drafts';
import { useLogState } from '@/lib/hooks/log';
import { useLogTimes } from '@/lib/hooks/times';
import { countOf } from '@/lib/wire/format';

interface ResourceChangesProps {
  readonly request: Request;
  readonly uri: string;
  readonly onRead: () => void;
}

/** How often the server has reported a change of a resource, and a choice to read it again at each. */
export function ResourceChanges({ request: { log, exchange, readOnly, closed }, uri, onRead }: ResourceChangesProps) {
  const times = useLogTimes(log);
  const updates = useLogState(log, (state) => state.resourceUpdates.get(uri));
  const [follows, setFollows] = useDraft(`read on change ${uri}`, false);
  const changed = updates !== undefined && exchange !== undefined && exchange.requestSeq < updates.seq;
  const idle = closed === undefined && !readOnly && exchange?.status !== 'pending';
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads once for each change
  useEffect(() => {
    if (follows && changed && idle) onRead();
  }, [follows, updates?.seq, idle]);
  if (updates === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-muted">
      <p role="status">
        {changed && <span className="text-warn">! Changed since it was read. </span>}
        {countOf(updates.count, 'change')} reported, the newest at{' '}
        <span className="tabular">{times.shown(log.columns.time(updates.seq - 1))}</span> (
        <FrameLink seq={updates.seq} label="notification" short />)
      </p>
      {!readOnly && <Checkbox checked={follows} onChange={setFollows} label="Read on each change" />}
    </div>
  );
}
