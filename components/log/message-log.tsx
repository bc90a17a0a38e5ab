import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { EmptyState } from '@/components/ui/notices';
import { useShortcuts } from '@/components/ui/shortcuts';
import { Split } from '@/components/ui/split';
import { LogValues } from '@/lib/filter/complete';
import { useReadOnly } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogSize, useLogState, usePins } from '@/lib/hooks/log';
import { hasEnded, setMoment, useMoment, usePast } from '@/lib/hooks/moment';
import { useProblems } from '@/lib/hooks/problems';
import { foldedLines, setUnfolded, shownSeq, UNFOLDED, useVisibleRows } from '@/lib/hooks/visible-rows';
import type { Log } from '@/lib/store/log';
import { otherHalf } from '@/lib/store/rows/row-text';
import { nextBookmark } from '@/lib/store/state/notes';
import { FilterBar } from './filter-bar';
import { useColumnSettings } from './table/columns';
import { LogGrid } from './table/log-grid';
import { NewRowsBar, TableTools } from './table/table-tools';
import { useTableView } from './table/use-table-view';
import { timeRangeOf, withTimeRange } from './timeline/time-range';

const Timeline = lazyWhenIdle(() => import('./timeline/timeline').then((file) => file.Timeline));
const DetailColumn = lazyWhenIdle(() => import('./detail/detail-column').then((file) => file.DetailColumn));

