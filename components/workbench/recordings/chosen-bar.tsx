import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { formatCount } from '@/components/ui/format';

/** What can be done with the recordings that are selected. */
export function ChosenBar({
  count,
  all,
  onAll,
  onCompare,
  onExport,
  onDelete,
}: {
  readonly count: number;
  /** Every one is selected. */
  readonly all: boolean;
  readonly onAll: (all: boolean) => void;
  /** Absent unless two are. */
  readonly onCompare: (() => void) | undefined;
  readonly onExport: () => void;
  readonly onDelete: () => void;
}) {
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-2 border-b border-line pb-1">
      <Checkbox checked={all} onChange={onAll} label="Select all" />
      {count > 0 && (
        <>
          <span role="status" className="tabular text-muted">
            {formatCount(count)} selected
          </span>
          {onCompare && (
            <Button size="small" onClick={onCompare}>
              Compare the two
            </Button>
          )}
          <Button size="small" onClick={onExport}>
            Export selected
          </Button>
          <Button size="small" onClick={onDelete}>
            Delete selected
          </Button>
          <span className="ml-auto text-small text-muted">
            Exports are as kept. To give one away, open it and press Share.
          </span>
        </>
      )}
    </div>
  );
}
