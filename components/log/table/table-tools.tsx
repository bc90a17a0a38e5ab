import { type RefObject, useRef } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { CROWDED, useMedia } from '@/components/ui/media';
import { Menu } from '@/components/ui/menu';
import { moveFocus } from '@/components/ui/page-focus';
import { useShortcuts } from '@/components/ui/shortcuts';
import { countOf } from '@/lib/wire/format';
import { COLUMNS, type ColumnSettings } from './columns';
import type { TableView } from './use-table-view';

/** Buttons for the message table: follow, pause, clear, columns, timeline, size. A menu has most without room. */
export function TableTools({
  view,
  columns,
  grid,
  timeline,
  onTimeline,
  maximised,
  onMaximise,
}: {
  readonly view: TableView;
  readonly columns: ColumnSettings;
  readonly grid: RefObject<HTMLElement | null>;
  /** True while the timeline is shown. */
  readonly timeline: boolean;
  readonly onTimeline: () => void;
  readonly maximised: boolean;
  readonly onMaximise: () => void;
}) {
  const isCrowded = useMedia(CROWDED);
  const { following, onFollowing, paused, onPause, cleared, onClear, onUndoClear } = view;
  const clear = useRef<HTMLButtonElement>(null);
  const undo = () => {
    // The focused button disappears.
    moveFocus(clear.current);
    onUndoClear();
  };
  useShortcuts([
    { keys: 'End', title: 'Follow the newest messages', run: () => onFollowing(true) },
    { keys: 'p', title: paused ? 'Resume the log view' : 'Pause the log view', run: onPause },
    { keys: 't', title: timeline ? 'Hide the timeline' : 'Show the timeline', run: onTimeline },
    { keys: 'c', title: 'Clear the log view', run: onClear },
    ...(cleared ? [{ keys: 'u', title: 'Show cleared messages again', run: onUndoClear }] : []),
  ]);
  const columnItems = () => [
    ...COLUMNS.map(({ id, title }) => ({
      label: hasRoom(grid.current, title) ? title : `${title} (no room)`,
      checked: !columns.isHidden(id),
      run: () => columns.toggle(id),
    })),
    { label: 'Reset columns', separatorBefore: true, run: columns.reset },
  ];
  const undoButton = cleared && (
    <Button size="small" title="Show cleared messages again" onClick={undo}>
      Undo clear
    </Button>
  );
  if (isCrowded) {
    return (
      <>
        <PauseButton view={view} />
        {undoButton}
        <Menu
          label="More of the log"
          items={() => [
            { label: 'Follow new messages', checked: following, run: () => onFollowing(!following) },
            { label: 'Timeline', checked: timeline, run: onTimeline },
            { label: 'Clear the view (nothing is deleted)', run: onClear },
            { label: maximised ? 'Restore the log’s size' : 'Maximise the log', run: onMaximise },
            ...columnItems().map((item, at) => (at === 0 ? { ...item, separatorBefore: true } : item)),
          ]}
        >
          <Icon name="more" />
        </Menu>
      </>
    );
  }
  return (
    <>
      <IconButton label="Follow new messages" aria-pressed={following} onClick={() => onFollowing(!following)}>
        <Icon name="follow" />
      </IconButton>
      <PauseButton view={view} />
      <IconButton ref={clear} label="Clear the view (nothing is deleted)" onClick={onClear}>
        <Icon name="clear" />
      </IconButton>
      {undoButton}
      <Menu label="Columns" items={columnItems}>
        <Icon name="columns" />
      </Menu>
      <IconButton label="Timeline" aria-pressed={timeline} onClick={onTimeline}>
        <Icon name="timeline" />
      </IconButton>
      <IconButton label={maximised ? 'Restore the log’s size' : 'Maximise the log'} onClick={onMaximise}>
        <Icon name={maximised ? 'restore' : 'maximise'} />
      </IconButton>
    </>
  );
}

function PauseButton({ view: { paused, onPause } }: { readonly view: TableView }) {
  return (
    <IconButton
      label={paused ? 'Resume the view' : 'Pause the view (recording continues)'}
      aria-pressed={paused}
      onClick={onPause}
    >
      <Icon name={paused ? 'resume' : 'pause'} />
    </IconButton>
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
  const { paused, onPause, following, onFollowing, waiting } = view;
  if (!paused && (following || waiting === 0)) return null;
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
