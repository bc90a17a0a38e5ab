import { BARE_EXCEPTION, CALM, ERROR, RANK, rankOf, STACK_LINE, WARNING } from './line-kinds';
import { type ErrorReport, type ErrorReportKind, joined, lineAbove, nextLine } from './report';

/** Lines above a stack that are searched for its error. A message can list many paths. */
const MESSAGE_LINES = 60;
/** Lines of a cause's message that may come before its stack. */
const CAUSE_LINES = 5;
/** Lines of a printed value that are quoted. */
const VALUE_LINES = 12;

const CAUSE = /^(\s*)(?:Caused by|\[cause\]): ?(.*)$/;
const INNER = /^\s*---> /;
/** Source code that a runtime prints between an error and its stack. */
const SOURCE = /^\s*(?:throw|return|const|let|var|await|import|raise) |^\s*[\^~]+\s*$|^\s*\d+ \| /;
/** A line of source code with its number. */
const CODE = /^\s*\d+ \| /;
const JVM_FRAME = /\((?:[\w$]+\.(?:java|kt|kts|scala|groovy|clj):\d+|Native Method|Unknown Source|[\w$]+\.java)\)/;
/** Anything that continues a report below its first frame. */
const CONTINUED = /^\s+\S|^[{}[\](),;]|^(?:Caused by|Suppressed): |^Emitted '\w+' event /;
const VERSION = /^(?:Node\.js v\d|Bun v\d)/;

