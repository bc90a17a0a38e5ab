import { useEffect, useLayoutEffect, useRef } from 'react';
import { useTheme } from '@/lib/hooks/theme';
import type { TimeInterval, TimeSpan, TimeSpanPart } from '@/lib/store/rows/time-span';
import { formatDuration } from '@/lib/wire/format';
import { type CanvasColours, canvasColours, canvasContext, canvasFont, useCanvasSize } from '../canvas';
import { idleBefore, lineTimes, pixelUs, placing, type TimeRange, type TimeScale } from './time-scale';

/**
 * Shortest pause between two drawings of growing bars, in ms. A server may leave a request open for hours, and 60
 * drawings a second take a third of a core without a graphics card.
 */
const PAUSE_MS = 100;

/**
 * The bars of all rows in view, on one canvas over the last column. Redrawn with the rows, and at most ten times a
 * second once a growing bar is a pixel longer, unless the user prefers reduced motion.
 */
export function Waterfall({
  rows,
  rowHeight,
  still,
  scale,
  now,
}: {
  /** From the top. */
  readonly rows: readonly WaterfallRow[];
  /** In px. */
  readonly rowHeight: number;
  /** Turns the animation off. */
  readonly still: boolean;
  readonly scale: (now: number) => TimeScale | undefined;
  readonly now: () => number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useTheme();
  /** The place of the pointer on the canvas, in px. */
  const pointer = useRef<Point>(undefined);
  /** Returns when to draw growing bars again, in ms. */
  const draw = () => {
    const element = canvas.current;
    const width = place.current?.width;
    if (!element || width === undefined) return PAUSE_MS;
    const size = { width, height: rows.length * rowHeight };
    const context = canvasContext(element, size);
    const time = now();
    const shown = scale(time);
    if (!context || !shown) return PAUSE_MS;
    drawWaterfall(context, size, { rows, rowHeight }, shown, time, canvasColours(element), pointer.current);
    return Math.max(PAUSE_MS, pixelUs(shown, width - 2 * PADDING_PX) / 1000);
  };
  const place = useCanvasSize(canvas, draw);
  const latest = useRef(draw);
  useLayoutEffect(() => {
    latest.current = draw;
    draw();
  });
  // The canvas lets the pointer through to the rows.
  useEffect(() => {
    const [element, around] = [canvas.current, canvas.current?.parentElement];
    if (!element || !around) return;
    const point = (at: Point | undefined) => {
      if (at === undefined && pointer.current === undefined) return;
      pointer.current = at;
      latest.current();
    };
    const onMove = ({ clientX, clientY }: PointerEvent) => {
      const { left, right, top } = element.getBoundingClientRect();
      point(clientX >= left && clientX < right ? { x: clientX - left, y: clientY - top } : undefined);
    };
    const onLeave = () => point(undefined);
    around.addEventListener('pointermove', onMove);
    around.addEventListener('pointerleave', onLeave);
    return () => {
      around.removeEventListener('pointermove', onMove);
      around.removeEventListener('pointerleave', onLeave);
    };
  }, []);
  const growing =
    !still &&
    rows.some(({ span: { whole, parts } }) => [whole, ...parts].some((each) => each && each.to === undefined));
  useEffect(() => {
    if (!growing || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let timer: number | undefined;
    // The rows have just been drawn.
    let frame = requestAnimationFrame(function drawAgain() {
      timer = window.setTimeout(() => {
        frame = requestAnimationFrame(drawAgain);
      }, latest.current());
    });
    return () => {
      window.clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [growing]);
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas can't take the focus; each row has the same as text
    <canvas
      ref={canvas}
      aria-hidden="true"
      className="pointer-events-none absolute top-0 right-2 @max-[900px]:hidden"
      style={{ width: 'var(--w-waterfall)', height: rows.length * rowHeight }}
    />
  );
}

const COLOUR_OF: Readonly<Record<NonNullable<TimeSpanPart['status']>, keyof CanvasColours>> = {
  pending: 'accent',
  ok: 'muted',
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
/** Room between a gap and its label, and the distance at which the pointer is on a gap, in px. */
const GAP_LABEL_PX = 6;
const GAP_REACH_PX = 3;
/** Most grid lines. */
const MAX_LINES = 5;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** One row of the waterfall. */
interface WaterfallRow {
  /** The selected row shows how long the idle time before it was. */
  readonly selected: boolean;
  /** Time of its frame. */
  readonly time: number;
  readonly span: TimeSpan;
}

/** Draws the time spans of the rows in view. Lengths are CSS px; the context is already scaled for the screen. */
function drawWaterfall(
  context: CanvasRenderingContext2D,
  { width, height }: { readonly width: number; readonly height: number },
  { rows, rowHeight }: { readonly rows: readonly WaterfallRow[]; readonly rowHeight: number },
  scale: TimeScale,
  now: number,
  colours: CanvasColours,
  pointer: Point | undefined,
): void {
  context.clearRect(0, 0, width, height);
  const room = width - 2 * PADDING_PX;
  const place = placing(scale, room);
  const x = (time: number) => PADDING_PX + place(time);

  context.fillStyle = colours.line;
  for (const time of lineTimes(scale, MAX_LINES)) context.fillRect(Math.round(x(time)), 0, 1, height);
  const placed = rows.map((row, at) => ({ ...row, middle: (at + 0.5) * rowHeight }));

  const bar = ({ from, to }: TimeInterval, top: number, thickness: number) => {
    const left = x(from);
    context.fillRect(left, top, Math.max(MIN_BAR_PX, x(to ?? now) - left), thickness);
  };
  for (const { span, middle } of placed) {
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
    context.fillStyle = colours.text;
    for (const part of span.asked) bar(part, middle + 2, 3);
    for (const tick of span.ticks) context.fillRect(Math.round(x(tick)), middle - 7, 1, 5);
    if (span.at !== undefined) {
      context.fillStyle = colours.muted;
      context.fillRect(Math.round(x(span.at)) - 1, middle - 4, 2, 8);
    }
  }
  if (scale.gaps.length > 0) drawGaps(context, { width, height }, placed, scale.gaps, x, colours, pointer);
}

/** A row and the middle of its bar, in px. */
type PlacedRow = WaterfallRow & { readonly middle: number };

/** Marks the idle time that is left out, with its length at the pointer or in the selected row. `x` places a time. */
function drawGaps(
  context: CanvasRenderingContext2D,
  { width, height }: { readonly width: number; readonly height: number },
  rows: readonly PlacedRow[],
  gaps: readonly TimeRange[],
  x: (time: number) => number,
  colours: CanvasColours,
  pointer: Point | undefined,
): void {
  const times = rows.map(({ time }) => time);
  for (const gap of gaps) {
    const [left, right] = [x(gap.from), x(gap.to)];
    drawZigzag(context, left, right, height, colours.muted);
    const isAt = pointer && pointer.x >= left - GAP_REACH_PX && pointer.x <= right + GAP_REACH_PX;
    const [after] = idleBefore(times, [gap]).keys();
    const row = after === undefined ? undefined : rows[after];
    const y = isAt ? pointer.y : row?.selected ? row.middle : undefined;
    if (y === undefined) continue;
    // Setting the font makes the browser compute all styles at once, so it is set only for labels.
    context.font = canvasFont(12);
    context.textBaseline = 'middle';
    context.fillStyle = colours.text;
    const label = `idle ${formatDuration(gap.to - gap.from)}`;
    const fits = context.measureText(label).width + GAP_LABEL_PX <= left;
    if (fits) drawLabel(context, label, left - GAP_LABEL_PX, y, 'right');
    else drawLabel(context, label, Math.min(width, right + GAP_LABEL_PX), y, 'left');
  }
}

/** Height of half a wave of a zigzag, in px. */
const WAVE_PX = 4;

/** Draws a zigzag down the time that is left out, over a clear ground. */
function drawZigzag(context: CanvasRenderingContext2D, left: number, right: number, height: number, colour: string) {
  context.clearRect(left, 0, right - left, height);
  context.beginPath();
  for (let y = 0; y <= height; y += WAVE_PX) context.lineTo((y / WAVE_PX) % 2 === 0 ? left + 1 : right - 1, y);
  context.strokeStyle = colour;
  context.globalAlpha = 0.6;
  context.stroke();
  context.globalAlpha = 1;
}

/** Writes a label, and removes what is behind it. */
function drawLabel(context: CanvasRenderingContext2D, text: string, x: number, y: number, align: 'left' | 'right') {
  context.textAlign = align;
  const { width } = context.measureText(text);
  context.clearRect((align === 'right' ? x - width : x) - 2, y - 7, width + 4, 14);
  context.fillText(text, x, y);
}
