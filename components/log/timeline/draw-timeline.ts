import type { Lane, TimelineBins } from '@/lib/store/rows/timeline-bins';
import { formatDuration } from '@/lib/wire/format';
import type { CanvasColours } from '../canvas';
import { lineStep } from '../table/waterfall';

/** The lanes with their labels and the log's colours. */
export const LANE_COLOURS: readonly {
  readonly lane: Lane;
  readonly words: string;
  readonly colour: keyof CanvasColours;
  readonly swatch: string;
}[] = [
  { lane: 'to-server', words: 'to server', colour: 'to-server', swatch: 'bg-to-server' },
  { lane: 'to-client', words: 'to client', colour: 'to-client', swatch: 'bg-to-client' },
  { lane: 'notifications', words: 'notifications, events', colour: 'notify', swatch: 'bg-notify' },
  { lane: 'http', words: 'HTTP', colour: 'muted', swatch: 'bg-muted' },
  { lane: 'stderr', words: 'stderr', colour: 'warn', swatch: 'bg-warn' },
  { lane: 'errors', words: 'errors', colour: 'error', swatch: 'bg-error' },
];

export const LANE_PX = 11;
export const AXIS_PX = 14;
const LABEL_PX = 90;
/** Height in CSS px. */
export const TIMELINE_HEIGHT = LANE_COLOURS.length * LANE_PX + AXIS_PX;

/**
 * Draws the lanes. The opacity of each 2 px column grows with the logarithm of its number of frames. So a single frame
 * is visible next to thousands.
 */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  width: number,
  bins: TimelineBins,
  view: VisibleRange,
  selection: VisibleRange | undefined,
  colours: CanvasColours,
): void {
  context.clearRect(0, 0, width, TIMELINE_HEIGHT);
  const x = (time: number) => ((time - view.from) / (view.to - view.from)) * width;
  drawAxis(context, width, view, x, colours);
  const slots = Math.max(1, Math.floor(width / 2));
  const lanes = bins.counts(view.from, view.to, slots);
  const most = Math.log2(1 + lanes.reduce((max, counts) => counts.reduce((a, b) => Math.max(a, b), max), 1));
  for (const [lane, counts] of lanes.entries()) {
    context.fillStyle = colours[LANE_COLOURS[lane]!.colour];
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
  colours: CanvasColours,
): void {
  const step = lineStep(view, Math.max(1, Math.floor(width / LABEL_PX)));
  context.font = '11px sans-serif';
  context.textBaseline = 'middle';
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
    const left = Math.round(x(at));
    context.fillStyle = colours.line;
    context.fillRect(left, 0, 1, TIMELINE_HEIGHT);
    context.fillStyle = colours.muted;
    context.fillText(at === 0 ? '0' : formatDuration(at), left + 4, AXIS_PX / 2 + 1);
  }
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
