import type { Log } from '@/lib/store/log';
import { sharedByLog } from './shared-by-log';

/** Printed objects whose lines the log's table shows, by the seq of their first line. */
export const UNFOLDED = sharedByLog<ReadonlySet<number>>(new Set());

/** Shows or hides the lines of a printed object. */
export function setUnfolded(log: Log, first: number, show: boolean): void {
  const before = UNFOLDED.get(log);
  if (before.has(first) === show) return;
  const after = new Set(before);
  if (show) after.add(first);
  else after.delete(first);
  UNFOLDED.set(log, after);
}

/** Lines that the table does not show. */
export function foldedLines(log: Log, unfolded: ReadonlySet<number>): number {
  let shown = 0;
  for (const first of unfolded) shown += (log.printed.from(first)?.lines.length ?? 1) - 1;
  return log.state.printedLines - shown;
}

/** The frame itself, or the first line of the printed object in which it is folded away. */
export function shownSeq(log: Log, seq: number, unfolded: ReadonlySet<number>): number {
  const first = log.printed.of(seq)?.lines[0];
  return first === undefined || unfolded.has(first) ? seq : first;
}
