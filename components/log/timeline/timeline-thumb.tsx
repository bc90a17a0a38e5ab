import type { KeyboardEvent, PointerEvent } from 'react';
import { formatTime } from '@/components/ui/format';
import type { View } from './view';

/** One end of the selected range, for pointer and keys. Times in microseconds since the connection began. */
export function TimelineThumb({
  label,
  time,
  least,
  most,
  end,
  view,
  step,
  onMove,
}: {
  readonly label: string;
  readonly time: number;
  readonly least: number;
  readonly most: number;
  /** Of the log. */
  readonly end: number;
  readonly view: View;
  /** What one press of an arrow key moves it by; ten of them with Shift. */
  readonly step: number;
  /** undefined: to the log's own end or beginning. */
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
      aria-valuetext={formatTime(time)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      style={{ left: `calc(${Math.max(0, Math.min(1, share)) * 100}% - 4px)` }}
      className="absolute inset-y-0 w-[9px] cursor-ew-resize touch-none hover:bg-accent/40"
    />
  );
}
