// biome-ignore-all lint/a11y/useSemanticElements: a table can't be windowed and scrolled under a fixed header
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, aria-activedescendant names its rows

import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { moveFocus } from '@/components/ui/page-focus';
import { useRowWindow } from '@/components/ui/virtual-rows';
import type { FilterHits } from '@/lib/filter/hits';
import { useFrameBytes } from '@/lib/hooks/log';
import { useLogClock } from '@/lib/hooks/log-clock';
import { useSettings } from '@/lib/hooks/settings';
import { useSpanIndex } from '@/lib/hooks/telemetry';
import { useLogTimes } from '@/lib/hooks/times';
import type { InvalidResult } from '@/lib/problems/invalid-result';
import type { Severity } from '@/lib/problems/rule';
import type { Log } from '@/lib/store/log';
import { hasPreview } from '@/lib/store/rows/preview';
import type { Row } from '@/lib/store/rows/row';
import { countBefore, type RowList } from '@/lib/store/rows/row-list';
import { foldOf, otherHalf } from '@/lib/store/rows/row-text';
import { type TimeInterval, type TimeSpan, timeSpanOf } from '@/lib/store/rows/time-span';
import { METHOD } from '@/lib/wire/protocol-names';
import { shownRow } from '../labels';
import type { OpenRange } from '../timeline/time-range';
import { type ColumnSettings, type TableSort, widthStyles } from './columns';
import { GridHeader, HEADER_HEIGHT } from './grid-header';
import { LogRow, ROW_HEIGHTS, rowElementId, seqOfRow } from './log-row';
import { idleBefore, scaleOf, type TimeScale } from './time-scale';
import { Waterfall } from './waterfall';

const RowMenu = lazyWhenIdle(() => import('./row-menu').then((file) => file.RowMenu));

const NONE: readonly number[] = [];

/** Keys that move the selection, with functions of the current position and the number of rows on a page. */
const STEPS: Readonly<Record<string, (from: number, page: number) => number>> = {
  ArrowDown: (from) => from + 1,
  ArrowUp: (from) => from - 1,
  PageDown: (from, page) => from + page,
  PageUp: (from, page) => from - page,
  Home: () => 0,
};

interface LogGridProps {
  readonly log: Log;
  /** The filtered rows in the order of the table. */
  readonly list: RowList;
  readonly columns: ColumnSettings;
  readonly sort: TableSort | undefined;
  readonly onSort: (sort: TableSort | undefined) => void;
  /** Time range of the waterfall. An open end is the log's; undefined means that of the rows in view. */
  readonly range: OpenRange | undefined;
  /** Position of the selected row; -1 if none is selected or it is filtered out. */
  readonly selected: number;
  readonly onSelect: (seq: number) => void;
  /** Called on Enter with a row selected. */
  readonly onOpen: () => void;
  readonly following: boolean;
  readonly onFollowing: (following: boolean) => void;
  /** Marks the filter's words in the rows. */
  readonly hits: FilterHits;
  /** The log up to the moment shown. Later rows are greyed out. */
  readonly past: Log | undefined;
  /** seq of that moment; its frame may not be loaded yet. */
  readonly moment: number | undefined;
  /** Returns the highest severity of a frame's problems. */
  readonly problemOf: (seq: number) => Severity | undefined;
  /** Returns how the result in a frame breaks its schema. */
  readonly invalidOf: (seq: number) => InvalidResult | undefined;
  /** seqs of the first frames of folds whose frames are shown. */
  readonly unfolded: ReadonlySet<number>;
  readonly onFold: (first: number, open: boolean) => void;
  /** The first error, which is scrolled into view once if the table follows the newest rows past it; -1 for none. */
  readonly unseenError: { readonly position: number; readonly onSeen: () => void };
  readonly ref: RefObject<HTMLDivElement | null>;
}

/** A rendered row. */
interface VisibleRow {
  readonly position: number;
  readonly row: Row;
  readonly span: TimeSpan;
}

