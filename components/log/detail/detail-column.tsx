import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Split } from '@/components/ui/split';
import { useShortcuts } from '@/components/ui/use-shortcuts';
import { navigate, useLocation } from '@/lib/hooks/use-location';
import { usePins } from '@/lib/hooks/use-pins';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { COMPARING } from './comparing';
import type { RowActions } from './detail-actions';
import { DETAIL_TABS, tabsOf } from './detail-tabs';
import { DiffDialog } from './diff-dialog';
import { FrameAway } from './frame-away';
import { MessageDetail } from './message-detail';
import { PinList } from './pin-list';
import { PinnedPane } from './pinned-pane';

/** The least height, in px, in which two messages can be read one above the other. */
const ROOM_FOR_TWO = 420;

const showInAddress = (view: string, at?: string) => navigate({ view, at }, { replace: true });

/** What stands beside the table: the selected frame, above it those that are pinned, and two of them compared. */
export function DetailColumn({
  log,
  problems,
  frame,
  row,
  onSelect,
  onClose,
  region,
}: {
  readonly log: Log;
  readonly problems: ProblemList;
  /** seq that is selected. */
  readonly frame: number | undefined;
  /** undefined if it is not here. */
  readonly row: Row | undefined;
  readonly onSelect: (seq: number) => void;
  readonly onClose: () => void;
  readonly region: RefObject<HTMLElement | null>;
}) {
  const { view, at } = useLocation();
  const { pins, pin, unpin } = usePins(log);
  const { diff, picking } = COMPARING.use(log);

  useEffect(() => {
    if (picking === undefined || row === undefined || row.seq === picking) return;
    COMPARING.set(log, { diff: [picking, row.seq] });
  }, [log, picking, row]);

  useShortcuts(
    row
      ? DETAIL_TABS.map(({ id, title }, place) => ({
          keys: String(place + 1),
          title: `Show the message’s tab ${title}`,
          run: () => tabsOf(row, log).some((tab) => tab.id === id) && navigate({ view: id }, { replace: true }),
        }))
      : [],
  );

  const actions: RowActions = {
    pins,
    onPin: pin,
    onUnpin: unpin,
    onDiff: (seqs) => COMPARING.set(log, { diff: seqs }),
    onPick: (seq) => COMPARING.set(log, { picking: seq }),
  };
  const selected = row ? (
    <MessageDetail
      id="detail"
      label="Message detail"
      log={log}
      row={row}
      problems={problems.of(row.seq)}
      view={view}
      at={at}
      actions={actions}
      onShow={showInAddress}
      onSelect={onSelect}
      // What is pinned would stay in sight.
      onClose={() => {
        unpin(row.seq);
        onClose();
      }}
      region={region}
    />
  ) : frame === undefined ? undefined : (
    <FrameAway log={log} seq={frame} onClose={onClose} />
  );
  // With the last pin its pane goes, and the button that was pressed.
  const unpinThere = (seq: number) => {
    unpin(seq);
    if (pins.length > 1) return;
    if (frame === undefined) onClose();
    else region.current?.focus();
  };
  const column = useRef<HTMLDivElement>(null);
  const [low, setLow] = useState(false);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setLow(entry!.contentRect.height < ROOM_FOR_TWO));
    observer.observe(column.current!);
    return () => observer.disconnect();
  }, []);
  const oneAtATime = low && selected !== undefined;
  return (
    <div ref={column} className="flex min-h-0 flex-1 flex-col">
      {oneAtATime && pins.length > 0 && <PinList log={log} pins={pins} chosen={frame} onChoose={onSelect} />}
      {picking !== undefined && (
        <p role="status" className="flex shrink-0 items-center gap-2 border-b border-line bg-accent/12 px-2 py-1">
          <span className="flex-1">Select the row to compare #{picking} with.</span>
          <Button size="small" onClick={() => COMPARING.set(log, {})}>
            Cancel
          </Button>
        </p>
      )}
      {/* Always there: what the first pin and the last unpin leave is not made anew. */}
      <Split
        id="pinned"
        orientation="vertical"
        label="Resize pinned messages"
        startSize="45%"
        startMin="80px"
        endMin="120px"
        start={
          <PinnedPane log={log} problems={problems} actions={{ ...actions, onUnpin: unpinThere }} onSelect={onSelect} />
        }
        startHidden={pins.length === 0 || oneAtATime}
        end={selected}
      />
      {diff && <DiffDialog log={log} seqs={diff} onClose={() => COMPARING.set(log, {})} />}
    </div>
  );
}
