import { Button } from '@/components/ui/button';
import { formatCount } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import type { TableView } from './use-table-view';

/** Below a table that stands still: how many rows have come, and the way to them. */
export function WaitingRows({
  view,
  over,
}: {
  readonly view: TableView;
  /** Nothing happens any more: what comes was there, and is read. */
  readonly over: boolean;
}) {
  const { paused, onPause, following, onFollowing, waiting } = view;
  if (!paused && (following || waiting === 0)) return null;
  const rows = `${formatCount(waiting)} ${over ? 'more' : 'new'} ${waiting === 1 ? 'row' : 'rows'}`;
  return (
    <div className="flex h-7 shrink-0 items-center justify-center border-t border-line bg-surface">
      <Button size="small" onClick={paused ? onPause : () => onFollowing(true)} className="tabular">
        <Icon name={paused ? 'resume' : 'follow'} />
        {paused ? `Paused: resume with ${rows}` : rows}
      </Button>
    </div>
  );
}
