import { timeRangeOf } from '@/components/log/timeline/time-term';
import type { FrameSelection } from '@/lib/recording/frame-selection';
import type { Log } from '@/lib/store/log';
import type { Channel } from '@/lib/wire/frame';

/** Frames as a person chooses them. */
export interface Chosen {
  readonly range: 'all' | 'part';
  /** As typed, of `part`. */
  readonly from: string;
  readonly to: string;
  readonly without: readonly Channel[];
}

export const ALL_FRAMES: Chosen = { range: 'all', from: '1', to: '', without: [] };

/** How many frames around a message are enough to understand it, as a rule. */
const AROUND = 20;

/** What is typed as numbers; what is none leaves that end open. */
export function selectionOf(log: Log, { range, from, to, without }: Chosen): FrameSelection {
  if (range === 'all') return { without };
  const [first, last] = [numberOf(from, log.size), numberOf(to, log.size)];
  return { without, ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) };
}

function numberOf(text: string, most: number): number | undefined {
  const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 ? Math.min(number, most) : undefined;
}

/** The frames around a message, its exchange whole. */
export function around(log: Log, seq: number): Pick<Chosen, 'from' | 'to'> {
  const { peer = seq } = log.row(seq - 1);
  const ends = [Math.min(seq, peer) - AROUND, Math.max(seq, peer) + AROUND];
  return { from: String(Math.max(1, ends[0]!)), to: String(Math.min(log.size, ends[1]!)) };
}

/** The frames of the stretch of time that the log's filter asks for; undefined if it asks for none, or there are none in it. */
export function inTimeRange(log: Log, filter: string): Pick<Chosen, 'from' | 'to'> | undefined {
  const range = timeRangeOf(filter);
  if (!range) return undefined;
  const first = firstAfter(log, range.from ?? 0);
  const end = range.to === undefined ? log.size + 1 : firstAfter(log, range.to + 1);
  return first < end ? { from: String(first), to: String(end - 1) } : undefined;
}

/** seq of the first frame at this time, in microseconds, or later. Times never run backwards. */
function firstAfter(log: Log, time: number): number {
  let [low, high] = [0, log.size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (log.columns.time(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}