/** The message table: a grid that renders only the rows in view. */
export function LogGrid(props: LogGridProps) {
  const { log, list, columns, sort, selected, onSelect, following, onFollowing } = props;
  const { hits, past, moment, problemOf, invalidOf, unfolded, onFold, range, ref } = props;
  const { count } = list;
  const rowHeight = ROW_HEIGHTS[useSettings().density];
  const grid = useRowWindow(ref, {
    count,
    rowHeight,
    headerHeight: HEADER_HEIGHT,
    following,
    onFollowing: (follow) => {
      // New rows don't appear at the end of a sorted table.
      if (!follow || sort === undefined) onFollowing(follow);
    },
  });
  const { window: shown, viewport } = grid;
  const logAt = (index: number) => (past && index < past.size ? past : log);
  const rowAt = (position: number) => {
    const index = list.at(position);
    return logAt(index).row(index);
  };
  const selectedRow = selected >= 0 && selected < count ? rowAt(selected) : undefined;
  const [hovered, setHovered] = useState<number>();
  const hoveredPeer = hovered !== undefined && hovered <= log.size ? otherHalf(log.row(hovered - 1)) : undefined;
  // Position of the moment: in log order, the last row up to it; in a sorted table, its own row.
  const momentAt =
    moment === undefined ? -1 : sort === undefined ? countBefore(list, moment) - 1 : list.position(moment - 1);
  useErrorInView(grid, props);
  useReveal({ grid, selected, selectedSeq: selectedRow?.seq, moment, momentAt });

  // Sorting brings the interesting rows to the top.
  useEffect(() => {
    if (sort && ref.current) ref.current.scrollTop = 0;
  }, [sort, ref]);

  const rowMenu = useRowMenu(props, selectedRow);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || count === 0 || event.target !== event.currentTarget) return;
    const page = Math.max(1, Math.floor(viewport / rowHeight) - 1);
    if (applyGridKey(event.key, props, { selectedRow, rowAt, page })) event.preventDefault();
  };

  // Many rows in view may belong to one request.
  const [wholes, pastWholes] = [new Map<number, TimeInterval>(), new Map<number, TimeInterval>()];
  const spans = useSpanIndex(log);
  const visible: readonly VisibleRow[] = Array.from({ length: Math.max(0, shown.last - shown.first) }, (_, at) => {
    const row = rowAt(shown.first + at);
    const rowLog = logAt(row.seq - 1);
    const span = spans?.timeSpanOf(row) ?? timeSpanOf(rowLog, row, rowLog === log ? wholes : pastWholes);
    return { position: shown.first + at, row, span };
  });
  // While the page catches up with the log, rows pass too fast to be loaded or animated.
  const catchingUp = log.last > log.size;
  const unloaded = visible.filter(({ row }) => isLoadedForPreview(row) && !log.hasBytes(row.seq));
  useFrameBytes(log, catchingUp ? NONE : unloaded.map(({ row }) => row.seq));

  const clock = useLogClock(log);
  // At a past moment, requests in flight end at that moment.
  const now = useMemo(() => (past ? () => past.columns.time(past.size - 1) : clock), [past, clock]);
  const inView = visible.filter(({ position }) => position >= shown.firstInView && position < shown.lastInView);
  const scale = range ? (at: number) => ({ from: range.from ?? 0, to: range.to ?? at, gaps: [] }) : scaleToFit(inView);
  const idle = idleBefore(
    inView.map(({ row }) => row.time),
    scale(now())?.gaps ?? [],
  );
  const times = useLogTimes(log);
  const rendered = selected >= shown.first && selected < shown.last;
  return (
    <div
      ref={ref}
      role="grid"
      aria-label="Messages"
      aria-rowcount={count + 1}
      aria-colcount={columns.shown.length}
      aria-activedescendant={selectedRow && rendered ? rowElementId(selectedRow.seq) : undefined}
      aria-readonly="true"
      tabIndex={0}
      onKeyDown={onKeyDown}
      // A click focuses the row, which would lose the keys once it is scrolled out of view.
      onFocus={(event) => {
        if (event.target.role === 'row') moveFocus(event.currentTarget, { preventScroll: true });
      }}
      onContextMenu={rowMenu.onContextMenu}
      onScroll={grid.onScroll}
      style={{ ...widthStyles(columns), '--log-row': `${rowHeight}px` } as CSSProperties}
      className="tabular @container min-h-0 flex-1 overflow-x-hidden overflow-y-scroll font-mono text-wire [overflow-anchor:none]"
    >
      <GridHeader columns={columns} sort={sort} onSort={props.onSort} scale={scale(now())} grid={ref} />
      <div
        role="rowgroup"
        style={{ height: shown.height }}
        onPointerOver={(event) => setHovered(seqOfRow(event.target))}
        onPointerLeave={() => setHovered(undefined)}
      >
        <div role="presentation" className="relative" style={{ transform: `translateY(${shown.top}px)` }}>
          {visible.map(({ position, row, span }) => {
            const invalid = invalidOf(row.seq);
            return (
              <LogRow
                key={grid.keyOf(position)}
                row={shownRow(row, invalid)}
                invalid={invalid?.sentence}
                span={span}
                idleUs={idle.get(position - shown.firstInView)}
                nested={sort === undefined ? (spans?.levelOf(row.seq) ?? levelOf(log, row)) : 0}
                unfolded={unfolded.has(row.seq)}
                onFold={onFold}
                columns={columns.shown}
                position={position}
                selected={position === selected}
                paired={row.seq === (selectedRow && otherHalf(selectedRow)) || row.seq === hoveredPeer}
                times={times}
                now={now}
                content={hits.contentOf(row.seq - 1)}
                hits={hits}
                onSelect={onSelect}
                problem={problemOf(row.seq)}
                when={moment === undefined ? undefined : placeInTime(row.seq > moment, position === momentAt)}
                note={log.notes.noteOn(row.seq)}
              />
            );
          })}
          {!columns.isHidden('waterfall') && (
            <Waterfall
              rows={visible.map(({ position, row, span }) => ({
                time: row.time,
                span,
                selected: position === selected,
              }))}
              rowHeight={rowHeight}
              still={catchingUp}
              scale={scale}
              now={now}
            />
          )}
        </div>
      </div>
      {rowMenu.menu}
    </div>
  );
}

