import { useEffect, useLayoutEffect, useRef } from 'react';
import { ROW_HEIGHT } from '@/components/ui/virtual-rows';
import { useTheme } from '@/lib/hooks/theme';
import type { TimeInterval, TimeSpan, TimeSpanPart } from '@/lib/store/rows/time-span';
import { type CanvasColours, canvasColours, canvasContext, useCanvasSize } from '../canvas';

/**
 * The bars of all rows in view, one canvas over their last column. Drawn with the rows; while one of them goes on, at each animation
 * frame, unless the reader wants no motion: then whenever the log changes.
 */
export function Waterfall({
  rows,
  count,
  still,
  scale,
  now,
}: {
  readonly rows: readonly WaterfallRow[];
  /** Rows it lies over. */
  readonly count: number;
  /** What goes on is not shown to go on. */
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
    const size = { width, height: count * ROW_HEIGHT, rowHeight: ROW_HEIGHT };
    const context = canvasContext(element, size);
    const time = now();
    const range = scale(time);
    if (context && range) drawWaterfall(context, size, rows, range, time, canvasColours(element));
  };
  const place = useCanvasSize(canvas, draw);
  const latest = useRef(draw);
  useLayoutEffect(() => {
    latest.current = draw;
    draw();
  });
  const goesOn = !still && rows.some(({ span }) => span.parts.some(({ to }) => to === undefined));
  useEffect(() => {
    if (!goesOn || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let frame = requestAnimationFrame(function again() {
      latest.current();
      frame = requestAnimationFrame(again);
    });
    return () => cancelAnimationFrame(frame);
  }, [goesOn]);
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it can't have the focus; each row says the same in words
    <canvas
      ref={canvas}
      aria-hidden="true"
      className="pointer-events-none absolute top-0 right-2 @max-[660px]:hidden"
      style={{ width: 'var(--w-waterfall)', height: count * ROW_HEIGHT }}
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

/** A bar is at least as wide, so that the shortest can be seen. */
const LEAST_PX = 2;
const PAD_PX = 4;

/** One row of a waterfall, `top` px from the top of the canvas. */
export interface WaterfallRow {
  readonly top: number;
  readonly span: TimeSpan;
}

/**
 * Draws the spans of the rows in view. A few rectangles a row, nothing kept. Widths in CSS px; the context is scaled for the screen.
 */
function drawWaterfall(
  context: CanvasRenderingContext2D,
  size: { readonly width: number; readonly height: number; readonly rowHeight: number },
  rows: readonly WaterfallRow[],
  range: TimeRange,
  now: number,
  colours: CanvasColours,
): void {
  const { width, height, rowHeight } = size;
  context.clearRect(0, 0, width, height);
  const room = width - 2 * PAD_PX;
  const x = (time: number) =>
    PAD_PX + (Math.max(0, Math.min(range.to - range.from, time - range.from)) / (range.to - range.from)) * room;

  context.fillStyle = colours.line;
  const step = lineStep(range, 5);
  for (let at = Math.ceil(range.from / step) * step; at <= range.to; at += step) {
    context.fillRect(Math.round(x(at)), 0, 1, height);
  }

  const bar = ({ from, to }: TimeInterval, top: number, thickness: number) => {
    const left = x(from);
    context.fillRect(left, top, Math.max(LEAST_PX, x(to ?? now) - left), thickness);
  };
  for (const { top, span } of rows) {
    const middle = top + rowHeight / 2;
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

/** A stretch of the log's time, in microseconds since the connection began. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The least that a scale shows: below it, clocks say little. */
const LEAST_US = 1000;
/** The time that a waterfall has to show: of these rows, and of their spans to the last end. What goes on ends `now`. */
export function scaleOf(times: readonly number[], spans: readonly TimeSpan[], now: number): TimeRange | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const time of times) {
    from = Math.min(from, time);
    to = Math.max(to, time);
  }
  if (from > to) return undefined;
  for (const { whole, parts } of spans) {
    for (const stretch of whole ? [whole, ...parts] : parts) to = Math.max(to, stretch.to ?? now);
  }
  return { from, to: Math.max(to, from + LEAST_US) };
}

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Steps of clocks, where those of numbers would not be round. */
const CLOCK_STEPS = [
  ...[10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((count) => count * HOUR),
];

/** Round steps for lines, so that there are at most `most`: 1, 2, 5 × 10ⁿ below ten seconds and beyond a day, else those of clocks. */
export function lineStep({ from, to }: TimeRange, most: number): number {
  const raw = (to - from) / most;
  const clock = raw > 5 * SECOND ? CLOCK_STEPS.find((step) => step >= raw) : undefined;
  if (clock !== undefined) return clock;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw)!;
}
