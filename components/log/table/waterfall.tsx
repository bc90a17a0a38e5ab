import { useEffect, useLayoutEffect, useRef } from 'react';
import { canvasColours, canvasContext } from '@/components/log/canvas-colours';
import { useCanvasSize } from '@/components/log/use-canvas-size';
import { useTheme } from '@/lib/hooks/use-theme';
import { drawWaterfall, type WaterfallRow } from './draw-waterfall';
import { ROW_HEIGHT } from './row-window';
import type { TimeRange } from './time-scale';

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
