import { useEffect, useLayoutEffect, useRef } from 'react';
import { useTheme } from '@/lib/hooks/theme';
import type { TimeInterval, TimeSpan, TimeSpanPart } from '@/lib/store/rows/time-span';
import { type CanvasColours, canvasColours, canvasContext, useCanvasSize } from '../canvas';

/**
 * The bars of all rows in view, on one canvas over the last column. Redrawn with the rows, and on each animation frame
 * while a bar is growing, unless the user prefers reduced motion.
 */
export function Waterfall({
  spans,
  rowHeight,
  still,
  scale,
  now,
}: {
  /** The time span of each row, from the top. */
  readonly spans: readonly TimeSpan[];
  /** In px. */
  readonly rowHeight: number;
  /** Turns the animation off. */
  readonly still: boolean;
  readonly scale: (now: number) => TimeRange | undefined;
  readonly now: () => number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useTheme();
  const draw = () => {
    const element = canvas.current;
    const width = place.current?.width;
    if (!element || width === undefined) return;
    const size = { width, height: spans.length * rowHeight };
    const context = canvasContext(element, size);
    const time = now();
    const range = scale(time);
    if (context && range) drawWaterfall(context, size, { spans, rowHeight }, range, time, canvasColours(element));
  };
  const place = useCanvasSize(canvas, draw);
  const latest = useRef(draw);
  useLayoutEffect(() => {
    latest.current = draw;
    draw();
  });
  const growing = !still && spans.some(({ parts }) => parts.some(({ to }) => to === undefined));
  useEffect(() => {
    if (!growing || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let frame = requestAnimationFrame(function again() {
      latest.current();
      frame = requestAnimationFrame(again);
    });
    return () => cancelAnimationFrame(frame);
  }, [growing]);
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas can't take the focus; each row has the same as text
    <canvas
      ref={canvas}
      aria-hidden="true"
      className="pointer-events-none absolute top-0 right-2 @max-[660px]:hidden"
      style={{ width: 'var(--w-waterfall)', height: spans.length * rowHeight }}
    />
  );
}

const COLOUR_OF: Readonly<Record<NonNullable<TimeSpanPart['status']>, keyof CanvasColours>> = {
  pending: 'accent',
  ok: 'ok',
  error: 'error',
  'tool-error': 'error',
  timeout: 'error',
  lost: 'error',
  cancelled: 'warn',
  refused: 'muted',
};

/** Smallest width of a bar, so that the shortest is visible, in px. */
const MIN_BAR_PX = 2;
/** Room at both sides of the canvas, in px. */
const PADDING_PX = 4;
/** Most grid lines. */
const MAX_LINES = 5;

/** Draws the time spans of the rows in view. Lengths are CSS px; the context is already scaled for the screen. */
function drawWaterfall(
  context: CanvasRenderingContext2D,
  { width, height }: { readonly width: number; readonly height: number },
  { spans, rowHeight }: { readonly spans: readonly TimeSpan[]; readonly rowHeight: number },
  range: TimeRange,
  now: number,
  colours: CanvasColours,
): void {
  context.clearRect(0, 0, width, height);
  const room = width - 2 * PADDING_PX;
  const x = (time: number) =>
    PADDING_PX + (Math.max(0, Math.min(range.to - range.from, time - range.from)) / (range.to - range.from)) * room;

  context.fillStyle = colours.line;
  const step = lineStep(range, MAX_LINES);
  for (let at = Math.ceil(range.from / step) * step; at <= range.to; at += step) {
    context.fillRect(Math.round(x(at)), 0, 1, height);
  }

  const bar = ({ from, to }: TimeInterval, top: number, thickness: number) => {
    const left = x(from);
    context.fillRect(left, top, Math.max(MIN_BAR_PX, x(to ?? now) - left), thickness);
  };
  for (const [at, span] of spans.entries()) {
    const middle = (at + 0.5) * rowHeight;
    if (span.whole) {
      context.fillStyle = colours.muted;
      context.globalAlpha = 0.45;
      bar(span.whole, middle - 0.5, 1);
      context.globalAlpha = 1;
    }
    for (const part of span.parts) {
      context.fillStyle = colours[COLOUR_OF[part.status ?? 'refused']];
      context.globalAlpha = part.to === undefined ? 0.55 : 0.85;
      bar(part, middle - 5, 10);
      context.globalAlpha = 1;
    }
    context.fillStyle = colours['to-client'];
    for (const part of span.asked) bar(part, middle + 2, 3);
    context.fillStyle = colours.text;
    for (const tick of span.ticks) context.fillRect(Math.round(x(tick)), middle - 7, 1, 5);
    if (span.at !== undefined) {
      context.fillStyle = colours.muted;
      context.fillRect(Math.round(x(span.at)) - 1, middle - 4, 2, 8);
    }
  }
}

/** A range of the log's time, in µs since the connection started. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Shortest range a waterfall shows, in µs: clocks are not more precise. */
const MIN_RANGE_US = 1000;

/**
 * Returns the time range of these rows and the ends of their spans. Open spans end at `now`. undefined without rows.
 */
export function scaleOf(times: readonly number[], spans: readonly TimeSpan[], now: number): TimeRange | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const time of times) {
    from = Math.min(from, time);
    to = Math.max(to, time);
  }
  if (from > to) return undefined;
  for (const { whole, parts } of spans) {
    for (const interval of whole ? [whole, ...parts] : parts) to = Math.max(to, interval.to ?? now);
  }
  return { from, to: Math.max(to, from + MIN_RANGE_US) };
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