/** Exceptions with a stack of lines that begin with `at`: Node, Deno, Bun, JVM, .NET. */
export const STACK_REPORTS: readonly ErrorReportKind[] = [
  { starts: STACK_LINE, read: readStack },
  { starts: /^\(Use `node --trace-uncaught/, read: readThrownValue },
  { starts: /^\[?UnhandledPromiseRejection\b/, read: readRejection },
  { starts: /^\s*APPLICATION FAILED TO START\s*$/, read: readSpring },
];

function readStack(lines: readonly string[], at: number, from: number): ErrorReport | undefined {
  const { index, inner } = headAbove(lines, at, from);
  if (index < 0) return undefined;
  const { end, causes } = readBelow(lines, at);
  const line = lines[index]!;
  const head = /[[{(]\s*$/.test(line) ? valueAt(lines, index, at) : messageAt(lines, index, at);
  const isJvm = lines.slice(at, end).some((frame) => STACK_LINE.test(frame) && JVM_FRAME.test(frame));
  const cause = causes.at(-1);
  const isCalm = CALM.test(line) || WARNING.test(line);
  const rank = isCalm ? RANK.suspect : RANK.fatal;
  if (isJvm && cause) {
    const below = /:\s*$/.test(cause.text) ? lines[cause.index + 1] : undefined;
    const detail = below === undefined || STACK_LINE.test(below) ? undefined : below;
    return { text: joined(cause.text, detail), index: cause.index, end, rank };
  }
  const text = cause ? `${head} (cause: ${cause.text.trim()})` : inner ? `${head} ${inner.trim()}` : head;
  return { text, index, end, rank };
}

/** Returns an error with the rest of its message, if that stops at a colon or within a sentence. */
function messageAt(lines: readonly string[], index: number, end: number): string {
  const line = lines[index]!;
  const below = lines.slice(index + 1, end);
  if (/:\s*$/.test(line))
    return joined(
      line,
      below.find((next) => next.trim() !== '' && !SOURCE.test(next)),
    );
  if (!/^[a-z]/.test(below[0] ?? '')) return line.trim();
  const other = below.findIndex((next) => next.trim() === '' || SOURCE.test(next));
  const rest = below.slice(0, Math.min(other < 0 ? below.length : other, CAUSE_LINES));
  return [line, ...rest].map((part) => part.trim()).join(' ');
}

/** Finds the error above the first frame of a stack. `inner`: the innermost exception, which .NET prints there. */
function headAbove(lines: readonly string[], at: number, from: number): { index: number; inner?: string } {
  let inner: string | undefined;
  const first = Math.max(from, at - MESSAGE_LINES);
  for (let index = at - 1; index >= first; index--) {
    const line = lines[index]!;
    if (INNER.test(line)) inner ??= line;
    else if (!SOURCE.test(line) && !CAUSE.test(line) && (ERROR.test(line) || BARE_EXCEPTION.test(line)))
      return inner === undefined ? { index } : { index, inner };
  }
  let index = lineAbove(lines, at, from);
  while (index >= from && (SOURCE.test(lines[index]!) || STACK_LINE.test(lines[index]!)))
    index = lineAbove(lines, index, from);
  return { index: index < from || rankOf(lines[index]!) === RANK.never ? -1 : index };
}

/** Reads what follows the first frame of a stack: more frames, causes, a printed object, a version. */
function readBelow(lines: readonly string[], at: number) {
  const causes: { readonly text: string; readonly index: number }[] = [];
  const add = (text: string, index: number) => void causes.push({ text: text.replace(/ \{$/, ''), index });
  let index = at;
  let lists = false;
  for (; index < lines.length; index++) {
    const line = lines[index]!;
    const [, indent, text = ''] = CAUSE.exec(line) ?? [];
    // The cause of a suppressed exception is indented by a tab.
    if (indent !== undefined && !indent.startsWith('\t')) add(text, index);
    else if (lists && ERROR.test(line)) {
      add(line, index);
      lists = false;
    } else if (/^\s*\[errors\]: \[/.test(line)) lists = true;
    else if (CODE.test(line)) {
      const next = errorBelowCode(lines, index);
      if (next === undefined) break;
      add(lines[next]!, next);
      index = next;
    } else if (line.trim() === '') {
      if (!goesOn(lines[nextLine(lines, index)] ?? '')) break;
    } else if (!CONTINUED.test(line) && !VERSION.test(line) && !(causes.length > 0 && hasFrameSoon(lines, index)))
      break;
  }
  return { end: index, causes };
}

/** True for a line that continues a report after a blank line. */
function goesOn(line: string): boolean {
  return VERSION.test(line) || CAUSE.test(line) || STACK_LINE.test(line) || CODE.test(line);
}

/** Returns the index of the error below source code, with which Bun begins the cause of an error. */
function errorBelowCode(lines: readonly string[], at: number): number | undefined {
  let index = at;
  while (index < lines.length && SOURCE.test(lines[index]!)) index++;
  return ERROR.test(lines[index] ?? '') ? index : undefined;
}

/** True if a stack follows soon, so that this line belongs to the message above it. */
function hasFrameSoon(lines: readonly string[], at: number): boolean {
  const next = lines.slice(at, at + CAUSE_LINES);
  const frame = next.findIndex((line) => STACK_LINE.test(line));
  return frame > 0 && !next.slice(0, frame).some((line) => ERROR.test(line));
}

/** Returns a value that is printed on several lines, such as the issues of a ZodError, on one. */
function valueAt(lines: readonly string[], index: number, end: number): string {
  return lines
    .slice(index, Math.min(end, index + VALUE_LINES))
    .map((line) => line.trim())
    .join(' ');
}

/** Reads a value that was thrown but is not an Error. It has no stack. */
function readThrownValue(lines: readonly string[], at: number, from: number): ErrorReport | undefined {
  const index = lineAbove(lines, at, from);
  return index < 0 ? undefined : { text: lines[index]!.trim(), index, end: at + 1, rank: RANK.fatal };
}

function readRejection(lines: readonly string[], at: number): ErrorReport {
  const line = lines[at]!;
  const text = /The promise rejected with the reason .*?\.(?=\]|$)/.exec(line)?.[0] ?? line;
  const end = STACK_LINE.test(lines[at + 1] ?? '') ? readBelow(lines, at + 1).end : at + 1;
  return { text, index: at, end, rank: RANK.fatal };
}

/** Reads the report of Spring Boot. */
function readSpring(lines: readonly string[], at: number): ErrorReport | undefined {
  const described = lines.findIndex((line, index) => index > at && /^\s*Description:\s*$/.test(line));
  const index = nextLine(lines, described + 1);
  const text = lines[index]?.trim();
  return described < 0 || text === undefined ? undefined : { text, index, end: index + 1, rank: RANK.fatal };
}
