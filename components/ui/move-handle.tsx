import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';
import { moveFocus } from './page-focus';

interface MoveHandleProps {
  /** The item's name. */
  readonly name: string;
  /** The item's place in the list, from 0. */
  readonly at: number;
  readonly count: number;
  /** The list, whose children are the items. */
  readonly list: RefObject<HTMLElement | null>;
  readonly onMove: (to: number) => void;
  /** Says where a dragged item would go; undefined when it is not dragged. */
  readonly onTarget: (to: number | undefined) => void;
}

/** A handle that moves an item of a list: by dragging it, or with the arrow keys, Home and End. */
export function MoveHandle({ name, at, count, list, onMove, onTarget }: MoveHandleProps) {
  const button = useRef<HTMLButtonElement>(null);
  const target = useRef<number>(undefined);
  const aim = (to: number | undefined) => {
    if (target.current === to) return;
    target.current = to;
    onTarget(to);
    if (to !== undefined) list.current?.children[to]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && target.current !== undefined) {
      event.stopPropagation();
      return aim(undefined);
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const last = count - 1;
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to < 0 || to > last || to === at) return;
    flushSync(() => onMove(to));
    // The browser drops the focus of an element that is moved.
    moveFocus(button.current);
    button.current?.scrollIntoView({ block: 'nearest' });
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    aim(at);
  };
  const onPointerMove = ({ clientY }: PointerEvent) => {
    if (target.current === undefined || !list.current) return;
    const middles = Array.from(list.current.children, (item) => {
      const { top, height } = item.getBoundingClientRect();
      return top + height / 2;
    });
    const above = middles.filter((middle, index) => index !== at && middle < clientY).length;
    aim(above);
  };
  const onPointerUp = () => {
    const to = target.current;
    aim(undefined);
    if (to !== undefined && to !== at) onMove(to);
  };
  return (
    <button
      ref={button}
      type="button"
      aria-label={`Move ${name}`}
      title="Drag it, or press ↑ or ↓"
      className="inline-flex size-6 shrink-0 cursor-grab touch-none items-center justify-center rounded text-muted hover:bg-text/8 hover:text-text"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => aim(undefined)}
    >
      <svg aria-hidden="true" viewBox="0 0 16 16" width="16" height="16" fill="currentColor">
        <path d="M5 3h2v2H5zM9 3h2v2H9zM5 7h2v2H5zM9 7h2v2H9zM5 11h2v2H5zM9 11h2v2H9z" />
      </svg>
    </button>
  );
}
