import { Button } from '@/components/ui/button';
import { formatCount } from '@/components/ui/format';
import type { RecordingsLeaving } from '@/lib/wire/api';
import { formatBytes } from '@/lib/wire/format-bytes';

/** That there are more recordings than are listed. */
export function OlderNote({
  listed,
  older,
  onMore,
}: {
  readonly listed: number;
  readonly older: RecordingsLeaving;
  readonly onMore: () => void;
}) {
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-muted">
      <span className="tabular">
        The newest {formatCount(listed)} of {formatCount(listed + older.count)} are listed; the rest has{' '}
        {formatBytes(older.bytes)}.
      </span>
      <Button size="small" onClick={onMore}>
        List more
      </Button>
    </p>
  );
}
