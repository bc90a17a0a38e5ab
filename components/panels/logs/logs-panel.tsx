import { type KeyboardEvent, useDeferredValue, useEffect, useId } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { SERVER_LOGS } from '@/components/log/saved-views';
import { CopyButton } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Select, TextInput } from '@/components/ui/inputs';
import { EmptyState, TextNotLoaded } from '@/components/ui/notices';
import { Split } from '@/components/ui/split';
import { VirtualRows } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { TextOrJson } from '@/components/untrusted/text-or-json';
import { useDraft } from '@/lib/hooks/drafts';
import { useLocation } from '@/lib/hooks/location';
import { useFrameBytes, useLogSize, useLogState } from '@/lib/hooks/log';
import { useProblems } from '@/lib/hooks/problems';
import { useSpanIndex } from '@/lib/hooks/telemetry';
import { useLogTimes } from '@/lib/hooks/times';
import { useVisibleRows } from '@/lib/hooks/visible-rows';
import type { JsonSource } from '@/lib/json/source';
import type { Log } from '@/lib/store/log';
import { type LogLine, readLogLine } from '@/lib/store/rows/log-message';
import { readRecordLine, recordBody } from '@/lib/store/telemetry/record-line';
import { formatCount } from '@/lib/wire/format';
import { LOG_LEVELS, METHOD } from '@/lib/wire/protocol-names';
import { AskedLevel } from './asked-level';
import { callOf, isLogRecord, whyWithoutCall } from './message-call';

/** Height of a row, in px. */
const ROW = 24;
/** Bytes and characters of a message that its row shows. */
const ROW_BYTES = 4096;
const ROW_CHARS = 300;
/** Most characters of a logger in a row, so that the data starts at one column. */
const LOGGER_COLUMNS = 20;

/** The item in the page's address that shows the messages of one call. It is a filter as well. */
const CALL_ITEM = /^call:[1-9]\d{0,14}$/;

const ALL = 'all';
type Least = typeof ALL | (typeof LOG_LEVELS)[number];

/**
 * The server's log messages (`notifications/message`) and log records of telemetry, the level that is asked for, and
 * the chosen message.
 */
export function LogsPanel({ log }: { readonly log: Log }) {
  useLogSize(log);
  const server = useLogState(log, ({ connection }) => connection.start?.name ?? '');
  const [least, setLeast] = useDraft<Least>(`level of log messages ${server}`, ALL);
  const [words, setWords] = useDraft(`search log messages ${server}`, '');
  const filter = `${SERVER_LOGS} ${least === ALL ? '' : `level:>=${least}`} ${useDeferredValue(words)}`.trim();
  const found = useVisibleRows(log, filter, false, useProblems(log));
  const total = useLogState(log, ({ logMessages }) => logMessages);
  const { item, navigate } = useLocation();
  const chosen = seqIn(item, log);
  useEffect(() => {
    if (item === undefined || !CALL_ITEM.test(item)) return;
    setLeast(ALL);
    setWords(item);
    // So that the filter can be removed, and the next link sets it again.
    navigate({ item: undefined }, { replace: true });
  }, [item, navigate, setLeast, setWords]);
  const choose = (position: number) => navigate({ item: String(found.rows.at(position) + 1) });
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1">
        <AskedLevel log={log} />
        <span className="flex min-w-0 items-center gap-2">
          <span className="shrink-0 text-muted">Show</span>
          <Select
            className="w-auto! max-w-full"
            aria-label="Show"
            value={least}
            onChange={setLeast}
            options={[
              { value: ALL, label: 'all levels' },
              ...LOG_LEVELS.slice(1).map((level) => ({ value: level, label: `${level} and above` })),
            ]}
          />
        </span>
        <div className="w-64 max-w-full">
          <TextInput
            type="search"
            aria-label="Filter log messages"
            aria-invalid={found.fault !== undefined}
            placeholder="Filter by word or logger"
            value={words}
            onChange={setWords}
          />
        </div>
        <p role="status" className="tabular ml-auto text-muted">
          {found.fault ? found.fault.message : countText(found.count, total)}
        </p>
      </div>
      {found.count === 0 ? (
        <NoMessages log={log} filtered={total > 0} />
      ) : (
        <Split
          id="logs"
          orientation="vertical"
          label="Resize the chosen log message"
          startSize="60%"
          startMin="72px"
          endMin="72px"
          start={<Messages log={log} count={found.count} rows={found.rows} chosen={chosen} onChoose={choose} />}
          end={chosen === undefined ? undefined : <Detail key={chosen} log={log} seq={chosen} />}
        />
      )}
    </div>
  );
}