/** Every frame of one connection: filter, table, and the selected frame beside it. */
export function MessageLog({
  log,
  maximised,
  onMaximise,
}: {
  readonly log: Log;
  readonly maximised: boolean;
  readonly onMaximise: () => void;
}) {
  const { filter, frame: wanted, http, navigate } = useLocation();
  const size = useLogSize(log);
  const unfolded = UNFOLDED.use(log);
  // A line that is folded away is shown by the object that it is part of.
  const frame = wanted === undefined ? undefined : shownSeq(log, wanted, unfolded);
  const problems = useProblems(log);
  const { pins } = usePins(log);
  const moment = useMoment(log);
  const over = useReadOnly(log);
  const { past } = usePast(log);
  const startedAt = useLogState(log, (state) => state.connection.start?.at);
  const notes = useLogState(log, (state) => state.notes.frames);
  const vocabulary = useMemo(() => new LogValues({ log, problems }), [log, problems]);
  const deferred = useDeferredValue(filter ?? '');
  const hasHttp = useLogState(log, ({ connection: { start } }) => start !== undefined && start.transport !== 'stdio');
  const { rows, fault, held, trouble, searched, unsearched } = useVisibleRows(
    log,
    deferred,
    http || !hasHttp,
    problems,
  );
  const [timeline, toggleTimeline] = useTimelineShown(maximised);
  const range = useMemo(() => timeRangeOf(filter ?? ''), [filter]);
  const columns = useColumnSettings();
  const view = useTableView(log, rows, frame === undefined);
  const { list, onFollowing } = view;
  const { count } = list;
  const grid = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLElement>(null);

  const selectedRow = frame !== undefined && frame >= 1 && frame <= size ? log.row(frame - 1) : undefined;
  const selected = selectedRow ? list.position(selectedRow.seq - 1) : -1;

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
  const close = () => {
    navigate({ frame: undefined }, { replace: true });
    grid.current?.focus();
  };
  const open = () => detail.current?.focus();
  const fold = useCallback((first: number, show: boolean) => setUnfolded(log, first, show), [log]);
  const step = (by: number) => {
    grid.current?.focus();
    if (count === 0) return;
    const from = selected < 0 ? count : selected;
    select(list.at(Math.max(0, Math.min(count - 1, from + by))) + 1);
  };

  const goToBookmark = (step: 1 | -1) => {
    const found = nextBookmark(log.state.notes, frame ?? (step > 0 ? 0 : size + 1), step);
    if (found !== undefined) select(found);
  };

  // A frame or a moment chosen elsewhere (a result's link, the address) must stay in view.
  useEffect(() => {
    if (frame !== undefined || moment !== undefined) stopFollowing.current();
  }, [frame, moment]);

  const ended = useLogState(log, hasEnded);
  const other = selectedRow && otherHalf(selectedRow);
  useShortcuts([
    { keys: 'j', title: 'Select the next message', run: () => step(1) },
    { keys: 'k', title: 'Select the previous message', run: () => step(-1) },
    ...(ended && frame !== undefined
      ? [{ keys: 't', title: 'Show the state at the message', run: () => setMoment(log.connection, frame) }]
      : []),
    { keys: ']', title: 'Go to the next bookmark', run: () => goToBookmark(1) },
    { keys: '[', title: 'Go to the previous bookmark', run: () => goToBookmark(-1) },
    { keys: 'Enter', title: 'Move to the message’s detail', run: open },
    ...(frame !== undefined ? [{ keys: 'Escape', title: 'Close the detail', run: close }] : []),
    { keys: 'o', title: 'Go to the other half of the exchange', run: () => other !== undefined && select(other) },
  ]);

  const hidesHttp = hasHttp && !http;
  const toggleHttp = hasHttp ? () => navigate({ http: !http }, { replace: true }) : undefined;

  const setFilter = (text: string) => navigate({ filter: text === '' ? undefined : text }, { replace: true });

  const table = (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <LogGrid
        ref={grid}
        log={log}
        list={list}
        columns={columns}
        sort={view.sort}
        onSort={view.onSort}
        range={range}
        selected={selected}
        onSelect={select}
        onOpen={open}
        following={view.following}
        onFollowing={onFollowing}
        problemOf={(seq) => problems.severityOf(seq)}
        past={past}
        moment={moment}
        unfolded={unfolded}
        onFold={fold}
        startedAt={startedAt === undefined ? undefined : Date.parse(startedAt)}
      />
      <NewRowsBar view={view} over={over} />
      {count === 0 && size > 0 && searched === undefined && (
        <div className="pointer-events-none absolute inset-x-0 top-8">
          <EmptyState title={emptyTitle(hidesHttp, view.cleared)}>
            {filter !== undefined && !view.cleared && (
              <Button onClick={() => setFilter('')} className="pointer-events-auto">
                Clear the filter
              </Button>
            )}
          </EmptyState>
        </div>
      )}
    </div>
  );

  return (
    <section aria-label="Message log" className="flex min-h-0 flex-1 flex-col">
      <FilterBar
        filter={filter ?? ''}
        onFilter={setFilter}
        http={http}
        onHttp={toggleHttp}
        onLeave={() => grid.current?.focus()}
        fault={fault}
        held={held}
        trouble={trouble}
        vocabulary={vocabulary}
        shown={count}
        searched={searched}
        unsearched={unsearched}
        total={size - notes - foldedLines(log, unfolded)}
        hidden={view.cleared ? 'cleared' : hidesHttp ? 'http' : undefined}
        maximised={maximised}
        onMaximise={onMaximise}
      >
        <TableTools view={view} columns={columns} grid={grid} timeline={timeline} onTimeline={toggleTimeline} />
      </FilterBar>
      {timeline && (
        <Suspense>
          <Timeline log={log} range={range} onRange={(to) => setFilter(withTimeRange(filter ?? '', to))} />
        </Suspense>
      )}
      <Split
        id="detail"
        orientation="horizontal"
        label="Resize message detail"
        startSize="58%"
        startMin="220px"
        endMin="240px"
        start={table}
        end={
          // Nothing is no element: the table then has all the room.
          frame !== undefined || pins.length > 0 ? (
            <Suspense>
              <DetailColumn
                log={log}
                problems={problems}
                frame={frame}
                row={selectedRow}
                onSelect={select}
                onClose={close}
                region={detail}
              />
            </Suspense>
          ) : undefined
        }
      />
    </section>
  );
}

function emptyTitle(hidesHttp: boolean, cleared: boolean): string {
  if (cleared) return 'Nothing since the view was cleared';
  return hidesHttp ? 'No message matches the filter; HTTP is hidden' : 'No message matches the filter';
}

const KEY = 'mcp-inspect.timeline';

/**
 * Whether the timeline is shown; kept in this browser. Until somebody says so it is in a maximised log alone: beside a panel rows are
 * scarce.
 */
function useTimelineShown(maximised: boolean): readonly [shown: boolean, toggle: () => void] {
  const [chosen, setChosen] = useState(read);
  const shown = chosen ?? maximised;
  const toggle = () => {
    setChosen(!shown);
    try {
      localStorage.setItem(KEY, JSON.stringify(!shown));
    } catch {
      // Where storage is forbidden it lasts until the reload.
    }
  };
  return [shown, toggle];
}

function read(): boolean | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return typeof kept === 'boolean' ? kept : undefined;
  } catch {
    return undefined;
  }
}
