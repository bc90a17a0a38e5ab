import {
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from '@/components/ui/button';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import type { MenuItem } from '@/components/ui/menu-list';
import { EmptyState } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { KEYS_WORK, useShortcuts } from '@/components/ui/shortcuts';
import { Split } from '@/components/ui/split';
import { FilterHits } from '@/lib/filter/hits';
import { parseFilter } from '@/lib/filter/parse';
import { SERVER_LOGS, SPANS } from '@/lib/filter/saved-filters';
import { useFacts, useReadOnly } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { useFirstError } from '@/lib/hooks/first-error';
import { useLocation } from '@/lib/hooks/location';
import { useKeptInView, useLogSize, useLogState } from '@/lib/hooks/log';
import { hasEnded, setMoment, useMoment, usePast } from '@/lib/hooks/moment';
import { useProblems } from '@/lib/hooks/problems';
import { useSpanIndex } from '@/lib/hooks/telemetry';
import { setUnfolded, shownSeq, UNFOLDED, useVisibleRows } from '@/lib/hooks/visible-rows';
import { invalidResult } from '@/lib/problems/invalid-result';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { otherHalf } from '@/lib/store/rows/row-text';
import { nextBookmark } from '@/lib/store/state/notes';
import type { SpanIndex } from '@/lib/store/telemetry/span-index';
import { FilterBar } from './filter-bar';
import { LogLevelBar } from './log-level';
import { SavedViews, StderrCount, savedView } from './saved-views';
import { type ColumnSettings, useColumnSettings } from './table/columns';
import { LogGrid } from './table/log-grid';
import { NewRowsBar, TableTools } from './table/table-tools';
import { type TableView, useTableView } from './table/use-table-view';
import { type OpenRange, timeRangeOf, withTimeRange } from './timeline/time-range';

const Recipe = lazyWhenIdle(() => import('./recipe').then((file) => file.Recipe));
const SpanNamesDialog = lazyWhenIdle(() => import('./span-names-dialog').then((file) => file.SpanNamesDialog));
const Timeline = lazyWhenIdle(() => import('./timeline/timeline').then((file) => file.Timeline));
const DetailColumn = lazyWhenIdle(() => import('./detail/detail-column').then((file) => file.DetailColumn));

/** The log of one connection: filter, table, and the selected frame next to it. */
export function MessageLog({
  log,
  maximised,
  onMaximise,
  actions,
  views,
}: {
  readonly log: Log;
  readonly maximised: boolean;
  readonly onMaximise: () => void;
  /** Buttons that send or hold messages. */
  readonly actions: ReactNode;
  /** Further entries of the menu of views. */
  readonly views: readonly MenuItem[];
}) {
  const { filter = '', http, navigate } = useLocation();
  const size = useLogSize(log);
  const unfolded = UNFOLDED.use(log);
  const problems = useProblems(log);
  const { kept } = useKeptInView(log);
  const notes = useLogState(log, (state) => state.notes.frames);
  const subject = useMemo(() => ({ log, problems }), [log, problems]);
  const deferred = useDeferredValue(filter);
  const hasHttp = useLogState(log, ({ connection: { start } }) => start !== undefined && start.transport !== 'stdio');
  const { rows, fault, held, trouble, search, unavailable } = useVisibleRows(log, deferred, http || !hasHttp, problems);
  const [spanNames, showSpanNames] = useState(false);
  const hasTelemetry = useLogState(log, ({ telemetry }) => telemetry > 0);
  const [timeline, toggleTimeline] = useTimelineShown(maximised);
  const range = useMemo(() => timeRangeOf(filter), [filter]);
  const columns = useColumnSettings();
  const hits = useMemo(() => hitsOf(log, held), [log, held]);
  const frame = useSelectedFrame(log, unfolded);
  const spans = useSpanIndex(log);
  const view = useTableView(log, rows, frame === undefined, spans);
  const grid = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLElement>(null);
  const unseenError = useUnseenError(log, view);
  const selection = useSelection({ log, frame, view, unfolded, spans, grid, detail });
  const hidesHttp = hasHttp && !http;
  const setFilter = (text: string) => navigate({ filter: text === '' ? undefined : text }, { replace: true });
  const isEmpty = view.list.count === 0 && size > 0 && search === undefined;
  return (
    <section aria-label="Message log" {...KEYS_WORK} className="flex min-h-0 flex-1 flex-col">
      <FilterBar
        filter={filter}
        onFilter={setFilter}
        http={http}
        onHttp={hasHttp ? () => navigate({ http: !http }, { replace: true }) : undefined}
        onLeave={() => moveFocus(grid.current)}
        fault={fault}
        held={held}
        trouble={trouble}
        subject={subject}
        shown={view.frames.count}
        search={search}
        unavailable={unavailable}
        total={size - notes}
        hidden={view.cleared ? 'cleared' : hidesHttp ? 'http' : undefined}
        maximised={maximised}
        onMaximise={onMaximise}
        views={
          <SavedViews
            log={log}
            filter={filter}
            onFilter={setFilter}
            more={[...views, { label: 'Spans by name', run: () => showSpanNames(true) }]}
          />
        }
      >
        <StderrCount log={log} />
        {actions}
        <TableTools view={view} columns={columns} grid={grid} timeline={timeline} onTimeline={toggleTimeline} />
      </FilterBar>
      {savedView(filter)?.filter === SERVER_LOGS && <LogLevelBar log={log} filter={filter} onFilter={setFilter} />}
      <Suspense>{spanNames && <SpanNamesDialog log={log} onClose={() => showSpanNames(false)} />}</Suspense>
      {timeline && (
        <Suspense>
          <Timeline log={log} range={range} onRange={(to) => setFilter(withTimeRange(filter, to))} />
        </Suspense>
      )}
      <Split
        id="detail"
        orientation="horizontal"
        label="Resize message detail"
        startSize="58%"
        startMin="220px"
        endMin="240px"
        narrow={frame === undefined ? 'start' : 'end'}
        start={
          <div className="relative flex min-h-0 flex-1 flex-col">
            <Table
              log={log}
              view={view}
              columns={columns}
              range={range}
              problems={problems}
              unfolded={unfolded}
              hits={hits}
              unseenError={unseenError}
              selection={selection}
              grid={grid}
            />
            {isEmpty && filter === SPANS && !hasTelemetry ? (
              <div className="absolute inset-x-0 top-5 bottom-0 flex bg-bg">
                <Suspense>
                  <Recipe log={log} />
                </Suspense>
              </div>
            ) : (
              isEmpty && (
                <div className="pointer-events-none absolute inset-x-0 top-8">
                  <EmptyState title={emptyTitle(hidesHttp, view.cleared)}>
                    {filter !== '' && !view.cleared && (
                      <Button onClick={() => setFilter('')} className="pointer-events-auto">
                        Clear filter
                      </Button>
                    )}
                  </EmptyState>
                </div>
              )
            )}
          </div>
        }
        end={
          // undefined instead of an empty element gives the table all the room.
          frame !== undefined || kept.length > 0 ? (
            <Suspense>
              <DetailColumn
                log={log}
                problems={problems}
                frame={frame}
                row={selection.row}
                onSelect={selection.select}
                onClose={selection.close}
                region={detail}
              />
            </Suspense>
          ) : undefined
        }
      />
    </section>
  );
}

function hitsOf(log: Log, filter: string): FilterHits {
  const parsed = parseFilter(filter);
  return new FilterHits(parsed.ok ? parsed.filter : undefined, log);
}

function emptyTitle(hidesHttp: boolean, cleared: boolean): string {
  if (cleared) return 'Nothing since the view was cleared';
  return hidesHttp ? 'No message matches the filter (HTTP is hidden)' : 'No message matches the filter';
}

/** The grid and the bar that announces new rows. */
function Table({
  log,
  view,
  columns,
  range,
  problems,
  unfolded,
  hits,
  unseenError,
  selection,
  grid,
}: {
  readonly log: Log;
  readonly view: TableView;
  readonly columns: ColumnSettings;
  readonly range: OpenRange | undefined;
  readonly problems: ProblemList;
  readonly unfolded: ReadonlySet<number>;
  readonly hits: FilterHits;
  readonly unseenError: ReturnType<typeof useUnseenError>;
  readonly selection: Selection;
  readonly grid: RefObject<HTMLDivElement | null>;
}) {
  const { past } = usePast(log);
  const moment = useMoment(log);
  // A tap may still add to a recording.
  const isGrowing = useFacts(log)?.tap?.live === true;
  const over = useReadOnly(log) && !isGrowing;
  const onFold = useCallback((first: number, show: boolean) => setUnfolded(log, first, show), [log]);
  return (
    <>
      <LogGrid
        ref={grid}
        log={log}
        list={view.list}
        columns={columns}
        sort={view.sort}
        onSort={view.onSort}
        range={range}
        selected={selection.position}
        onSelect={selection.select}
        onOpen={selection.open}
        following={view.following}
        onFollowing={view.onFollowing}
        problemOf={(seq) => worstProblem(log, problems, seq, unfolded)}
        invalidOf={(seq) => invalidResult(problems.of(seq))}
        past={past}
        moment={moment}
        unfolded={unfolded}
        onFold={onFold}
        hits={hits}
        unseenError={unseenError}
      />
      <NewRowsBar view={view} over={over} />
    </>
  );
}

/** Most frames of a row whose problems are looked up, because that is done for each rendering. */
const MOST_LOOKED_UP = 2000;

/** Returns the highest severity of the problems of a row: those of its frame, or of all that are folded into it. */
function worstProblem(log: Log, problems: ProblemList, seq: number, unfolded: ReadonlySet<number>) {
  const fold = unfolded.has(seq) ? undefined : log.foldOf(seq)?.lines;
  const found = (fold?.[0] === seq ? fold.slice(0, MOST_LOOKED_UP) : [seq]).map((line) => problems.severityOf(line));
  return (['error', 'warning', 'info'] as const).find((severity) => found.includes(severity));
}

/**
 * Returns the seq that the URL selects. A line is replaced by its printed object. A fold of equal notifications opens
 * when another than its first is selected.
 */
function useSelectedFrame(log: Log, unfolded: ReadonlySet<number>): number | undefined {
  const { frame } = useLocation();
  const equals = frame !== undefined && frame >= 1 && frame <= log.size ? log.row(frame - 1).equals : undefined;
  const opened = equals && equals.first !== frame ? equals.first : undefined;
  // Not on each change of `unfolded`, so that the fold can be closed again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another frame of the same fold opens it too
  useEffect(() => {
    if (opened !== undefined) setUnfolded(log, opened, true);
  }, [log, frame, opened]);
  return frame === undefined ? undefined : shownSeq(log, frame, unfolded);
}

/** Returns the position of the log's first error until the table has shown it, which is once per tab; otherwise -1. */
function useUnseenError(log: Log, { list }: TableView): { readonly position: number; readonly onSeen: () => void } {
  const first = useFirstError(log);
  const [seen, setSeen] = useDraft(`first error ${log.connection} ${log.state.connection.start?.at}`, false);
  const onSeen = useCallback(() => setSeen(true), [setSeen]);
  return { position: seen || first === undefined ? -1 : list.position(first - 1), onSeen };
}

interface Selection {
  /** undefined if no frame is selected, or the selected one is not loaded. */
  readonly row: Row | undefined;
  /** Position of the row in the table, or -1. */
  readonly position: number;
  readonly select: (seq: number) => void;
  /** Moves the focus to the detail. */
  readonly open: () => void;
  readonly close: () => void;
}

/** The selected row, the ways to change it, and their shortcuts. */
function useSelection({
  log,
  frame,
  view: { list, frames, onFollowing },
  unfolded,
  spans,
  grid,
  detail,
}: {
  readonly log: Log;
  readonly frame: number | undefined;
  readonly view: TableView;
  readonly unfolded: ReadonlySet<number>;
  readonly spans: SpanIndex | undefined;
  readonly grid: RefObject<HTMLElement | null>;
  readonly detail: RefObject<HTMLElement | null>;
}): Selection {
  const { navigate } = useLocation();
  const moment = useMoment(log);
  const ended = useLogState(log, hasEnded);
  const row = frame !== undefined && frame >= 1 && frame <= log.size ? log.row(frame - 1) : undefined;
  const position = row ? list.position(row.seq - 1) : -1;

  const stopFollowing = useRef(() => {});
  useEffect(() => {
    stopFollowing.current = () => onFollowing(false);
  });
  const select = useCallback(
    (seq: number) => {
      stopFollowing.current();
      navigate({ frame: seq }, { replace: true });
    },
    [navigate],
  );
  // A frame or a moment selected elsewhere, for example by a link, must stay in view.
  useEffect(() => {
    if (frame !== undefined || moment !== undefined) stopFollowing.current();
  }, [frame, moment]);

  const close = () => {
    navigate({ frame: undefined }, { replace: true });
    moveFocus(grid.current);
  };
  const open = () => moveFocus(detail.current);
  const step = (by: number) => {
    moveFocus(grid.current);
    const { count } = list;
    if (count === 0) return;
    const from = position < 0 ? count : position;
    const next = list.at(Math.max(0, Math.min(count - 1, from + by))) + 1;
    // Into a closed fold of equal notifications: to the second of them, or from below to the last.
    const into = by > 0 ? row?.seq : next === row?.seq ? undefined : next;
    const equals = into === undefined || unfolded.has(into) ? undefined : log.row(into - 1).equals;
    const inside = (equals && equals.first === into ? (log.foldOf(into!)?.lines.slice(1) ?? []) : []).filter(
      (seq) => frames.position(seq - 1) >= 0,
    );
    select(inside.at(by > 0 ? 0 : -1) ?? next);
  };
  const goToBookmark = (direction: 1 | -1) => {
    const found = nextBookmark(log.state.notes, frame ?? (direction > 0 ? 0 : log.size + 1), direction);
    if (found !== undefined) select(found);
  };
  const other = row && (otherHalf(row) ?? spans?.causeOf(row.seq)?.request);
  const inside = row && spans?.firstSpanOf(row);
  useShortcuts(
    [
      { keys: 'j', title: 'Select the next message', run: () => step(1) },
      { keys: 'k', title: 'Select the previous message', run: () => step(-1) },
      ...(ended && frame !== undefined
        ? [{ keys: 'x', title: 'Show state at the message', run: () => setMoment(log.connection, frame) }]
        : []),
      { keys: ']', title: 'Go to the next bookmark', run: () => goToBookmark(1) },
      { keys: '[', title: 'Go to the previous bookmark', run: () => goToBookmark(-1) },
      { keys: 'Enter', title: 'Focus the message detail', run: open },
      ...(frame !== undefined ? [{ keys: 'Escape', title: 'Close the detail', run: close }] : []),
      {
        keys: 'o',
        title: 'Go to the matching request or response, or to the call of a span',
        run: () => other !== undefined && select(other),
      },
      ...(inside !== undefined
        ? [{ keys: 'O', title: 'Go to the first span of the call', run: () => select(inside) }]
        : []),
    ],
    'Message log',
  );
  return { row, position, select, open, close };
}

const TIMELINE_KEY = 'mcp-inspect.timeline';

/**
 * Whether the timeline is shown, remembered in localStorage. By default it is shown only in a maximised log, because
 * rows are scarce next to a panel.
 */
function useTimelineShown(maximised: boolean): readonly [shown: boolean, toggle: () => void] {
  const [chosen, setChosen] = useState(savedTimelineShown);
  const shown = chosen ?? maximised;
  const toggle = () => {
    setChosen(!shown);
    try {
      localStorage.setItem(TIMELINE_KEY, JSON.stringify(!shown));
    } catch {
      // Without storage, the choice lasts until the reload.
    }
  };
  return [shown, toggle];
}

function savedTimelineShown(): boolean | undefined {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(TIMELINE_KEY) ?? 'null');
    return typeof saved === 'boolean' ? saved : undefined;
  } catch {
    return undefined;
  }
}