function countText(found: number, total: number): string {
  return found === total ? formatCount(total) : `${formatCount(found)} of ${formatCount(total)}`;
}

/** Returns the seq that the page's address names, if it is a log message. */
function seqIn(item: string | undefined, log: Log): number | undefined {
  const seq = Number(item);
  if (!Number.isInteger(seq) || seq < 1 || seq > log.size) return undefined;
  return log.columns.method(seq - 1) === METHOD.log || isLogRecord(log, seq) ? seq : undefined;
}

function NoMessages({ log, filtered }: { readonly log: Log; readonly filtered: boolean }) {
  const modern = useLogState(log, ({ connection }) => connection.era === 'modern');
  const asked = useLogState(log, ({ connection }) => connection.logLevel);
  if (filtered) return <EmptyState title="No log messages match" />;
  return (
    <EmptyState title="No log messages">
      {modern && asked === undefined
        ? 'In this MCP version a server logs only for requests that ask for it. Choose a level above'
        : 'Messages of notifications/message and log records of OpenTelemetry appear here. Stderr is in the server’s view'}
    </EmptyState>
  );
}

/** The steps of the keys that change the chosen message. */
const STEPS: Readonly<Record<string, (from: number, last: number) => number>> = {
  ArrowDown: (from, last) => Math.min(from + 1, last),
  ArrowUp: (from) => Math.max(from - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

function Messages({
  log,
  count,
  rows,
  chosen,
  onChoose,
}: {
  readonly log: Log;
  readonly count: number;
  readonly rows: { at(position: number): number; position(index: number): number };
  readonly chosen: number | undefined;
  readonly onChoose: (position: number) => void;
}) {
  const id = useId();
  const position = chosen === undefined ? -1 : rows.position(chosen - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onChoose(step(position, count - 1));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the list
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
      <VirtualRows
        role="listbox"
        label="Log messages"
        count={count}
        rowHeight={ROW}
        follow
        reveal={position < 0 ? undefined : position}
        activeDescendant={position < 0 ? undefined : `${id}-${position}`}
        className="min-h-0 flex-1"
        render={(at) => (
          <MessageRow
            id={`${id}-${at}`}
            log={log}
            seq={rows.at(at) + 1}
            chosen={at === position}
            onChoose={() => onChoose(at)}
          />
        )}
      />
    </div>
  );
}

function MessageRow({
  id,
  log,
  seq,
  chosen,
  onChoose,
}: {
  readonly id: string;
  readonly log: Log;
  readonly seq: number;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}) {
  const bytes = useFrameBytes(log, [seq]);
  const times = useLogTimes(log);
  const start = log.bytes(seq - 1).subarray(0, ROW_BYTES);
  const line: LogLine = isLogRecord(log, seq) ? readRecordLine(start, ROW_CHARS) : readLogLine(start, ROW_CHARS);
  const call = callOf(log, seq, useSpanIndex(log));
  const logger = visibleText((line.logger ?? '').slice(0, 100));
  const longestLogger = useLogState(log, (state) => state.longestLogger);
  const level = line.level ?? log.columns.name(seq - 1) ?? '?';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      onClick={onChoose}
      className={classNames(
        'flex h-6 cursor-default items-center gap-3 px-3 font-mono text-wire whitespace-nowrap',
        chosen ? 'bg-accent/12' : 'hover:bg-hover',
      )}
    >
      <span className="tabular w-20 shrink-0 text-right text-muted max-[640px]:hidden">
        {times.shown(log.columns.time(seq - 1))}
      </span>
      <span className={classNames('w-20 shrink-0 truncate', levelTone(level))}>{visibleText(level.slice(0, 20))}</span>
      {longestLogger > 0 && (
        <span
          title={logger}
          style={{ width: `${Math.min(longestLogger, LOGGER_COLUMNS)}ch` }}
          className="shrink-0 truncate text-muted max-[640px]:max-w-[10ch]"
        >
          {logger}
        </span>
      )}
      <span className="min-w-0 flex-1 truncate">
        {bytes === 'here' ? visibleText(line.data.slice(0, ROW_CHARS)) : '…'}
      </span>
      {call && (
        <span className="flex max-w-56 shrink-0 gap-2 text-muted max-[640px]:hidden">
          <span className="truncate">{call.label}</span>
          <span className="tabular">#{call.seq}</span>
        </span>
      )}
    </div>
  );
}

/** The chosen message: level, logger, the call that caused it, and the data as a tree. */
function Detail({ log, seq }: { readonly log: Log; readonly seq: number }) {
  const bytes = useFrameBytes(log, [seq]);
  const times = useLogTimes(log);
  const spans = useSpanIndex(log);
  const call = callOf(log, seq, spans);
  const { level, logger, data } = partsOf(log, seq);
  if (bytes !== 'here') return <TextNotLoaded gone={bytes === 'gone'} />;
  return (
    <section aria-label="Log message" className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto p-3">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className={classNames('font-medium', levelTone(level))}>{visibleText(level || 'No level')}</span>
        {logger && <bdi className="min-w-0 break-words">{visibleText(logger.slice(0, 300))}</bdi>}
        <span className="tabular text-muted">{times.shown(log.columns.time(seq - 1))}</span>
        <FrameLink seq={seq} label="Frame" />
        <span className="text-muted">
          {call ? (
            <>
              during {call.label} <FrameLink seq={call.seq} label="Request" short />
            </>
          ) : (
            whyWithoutCall(log, seq)
          )}
        </span>
      </p>
      {data === undefined ? (
        <p className="text-warn">! The message has no data</p>
      ) : (
        <RenderGuard fallback={<p className="text-warn">! Nested too deeply to display</p>}>
          {data.kind === 'string' ? (
            <TextOrJson text={String(data.value)} heading={<h3 className="font-medium">Data</h3>} />
          ) : (
            <>
              <div className="flex items-center">
                <h3 className="flex-1 font-medium">Data</h3>
                <CopyButton text={() => data.text} label="Copy" />
              </div>
              <JsonTree json={data} />
            </>
          )}
        </RenderGuard>
      )}
    </section>
  );
}

/** Returns level, logger and data of a message, or level, service and body of a log record. */
function partsOf(log: Log, seq: number): { level: string; logger: string; data: JsonSource | undefined } {
  const { columns } = log;
  if (isLogRecord(log, seq)) {
    const service = columns.pooledText(columns.serviceNumber(seq - 1)) ?? '';
    return { level: columns.name(seq - 1) ?? '', logger: service, data: recordBody(log.bytes(seq - 1)) };
  }
  const params = log.json(seq - 1)?.member('params');
  return {
    level: textOf(params?.member('level')),
    logger: textOf(params?.member('logger')),
    data: params?.member('data'),
  };
}

function textOf(source: JsonSource | undefined): string {
  if (source === undefined) return '';
  return source.kind === 'string' ? String(source.value) : source.text;
}

const TONES: Readonly<Record<string, string>> = {
  debug: 'text-muted',
  warning: 'text-warn',
  error: 'text-error',
  critical: 'text-error font-medium',
  alert: 'text-error font-medium',
  emergency: 'text-error font-medium',
};

/** Returns the class of a log level's colour, which only repeats what the word says. '' for info, notice and others. */
function levelTone(level: string): string {
  return Object.hasOwn(TONES, level) ? TONES[level]! : '';
}
