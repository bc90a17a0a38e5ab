import { ERROR } from '@/lib/store/reason/line-kinds';
import { LIMITS } from '@/lib/wire/limits';

const { stderrHeadLines: HEAD, stderrTailLines: TAIL } = LIMITS;
/** Characters read of a line. */
const READ_CHARS = 2000;

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

/** Returns the first line that names an error, trimmed. Reads only the lines that `stderrDigest` shows. */
export function errorLine<T>(lines: readonly T[], textOf: (line: T) => string): string | undefined {
  const { head, tail } = stderrDigest(lines);
  for (const line of [...head, ...tail]) {
    const text = textOf(line).slice(0, READ_CHARS);
    if (ERROR.test(text)) return text.trim();
  }
  return undefined;
}
