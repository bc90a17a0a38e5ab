import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { classNames } from './class-names';

type Length = `${number}%` | `${number}px`;

interface SplitProps {
  /** Names the remembered size; unique in the application. */
  readonly id: string;
  /** `horizontal` puts the two side by side. */
  readonly orientation: 'horizontal' | 'vertical';
  /** Names the handle, for keyboards and screen readers: "Resize message log". */
  readonly label: string;
  readonly start: ReactNode;
  /** Absent: `start` has all the room, and stays what it was when `end` comes. */
  readonly end?: ReactNode;
  /** Keeps `start` alive but out of sight, so that `end` has all the room. */
  readonly startHidden?: boolean;
  /** Size of `start` at first. */
  readonly startSize: Length;
  /** Smallest sizes. */
  readonly startMin: `${number}px`;
  readonly endMin: `${number}px`;
}

/** Percent that one press of an arrow key moves the handle. */
const STEP = 2;
const PART = 'flex min-h-0 min-w-0 flex-col';

/** Two parts with a handle between them, for pointer and arrow keys; a double click forgets the size chosen. */
export function Split(props: SplitProps) {
  const { id, orientation, label, start, end, startHidden = false, startSize, startMin, endMin } = props;
  const horizontal = orientation === 'horizontal';
  const startId = useId();
  const whole = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Length>(() => remembered(id) ?? startSize);
  const [percent, setPercent] = useState(0);
  const both = end !== undefined && !startHidden;

  // What the handle says of itself, and where arrow keys go on from. Asked at each rendering, it would cost a layout each.
  useEffect(() => {
    const all = whole.current;
    const part = all?.firstElementChild;
    if (!both || !all || !part) return;
    const observer = new ResizeObserver(() => {
      const [box, own] = [all.getBoundingClientRect(), part.getBoundingClientRect()];
      setPercent(horizontal ? (own.width / box.width) * 100 : (own.height / box.height) * 100);
    });
    observer.observe(all);
    observer.observe(part);
    return () => observer.disconnect();
  }, [both, horizontal]);

  const move = (to: number) => {
    const box = whole.current?.getBoundingClientRect();
    const length = (horizontal ? box?.width : box?.height) || 1;
    const most = 100 - (Number.parseFloat(endMin) / length) * 100;
    const next = Math.max((Number.parseFloat(startMin) / length) * 100, Math.min(most, to));
    setSize(`${next}%`);
    setPercent(next);
    remember(id, `${next}%`);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const box = whole.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const share = horizontal ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    move(share * 100);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const back = horizontal ? 'ArrowLeft' : 'ArrowUp';
    const forth = horizontal ? 'ArrowRight' : 'ArrowDown';
    if (event.key !== back && event.key !== forth) return;
    event.preventDefault();
    move(percent + (event.key === back ? -STEP : STEP));
  };

  // CSS holds the smallest sizes too: the window may shrink after the handle was moved.
  const limits = horizontal
    ? { flexBasis: size, minWidth: startMin, maxWidth: `calc(100% - ${endMin})` }
    : { flexBasis: size, minHeight: startMin, maxHeight: `calc(100% - ${endMin})` };
  return (
    <div ref={whole} className={classNames('flex min-h-0 min-w-0 flex-1', !horizontal && 'flex-col')}>
      <div
        id={startId}
        hidden={startHidden}
        style={both ? limits : undefined}
        className={classNames(!startHidden && PART, both ? 'shrink grow-0' : 'flex-1')}
      >
        {start}
      </div>
      {both && (
        // biome-ignore lint/a11y/useSemanticElements: a rule can't be moved
        <div
          role="separator"
          aria-label={label}
          aria-orientation={horizontal ? 'vertical' : 'horizontal'}
          aria-controls={startId}
          aria-valuenow={Math.round(percent)}
          tabIndex={0}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={onPointerMove}
          onDoubleClick={() => {
            setSize(startSize);
            remember(id, startSize);
          }}
          onKeyDown={onKeyDown}
          className={classNames(
            'relative z-10 shrink-0 touch-none bg-line hover:bg-accent focus-visible:bg-accent',
            // The line is a pixel, what can be grabbed is seven.
            "after:absolute after:content-['']",
            horizontal
              ? 'w-px cursor-col-resize after:inset-y-0 after:-left-[3px] after:w-[7px]'
              : 'h-px cursor-row-resize after:inset-x-0 after:-top-[3px] after:h-[7px]',
          )}
        />
      )}
      {end !== undefined && <div className={classNames(PART, 'flex-1')}>{end}</div>}
    </div>
  );
}

const PREFIX = 'mcp-inspect.split.';

function remembered(id: string): Length | undefined {
  try {
    const size = localStorage.getItem(PREFIX + id);
    return size !== null && /^\d+(\.\d+)?(%|px)$/.test(size) ? (size as Length) : undefined;
  } catch {
    return undefined;
  }
}

function remember(id: string, size: Length): void {
  try {
    localStorage.setItem(PREFIX + id, size);
  } catch {
    // Where storage is forbidden the size lasts until the reload.
  }
}
