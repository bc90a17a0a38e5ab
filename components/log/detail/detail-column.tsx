import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { useShortcuts } from '@/components/ui/shortcuts';
import { Split } from '@/components/ui/split';
import { visibleText } from '@/components/ui/visible-text';
import { navigate, useLocation } from '@/lib/hooks/location';
import { useKeptInView, useLogBehind, useLogSize } from '@/lib/hooks/log';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { rowLabel } from '@/lib/store/rows/row-text';
import { countOf, formatCount } from '@/lib/wire/format';
import type { FrameActions } from './detail-actions';
import { DiffDialog } from './diff-dialog';
import { COMPARING } from './message-commands';
import { DETAIL_TABS, MessageDetail, tabsOf } from './message-detail';

/** Height below which only one message is shown at a time, in px. */
const MIN_HEIGHT_FOR_TWO = 420;

const showInUrl = (view: string, at?: string) => navigate({ view, at }, { replace: true });

/** The column next to the table: frames kept in view, the selected frame, and the comparison of two. */
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
  /** The selected seq. */
  readonly frame: number | undefined;
  /** The selected row; undefined if it is not loaded. */
  readonly row: Row | undefined;
  readonly onSelect: (seq: number) => void;
  readonly onClose: () => void;
  readonly region: RefObject<HTMLElement | null>;
}) {
  const { view, at } = useLocation();
  const { kept, keep, drop } = useKeptInView(log);
  const { diff, picking } = COMPARING.use(log);

  useEffect(() => {
    if (picking === undefined || row === undefined || row.seq === picking) return;
    COMPARING.set(log, { diff: [picking, row.seq] });
  }, [log, picking, row]);

  useShortcuts(
    row
      ? DETAIL_TABS.map(({ id, title }, place) => ({
          keys: String(place + 1),
          title: `Show the ${title} tab of the message`,
          run: () => tabsOf(row, log).some((tab) => tab.id === id) && navigate({ view: id }, { replace: true }),
        }))
      : [],
    'Message log',
  );

  const actions: FrameActions = {
    kept,
    onKeep: keep,
    onDrop: drop,
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
      onShow={showInUrl}
      onSelect={onSelect}
      // It would stay in view otherwise.
      onClose={() => {
        drop(row.seq);
        onClose();
      }}
      region={region}
    />
  ) : frame === undefined ? undefined : (
    <FrameNotLoaded log={log} seq={frame} onClose={onClose} />
  );
  // Dropping the last frame removes the pane and with it the focused button.
  const dropInPane = (seq: number) => {
    drop(seq);
    if (kept.length > 1) return;
    if (frame === undefined) onClose();
    else moveFocus(region.current);
  };
  const column = useRef<HTMLDivElement>(null);
  const [low, setLow] = useState(false);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setLow(entry!.contentRect.height < MIN_HEIGHT_FOR_TWO));
    observer.observe(column.current!);
    return () => observer.disconnect();
  }, []);
  const oneAtATime = low && selected !== undefined;
  return (
    <div ref={column} className="flex min-h-0 flex-1 flex-col">
      {oneAtATime && kept.length > 0 && <KeptList log={log} kept={kept} chosen={frame} onChoose={onSelect} />}
      {picking !== undefined && (
        <p role="status" className="flex shrink-0 items-center gap-2 border-b border-line bg-accent/12 px-2 py-1">
          <span className="flex-1">Select a row to compare with #{picking}</span>
          <Button size="small" onClick={() => COMPARING.set(log, {})}>
            Cancel
          </Button>
        </p>
      )}
      {/* Rendered even without kept frames, so that the detail is not remounted by the first or last one. */}
      <Split
        id="kept"
        orientation="vertical"
        label="Resize messages kept in view"
        startSize="45%"
        startMin="80px"
        endMin="120px"
        start={
          <KeptPane log={log} problems={problems} actions={{ ...actions, onDrop: dropInPane }} onSelect={onSelect} />
        }
        startHidden={kept.length === 0 || oneAtATime}
        end={selected}
      />
      {diff && <DiffDialog log={log} seqs={diff} onClose={() => COMPARING.set(log, {})} />}
    </div>
  );
}

/** Shown in place of a selected frame that is not loaded, for example one named by the URL. */
function FrameNotLoaded({
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
      <EmptyState title={coming ? `Loading frame #${seq}…` : `No frame #${seq} yet`}>
        <p role="status" className="mb-2">
          {coming
            ? `Loaded ${formatCount(size)} of ${formatCount(size + behind)} frames.`
            : `The log has ${countOf(size, 'frame')}. The frame appears here once it exists.`}
        </p>
        <Button size="small" onClick={onClose}>
          Close
        </Button>
      </EmptyState>
    </section>
  );
}

/** The frames kept in view: a button for each, and the detail of the chosen one. */
function KeptPane({
  log,
  problems,
  actions,
  onSelect,
}: {
  readonly log: Log;
  readonly problems: ProblemList;
  readonly actions: FrameActions;
  readonly onSelect: (seq: number) => void;
}) {
  const { kept, onDrop } = actions;
  const [chosen, setChosen] = useState<number>();
  const [place, setPlace] = useState<{ readonly view?: string; readonly at?: string }>({});
  const show = useCallback((view: string, at?: string) => setPlace({ view, at }), []);
  const region = useRef<HTMLElement>(null);
  const seq = chosen !== undefined && kept.includes(chosen) ? chosen : kept.at(-1);
  if (seq === undefined) return null;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {kept.length > 1 && (
        <KeptList
          log={log}
          kept={kept}
          chosen={seq}
          onChoose={(one) => {
            setChosen(one);
            setPlace(({ view }) => ({ view }));
          }}
        />
      )}
      <MessageDetail
        id="kept"
        label="Message kept in view"
        log={log}
        row={log.row(seq - 1)}
        problems={problems.of(seq)}
        view={place.view}
        at={place.at}
        actions={actions}
        onShow={show}
        onSelect={onSelect}
        onClose={() => onDrop(seq)}
        region={region}
      />
    </div>
  );
}

/** A line of buttons, one for each frame kept in view. */
function KeptList({
  log,
  kept,
  chosen,
  onChoose,
}: {
  readonly log: Log;
  readonly kept: readonly number[];
  /** seq of the frame shown. */
  readonly chosen: number | undefined;
  readonly onChoose: (seq: number) => void;
}) {
  return (
    <ul
      aria-label="Messages kept in view"
      className="flex h-7 shrink-0 items-center gap-1 overflow-x-auto border-b border-line px-2"
    >
      {kept.map((one) => (
        <li key={one} className="shrink-0">
          <button
            type="button"
            aria-pressed={one === chosen}
            onClick={() => onChoose(one)}
            className="h-6 max-w-40 truncate rounded px-1.5 font-mono text-small text-muted hover:bg-text/8 aria-pressed:bg-accent/12 aria-pressed:text-text"
          >
            #{one} {shortLabel(log, one)}
          </button>
        </li>
      ))}
    </ul>
  );
}

function shortLabel(log: Log, seq: number): string {
  const { what, about } = rowLabel(log.row(seq - 1));
  return visibleText(`${what} ${about ?? ''}`.slice(0, 80));
}
