import type { Lane, TimelineBins } from '@/lib/store/rows/timeline-bins';
import { formatClock, formatClockMs, formatDuration } from '@/lib/wire/format';
import type { CanvasColours } from '../canvas';
import { lineStep } from '../table/time-scale';

/** The lanes with their labels. */
export const LANE_LABELS: readonly { readonly lane: Lane; readonly words: string }[] = [
  { lane: 'to-server', words: 'to server' },
  { lane: 'to-client', words: 'to client' },
  { lane: 'notifications', words: 'notifications, events' },
  { lane: 'http', words: 'HTTP' },
  { lane: 'stderr', words: 'stderr' },
  { lane: 'errors', words: 'errors' },
];

export const LANE_PX = 13;
export const AXIS_PX = 14;
const LABEL_PX = 90;
/** Height in CSS px. */
export const TIMELINE_HEIGHT = LANE_LABELS.length * LANE_PX + AXIS_PX;

/**
 * Draws the lanes. The opacity of each 2 px column grows with the logarithm of its number of frames. So a single frame
 * is visible next to thousands. `startMs`: start of the log if the axis has times of day.
 */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  width: number,
  bins: TimelineBins,
  view: VisibleRange,
  selection: VisibleRange | undefined,
  startMs: number | undefined,
  colours: CanvasColours,
): void {
  context.clearRect(0, 0, width, TIMELINE_HEIGHT);
  const x = (time: number) => ((time - view.from) / (view.to - view.from)) * width;
  drawAxis(context, width, view, x, startMs, colours);
  const slots = Math.max(1, Math.floor(width / 2));
  const lanes = bins.counts(view.from, view.to, slots);
  const most = Math.log2(1 + lanes.reduce((max, counts) => counts.reduce((a, b) => Math.max(a, b), max), 1));
  for (const [lane, counts] of lanes.entries()) {
    context.fillStyle = LANE_LABELS[lane]!.lane === 'errors' ? colours.error : colours.muted;
    const top = AXIS_PX + lane * LANE_PX;
    for (let slot = 0; slot < slots; slot++) {
      const count = counts[slot]!;
      if (count === 0) continue;
      context.globalAlpha = 0.35 + (0.65 * Math.log2(1 + count)) / most;
      context.fillRect((slot * width) / slots, top + 1, 2, LANE_PX - 3);
    }
  }
  context.globalAlpha = 1;
  if (!selection) return;
  const [left, right] = [Math.max(0, x(selection.from)), Math.min(width, x(selection.to))];
  context.fillStyle = colours.line;
  context.globalAlpha = 0.6;
  context.fillRect(0, AXIS_PX, left, TIMELINE_HEIGHT);
  context.fillRect(right, AXIS_PX, width - right, TIMELINE_HEIGHT);
  context.globalAlpha = 1;
  context.fillStyle = colours.accent;
  context.fillRect(Math.round(left), 0, 1, TIMELINE_HEIGHT);
  context.fillRect(Math.round(right) - 1, 0, 1, TIMELINE_HEIGHT);
}

function drawAxis(
  context: CanvasRenderingContext2D,
  width: number,
  view: VisibleRange,
  x: (time: number) => number,
  startMs: number | undefined,
  colours: CanvasColours,
): void {
  const step = lineStep(view, Math.max(1, Math.floor(width / LABEL_PX)));
  context.textBaseline = 'middle';
  // Lines at round times of day, or at round times since the start.
  const zero = startMs === undefined ? 0 : (startMs * 1000) % step;
  for (let at = Math.ceil((view.from + zero) / step) * step - zero; at <= view.to; at += step) {
    const left = Math.round(x(at));
    context.fillStyle = colours.line;
    context.fillRect(left, 0, 1, TIMELINE_HEIGHT);
    context.fillStyle = colours.muted;
    context.fillText(axisLabel(at, step, startMs), left + 4, AXIS_PX / 2 + 1);
  }
}

function axisLabel(at: number, step: number, startMs: number | undefined): string {
  if (startMs === undefined) return at === 0 ? '0' : formatDuration(at);
  const ms = startMs + Math.round(at / 1000);
  return step < 1_000_000 ? formatClockMs(ms) : formatClock(ms);
}

/** The time range in view, in µs since the connection started. */
export interface VisibleRange {
  readonly from: number;
  readonly to: number;
}

/** Shortest range in view, in µs. */
const MIN_RANGE_US = 1000;
/** Wheel px that double the range in view. */
const DOUBLING_PX = 240;
/** Share of the range in view that one wheel px pans by. */
const PAN_SHARE = 1 / 1000;

/** Zooms around `at`. Returns undefined when the whole log, up to `end`, is in view. */
export function zoomRange(
  { from, to }: VisibleRange,
  at: number,
  turned: number,
  end: number,
): VisibleRange | undefined {
  const factor = Math.max(2 ** (turned / DOUBLING_PX), MIN_RANGE_US / (to - from));
  if ((to - from) * factor >= end) return undefined;
  return within({ from: at - (at - from) * factor, to: at + (to - at) * factor }, end);
}

/** Pans sideways. Returns undefined if the whole log is in view. */
export function panRange({ from, to }: VisibleRange, turned: number, end: number): VisibleRange | undefined {
  if (to - from >= end) return undefined;
  const by = turned * (to - from) * PAN_SHARE;
  return within({ from: from + by, to: to + by }, end);
}

function within({ from, to }: VisibleRange, end: number): VisibleRange {
  const by = Math.max(-from, Math.min(0, end - to));
  return { from: from + by, to: to + by };
}
