import { Button } from '@/components/ui/button';
import type { ShareProgress } from '@/lib/hooks/use-share';

/** What is under way, how far it is, and a way to end it. */
export function WorkProgress({
  progress: { what, share },
  onCancel,
}: {
  readonly progress: ShareProgress;
  readonly onCancel: () => void;
}) {
  const percent = Math.round(share * 100);
  return (
    <div className="mb-2 flex items-center gap-2">
      <span className="text-muted">{what}…</span>
      <div
        role="progressbar"
        aria-label={what}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-1 flex-1 bg-line"
      >
        <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
