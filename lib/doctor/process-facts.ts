import type { Log } from '@/lib/store/log';
import { reasonInLog } from '@/lib/store/reason/log-reason';
import { withoutAnsi } from '@/lib/wire/control-characters';
import type { Era, Failure } from '@/lib/wire/lifecycle';
import { eventSeq } from './attempt-facts';
import type { Located } from './exchange-facts';
import type { Printed } from './printed-causes';
import { printedIn } from './printed-in-log';
import { type Unmatched, unmatchedIn } from './unmatched';

/** Most bytes of a line that are read. */
const QUOTABLE_BYTES = 4096;

/** A line that the newest process printed, without colours. */
type PrintedLine = Located<{ readonly text: string; readonly on: 'stderr' | 'stdout' }>;

/** Facts from the log of a server that was started by a command, and failed. */
export interface ProcessFacts {
  /** The command and its arguments, with secrets masked. */
  readonly command: readonly string[];
  readonly failure: Failure;
  readonly failureSeq: number;
  /** The handshake was done before the failure. */
  readonly opened: boolean;
  /** The newest process; undefined if none was started. */
  readonly spawned: Located<{ readonly pid: number }> | undefined;
  /** How it ended by itself. */
  readonly exit: Located<{ readonly code: number | null; readonly signal: string | null }> | undefined;
  /** The era that auto mode found by a second process. */
  readonly startedTwice: Era | undefined;
  /** The process's own words about its end. */
  readonly said: (PrintedLine & { readonly isError: boolean }) | undefined;
  /** The output as causes are found in it; undefined if no process was started. */
  readonly printed: Printed | undefined;
  /** Lines of the newest process on stderr, of those that the log remembers. */
  readonly stderr: readonly PrintedLine[];
  /** The first lines on stdout that are not MCP, and how many there are. */
  readonly stdout: readonly PrintedLine[];
  readonly stdoutLines: number;
  /** The newest request without an answer. */
  readonly asked: Located<{ readonly method: string }> | undefined;
  /** The newest message of the process. */
  readonly messageSeq: number | undefined;
  /** A text that looks like the missing answer. */
  readonly unmatched: Unmatched | undefined;
}

/** Reads the facts. `ended` is a failure that is not in the log. Returns undefined unless a command failed. */
export function processFactsOf(log: Log, ended?: Failure): ProcessFacts | undefined {
  const { start, failure: logged, seqs, pid, spawnedSeq, exit, startedTwice, opened = false } = log.state.connection;
  const failure = ended ?? logged;
  if (start?.transport !== 'stdio' || !failure) return undefined;
  const since = spawnedSeq ?? 0;
  // An object that is printed over several lines is quoted as a whole.
  const textAt = (seq: number) => new TextDecoder().decode(log.wholeBytes(seq - 1).subarray(0, QUOTABLE_BYTES));
  const lineAt = (on: PrintedLine['on']) => (seq: number) => ({ seq, on, text: withoutAnsi(textAt(seq)).trim() });
  const stderr = log.state.stderr.seqs
    .filter((seq) => seq > since)
    .map(lineAt('stderr'))
    .filter(({ text }) => text !== '');
  const stdout = log.state.junk.seqs.map(lineAt('stdout'));
  const exitSeq = eventSeq(log, seqs, 'exit');
  return {
    command: [start.command, ...start.args],
    failure,
    failureSeq: eventSeq(log, seqs, 'handshake-failed') ?? eventSeq(log, seqs, 'failed') ?? log.size,
    opened,
    spawned: pid === undefined ? undefined : { pid, seq: since },
    exit: exit && !exit.byUs && exitSeq !== undefined ? { ...exit, seq: exitSeq } : undefined,
    startedTwice,
    said: saidIn(log),
    printed: printedIn(log),
    stderr,
    stdout,
    stdoutLines: log.state.junk.count,
    asked: unansweredIn(log, since),
    messageSeq: newestMessage(log, since),
    unmatched: unmatchedIn(log),
  };
}

/** Returns the process's own reason for its end. After an exit with code 0, only an error is one. */
function saidIn(log: Log): ProcessFacts['said'] {
  const reason = reasonInLog(log);
  if (!reason || reason.isCalm) return undefined;
  if (!reason.isError && log.state.connection.exit?.code === 0) return undefined;
  return { on: reason.stream, seq: reason.seq, text: reason.text, isError: reason.isError };
}

function unansweredIn({ columns, size }: Log, since: number): ProcessFacts['asked'] {
  for (let seq = size; seq > since; seq--) {
    if (columns.kind(seq - 1) !== 'request' || columns.direction(seq - 1) !== 'to-server') continue;
    if (columns.peer(seq - 1) !== undefined) return undefined;
    return { seq, method: columns.method(seq - 1) ?? 'the request' };
  }
  return undefined;
}

const MESSAGES: ReadonlySet<string> = new Set(['request', 'notification', 'response', 'error', 'batch']);

function newestMessage({ columns, size }: Log, since: number): number | undefined {
  for (let seq = size; seq > since; seq--) {
    const isMessage = MESSAGES.has(columns.kind(seq - 1));
    if (isMessage && columns.channel(seq - 1) === 'protocol' && columns.direction(seq - 1) === 'to-client') return seq;
  }
  return undefined;
}
