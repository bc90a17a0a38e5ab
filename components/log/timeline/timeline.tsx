import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { moveFocus } from '@/components/ui/page-focus';
import { useLogSize, useLogState } from '@/lib/hooks/log';
import { useTheme } from '@/lib/hooks/theme';
import { useLogTimes } from '@/lib/hooks/times';
import type { Log } from '@/lib/store/log';
import { TimelineBins } from '@/lib/store/rows/timeline-bins';
import { canvasColours, canvasContext, canvasFont, useCanvasSize } from '../canvas';
import {
  AXIS_PX,
  drawTimeline,
  LANE_LABELS,
  LANE_PX,
  panRange,
  TIMELINE_HEIGHT,
  type VisibleRange,
  zoomRange,
} from './draw-timeline';
import type { OpenRange } from './time-range';

/** Shortest drag that counts as a selection, in px. */
const DRAG_PX = 3;
/** Shortest time between two drawings of a growing log, in ms. */
const DRAW_MS = 100;

/**
 * The density of frames over time, in lanes. Dragging selects a time range, the wheel zooms, a double click or Esc
 * resets both.
 */
export function Timeline({
  log,
  range,
  onRange,
}: {
  readonly log: Log;
  /** The selected range. */
  readonly range: OpenRange | undefined;
  readonly onRange: (range: OpenRange | undefined) => void;
}) {
  const size = useLogSize(log);
  const [theme, , dark] = useTheme();
  const times = useLogTimes(log);
  const era = useLogState(log, ({ connection }) => connection.era);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the era is known, expected refusals are not errors
  const bins = useMemo(() => new TimelineBins(log), [log, era]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [zoom, setZoom] = useState<VisibleRange>();
  const [dragged, setDragged] = useState<{ readonly from: number; readonly to: number }>();
  const end = size === 0 ? 1000 : Math.max(1000, log.columns.time(size - 1) * 1.01);
  const view = zoom ?? { from: 0, to: end };
  const { from, to } = dragged ? inOrder(dragged) : { from: range?.from ?? 0, to: range?.to ?? end };

  const draw = () => {
    const element = canvas.current;
    const place = canvasSize.current;
    const context = element && place && canvasContext(element, place);
    if (!element || !place || !context) return;
    bins.update();
    const selection = range || dragged ? { from, to } : undefined;
    context.font = canvasFont(12);
    drawTimeline(context, place.width, bins, view, selection, times.startMs, canvasColours(element));
  };
  const drawSoon = useThrottled(draw, DRAW_MS);
  const canvasSize = useCanvasSize(canvas, () => drawSoon(true));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a user action is drawn at once
  useLayoutEffect(() => drawSoon(true), [zoom, dragged, range, theme, dark, times]);
  useLayoutEffect(() => drawSoon(false));

  const timeAt = (clientX: number) => {
    const box = canvas.current!.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (clientX - box.left) / box.width));
    return view.from + share * (view.to - view.from);
  };
  useWheel(canvas, ({ deltaX, deltaY, shiftKey, clientX }) => {
    const by = Math.abs(deltaX) > Math.abs(deltaY) || shiftKey ? deltaX || deltaY : 0;
    setZoom(by === 0 ? zoomRange(view, timeAt(clientX), deltaY, end) : panRange(view, by, end));
  });
  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const time = timeAt(event.clientX);
    setDragged({ from: time, to: time });
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    if (dragged) setDragged({ ...dragged, to: timeAt(event.clientX) });
  };
  const onPointerUp = () => {
    setDragged(undefined);
    if (!dragged || !canvas.current) return;
    const px = (Math.abs(dragged.to - dragged.from) / (view.to - view.from)) * canvas.current.clientWidth;
    if (px < DRAG_PX) return;
    onRange(inOrder(dragged));
    // Arrow keys then adjust the range, and Esc resets it.
    moveFocus(canvas.current.parentElement?.querySelector<HTMLElement>('[role=slider]'));
  };
  const clear = () => {
    setZoom(undefined);
    onRange(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || (!range && !zoom)) return;
    event.preventDefault();
    event.stopPropagation();
    setDragged(undefined);
    clear();
  };

  const thumbs = { view, end, step: (view.to - view.from) / 100, format: times.shown };
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a form
    <div
      role="group"
      aria-label="Timeline"
      onKeyDown={onKeyDown}
      className="relative flex shrink-0 border-b border-line bg-bg"
      style={{ height: TIMELINE_HEIGHT + 1 }}
    >
      <Legend />
      <div className="relative min-w-0 flex-1">
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas can't take the focus; the thumbs serve the keyboard */}
        <canvas
          ref={canvas}
          aria-hidden="true"
          title="Drag to select a time range, scroll to zoom, double-click to reset"
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={() => setDragged(undefined)}
          onDoubleClick={clear}
          className="absolute inset-0 size-full cursor-crosshair touch-none"
        />
        <TimelineThumb
          {...thumbs}
          label="Start of the time range"
          time={from}
          least={0}
          most={to}
          onMove={(time) => onRange({ ...range, from: time })}
        />
        <TimelineThumb
          {...thumbs}
          label="End of the time range"
          time={to}
          least={from}
          most={end}
          onMove={(time) => onRange({ ...range, to: time })}
        />
        <span role="status" className="sr-only">
          {range ? `Showing messages from ${times.shown(from)} to ${times.shown(to)}` : ''}
        </span>
      </div>
    </div>
  );
}

