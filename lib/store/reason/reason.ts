import { withoutAnsi } from '@/lib/wire/control-characters';
import { LIMITS } from '@/lib/wire/limits';
import { CRASH_REPORTS } from './crash-reports';
import { LAUNCHER_REPORTS } from './launcher-reports';
import { CALM, type LineRank, RANK, rankOf, USAGE, WARNING } from './line-kinds';
import { PYTHON_REPORTS } from './python-reports';
import { type ErrorReport, type ErrorReportKind, joined } from './report';
import { STACK_REPORTS } from './stack-reports';

/** Most lines that are searched, from the end of an output. */
export const REASON_LINES = 400;
/** Characters read of a line, and of a reason. */
const READ_CHARS = 2000;
/** Characters of a reason. */
const REASON_CHARS = 300;
/** Lines below an error, apart from parts of reports, from which on it is too old to be the reason. */
const OLD_AFTER = LIMITS.stderrTailLines;
/** The same for a line that only has a word for something that went wrong. */
const SUSPECT_OLD_AFTER = 5;
/** Lines that are joined to one that ends with a colon. */
const LIST_LINES = 5;

/** Stands between two tracebacks of Python if the second was raised from the first. */
const DIRECT_CAUSE = /^[\s│|]*The above exception was the direct cause of/;

const REPORTS: readonly ErrorReportKind[] = [
  ...PYTHON_REPORTS,
  ...CRASH_REPORTS,
  ...LAUNCHER_REPORTS,
  ...STACK_REPORTS,
];

/** The lines that a process printed. */
export interface ProcessOutput {
  readonly stderr: readonly string[];
  /** Lines that are not MCP. */
  readonly stdout: readonly string[];
}

/** Why a process ended, in its own words. */
export interface Reason {
  /** One line, without colours. Lines of one report may be joined. */
  readonly text: string;
  readonly stream: 'stderr' | 'stdout';
  /** Index of the line among those of its stream. */
  readonly index: number;
  /** True for an error; false for a line that is just the last one. */
  readonly isError: boolean;
  /** True for a line that says that nothing went wrong: of a calm log level, or a warning. */
  readonly isCalm: boolean;
}

/** A line or a report. */
interface Candidate {
  readonly text: string;
  /** Index of the line that states it. */
  readonly index: number;
  /** Index of its first line, and after its last one. */
  readonly from: number;
  readonly end: number;
  readonly rank: LineRank;
  /** The exception from which it was raised. */
  readonly cause?: Candidate | undefined;
}

/** An error that was printed. */
export interface PrintedError {
  /** One line, without colours. Lines of one report may be joined. */
  readonly text: string;
  /** Index of the line that states it. */
  readonly index: number;
  /** The line that states it, and all lines of its report, without colours. */
  readonly line: string;
  readonly report: readonly string[];
  /** True for an exception, false for a line that states an error. */
  readonly isException: boolean;
  /** The exception from which it was raised. */
  readonly cause: PrintedError | undefined;
}

/**
 * Returns the error that ended a process: an uncaught exception rather than a line that states an error, and that
 * rather than the last line. A line of stdout counts if it explains more than those of stderr. Returns undefined if
 * nothing but hints, progress and the like was printed.
 */
export function endingReason({ stderr, stdout }: ProcessOutput): Reason | undefined {
  const [onStderr, onStdout] = [bestOf(stderr), bestOf(stdout)];
  const isStdout = onStdout !== undefined && (onStderr === undefined || onStdout.rank > onStderr.rank);
  const best = isStdout ? onStdout : onStderr;
  if (!best) return undefined;
  const text = tidy(best.text);
  return {
    text,
    stream: isStdout ? 'stdout' : 'stderr',
    index: best.index,
    isError: best.rank > RANK.plain,
    isCalm: best.rank < RANK.plain && !USAGE.test(text),
  };
}

/** Returns the exceptions, and the lines that state an error, of the last `REASON_LINES` lines, oldest first. */
export function printedErrors(lines: readonly string[]): readonly PrintedError[] {
  const skipped = Math.max(0, lines.length - REASON_LINES);
  const read = readable(lines);
  const errorOf = ({ text, index, from, end, rank, cause }: Candidate): PrintedError => ({
    text: tidy(text),
    index: index + skipped,
    line: tidy(read[index]!),
    report: read.slice(from, end),
    isException: rank === RANK.fatal,
    cause: cause && errorOf(cause),
  });
  return candidatesIn(read)
    .filter(({ rank }) => rank >= RANK.stated)
    .map(errorOf);
}

function tidy(text: string): string {
  return text
    .replace(/^[\s│┃]+|[\s│┃]+$/g, '')
    .replace(/\s+/g, ' ')
    .slice(0, REASON_CHARS);
}

function readable(lines: readonly string[]): readonly string[] {
  return lines.slice(-REASON_LINES).map((line) => withoutAnsi(line.slice(0, READ_CHARS)).replace(/\r$/, ''));
}

function bestOf(lines: readonly string[]): Candidate | undefined {
  const skipped = Math.max(0, lines.length - REASON_LINES);
  const read = readable(lines);
  const found = candidatesIn(read);
  let best: Candidate | undefined;
  let age = 0;
  for (const candidate of found.toReversed()) {
    const rank = rankAt(candidate.rank, age);
    if (best === undefined || rank > best.rank) best = { ...candidate, rank };
    // A long usage below an error does not make it old.
    if (candidate.rank >= RANK.plain || CALM.test(candidate.text) || WARNING.test(candidate.text)) age++;
  }
  return best && { ...best, text: withList(read, best), index: best.index + skipped };
}

/** Returns the rank of a candidate with so many others below it. */
function rankAt(rank: LineRank, age: number): LineRank {
  const isOld = (rank === RANK.stated && age >= OLD_AFTER) || (rank === RANK.suspect && age >= SUSPECT_OLD_AFTER);
  return isOld ? RANK.plain : rank;
}

function candidatesIn(lines: readonly string[]): readonly Candidate[] {
  const found: Candidate[] = [];
  let from = 0;
  let isList = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    isList = isList ? LISTED.test(line) || line === '' : COLON.test(line);
    const report = reportAt(lines, at, from);
    if (report) {
      const cause = found.findLast(({ from, end }) => end - from > 1);
      const isRaised = cause && lines.slice(cause.end, at).some((between) => DIRECT_CAUSE.test(between));
      found.push({ ...report, from: Math.min(at, report.index), ...(isRaised && { cause }) });
      from = Math.max(report.end, at + 1);
      at = from - 1;
      continue;
    }
    const rank = rankOf(line);
    // An item of a list says little without the line above the list.
    const isItem = isList && rank === RANK.plain && LISTED.test(line);
    if (rank !== RANK.never && !isItem) found.push({ text: line, index: at, from: at, end: at + 1, rank });
  }
  return found;
}

const COLON = /:\s*$/;
/** An item of a list below a line with a colon. */
const LISTED = /^\s+\S|^[-*•] /;

function reportAt(lines: readonly string[], at: number, from: number): ErrorReport | undefined {
  for (const { starts, read } of REPORTS) {
    const report = starts.test(lines[at]!) ? read(lines, at, from) : undefined;
    if (report) return report;
  }
  return undefined;
}

/** Adds the list that follows a line with a colon at its end. */
function withList(lines: readonly string[], { text, index, rank }: Candidate): string {
  if (rank === RANK.fatal || !COLON.test(text)) return text;
  const below = lines.slice(index + 1, index + 1 + LIST_LINES);
  const end = below.findIndex((line) => !LISTED.test(line));
  return joined(text, (end < 0 ? below : below.slice(0, end)).join(' '));
}
