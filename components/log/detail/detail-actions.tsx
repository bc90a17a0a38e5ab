import { useMemo } from 'react';
import { CopyAsMenu } from '@/components/exchange/copy-as-menu';
import { Icon } from '@/components/ui/icon';
import { IconButton } from '@/components/ui/icon-button';
import { Menu } from '@/components/ui/menu';
import { MENU_BUTTON } from '@/components/ui/menu-button';
import { useFrameBytes } from '@/lib/hooks/use-frame-bytes';
import { requestOf } from '@/lib/store/exchange-parts';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { similarFinder } from '@/lib/store/similar-row';
import { FilterMenu } from '../filter/filter-menu';
import { EditButton } from './edit-button';
import { frameSnippets } from './frame-snippets';
import { ResendButton } from './resend-button';

/** Comparing and pinning, which concern more than one frame. */
export interface RowActions {
  readonly pins: readonly number[];
  readonly onPin: (seq: number) => void;
  readonly onUnpin: (seq: number) => void;
  readonly onDiff: (seqs: readonly [number, number]) => void;
  /** The next row that is selected is to be compared with this one. */
  readonly onPick: (seq: number) => void;
}

/** What can be done with a frame. */
export function DetailActions({
  log,
  row,
  actions,
}: {
  readonly log: Log;
  readonly row: Row;
  readonly actions: RowActions;
}) {
  const { pins, onPin, onUnpin, onDiff, onPick } = actions;
  // The request is copied with its answer.
  const request = requestOf(log, row);
  useFrameBytes(log, request === undefined ? [row.seq] : [row.seq, request]);
  const pinned = pins.includes(row.seq);
  const ours = row.channel === 'protocol' && row.direction === 'to-server';
  // The menu asks at each drawing while it is open.
  const similar = useMemo(() => similarFinder(log, row), [log, row]);
  const diffs = () => {
    const before = similar();
    return [
      ...(before === undefined
        ? []
        : [{ label: `the last like it, #${before}`, run: () => onDiff([before, row.seq]) }]),
      ...pins
        .filter((seq) => seq !== row.seq)
        .map((seq) => ({ label: `pinned #${seq}`, run: () => onDiff([seq, row.seq]) })),
      { label: 'another row…', run: () => onPick(row.seq) },
    ];
  };
  return (
    <span className="flex shrink-0 items-center">
      {ours && row.kind === 'request' && <ResendButton log={log} row={row} />}
      {ours && <EditButton log={log} row={row} />}
      <Menu label="Compare with" items={diffs} className={MENU_BUTTON}>
        Diff ▾
      </Menu>
      <CopyAsMenu snippets={() => frameSnippets(log, row)} />
      <FilterMenu row={row} />
      <IconButton
        label={pinned ? 'Unpin' : 'Pin: keep it in view'}
        aria-pressed={pinned}
        onClick={() => (pinned ? onUnpin(row.seq) : onPin(row.seq))}
      >
        <Icon name="pin" />
      </IconButton>
    </span>
  );
}
