import { LIMITS } from '@/lib/wire/limits';

const { stderrHeadLines: HEAD, stderrTailLines: TAIL } = LIMITS;

/** A name that runtimes give to what went wrong (`TypeError: …`, `panic: …`, `FATAL: …`), and what follows it. */
const ERROR =
  /(?:^|[^\w.])(?:(?:\w+\.)*\w*(?:Error|Exception)|error(?:\[\w+\])?|panic|fatal|FATAL|ERROR)(?: \[\w+\])?: \S/;

/** What of a long output is shown: its first and its last lines, as runtimes print the cause first and people last. */
export interface StderrDigest<T> {
  readonly head: readonly T[];
  /** Lines between the two. */
  readonly left: number;
  readonly tail: readonly T[];
}

/** All of up to `LIMITS.stderrHeadLines + LIMITS.stderrTailLines` lines, otherwise both ends. */
export function stderrDigest<T>(lines: readonly T[]): StderrDigest<T> {
  if (lines.length <= HEAD + TAIL) return { head: lines, left: 0, tail: [] };
  return { head: lines.slice(0, HEAD), left: lines.length - HEAD - TAIL, tail: lines.slice(-TAIL) };
}

/** The first line that names an error, trimmed; the lines that `stderrDigest` leaves out are not read. */
export function errorLine<T>(lines: readonly T[], textOf: (line: T) => string): string | undefined {
  const { head, tail } = stderrDigest(lines);
  for (const line of [...head, ...tail]) {
    const text = textOf(line).slice(0, LIMITS.stderrShownChars);
    if (ERROR.test(text)) return text.trim();
  }
  return undefined;
}
