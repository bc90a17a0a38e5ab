import type { CanvasColours } from '@/components/log/canvas-colours';
import type { Part, Span, Stretch } from '@/lib/store/spans';
import { lineStep, type TimeRange } from './time-scale';

const COLOUR_OF: Readonly<Record<NonNullable<Part['status']>, keyof CanvasColours>> = {
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
  readonly span: Span;
}

/**
 * Draws the spans of the rows in view. A few rectangles a row, nothing kept. Widths in CSS px; the context is scaled for the screen.
 */
export function drawWaterfall(
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

  const bar = ({ from, to }: Stretch, top: number, thickness: number) => {
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