/** Applies a key to the grid. Returns false for keys without a meaning. */
function applyGridKey(
  key: string,
  { list: { count }, selected, onSelect, onOpen, onFollowing, onFold }: LogGridProps,
  { selectedRow, rowAt, page }: { selectedRow: Row | undefined; rowAt: (position: number) => Row; page: number },
): boolean {
  const step = STEPS[key];
  if (step) {
    const to = step(selected < 0 ? count : selected, page);
    onSelect(rowAt(Math.max(0, Math.min(count - 1, to))).seq);
  } else if (key === 'End') {
    onFollowing(true);
  } else if (key === 'Enter' && selectedRow) {
    onOpen();
  } else if ((key === 'ArrowRight' || key === 'ArrowLeft') && selectedRow && foldOf(selectedRow)) {
    onFold(foldOf(selectedRow)!.first, key === 'ArrowRight');
  } else return false;
  return true;
}

/** The menu of a row, opened by a right click or the menu key. */
function useRowMenu({ log, onSelect, ref }: LogGridProps, selectedRow: Row | undefined) {
  const [open, setOpen] = useState<{ readonly seq: number; readonly near: DOMRectReadOnly }>();
  const onContextMenu = (event: MouseEvent) => {
    const seq = seqOfRow(event.target) ?? selectedRow?.seq;
    if (seq === undefined) return;
    event.preventDefault();
    // The menu key targets the grid, which has the focus; the menu then opens at the selected row.
    const element = document.getElementById(rowElementId(seq));
    const byKey = event.target === event.currentTarget && element !== null;
    onSelect(seq);
    const near = byKey ? element.getBoundingClientRect() : new DOMRect(event.clientX, event.clientY);
    afterRelease(event, () => setOpen({ seq, near }));
  };
  const menu = open && (
    <Suspense>
      <RowMenu
        log={log}
        row={log.row(open.seq - 1)}
        opener={ref.current!}
        near={open.near}
        onSelect={onSelect}
        onClose={() => setOpen(undefined)}
      />
    </Suspense>
  );
  return { onContextMenu, menu };
}

