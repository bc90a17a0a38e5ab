import { type KeyboardEvent, useDeferredValue, useId } from 'react';
import { callOfLogMessage, isLogRecord } from '@/components/log/detail/message-call';
import { levelTone } from '@/components/log/labels';
import { LogLevelBar } from '@/components/log/log-level';
import { classNames } from '@/components/ui/class-names';
import { TextInput } from '@/components/ui/inputs';
import { EmptyState } from '@/components/ui/notices';
import { VirtualRows } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { SERVER_LOGS } from '@/lib/filter/saved-filters';
import { useDraft } from '@/lib/hooks/drafts';
import { useLocation } from '@/lib/hooks/location';
import { useFrameBytes, useLogSize, useLogState } from '@/lib/hooks/log';
import { useProblems } from '@/lib/hooks/problems';
import { useSpanIndex } from '@/lib/hooks/telemetry';
import { useLogTimes } from '@/lib/hooks/times';
import { useVisibleRows } from '@/lib/hooks/visible-rows';
import type { Log } from '@/lib/store/log';
import { readLogLine } from '@/lib/store/rows/log-message';
import { readRecordLine } from '@/lib/store/telemetry/record-line';
import { countOf, formatCount } from '@/lib/wire/format';

/** Height of a row, in px. */
const ROW = 24;
/** Bytes and characters of a message that its row shows. */
const ROW_BYTES = 4096;
const ROW_CHARS = 300;
/** Most characters of a logger in a row, so that the data starts at one column. */
const LOGGER_COLUMNS = 20;

/** The steps of the keys that change the chosen message. */
const STEPS: Readonly<Record<string, (from: number, last: number) => number>> = {
  ArrowDown: (from, last) => Math.min(from + 1, last),
  ArrowUp: (from) => Math.max(from - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** The server's log messages and log records beside the whole log, where the chosen one is selected. */
export function LogsBeside({ log }: { readonly log: Log }) {
  useLogSize(log);
  const server = useLogState(log, ({ connection }) => connection.start?.name ?? '');
  const [words, setWords] = useDraft(`search log messages ${server}`, '');
  const found = useVisibleRows(log, `${SERVER_LOGS} ${useDeferredValue(words)}`.trim(), false, useProblems(log));
  const { count, rows, fault } = found;
  const total = useLogState(log, ({ logMessages }) => logMessages);
  const { frame, navigate } = useLocation();
  const id = useId();
  const chosen = frame === undefined ? -1 : rows.position(frame - 1);
  const choose = (position: number) => navigate({ frame: rows.at(position) + 1 }, { replace: true });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(step(chosen, count - 1));
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <LogLevelBar log={log} filter={words} onFilter={setWords}>
        <div className="w-64 max-w-full">
          <TextInput
            type="search"
            aria-label="Filter log messages"
            aria-invalid={fault !== undefined}
            placeholder="Filter by word or logger"
            value={words}
            onChange={setWords}
          />
        </div>
        <p role="status" className="tabular ml-auto text-muted">
          {fault?.message ??
            (found.frames === total
              ? countOf(total, 'message')
              : `${formatCount(found.frames)} of ${formatCount(total)}`)}
        </p>
      </LogLevelBar>
      {count === 0 ? (
        <EmptyState title={total > 0 ? 'No log messages match' : 'No log messages'}>
          {total === 0 && 'Messages of notifications/message and log records of OpenTelemetry appear here'}
        </EmptyState>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the list
        <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
          <VirtualRows
            role="listbox"
            label="Log messages"
            count={count}
            rowHeight={ROW}
            follow
            reveal={chosen < 0 ? undefined : chosen}
            activeDescendant={chosen < 0 ? undefined : `${id}-${chosen}`}
            className="min-h-0 flex-1"
            render={(at) => (
              <MessageRow
                id={`${id}-${at}`}
                log={log}
                seq={rows.at(at) + 1}
                chosen={at === chosen}
                onChoose={() => choose(at)}
              />
            )}
          />
        </div>
      )}
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
  const line = isLogRecord(log, seq) ? readRecordLine(start, ROW_CHARS) : readLogLine(start, ROW_CHARS);
  const call = callOfLogMessage(log, seq, useSpanIndex(log));
  const logger = visibleText((line.logger ?? '').slice(0, 100));
  const longestLogger = useLogState(log, (state) => state.longestLogger);
  const { equals } = log.row(seq - 1);
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
      {equals?.first === seq && <span className="shrink-0 text-muted">×{formatCount(equals.count)}</span>}
      {call && (
        <span className="flex max-w-56 shrink-0 gap-2 text-muted max-[640px]:hidden">
          <span className="truncate">{visibleText(call.label)}</span>
          <span className="tabular">#{call.seq}</span>
        </span>
      )}
    </div>
  );
}
