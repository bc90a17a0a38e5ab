import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names';

interface WindowedRowsProps {
  readonly count: number;
  /** In px; every row has it. */
  readonly rowHeight: number;
  /** Draws the row at `index`; called for the rows in sight. */
  readonly render: (index: number) => ReactNode;
  /** Names the scrolled region. */
  readonly label: string;
  /** Kept in sight whenever it changes. */
  readonly reveal?: number;
  /** Stay at the end while rows are added, unless the reader scrolled up. */
  readonly follow?: boolean;
  readonly id?: string;
  /** `listbox` if the rows are its options. */
  readonly role?: 'listbox';
  /** id of the row that the keyboard is at, of a listbox. */
  readonly activeDescendant?: string;
  /** Give it a height or a `max-h-…`. */
  readonly className?: string;
}

/** Rows rendered beyond each edge. */
const OVERSCAN = 8;

/** Rows of one height, of which only those in sight exist. */
export function WindowedRows({
  count,
  rowHeight,
  render,
  label,
  reveal,
  follow = false,
  id,
  role,
  activeDescendant,
  className,
}: WindowedRowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(0);

  useLayoutEffect(() => {
    const element = scroller.current!;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current!;
    if (reveal === undefined || reveal < 0) return;
    const rowTop = reveal * rowHeight;
    if (rowTop < element.scrollTop) element.scrollTop = rowTop;
    else if (rowTop + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = rowTop + rowHeight - element.clientHeight;
    }
  }, [reveal, rowHeight]);

  useLayoutEffect(() => {
    const element = scroller.current!;
    if (follow && atEnd.current) element.scrollTop = count * rowHeight;
  }, [follow, count, rowHeight]);

  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), count) - OVERSCAN);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + OVERSCAN);
  const rows: ReactNode[] = [];
  for (let index = first; index < last; index++) {
    rows.push(
      <div key={index} role="presentation" style={{ height: rowHeight }}>
        {render(index)}
      </div>,
    );
  }
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only a listbox gets it
    <div
      ref={scroller}
      id={id}
      role={role ?? 'group'}
      aria-activedescendant={activeDescendant}
      aria-label={label}
      // What scrolls has to be reachable by keyboard.
      tabIndex={0}
      className={classNames('overflow-auto', className)}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        atEnd.current = scrollTop + clientHeight >= scrollHeight - 2;
        setTop(scrollTop);
      }}
    >
      <div role="presentation" style={{ height: count * rowHeight, paddingTop: first * rowHeight }}>
        {rows}
      </div>
    </div>
  );
}
