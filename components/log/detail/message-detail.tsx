import { type ComponentProps, lazy, memo, type RefObject, Suspense, useMemo, useRef } from 'react';
import { CallNotes } from '@/components/exchange/call-actions';
import { UnmatchedNote } from '@/components/exchange/unmatched-note';
import { IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { TextNotLoaded } from '@/components/ui/notices';
import { usePaletteCommands } from '@/components/ui/shortcuts';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { visibleText } from '@/components/ui/visible-text';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { useFrameBytes, useNote } from '@/lib/hooks/log';
import { useProblems } from '@/lib/hooks/problems';
import { useLogTimes } from '@/lib/hooks/times';
import { JsonOutline } from '@/lib/json/outline';
import { fromPointer, type OutlinePath, toPointer } from '@/lib/json/outline-path';
import { invalidResult } from '@/lib/problems/invalid-result';
import type { Problem } from '@/lib/problems/problem';
import { decodeLossy } from '@/lib/store/classify';
import { requestOf } from '@/lib/store/exchanges/exchange-timeline';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { rowLabel, wholeSize } from '@/lib/store/rows/row-text';
import { formatBytes, formatDuration } from '@/lib/wire/format';
import { FLAG } from '@/lib/wire/frame';
import { METHOD } from '@/lib/wire/protocol-names';
import { directionLabel, rowStatus, shownRow } from '../labels';
import { DetailActions, type FrameActions } from './detail-actions';
import { ExchangeView } from './exchange-view';
import { HttpView } from './http-view';
import { InterceptedNote } from './intercepted-note';
import { callOfLogMessage, whyWithoutCall } from './message-call';
import { useMessageCommands } from './message-commands';
import { NoteButtons, NoteLine } from './notes';
import { PrettyView } from './pretty/pretty-view';
import { ProblemsView } from './problems-view';
import { type RawMark, RawView } from './raw-view';
import { type FieldMarks, markRange, useFieldMarks, useOutline } from './use-outline';

const TelemetryView = lazy(() => import('./telemetry-view'));

/** Everything about one frame, in tabs: parsed, raw, its exchange, HTTP, problems and telemetry. */
export function MessageDetail({
  id,
  label,
  log,
  row: current,
  problems: found,
  view,
  at,
  actions,
  onShow,
  onSelect,
  onClose,
  region,
}: {
  /** Id of its tab list. */
  readonly id: string;
  /** Accessible name of the region. */
  readonly label: string;
  readonly log: Log;
  readonly row: Row;
  readonly problems: readonly Problem[];
  /** Preferred tab; the frame may not have it. */
  readonly view: string | undefined;
  /** Field to scroll to, as a JSON Pointer. */
  readonly at: string | undefined;
  readonly actions: FrameActions;
  readonly onShow: (tab: DetailTab, at?: string) => void;
  readonly onSelect: (seq: number) => void;
  readonly onClose: () => void;
  readonly region: RefObject<HTMLElement | null>;
}) {
  const row = useSameRow(current);
  const bytes = useFrameBytes(log, [row.seq]);
  const noting = useNote(log, row.seq);
  const tab = tabOf(row, log, view);
  const problems = useSameProblems(found);
  const counted = problems.filter(({ severity }) => severity !== 'info').length;
  const { what, about } = rowLabel(row);
  const direction = directionLabel(row);
  return (
    <section ref={region} aria-label={label} tabIndex={-1} className="@container flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-2 border-b border-line px-2">
        <span className="tabular text-muted">#{row.seq}</span>
        <span className={direction.colour} title={direction.words}>
          <span aria-hidden="true">{direction.glyph}</span>
          <span className="sr-only">{direction.words}</span>
        </span>
        <h2 className="min-w-0 flex-1 truncate font-mono text-wire">
          {visibleText(what.slice(0, 200))}{' '}
          {about !== undefined && <bdi className="text-muted">{visibleText(about.slice(0, 200))}</bdi>}
        </h2>
        {/* On a line of their own in a narrow column. Those of a recording are more. */}
        <div className="flex min-w-0 items-center gap-x-0.5 @max-[520px]:order-last @max-[520px]:-ml-1.5 @max-[520px]:basis-full @max-[520px]:flex-wrap @max-[680px]:has-[[data-recorded]]:order-last @max-[680px]:has-[[data-recorded]]:-ml-1.5 @max-[680px]:has-[[data-recorded]]:basis-full">
          {bytes === 'here' && <DetailActions log={log} row={row} actions={actions} />}
          {id === 'detail' && <DetailCommands log={log} row={row} onSelect={onSelect} />}
          {row.kind !== 'note' && <NoteButtons about={noting} isSelected={id === 'detail'} />}
        </div>
        <IconButton label={actions.kept.includes(row.seq) ? 'Don’t keep in view' : 'Close detail'} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-3 border-b border-line px-2">
        <Tabs
          id={id}
          label={`Views: ${label}`}
          items={tabsOf(row, log).map((item) => ({
            id: item.id,
            title: item.title,
            badge: item.id === 'problems' && counted > 0 ? counted : undefined,
          }))}
          selected={tab}
          onSelect={(next) => onShow(next)}
        />
        <Facts log={log} row={shownRow(row, invalidResult(problems))} onSelect={onSelect} />
      </div>
      <Oddities row={row} onSelect={onSelect} />
      <InterceptedNote row={row} onSelect={onSelect} />
      {row.unmatched !== undefined && (
        <UnmatchedNote
          log={log}
          exchange={log.exchange(Math.min(row.seq, row.unmatched))}
          at={row.unmatched > row.seq ? 'request' : 'response'}
        />
      )}
      <div className="shrink-0 border-b border-line px-2 py-1 empty:hidden">
        <CallNotes log={log} request={requestOf(log, row)} place="detail" />
      </div>
      <NoteLine log={log} seq={row.seq} about={noting} />
      <TabPanel tabs={id} selected={tab} className="flex min-h-0 flex-1 flex-col">
        {bytes !== 'here' && (tab === 'pretty' || tab === 'raw' || tab === 'telemetry') ? (
          <TextNotLoaded gone={bytes === 'gone'} />
        ) : (
          <RenderGuard
            about={`${row.seq} ${tab}`}
            fallback={<p className="p-2 text-warn">! Could not show this. Try another tab.</p>}
          >
            <DetailView
              key={`${row.seq} ${bytes}`}
              log={log}
              row={row}
              problems={problems}
              tab={tab}
              at={at}
              onSelect={onSelect}
              onShow={onShow}
            />
          </RenderGuard>
        )}
      </TabPanel>
    </section>
  );
}

/** Returns the same array as long as it holds the same problems. */
function useSameProblems(problems: readonly Problem[]): readonly Problem[] {
  const key = problems.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: problems with the same id are equal
  return useMemo(() => problems, [key]);
}

/** Returns the same object as long as the row is equal: the log creates a new one on each call. */
function useSameRow(row: Row): Row {
  const known = useRef(row);
  if (!isSameRow(row, known.current)) known.current = row;
  return known.current;
}

/** Time, size, duration, status and counterpart of a frame. */
function Facts({
  log,
  row,
  onSelect,
}: {
  readonly log: Log;
  readonly row: Row;
  readonly onSelect: (seq: number) => void;
}) {
  const times = useLogTimes(log);
  const status = rowStatus(row);
  const bytes = row.http ? row.http.bytes : wholeSize(row);
  const result = row.isTask ? log.exchange(row.seq)?.responseSeq : undefined;
  return (
    <p className="tabular flex min-h-7 flex-wrap items-center gap-x-3 text-muted">
      <span title={times.other(row.time)}>{times.shown(row.time)}</span>
      {bytes !== undefined && <span>{formatBytes(bytes)}</span>}
      {row.durationUs !== undefined && <span>{formatDuration(row.durationUs)}</span>}
      {status && <span className={status.colour}>{status.words}</span>}
      {row.peer !== undefined && (
        <button type="button" onClick={() => onSelect(row.peer!)} className="text-link">
          {row.isTask ? 'Task' : row.kind === 'request' ? 'Response' : 'Request'} #{row.peer}
        </button>
      )}
      {row.kind === 'notification' && row.method === METHOD.log && (
        <CallOfMessage log={log} seq={row.seq} onSelect={onSelect} />
      )}
      {result !== undefined && (
        <button type="button" onClick={() => onSelect(result)} className="text-link">
          Result #{result}
        </button>
      )}
    </p>
  );
}

/** The call that a log message came from, or why none is named. */
function CallOfMessage({
  log,
  seq,
  onSelect,
}: {
  readonly log: Log;
  readonly seq: number;
  readonly onSelect: (seq: number) => void;
}) {
  const call = callOfLogMessage(log, seq);
  if (!call) return <span>{whyWithoutCall(log, seq)}</span>;
  return (
    <button type="button" onClick={() => onSelect(call.seq)} className="text-link">
      during {call.label} #{call.seq}
    </button>
  );
}

/** Warnings about the bytes themselves. */
function Oddities({ row, onSelect }: { readonly row: Row; readonly onSelect: (seq: number) => void }) {
  const notes: string[] = [];
  const { printed } = row;
  const first = printed?.lines[0];
  if (printed && first === row.seq && row.unmatched === undefined)
    notes.push(`Pretty-printed over ${printed.lines.length} lines, but a message must be one line.`);
  if (row.invalidUtf8) notes.push('Not valid UTF-8. The invalid bytes are marked in Raw.');
  if (row.flags & FLAG.unterminated) notes.push('The line feed at the end is missing.');
  if (row.flags & FLAG.continued) notes.push('The line is too long for one frame and continues in the next.');
  const isLine = printed !== undefined && first !== row.seq;
  if (notes.length === 0 && !isLine) return null;
  return (
    <p className="shrink-0 border-b border-line bg-warn/8 px-2 py-1 text-warn">
      {notes.join(' ')}
      {isLine && (
        <>
          Line {printed.lines.indexOf(row.seq) + 1} of {printed.lines.length} in{' '}
          <button type="button" onClick={() => onSelect(first!)} className="tabular underline">
            pretty-printed object #{first}
          </button>
        </>
      )}
    </p>
  );
}

/** The tabs, in the order of the keys 1 to 6. */
export const DETAIL_TABS = [
  { id: 'pretty', title: 'Pretty', fits: (row) => row.http === undefined },
  { id: 'raw', title: 'Raw', fits: () => true },
  { id: 'exchange', title: 'Exchange', fits: (row, log) => requestOf(log, row) !== undefined },
  { id: 'http', title: 'HTTP', fits: (row) => row.http !== undefined || row.exchange !== undefined },
  { id: 'problems', title: 'Problems', fits: () => true },
  { id: 'telemetry', title: 'Telemetry', fits: isTelemetry },
] as const satisfies readonly {
  readonly id: string;
  readonly title: string;
  readonly fits: (row: Row, log: Log) => boolean;
}[];

/** True for spans, log records, metrics and resources. */
function isTelemetry({ channel, method }: Row): boolean {
  return channel === 'otel' && method !== undefined;
}

export type DetailTab = (typeof DETAIL_TABS)[number]['id'];

/** Returns the tabs a frame has. */
export function tabsOf(row: Row, log: Log): readonly (typeof DETAIL_TABS)[number][] {
  return DETAIL_TABS.filter(({ fits }) => fits(row, log));
}

/** Returns the wanted tab. If the frame doesn't have it, the tab of its channel, or else the first. */
function tabOf(row: Row, log: Log, wanted: string | undefined): DetailTab {
  const tabs = tabsOf(row, log);
  const own = isTelemetry(row) ? 'telemetry' : row.http && 'http';
  return (tabs.find(({ id }) => id === wanted) ?? tabs.find(({ id }) => id === own) ?? tabs[0]!).id;
}

/** An exchange with the problems found in its results. */
function CheckedExchange(props: Omit<ComponentProps<typeof ExchangeView>, 'invalidOf'>) {
  const problems = useProblems(props.log);
  return <ExchangeView {...props} invalidOf={(seq) => invalidResult(problems.of(seq))} />;
}

/** The selected tab of a frame. Use the frame's seq as key. Memoised, so keep its props stable. */
const DetailView = memo(function DetailView({
  log,
  row,
  problems,
  tab,
  at,
  onSelect,
  onShow,
}: {
  readonly log: Log;
  readonly row: Row;
  readonly problems: readonly Problem[];
  readonly tab: DetailTab;
  /** Field to scroll to, as a JSON Pointer. */
  readonly at: string | undefined;
  readonly onSelect: (seq: number) => void;
  /** Shows another tab, and a field in it. */
  readonly onShow: (tab: DetailTab, at?: string) => void;
}) {
  const index = row.seq - 1;
  // Memoised because the log creates a new view of the bytes on each call.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines of a pretty-printed object arrive later
  const bytes = useMemo(() => log.wholeBytes(index), [log, index, row.printed]);
  const outline = useOutline(bytes);
  const path = useMemo(() => (at === undefined ? undefined : fromPointer(at)), [at]);
  const fields = useFieldMarks(outline, problems);
  const marks = useMemo(() => rawMarks(outline, fields), [outline, fields]);
  const request = requestOf(log, row);
  const showField = (field: OutlinePath) => onShow('pretty', toPointer(field));
  switch (tab) {
    case 'pretty':
      return (
        <PrettyView
          log={log}
          row={row}
          bytes={bytes}
          outline={outline}
          marks={fields}
          at={path}
          onRaw={() => onShow('raw')}
        />
      );
    case 'raw':
      return (
        <RawView
          bytes={bytes}
          text={() => decodeLossy(bytes)}
          name={`frame-${row.seq}${extension(row)}`}
          marks={marks}
        />
      );
    case 'exchange':
      return request === undefined ? null : (
        <CheckedExchange log={log} request={request} at={row.seq} onSelect={onSelect} />
      );
    case 'http':
      return <HttpView log={log} row={row} onSelect={onSelect} />;
    case 'telemetry':
      return (
        <Suspense>
          <TelemetryView log={log} seq={row.seq} bytes={bytes} onSelect={onSelect} />
        </Suspense>
      );
    case 'problems':
      return <ProblemsView problems={problems} onSelect={onSelect} onField={showField} />;
  }
});

function rawMarks(outline: unknown, marks: FieldMarks): readonly RawMark[] {
  if (!(outline instanceof JsonOutline)) return [];
  return Array.from(marks, ([node, mark]) => ({ ...markRange(outline, node), ...mark })).sort(
    (a, b) => a.from - b.from,
  );
}

function extension({ kind }: Row): string {
  return kind === 'junk' || kind === 'stderr' || kind === 'other' ? '.txt' : '.json';
}

/** Adds the commands of the selected message to the palette. */
function DetailCommands({
  log,
  row,
  onSelect,
}: {
  readonly log: Log;
  readonly row: Row;
  readonly onSelect: (seq: number) => void;
}) {
  usePaletteCommands(useMessageCommands(log, row, onSelect));
  return null;
}

/** Returns true if two rows are equal, including their HTTP part. */
export function isSameRow(a: Row, b: Row): boolean {
  const http = a.http === b.http || (a.http !== undefined && b.http !== undefined && isSame(a.http, b.http));
  return http && isSame({ ...a, http: undefined }, { ...b, http: undefined });
}

function isSame(a: object, b: object): boolean {
  const members = Object.entries(a);
  const others = new Map<string, unknown>(Object.entries(b));
  return (
    members.length === others.size &&
    members.every(([name, value]) => others.has(name) && Object.is(others.get(name), value))
  );
}
