import { type RefObject, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { IconButton } from '@/components/ui/icon-button';
import { Menu } from '@/components/ui/menu';
import { useShortcuts } from '@/components/ui/use-shortcuts';
import { COLUMNS } from './columns';
import type { ColumnSettings } from './use-column-settings';
import type { TableView } from './use-table-view';

/** What can be done to the message table: follow, pause, clear, choose columns, show the timeline. */
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
  /** It is shown. */
  readonly timeline: boolean;
  readonly onTimeline: () => void;
}) {
  const { following, onFollowing, paused, onPause, cleared, onClear, onUndoClear } = view;
  const clear = useRef<HTMLButtonElement>(null);
  const undo = () => {
    // The button goes away under the focus.
    clear.current?.focus();
    onUndoClear();
  };
  useShortcuts([
    { keys: 'End', title: 'Follow the newest messages', run: () => onFollowing(true) },
    { keys: 'p', title: paused ? 'Resume the view of the log' : 'Pause the view of the log', run: onPause },
    { keys: 't', title: timeline ? 'Hide the timeline' : 'Show the timeline', run: onTimeline },
    { keys: 'c', title: 'Clear the view of the log', run: onClear },
    ...(cleared ? [{ keys: 'u', title: 'Show what was cleared', run: onUndoClear }] : []),
  ]);
  return (
    <>
      <IconButton label="Follow new messages" aria-pressed={following} onClick={() => onFollowing(!following)}>
        <Icon name="follow" />
      </IconButton>
      <IconButton
        label={paused ? 'Resume the view' : 'Pause the view: the log goes on'}
        aria-pressed={paused}
        onClick={onPause}
      >
        <Icon name={paused ? 'resume' : 'pause'} />
      </IconButton>
      <IconButton ref={clear} label="Clear the view: the log keeps all" onClick={onClear}>
        <Icon name="clear" />
      </IconButton>
      {cleared && (
        <Button size="small" title="Show all of the log again" onClick={undo}>
          Undo clear
        </Button>
      )}
      <Menu
        label="Columns"
        items={() => [
          ...COLUMNS.map(({ id, title }) => ({
            label: hasRoom(grid.current, title) ? title : `${title} (no room)`,
            checked: !columns.isHidden(id),
            run: () => columns.toggle(id),
          })),
          { label: 'Reset columns', apart: true, run: columns.reset },
        ]}
      >
        <Icon name="columns" />
      </Menu>
      <IconButton label="Timeline" aria-pressed={timeline} onClick={onTimeline}>
        <Icon name="timeline" />
      </IconButton>
    </>
  );
}

/** Columns give way by CSS, as the table gets narrow. */
function hasRoom(grid: HTMLElement | null, title: string): boolean {
  const header = grid?.querySelector<HTMLElement>(`[role=columnheader][aria-label="${title}"]`);
  return !header || header.offsetParent !== null;
}