/** Runs `open` once no button is pressed. Firefox closes a popover that opened earlier when the button is released. */
function afterRelease(event: MouseEvent, open: () => void): void {
  if (event.buttons === 0) {
    open();
    return;
  }
  const released = new AbortController();
  const onRelease = () => {
    released.abort();
    open();
  };
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, onRelease, { signal: released.signal });
}

/** Largest message that is loaded again to show what it says, in bytes. Dozens are in view. */
const LOADED_BYTES = 16 * 1024;

function isLoadedForPreview({ kind, bytes }: Row): boolean {
  return hasPreview(kind) && bytes <= LOADED_BYTES;
}

function placeInTime(later: boolean, now: boolean): 'later' | 'now' | undefined {
  if (later) return 'later';
  return now ? 'now' : undefined;
}

/** Returns a function that fits the time scale to these rows; requests in flight end at its argument, in µs. */
function scaleToFit(rows: readonly VisibleRow[]): (at: number) => TimeScale | undefined {
  const times = rows.map(({ row }) => row.time);
  // Subscriptions and HTTP streams may last as long as the connection, which would leave no room for the others.
  const timed = rows.filter(({ row }) => row.method !== METHOD.listen && row.kind !== 'http');
  const spans = timed.map(({ span }) => span);
  return (at) => scaleOf(times, spans, at);
}

/** Returns 1 for rows drawn indented, below the row that they belong to; otherwise 0. */
function levelOf({ relations }: Log, row: Row): number {
  const belongs =
    relations.ownerOf(row.seq) !== undefined ||
    (row.peer !== undefined && relations.ownerOf(row.peer) !== undefined) ||
    (foldOf(row)?.first ?? row.seq) !== row.seq;
  return belongs ? 1 : 0;
}

/** Stops following and scrolls to an error that has left the view before anybody saw it. */
function useErrorInView(
  { reveal, viewport, window: shown }: ReturnType<typeof useRowWindow>,
  { unseenError: { position, onSeen }, following, onFollowing }: LogGridProps,
): void {
  const wasPassed = useRef(false);
  const isPassed = position >= 0 && position < shown.firstInView;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each error, and when following has stopped
  useEffect(() => {
    if (position < 0 || viewport <= 0) return;
    if (following && isPassed) {
      wasPassed.current = true;
      onFollowing(false);
      return;
    }
    if (wasPassed.current) reveal(position);
    wasPassed.current = false;
    onSeen();
  }, [position, viewport > 0, following]);
}

/** Scrolls to the selected row and to the moment shown, when they change or the height of the table does. */
function useReveal({
  grid: { reveal, viewport, window: shown },
  selected,
  selectedSeq,
  moment,
  momentAt,
}: {
  readonly grid: ReturnType<typeof useRowWindow>;
  readonly selected: number;
  readonly selectedSeq: number | undefined;
  readonly moment: number | undefined;
  readonly momentAt: number;
}): void {
  const latest = useRef({ selected: () => {}, moment: () => {} });
  useEffect(() => {
    latest.current = {
      selected: () => selected >= 0 && reveal(selected),
      moment: () => momentAt >= 0 && reveal(momentAt),
    };
  });
  useEffect(() => {
    if (moment !== undefined && viewport > 0) latest.current.moment();
  }, [moment, viewport]);

  const measured = viewport > 0;
  useEffect(() => {
    if (selectedSeq !== undefined && measured) latest.current.selected();
  }, [selectedSeq, measured]);

  // When the table's height changes, the selected row stays in view, unless the user had scrolled it away.
  const wasInView = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the height changes
  useEffect(() => {
    if (wasInView.current) latest.current.selected();
  }, [viewport]);
  useEffect(() => {
    wasInView.current = selected >= shown.firstInView && selected < shown.lastInView;
  });
}
