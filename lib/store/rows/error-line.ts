import { LIMITS } from '@/lib/wire/limits';

const { stderrHeadLines: HEAD, stderrTailLines: TAIL } = LIMITS;
/** Characters read of a line. */
const READ_CHARS = 2000;

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

/** A line of the stack that Node, Deno, Bun or a JVM prints below an error. */
const STACK = /^\s*at \S/;
/** An error that another one names as its cause. */
const CAUSE = /^\s*(?:\[cause\]|Caused by|Suppressed): /;
/** The version that Node prints below the stack of an uncaught exception. */
const NODE_VERSION = /^Node\.js v\d/;

/** A line that belongs to the one above: of a stack, a list or an object that a runtime prints below an error. */
const CONTINUED = /^\s/;
/** Ends an object that a runtime prints below an error. */
const BRACKETS = /^[\s{}[\](),;]*$/;
/** Most lines that are searched, however many of them are continued. */
export const CRASH_LINES = 200;

/**
 * Returns the line that best explains a crash, trimmed. Searches the last `LIMITS.stderrTailLines` lines and those
 * that continue them, from the end: the newest error with a stack below it, else the newest line that names an error,
 * else the last line that has more than brackets. Returns '' if there is none.
 */
export function crashLine<T>(lines: readonly T[], textOf: (line: T) => string): string {
  let [last, named]: (string | undefined)[] = [];
  let inStack = false;
  let left = TAIL;
  for (const line of lines.slice(-CRASH_LINES).reverse()) {
    const text = textOf(line).slice(0, READ_CHARS);
    if (!CONTINUED.test(text) && left-- === 0) break;
    if (BRACKETS.test(text) || NODE_VERSION.test(text)) continue;
    last ??= text.trim();
    if (STACK.test(text)) inStack = true;
    else if (ERROR.test(text) && !CAUSE.test(text)) {
      if (inStack) return text.trim();
      named ??= text.trim();
    }
  }
  return named ?? last ?? '';
}

/** Returns the first line that names an error, trimmed. Reads only the lines that `stderrDigest` shows. */
export function errorLine<T>(lines: readonly T[], textOf: (line: T) => string): string | undefined {
  const { head, tail } = stderrDigest(lines);
  for (const line of [...head, ...tail]) {
    const text = textOf(line).slice(0, READ_CHARS);
    if (ERROR.test(text)) return text.trim();
  }
  return undefined;
}
