import type { ColumnsReader } from '@/lib/store/columns';

/** How fast the past is played: times as fast as it was. */
export const SPEEDS = ['×1', '×4', '×16'] as const;
export type Speed = (typeof SPEEDS)[number];

/** Nobody waits longer than this for the next frame, in ms: what was silence is skipped. */
const LONGEST_PAUSE_MS = 1000;

/** Ms until the next frame after `seq` is to be shown. */
export function pauseAfter(columns: Pick<ColumnsReader, 'time'>, seq: number, speed: Speed): number {
  const us = columns.time(seq) - columns.time(seq - 1);
  return Math.min(LONGEST_PAUSE_MS, us / 1000 / Number(speed.slice(1)));
}

/** The frame to show when `ms` have passed since `seq` was, and how many of them are left over. Never beyond `last`. */
export function playedTo(
  columns: Pick<ColumnsReader, 'time'>,
  { seq, ms }: { readonly seq: number; readonly ms: number },
  last: number,
  speed: Speed,
): { readonly seq: number; readonly ms: number } {
  let [at, left] = [seq, ms];
  while (at < last) {
    const pause = pauseAfter(columns, at, speed);
    if (pause > left) return { seq: at, ms: left };
    left -= pause;
    at++;
  }
  return { seq: last, ms: 0 };
}
