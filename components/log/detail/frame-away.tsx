import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { formatCount } from '@/components/ui/format';
import { useLogBehind, useLogSize } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';

/** Stands for a frame that was asked for, by the address say, and is not here. */
export function FrameAway({
  log,
  seq,
  onClose,
}: {
  readonly log: Log;
  readonly seq: number;
  readonly onClose: () => void;
}) {
  const size = useLogSize(log);
  const behind = useLogBehind(log);
  const coming = seq <= size + behind;
  return (
    <section aria-label="Message detail" className="min-h-0 flex-1">
      <EmptyState title={coming ? `Frame #${seq} is being fetched` : `There is no frame #${seq} yet`}>
        <p role="status" className="mb-2">
          {coming
            ? `${formatCount(size)} of ${formatCount(size + behind)} frames are here.`
            : `The log has ${formatCount(size)} frames. It is shown as soon as it comes.`}
        </p>
        <Button size="small" onClick={onClose}>
          Close
        </Button>
      </EmptyState>
    </section>
  );
}
