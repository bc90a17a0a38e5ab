import { type RefObject, Suspense, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { Menu } from '@/components/ui/menu';
import { moveFocus } from '@/components/ui/page-focus';
import { usePaletteCommands, useShortcuts } from '@/components/ui/shortcuts';
import { countOf } from '@/lib/wire/format';
import { COLUMNS, type ColumnSettings } from './columns';
import type { TableView } from './use-table-view';

const FilterHelpDialog = lazyWhenIdle(() => import('../filter-help').then((file) => file.FilterHelpDialog));

/** The menu of the message table. */
export function TableTools({
  view,
  columns,
  grid,
  timeline,
  onTimeline,
}: {
  readonly view: TableView;
  readonly columns: ColumnSettings;
  readonly grid: RefObject<HTMLElement | null>;
  /** True while the timeline is shown. */
  readonly timeline: boolean;
  readonly onTimeline: () => void;
}) {
  const [help, showHelp] = useState(false);
  const { following, onFollowing, paused, onPause, cleared, onClear, onUndoClear } = view;
  const undo = () => {
    // The focused button disappears.
    moveFocus(grid.current);
    onUndoClear();
  };
  useShortcuts(
    [
      { keys: 'End', title: 'Follow the newest messages', run: () => onFollowing(true) },
      { keys: 'p', title: paused ? 'Resume the log view' : 'Pause the log view', run: onPause },
      { keys: 't', title: timeline ? 'Hide the timeline' : 'Show the timeline', run: onTimeline },
      { keys: 'c', title: 'Clear the log view', run: onClear },
      ...(cleared ? [{ keys: 'u', title: 'Show cleared messages again', run: onUndoClear }] : []),
    ],
    'Message log',
  );
  usePaletteCommands(() =>
    following ? [{ title: 'Stop following new messages', run: () => onFollowing(false) }] : [],
  );
  const items = () => [
    { label: 'Follow new messages', checked: following, run: () => onFollowing(!following) },
    { label: 'Timeline', checked: timeline, run: onTimeline },
    { label: 'Pause the view (recording continues)', checked: paused, run: onPause },
    { label: 'Clear the view (nothing is deleted)', run: onClear },
    { label: 'Filter help', run: () => showHelp(true) },
    ...COLUMNS.map(({ id, title }, at) => ({
      label: hasRoom(grid.current, title) ? title : `${title} (no room)`,
      checked: !columns.isHidden(id),
      separatorBefore: at === 0,
      run: () => columns.toggle(id),
    })),
    { label: 'Reset columns', separatorBefore: true, run: columns.reset },
  ];
  return (
    <>
      {cleared && (
        <Button size="small" title="Show cleared messages again" onClick={undo}>
          Undo clear
        </Button>
      )}
      <Menu label="Columns and more" items={items}>
        <Icon name="more" />
      </Menu>
      <Suspense>{help && <FilterHelpDialog onClose={() => showHelp(false)} />}</Suspense>
    </>
  );
}

/** Returns false for a column that CSS hides because the table is too narrow. */
function hasRoom(grid: HTMLElement | null, title: string): boolean {
  const header = grid?.querySelector<HTMLElement>(`[role=columnheader][aria-label="${title}"]`);
  return !header || header.offsetParent !== null;
}

/** Shown below a table that is paused or no longer follows: how many frames have arrived, and a button to show them. */
export function NewRowsBar({
  view,
  over,
}: {
  readonly view: TableView;
  /** True if the connection has ended, so that arriving frames are old ones still being loaded. */
  readonly over: boolean;
}) {
  const { paused, onPause, following, onFollowing, waiting, loaded } = view;
  // A log that has ended and is here as a whole gets no more frames.
  if (!paused && (following || waiting === 0 || (over && loaded))) return null;
  const frames = countOf(waiting, over ? 'more frame' : 'new frame');
  return (
    <div className="flex h-7 shrink-0 items-center justify-center border-t border-line bg-surface">
      <Button size="small" onClick={paused ? onPause : () => onFollowing(true)} className="tabular">
        <Icon name={paused ? 'resume' : 'follow'} />
        {paused ? `Resume (${frames})` : frames}
      </Button>
    </div>
  );
}