function inOrder({ from, to }: VisibleRange): VisibleRange {
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

/** The names of the lanes. */
function Legend() {
  return (
    <ul
      aria-label="Lanes"
      style={{ paddingTop: AXIS_PX }}
      className="w-[124px] shrink-0 border-r border-line px-2 text-small text-muted @max-[700px]:hidden"
    >
      {LANE_LABELS.map(({ lane, words }) => (
        <li key={lane} style={{ height: LANE_PX }} className="flex items-center whitespace-nowrap leading-none">
          {words}
        </li>
      ))}
    </ul>
  );
}

/** A slider for one end of the selected range. Times are in µs since the connection started. */
export function TimelineThumb({
  label,
  time,
  least,
  most,
  end,
  view,
  step,
  format,
  onMove,
}: {
  readonly label: string;
  readonly time: number;
  readonly least: number;
  readonly most: number;
  /** Time of the log's end. */
  readonly end: number;
  readonly view: VisibleRange;
  /** Distance an arrow key moves it by; ten times as far with Shift. */
  readonly step: number;
  /** Formats a time. */
  readonly format: (us: number) => string;
  /** Called with undefined at the log's own start or end. */
  readonly onMove: (time: number | undefined) => void;
}) {
  const move = (to: number) => {
    const next = Math.max(least, Math.min(most, to));
    onMove(next <= 0 || next >= end ? undefined : next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = step * (event.shiftKey ? 10 : 1);
    const to = { ArrowLeft: time - by, ArrowRight: time + by, Home: least, End: most }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(to);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.parentElement!.getBoundingClientRect();
    move(view.from + ((event.clientX - box.left) / box.width) * (view.to - view.from));
  };
  const share = (time - view.from) / (view.to - view.from);
  return (
    <div
      role="slider"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(end / 1000)}
      aria-valuenow={Math.round(time / 1000)}
      aria-valuetext={format(time)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      style={{ left: `calc(${Math.max(0, Math.min(1, share)) * 100}% - 4px)` }}
      className="absolute inset-y-0 w-[9px] cursor-ew-resize touch-none hover:bg-accent/40"
    />
  );
}

/** Calls back when the wheel turns over the element, which then does not scroll. */
function useWheel(target: RefObject<HTMLElement | null>, onWheel: (event: WheelEvent) => void): void {
  const latest = useRef(onWheel);
  useLayoutEffect(() => {
    latest.current = onWheel;
  });
  useEffect(() => {
    // React attaches passive wheel listeners, which can't prevent scrolling.
    const element = target.current!;
    const listener = (event: WheelEvent) => {
      event.preventDefault();
      latest.current(event);
    };
    element.addEventListener('wheel', listener, { passive: false });
    return () => element.removeEventListener('wheel', listener);
  }, [target]);
}

/** Returns a function that runs `work` at most every `ms`, or immediately if asked to. */
export function useThrottled(work: () => void, ms: number): (atOnce: boolean) => void {
  const latest = useRef(work);
  const last = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLayoutEffect(() => {
    latest.current = work;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (atOnce) => {
      const run = () => {
        clearTimeout(timer.current);
        timer.current = undefined;
        last.current = performance.now();
        latest.current();
      };
      const left = atOnce ? 0 : last.current + ms - performance.now();
      if (left <= 0) run();
      else timer.current ??= setTimeout(run, left);
    },
    [ms],
  );
}
