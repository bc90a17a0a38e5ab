import type { TimeSpan } from '@/lib/store/rows/time-span';

/** A range of the log's time, in µs since the connection started. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The time range that a waterfall shows. Idle gaps are drawn as marks, so that the bars between them get the room. */
export interface TimeScale extends TimeRange {
  /** In order of time. */
  readonly gaps: readonly TimeRange[];
}

/** Shortest range a waterfall shows, in µs: clocks are not more precise. */
const MIN_RANGE_US = 1000;
/** Idle time of this length collapses, in µs, if it is also this share of the time that is not idle. */
const IDLE_US = 2_000_000;
const IDLE_SHARE = 0.2;

/**
 * Returns the scale of these rows, by their times and the ends of their spans. Open spans end at `now`. undefined
 * without rows.
 */
export function scaleOf(times: readonly number[], spans: readonly TimeSpan[], now: number): TimeScale | undefined {
  const busy: TimeRange[] = times.map((time) => ({ from: time, to: time }));
  const from = Math.min(...times);
  for (const { whole, parts } of spans) {
    for (const { from: start, to } of whole ? [whole, ...parts] : parts) {
      busy.push({ from: Math.max(from, start), to: Math.max(from, to ?? now) });
    }
  }
  if (busy.length === 0) return undefined;
  const to = busy.reduce((last, range) => Math.max(last, range.to), from + MIN_RANGE_US);
  return { from, to, gaps: idleGaps(busy) };
}

/** Returns the long gaps between these ranges. */
export function idleGaps(busy: readonly TimeRange[]): readonly TimeRange[] {
  const [first, ...rest] = busy.toSorted((a, b) => a.from - b.from);
  if (!first) return [];
  const gaps: TimeRange[] = [];
  let end = first.to;
  for (const { from, to } of rest) {
    if (from - end >= IDLE_US) gaps.push({ from: end, to: from });
    end = Math.max(end, to);
  }
  const busyUs = end - first.from - lengthOf(gaps);
  return gaps.filter((gap) => gap.to - gap.from >= IDLE_SHARE * busyUs);
}

/** Returns the idle time before each row, in µs, at the first row after each gap. `times` are the rows' times. */
export function idleBefore(times: readonly number[], gaps: readonly TimeRange[]): ReadonlyMap<number, number> {
  const inOrder = [...times.keys()].sort((a, b) => times[a]! - times[b]!);
  const found = new Map<number, number>();
  for (const { from, to } of gaps) {
    const row = inOrder.find((at) => times[at]! >= to);
    if (row !== undefined) found.set(row, to - from);
  }
  return found;
}

/** Returns the total length of these ranges, in µs. */
export function lengthOf(ranges: readonly TimeRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Width of a gap's mark, in px, and the largest share of the room that all marks take. */
const GAP_PX = 6;
const GAPS_SHARE = 0.5;

/** Returns the px that the marks of the gaps take. */
function marksWidth({ gaps }: TimeScale, room: number): number {
  return Math.min(GAP_PX * gaps.length, GAPS_SHARE * room);
}

/** Returns the time that a pixel stands for outside gaps, in µs. `room`: the width of the waterfall, in px. */
export function pixelUs(scale: TimeScale, room: number): number {
  return Math.max(scale.to - scale.from - lengthOf(scale.gaps), 1) / (room - marksWidth(scale, room));
}

/** Returns a function that places times in `room` px. Times outside the scale are at its ends. */
export function placing(scale: TimeScale, room: number): (time: number) => number {
  const { from, to, gaps } = scale;
  const marksPx = marksWidth(scale, room);
  const perUs = 1 / pixelUs(scale, room);
  return (time) => {
    const until = Math.max(from, Math.min(to, time));
    let [x, at] = [0, from];
    for (const gap of gaps) {
      if (until <= gap.from) break;
      const end = Math.min(until, gap.to);
      x += (gap.from - at) * perUs + ((end - gap.from) / (gap.to - gap.from)) * (marksPx / gaps.length);
      at = end;
    }
    return x + (until - at) * perUs;
  };
}

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Steps that are round on a clock, in µs. */
const CLOCK_STEPS = [
  ...[10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((count) => count * HOUR),
];

/**
 * Returns the distance between at most `most` grid lines, in µs: 1, 2 or 5 × 10ⁿ below ten seconds and above a day,
 * clock steps in between.
 */
export function lineStep({ from, to }: TimeRange, most: number): number {
  const raw = (to - from) / most;
  const clock = raw > 5 * SECOND ? CLOCK_STEPS.find((step) => step >= raw) : undefined;
  if (clock !== undefined) return clock;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw)!;
}

/** Returns the times of at most about `most` grid lines. None is in a gap. */
export function lineTimes({ from, to, gaps }: TimeScale, most: number): number[] {
  const step = lineStep({ from: 0, to: Math.max(MIN_RANGE_US, to - from - lengthOf(gaps)) }, most);
  const lines: number[] = [];
  let start = from;
  for (const end of [...gaps, { from: to, to }]) {
    for (let at = Math.ceil(start / step) * step; at <= end.from; at += step) lines.push(at);
    start = end.to;
  }
  return lines;
}
