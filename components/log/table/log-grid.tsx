// biome-ignore-all lint/a11y/useSemanticElements: a table can't be windowed and scrolled under a fixed header
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, its rows are named by aria-activedescendant

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
import { ROW_HEIGHT, useRowWindow } from '@/components/ui/virtual-rows';
import { useFrameBytes, useLogState } from '@/lib/hooks/log';
import type { Severity } from '@/lib/problems/rule';
import { LISTEN_METHOD } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { countBefore, type RowList } from '@/lib/store/rows/row-list';
import { isPrinted, otherHalf } from '@/lib/store/rows/row-text';
import { type TimeSpan, timeSpanOf } from '@/lib/store/rows/time-span';
import type { OpenRange } from '../timeline/time-range';
import { type ColumnSettings, type TableSort, widthStyles } from './columns';
import { GridHeader } from './grid-header';
import { LogRow, rowElementId, seqOfRow } from './log-row';
import { scaleOf, Waterfall } from './waterfall';

const RowMenu = lazyWhenIdle(() => import('./row-menu').then((file) => file.RowMenu));

const NONE: readonly number[] = [];

/** Keys that move the selection: from a position, with a page's rows. */
const STEPS: Readonly<Record<string, (from: number, page: number) => number>> = {
  ArrowDown: (from) => from + 1,
  ArrowUp: (from) => from - 1,
  PageDown: (from, page) => from + page,
  PageUp: (from, page) => from - page,
  Home: () => 0,
};

interface LogGridProps {
  readonly log: Log;
  /** Rows after filtering, in the order of the table. */
  readonly list: RowList;
  readonly columns: ColumnSettings;
  readonly sort: TableSort | undefined;
  readonly onSort: (sort: TableSort | undefined) => void;
  /** The time that the waterfall shows, open ends those of the log; undefined: that of the rows in view. */
  readonly range: OpenRange | undefined;
  /** Place of the selected row; -1 if there is none or it is filtered out. */
  readonly selected: number;
  readonly onSelect: (seq: number) => void;
  /** Enter, with a row selected. */
  readonly onOpen: () => void;
  readonly following: boolean;
  readonly onFollowing: (following: boolean) => void;
  readonly startedAt: number | undefined;
  /** The log at the moment that is shown: its rows are as they were, those after it stand back. */
  readonly past: Log | undefined;
  /** seq of that moment, which may still be on its way. */
  readonly moment: number | undefined;
  /** The gravest problem of a frame. */
  readonly problemOf: (seq: number) => Severity | undefined;
  /** Printed objects whose lines are shown, by their first line. */
  readonly unfolded: ReadonlySet<number>;
  readonly onFold: (first: number, open: boolean) => void;
  readonly ref: RefObject<HTMLDivElement | null>;
}

