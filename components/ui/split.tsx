import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { classNames } from './class-names';
import { NARROW, useMedia } from './media';

type Length = `${number}%` | `${number}px`;

interface SplitProps {
  /** Key of the remembered size; unique in the application. */
  readonly id: string;
  /** `horizontal` puts the two panes side by side. */
  readonly orientation: 'horizontal' | 'vertical';
  /** Accessible name of the handle, for example "Resize message log". */
  readonly label: string;
  readonly start: ReactNode;
  /** Without it, `start` takes all the room. It keeps its state when `end` appears. */
  readonly end?: ReactNode;
  /** Hides `start` without unmounting it, so that `end` takes all the room. */
  readonly startHidden?: boolean;
  /** Hides `end` in the same way. */
  readonly endHidden?: boolean;
  /** The only pane that a narrow window shows. Default: both. */
  readonly narrow?: 'start' | 'end';
  /** The size of `start` in CSS, which then can't be changed. */
  readonly fixed?: string | undefined;
  /** Initial size of `start`. */
  readonly startSize: Length;
  readonly startMin: `${number}px`;
  readonly endMin: `${number}px`;
}

/** Percent of the whole by which an arrow key moves the handle. */
const STEP = 2;
const PANE = 'flex min-h-0 min-w-0 flex-col';

/** Two panes with a handle between them, for pointer and arrow keys. A double click resets the size. */
export function Split(props: SplitProps) {
  const { id, orientation, label, start, end, narrow, fixed, startSize, startMin, endMin } = props;
  const isNarrow = useMedia(NARROW);
  const startHidden = props.startHidden || (isNarrow && narrow === 'end');
  const endHidden = props.endHidden || (isNarrow && narrow === 'start');
  const horizontal = orientation === 'horizontal';
  const startId = useId();
  const whole = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Length>(() => rememberedSize(id) ?? startSize);
  const [percent, setPercent] = useState(0);
  const both = end !== undefined && !startHidden && !endHidden;

  // Observed rather than measured at each render, which would force a layout.
  useEffect(() => {
    const all = whole.current;
    const pane = all?.firstElementChild;
    if (!both || !all || !pane) return;
    const observer = new ResizeObserver(() => {
      const [box, own] = [all.getBoundingClientRect(), pane.getBoundingClientRect()];
      setPercent(100 * (horizontal ? own.width / box.width : own.height / box.height));
    });
    observer.observe(all);
    observer.observe(pane);
    return () => observer.disconnect();
  }, [both, horizontal]);

  const resize = (to: Length) => {
    setSize(to);
    rememberSize(id, to);
  };
  const moveTo = (to: number) => {
    const box = whole.current?.getBoundingClientRect();
    const length = (horizontal ? box?.width : box?.height) || 1;
    const least = (Number.parseFloat(startMin) / length) * 100;
    const most = 100 - (Number.parseFloat(endMin) / length) * 100;
    const next = Math.max(least, Math.min(most, to));
    setPercent(next);
    resize(`${next}%`);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const box = whole.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    moveTo(100 * (horizontal ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Readonly<Record<string, number>> = horizontal
      ? { ArrowLeft: -STEP, ArrowRight: STEP }
      : { ArrowUp: -STEP, ArrowDown: STEP };
    const by = keys[event.key];
    if (by === undefined) return;
    event.preventDefault();
    moveTo(percent + by);
  };

  // CSS enforces the smallest sizes too, because the window may shrink later.
  const [min, max] = horizontal ? (['minWidth', 'maxWidth'] as const) : (['minHeight', 'maxHeight'] as const);
  const limits = fixed ? { flexBasis: fixed } : { flexBasis: size, [min]: startMin, [max]: `calc(100% - ${endMin})` };
  return (
    <div ref={whole} className={classNames('flex min-h-0 min-w-0 flex-1', !horizontal && 'flex-col')}>
      <div
        id={startId}
        hidden={startHidden}
        style={both ? limits : undefined}
        className={classNames(
          !startHidden && PANE,
          both ? classNames('grow-0', fixed ? 'shrink-0' : 'shrink') : 'flex-1',
        )}
      >
        {start}
      </div>
      {both && fixed && <div className={classNames('shrink-0 bg-line', horizontal ? 'w-px' : 'h-px')} />}
      {both && !fixed && (
        // biome-ignore lint/a11y/useSemanticElements: an `<hr>` can't be moved
        <div
          role="separator"
          aria-label={label}
          aria-orientation={horizontal ? 'vertical' : 'horizontal'}
          aria-controls={startId}
          aria-valuenow={Math.round(percent)}
          tabIndex={0}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={onPointerMove}
          onDoubleClick={() => resize(startSize)}
          onKeyDown={onKeyDown}
          className={classNames(
            'relative z-10 shrink-0 touch-none bg-line hover:bg-accent focus-visible:bg-accent',
            // The line is 1 px wide, the area to grab is 7 px.
            "after:absolute after:content-['']",
            horizontal
              ? 'w-px cursor-col-resize after:inset-y-0 after:-left-[3px] after:w-[7px]'
              : 'h-px cursor-row-resize after:inset-x-0 after:-top-[3px] after:h-[7px]',
          )}
        />
      )}
      {end !== undefined && (
        <div hidden={endHidden} className={classNames(!endHidden && PANE, 'flex-1', fixed && 'overflow-hidden')}>
          {end}
        </div>
      )}
    </div>
  );
}

const STORAGE_PREFIX = 'mcp-inspect.split.';

function rememberedSize(id: string): Length | undefined {
  try {
    const size = localStorage.getItem(STORAGE_PREFIX + id);
    return size !== null && /^\d+(\.\d+)?(%|px)$/.test(size) ? (size as Length) : undefined;
  } catch {
    return undefined;
  }
}

function rememberSize(id: string, size: Length): void {
  try {
    localStorage.setItem(STORAGE_PREFIX + id, size);
  } catch {
    // Without storage, the size lasts until the reload.
  }
}
