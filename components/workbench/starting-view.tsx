import { NewestUnmatchedNote } from '@/components/exchange/unmatched-note';
import { Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { formatStartedTwice } from '@/lib/store/rows/labels';
import type { ConnectionFacts } from '@/lib/store/state/state';
import { countOf } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';

/** Characters of a stderr line shown here; the log has the rest. */
const STDERR_SHOWN_CHARS = 2000;

/** Methods of the handshake, in either era. */
export const OPENING_METHODS = ['initialize', 'server/discover'];

/** A connection that is being opened: the current step, and the server's stderr so far. */
export function StartingView({ log }: { readonly log: Log }) {
  const { start, lastLifecycleSeq, pid, spawnedSeq, authorization, probe } = useLogState(
    log,
    (state) => state.connection,
  );
  const asked = start?.protocol === 'auto' && start.transport !== 'sse' ? (probe ?? 'asked') : 'over';
  const step = lastLifecycleSeq > 0 ? log.row(lastLifecycleSeq - 1).name : undefined;
  return (
    <div className="mx-auto flex w-full max-w-[760px] min-w-0 flex-col gap-3 overflow-auto p-4">
      <div className="flex items-center gap-2">
        <Spinner />
        <h2 role="status" className="font-medium">
          {waitingFor(authorization?.phase === 'needed', pid === undefined && start?.transport === 'stdio', asked)}
        </h2>
      </div>
      {start && (
        <p className="font-mono text-wire break-all">
          {visibleText(start.transport === 'stdio' ? [start.command, ...start.args].join(' ') : start.url)}
        </p>
      )}
      {step && <p className="text-muted">Last step: {visibleText(step)}</p>}
      <NewestUnmatchedNote log={log} methods={OPENING_METHODS} />
      {pid !== undefined && <StderrTail log={log} since={spawnedSeq} />}
    </div>
  );
}

const WAITING: Readonly<Record<NonNullable<ConnectionFacts['probe']>, string>> = {
  asked: 'Waiting for the response to server/discover…',
  silent: 'Waiting for a response to server/discover or initialize…',
  over: 'Waiting for the server’s first response…',
};

function waitingFor(person: boolean, process: boolean, probe: keyof typeof WAITING): string {
  if (person) return 'Waiting for you to sign in…';
  return process ? 'Starting the server…' : WAITING[probe];
}

/**
 * The first and last lines that the server printed on stderr. `since`: seq at which its current process started. Lines
 * of an earlier process, started only to probe the version, are shown apart.
 */
export function StderrTail({ log, since = 0 }: { readonly log: Log; readonly since?: number }) {
  const seqs = useLogState(log, (state) => state.stderr.seqs);
  const now = seqs.filter((seq) => seq > since);
  const before = seqs.filter((seq) => seq <= since);
  const startedTwice = useLogState(log, (state) => state.connection.startedTwice);
  const same = now.length === before.length && now.every((seq, at) => log.text(seq - 1) === log.text(before[at]! - 1));
  return (
    <section aria-label="stderr" className="flex shrink-0 flex-col gap-1">
      {now.length === 0 ? (
        <p className="text-muted">Nothing on stderr</p>
      ) : (
        <>
          <h3 className="text-muted">stderr, {countOf(now.length, 'line')}</h3>
          <Lines log={log} seqs={now} />
        </>
      )}
      {startedTwice && (
        <p className="text-muted">
          {formatStartedTwice(startedTwice)}
          {same && now.length > 0 && ' It printed the same both times.'}
        </p>
      )}
      {before.length > 0 && !same && (
        <details>
          <summary className="text-muted">Printed by the first start ({countOf(before.length, 'line')})</summary>
          <Lines log={log} seqs={before} />
        </details>
      )}
    </section>
  );
}

function Lines({ log, seqs }: { readonly log: Log; readonly seqs: readonly number[] }) {
  const { head, left, tail } = stderrDigest(seqs);
  const text = (seq: number) => `${visibleText(log.text(seq - 1).slice(0, STDERR_SHOWN_CHARS))}\n`;
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled text has to be reachable by keyboard
      tabIndex={0}
      className="max-h-[60vh] min-h-8 overflow-auto rounded border border-line bg-surface p-2 font-mono text-wire whitespace-pre-wrap"
    >
      {head.map(text).join('')}
      {left > 0 && (
        <span className="text-muted">
          … {countOf(left, 'more line')} in the log …{'\n'}
        </span>
      )}
      {tail.map(text).join('')}
    </pre>
  );
}

const { stderrHeadLines: HEAD, stderrTailLines: TAIL } = LIMITS;

/** Matches a runtime's error line: `TypeError: …`, `panic: …`, `FATAL: …`. */
const ERROR =
  /(?:^|[^\w.])(?:(?:\w+\.)*\w*(?:Error|Exception)|error(?:\[\w+\])?|panic|fatal|FATAL|ERROR)(?: \[\w+\])?: \S/;

/** The first and last lines of a long output. The cause of a crash is usually near one end. */
export interface StderrDigest<T> {
  readonly head: readonly T[];
  /** Number of lines between the two. */
  readonly left: number;
  readonly tail: readonly T[];
}

/** Returns both ends of the lines, or all up to `LIMITS.stderrHeadLines + LIMITS.stderrTailLines`. */
export function stderrDigest<T>(lines: readonly T[]): StderrDigest<T> {
  if (lines.length <= HEAD + TAIL) return { head: lines, left: 0, tail: [] };
  return { head: lines.slice(0, HEAD), left: lines.length - HEAD - TAIL, tail: lines.slice(-TAIL) };
}

/**
 * Returns the line that best explains a crash, trimmed. Searches the last `LIMITS.stderrTailLines` lines for the first
 * one that names an error. Without one, returns the last line that is not blank; '' if all are blank.
 */
export function crashLine<T>(lines: readonly T[], textOf: (line: T) => string): string {
  const last = lines.slice(-TAIL);
  return errorLine(last, textOf) ?? last.map((line) => textOf(line).trim()).findLast((text) => text !== '') ?? '';
}

/** Returns the first line that names an error, trimmed. Reads only the lines that `stderrDigest` shows. */
export function errorLine<T>(lines: readonly T[], textOf: (line: T) => string): string | undefined {
  const { head, tail } = stderrDigest(lines);
  for (const line of [...head, ...tail]) {
    const text = textOf(line).slice(0, STDERR_SHOWN_CHARS);
    if (ERROR.test(text)) return text.trim();
  }
  return undefined;
}