/** The message table: a grid of which only what is in view exists. */
export function LogGrid(props: LogGridProps) {
  const {
    log,
    list,
    columns,
    sort,
    selected,
    onSelect,
    onOpen,
    following,
    onFollowing,
    startedAt,
    past,
    moment,
    problemOf,
    unfolded,
    onFold,
    ref,
  } = props;
  const { count } = list;
  const {
    window: shown,
    onScroll,
    reveal,
    viewport,
    keyOf,
  } = useRowWindow(ref, count, following, (follow) => {
    // The end of a sorted table is not where new rows come.
    if (!follow || sort === undefined) onFollowing(follow);
  });
  const clock = useLogClock(log);
  // What was in flight at a moment had come as far as that.
  const now = useMemo(() => (past ? () => past.columns.time(past.size - 1) : clock), [past, clock]);
  const [hovered, setHovered] = useState<number>();
  const logAt = (index: number) => (past && index < past.size ? past : log);
  const rowAt = (position: number) => {
    const index = list.at(position);
    return logAt(index).row(index);
  };
  const selectedRow = selected >= 0 && selected < count ? rowAt(selected) : undefined;
  const hoveredPeer = hovered !== undefined && hovered <= log.size ? otherHalf(log.row(hovered - 1)) : undefined;

  const revealSelected = useRef(() => {});
  useEffect(() => {
    revealSelected.current = () => {
      if (selected >= 0) reveal(selected);
    };
  });
  // The last row up to it; in another order than that of time, its own.
  const momentAt =
    moment === undefined ? -1 : sort === undefined ? countBefore(list, moment) - 1 : list.position(moment - 1);
  const revealMoment = useRef(() => {});
  useEffect(() => {
    revealMoment.current = () => {
      if (momentAt >= 0) reveal(momentAt);
    };
  });
  useEffect(() => {
    if (moment !== undefined && viewport > 0) revealMoment.current();
  }, [moment, viewport]);

  const selectedSeq = selectedRow?.seq;
  const measured = viewport > 0;
  useEffect(() => {
    if (selectedSeq !== undefined && measured) revealSelected.current();
  }, [selectedSeq, measured]);

  // A table of another height shows the selected row, if the one before did.
  const wasInView = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row that is scrolled away on purpose stays so
  useEffect(() => {
    if (wasInView.current) revealSelected.current();
  }, [viewport]);
  useEffect(() => {
    wasInView.current = selected >= shown.firstInView && selected < shown.lastInView;
  });

  // What one sorts for is at the top.
  useEffect(() => {
    if (sort && ref.current) ref.current.scrollTop = 0;
  }, [sort, ref]);

  const [menu, setMenu] = useState<{ readonly seq: number; readonly near: DOMRectReadOnly }>();
  const onContextMenu = (event: MouseEvent) => {
    const seq = seqOfRow(event.target) ?? selectedSeq;
    if (seq === undefined) return;
    event.preventDefault();
    // The key that opens menus names the grid, which has the focus: then it is about the selected row, and opens below that.
    const element = document.getElementById(rowElementId(seq));
    const byKey = event.target === event.currentTarget && element !== null;
    onSelect(seq);
    setMenu({ seq, near: byKey ? element.getBoundingClientRect() : new DOMRect(event.clientX, event.clientY) });
  };

  const page = Math.max(1, Math.floor(viewport / ROW_HEIGHT) - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || count === 0 || event.target !== event.currentTarget) return;
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      const from = selected < 0 ? count : selected;
      onSelect(rowAt(Math.max(0, Math.min(count - 1, step(from, page)))).seq);
    } else if (event.key === 'End') {
      event.preventDefault();
      onFollowing(true);
    } else if (event.key === 'Enter' && selectedRow) {
      event.preventDefault();
      onOpen();
    } else if ((event.key === 'ArrowRight' || event.key === 'ArrowLeft') && selectedRow?.printed) {
      event.preventDefault();
      onFold(selectedRow.printed.lines[0]!, event.key === 'ArrowRight');
    }
  };

  const unsaid: number[] = [];
  const rows = [];
  const bars: { top: number; span: TimeSpan }[] = [];
  const measures: TimeSpan[] = [];
  const times: number[] = [];
  for (let position = shown.first; position < shown.last; position++) {
    const row = rowAt(position);
    const span = timeSpanOf(logAt(row.seq - 1), row);
    bars.push({ top: (position - shown.first) * ROW_HEIGHT, span });
    if (position >= shown.firstInView && position < shown.lastInView) {
      times.push(row.time);
      if (row.method !== LISTEN_METHOD && row.kind !== 'http') measures.push(span);
    }
    if (row.kind === 'notification' && !log.hasBytes(row.seq)) unsaid.push(row.seq);
    const owner = log.relations.ownerOf(row.seq) ?? (row.peer && log.relations.ownerOf(row.peer));
    rows.push(
      <LogRow
        key={keyOf(position)}
        row={row}
        span={span}
        nested={(owner !== undefined || (row.printed !== undefined && !isPrinted(row))) && sort === undefined}
        unfolded={unfolded.has(row.seq)}
        onFold={onFold}
        columns={columns.shown}
        position={position}
        selected={position === selected}
        paired={row.seq === (selectedRow && otherHalf(selectedRow)) || row.seq === hoveredPeer}
        startedAt={startedAt}
        onSelect={onSelect}
        problem={problemOf(row.seq)}
        when={moment === undefined ? undefined : row.seq > moment ? 'later' : position === momentAt ? 'now' : undefined}
        note={log.notes.noteOn(row.seq)}
      />,
    );
  }
  // What passes by while a log is behind nobody reads.
  const passesBy = log.last > log.size;
  useFrameBytes(log, passesBy ? NONE : unsaid);
  const { range } = props;
  const scale = (at: number) => (range ? { from: range.from ?? 0, to: range.to ?? at } : scaleOf(times, measures, at));
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
      // A click focuses the row it hits, which would take the keys away and be gone once it is scrolled out of view.
      onFocus={(event) => {
        if (event.target.role === 'row') event.currentTarget.focus({ preventScroll: true });
      }}
      onContextMenu={onContextMenu}
      onScroll={onScroll}
      style={widthStyles(columns) as CSSProperties}
      className="tabular @container min-h-0 flex-1 overflow-x-hidden overflow-y-scroll font-mono text-wire [overflow-anchor:none]"
    >
      <GridHeader columns={columns} sort={sort} onSort={props.onSort} range={scale(now())} grid={ref} />
      <div
        role="rowgroup"
        style={{ height: shown.height }}
        onPointerOver={(event) => setHovered(seqOfRow(event.target))}
        onPointerLeave={() => setHovered(undefined)}
      >
        <div role="presentation" className="relative" style={{ transform: `translateY(${shown.top}px)` }}>
          {rows}
          {!columns.isHidden('waterfall') && (
            <Waterfall rows={bars} count={rows.length} still={passesBy} scale={scale} now={now} />
          )}
        </div>
      </div>
      {menu && (
        <Suspense>
          <RowMenu
            log={log}
            row={log.row(menu.seq - 1)}
            opener={ref.current!}
            near={menu.near}
            onSelect={onSelect}
            onClose={() => setMenu(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}

/**
 * What time it is in a log, in microseconds since the connection began: of one that is over, or that nobody drives, the time of its
 * last frame.
 */
function useLogClock(log: Log): () => number {
  const startedAt = useLogState(log, ({ connection }) => connection.start?.at);
  const live = useLogState(log, ({ connection: { state } }) => state !== 'closed' && state !== 'failed');
  return useMemo(() => {
    const began = live && startedAt !== undefined ? Date.parse(startedAt) : undefined;
    return () => {
      const last = log.size === 0 ? 0 : log.columns.time(log.size - 1);
      return began === undefined ? last : Math.max(last, (Date.now() - began) * 1000);
    };
  }, [log, startedAt, live]);
}
