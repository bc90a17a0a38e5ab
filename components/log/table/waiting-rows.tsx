import { Button } from '@/components/ui/button';
import { formatCount } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import type { TableView } from './use-table-view';

/** Over the end of a table that stands still: how many rows have come, and the way to them. */
export function WaitingRows({ view }: { readonly view: TableView }) {
  const { paused, onPause, following, onFollowing, waiting } = view;
  if (!paused && (following || waiting === 0)) return null;
  const rows = `${formatCount(waiting)} new ${waiting === 1 ? 'row' : 'rows'}`;
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-2 z-1 flex justify-center">
      <Button
        size="small"
        onClick={paused ? onPause : () => onFollowing(true)}
        className="tabular pointer-events-auto shadow-md"
      >
        <Icon name={paused ? 'resume' : 'follow'} />
        {paused ? `Paused: resume with ${rows}` : rows}
      </Button>
    </div>
  );
}
