import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names';

/** Tallest element to ask a browser for, in px: Firefox stops near 17.9 M, Chromium near 33.5 M. */
const MAX_HEIGHT = 15_000_000;

/** How content of any height stands in what is scrolled, all in px. */
export interface ScaledContent {
  /** Of the scrolled element. */
  readonly height: number;
  /** What of the content is at the top of the view. */
  readonly position: number;
  /** How much lower the content is to be drawn than its own coordinates say. */
  readonly shift: number;
}

/** Content too tall for a browser is scaled: a pixel of scrolling is then more than one of it, and both ends are still reached. */
export function scaledContent(natural: number, scrollTop: number, viewport: number): ScaledContent {
  const height = Math.min(natural, MAX_HEIGHT);
  const at = Math.max(0, Math.min(scrollTop, height - viewport));
  const position = at * scrollScale(natural, viewport);
  return { height, position, shift: at - position };
}

/** Pixels of content for a pixel of scrolling: 1 unless it is too tall. */
function scrollScale(natural: number, viewport: number): number {
  return natural <= MAX_HEIGHT ? 1 : (natural - viewport) / (MAX_HEIGHT - viewport);
}

/** Height of a log row, in px. */
export const ROW_HEIGHT = 22;

/** Height of the header that covers the top of the scrolled element, its hairline included, in px. */
const HEADER_HEIGHT = 20;

/** Rows rendered beyond each edge, so that a fast scroll shows no gap. */
const OVERSCAN = 6;

/** What to render of a list of fixed-height rows. */
export interface RowWindow {
  /** Rows to render: [first, last). */
  readonly first: number;
  readonly last: number;
  /** Rows of which something is in view: [firstInView, lastInView). */
  readonly firstInView: number;
  readonly lastInView: number;
  /** Where row `first` is, in px from the top of the scrolled element. */
  readonly top: number;
  /** Height of the scrolled element, in px. */
  readonly height: number;
}

/** The window for a scroll position, in O(1). */
export function rowWindow(count: number, scrollTop: number, viewport: number): RowWindow {
  const { height, position, shift } = scaledContent(count * ROW_HEIGHT, scrollTop, viewport);
  const firstInView = Math.floor(position / ROW_HEIGHT);
  const lastInView = Math.min(count, Math.ceil((position + viewport) / ROW_HEIGHT));
  const first = Math.max(0, firstInView - OVERSCAN);
  const last = Math.min(count, firstInView + maxRows(viewport) - OVERSCAN);
  return { first, last, firstInView, lastInView, top: shift + first * ROW_HEIGHT, height };
}

/** Rows that are ever rendered at a time. */
function maxRows(viewport: number): number {
  return Math.ceil(viewport / ROW_HEIGHT) + 1 + 2 * OVERSCAN;
}

/** The scroll position nearest to `scrollTop` at which row `index` is wholly visible. */
export function scrollTopFor(index: number, count: number, scrollTop: number, viewport: number): number {
  const factor = scrollScale(count * ROW_HEIGHT, viewport);
  const position = scrollTop * factor;
  const rowTop = index * ROW_HEIGHT;
  if (rowTop < position) return rowTop / factor;
  if (rowTop + ROW_HEIGHT > position + viewport) return (rowTop + ROW_HEIGHT - viewport) / factor;
  return scrollTop;
}

/** The rendered part of a scrolled list, and what moves it. */
interface RowScroller {
  readonly window: RowWindow;
  readonly onScroll: () => void;
  /** Scrolls no further than needed to show a row. */
  readonly reveal: (position: number) => void;
  readonly viewport: number;
  /** React's key for the row at a position: an element that left the window is used for a row that came into it. */
  readonly keyOf: (position: number) => number;
}

/**
 * Keeps a window of `count` rows over the element in `scroller`, below its header that stays. While `following`, its end stays in view; scrolling up
 * stops that, scrolling to the end starts it again.
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  following: boolean,
  onFollowing: (following: boolean) => void,
): RowScroller {
  const [scrollTop, setScrollTop] = useState(0);
  const [viewport, setViewport] = useState(0);
  const lastTop = useRef(0);
  // Known before the element was scrolled there: so a list that grows is rendered once, not where it was and then where it is.
  const shown = rowWindow(count, following ? Number.POSITIVE_INFINITY : scrollTop, viewport);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setViewport(element.clientHeight - HEADER_HEIGHT));
    observer.observe(element);
    setViewport(element.clientHeight - HEADER_HEIGHT);
    return () => observer.disconnect();
  }, [scroller]);

  const moveTo = useCallback(
    (top: number) => {
      const element = scroller.current;
      if (!element) return;
      element.scrollTop = top;
      lastTop.current = element.scrollTop;
      setScrollTop(element.scrollTop);
    },
    [scroller],
  );

  useEffect(() => {
    const element = scroller.current;
    if (!following || !element) return;
    // Once the browser has laid the rows out for the frame: any earlier, it would have to do so twice.
    const observer = new ResizeObserver(() => {
      element.scrollTop = element.scrollHeight;
      lastTop.current = element.scrollTop;
    });
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [scroller, following]);

  // Nobody needed to know meanwhile.
  useLayoutEffect(() => {
    if (!following) setScrollTop(lastTop.current);
  }, [following]);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const top = element.scrollTop;
    const atEnd = top + element.clientHeight >= element.scrollHeight - 2;
    // Only a move is the reader's: growth below also takes the end out of view, and a short list is always at its end.
    if (following && top < lastTop.current && !atEnd) onFollowing(false);
    else if (!following && top > lastTop.current && atEnd) onFollowing(true);
    lastTop.current = top;
    if (!following || !atEnd) setScrollTop(top);
  };

  const reveal = (position: number) => {
    const element = scroller.current;
    if (element) moveTo(scrollTopFor(position, count, element.scrollTop, element.clientHeight - HEADER_HEIGHT));
  };

  const keyOf = (position: number) => position % maxRows(viewport);
  return { window: shown, onScroll, reveal, viewport, keyOf };
}

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
const VIRTUAL_OVERSCAN = 8;

/** Rows of one height, of which only those in sight exist. */
export function VirtualRows({
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

  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), count) - VIRTUAL_OVERSCAN);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + VIRTUAL_OVERSCAN);
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
