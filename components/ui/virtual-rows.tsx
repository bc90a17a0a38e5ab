import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names';

/** A list of rows of one height. */
interface RowList {
  readonly count: number;
  /** In px. */
  readonly rowHeight: number;
}

/** The rows to render for a scroll position. All lengths in px. */
export interface RowWindow {
  /** Rows to render: [first, last). */
  readonly first: number;
  readonly last: number;
  /** Rows at least partly in view: [firstInView, lastInView). */
  readonly firstInView: number;
  readonly lastInView: number;
  /** Offset of row `first` from the top of the scrolled content. */
  readonly top: number;
  /** Height of the scrolled content. */
  readonly height: number;
}

/** Rows rendered beyond each edge, so that fast scrolling shows no gap. */
const OVERSCAN = 6;

/** Tallest element to create, in px: Firefox stops near 17.9 M, Chromium near 33.5 M. */
const MAX_HEIGHT = 15_000_000;

/**
 * Returns the rows to render for a scroll position, in O(1). Content taller than a browser allows is scaled: one pixel
 * of scrolling then moves it by more than one pixel, and both ends stay reachable.
 */
export function rowWindow({ count, rowHeight }: RowList, scrollTop: number, viewport: number): RowWindow {
  const contentHeight = count * rowHeight;
  const height = Math.min(contentHeight, MAX_HEIGHT);
  const scrolled = Math.max(0, Math.min(scrollTop, height - viewport));
  const position = scrolled * scrollScale(contentHeight, viewport);
  const firstInView = Math.floor(position / rowHeight);
  const lastInView = Math.min(count, Math.ceil((position + viewport) / rowHeight));
  const first = Math.max(0, firstInView - OVERSCAN);
  const last = Math.min(count, firstInView + maxRows(rowHeight, viewport) - OVERSCAN);
  return { first, last, firstInView, lastInView, top: scrolled - position + first * rowHeight, height };
}

/** Returns the scroll position nearest to `scrollTop` at which `rows` rows from `index` on are fully visible. */
export function scrollTopFor(
  index: number,
  { count, rowHeight }: RowList,
  scrollTop: number,
  viewport: number,
  rows = 1,
): number {
  const scale = scrollScale(count * rowHeight, viewport);
  const position = scrollTop * scale;
  const rowTop = index * rowHeight;
  if (rowTop < position) return rowTop / scale;
  const end = rowTop + rows * rowHeight;
  if (end > position + viewport) return (end - viewport) / scale;
  return scrollTop;
}

/** Pixels of content per pixel of scrolling: 1 unless the content is too tall for a browser. */
function scrollScale(contentHeight: number, viewport: number): number {
  return contentHeight <= MAX_HEIGHT ? 1 : (contentHeight - viewport) / (MAX_HEIGHT - viewport);
}

/** The most rows rendered at a time. */
function maxRows(rowHeight: number, viewport: number): number {
  return Math.ceil(viewport / rowHeight) + 1 + 2 * OVERSCAN;
}

interface RowScroller {
  readonly window: RowWindow;
  readonly onScroll: () => void;
  /** Scrolls just far enough to show `rows` rows from `index` on, 1 by default. */
  readonly reveal: (index: number, rows?: number) => void;
  /** Height of the visible area below the header, in px; 0 until it is measured. */
  readonly viewport: number;
  /** React key that reuses the element of a row that left the window. */
  readonly keyOf: (index: number) => number;
}

interface RowListOptions extends RowList {
  /** Height of a sticky header that covers the top of the scroller, in px. */
  readonly headerHeight?: number;
  /** Keeps the end in view. Scrolling up stops following, scrolling to the end resumes it. */
  readonly following?: boolean;
  readonly onFollowing?: (following: boolean) => void;
}

/** Tracks which rows of a long list are in view of the element in `scroller`. */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, options: RowListOptions): RowScroller {
  const { headerHeight = 0, following = false, onFollowing = () => {}, rowHeight } = options;
  const [scrollTop, setScrollTop] = useState(0);
  const [viewport, setViewport] = useState(0);
  const lastTop = useRef(0);
  // While following, the end is rendered before the element is scrolled there: a growing list renders once, not twice.
  const shown = rowWindow(options, following ? Number.POSITIVE_INFINITY : scrollTop, viewport);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setViewport(element.clientHeight - headerHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [scroller, headerHeight]);

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
    // Runs after the browser's layout for the frame; any earlier would force a second layout.
    const observer = new ResizeObserver(() => {
      element.scrollTop = element.scrollHeight;
      lastTop.current = element.scrollTop;
    });
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [scroller, following]);

  // The state was not updated while following.
  useLayoutEffect(() => {
    if (!following) setScrollTop(lastTop.current);
  }, [following]);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const top = element.scrollTop;
    const atEnd = top + element.clientHeight >= element.scrollHeight - 2;
    // Only a changed position means the user scrolled. Growth alone also moves the end, and a short list is always at
    // it.
    if (following && top < lastTop.current && !atEnd) onFollowing(false);
    else if (!following && top > lastTop.current && atEnd) onFollowing(true);
    lastTop.current = top;
    if (!following || !atEnd) setScrollTop(top);
  };

  const reveal = (index: number, count = 1) => {
    const element = scroller.current;
    if (element) moveTo(scrollTopFor(index, options, element.scrollTop, element.clientHeight - headerHeight, count));
  };

  const keyOf = (index: number) => index % maxRows(rowHeight, viewport);
  return { window: shown, onScroll, reveal, viewport, keyOf };
}

interface VirtualRowsProps extends RowList {
  /** Draws the row at `index`. */
  readonly render: (index: number) => ReactNode;
  /** Names the scrolled region. */
  readonly label: string;
  /** Row to scroll into view whenever it changes. */
  readonly reveal?: number;
  /** Rows from there on to show as well, 1 by default. */
  readonly revealRows?: number;
  /** Stays at the end while rows are added, until the user scrolls up or a row is revealed. */
  readonly follow?: boolean;
  readonly id?: string;
  /** `listbox` if the rows are its options. */
  readonly role?: 'listbox' | 'region';
  /** id of the active option of a listbox. */
  readonly activeDescendant?: string;
  /** Must set a height or a `max-h-…`. */
  readonly className?: string;
  readonly ref?: RefObject<HTMLDivElement | null>;
  /** Drawn over the rows, as tall as all of them, so that its parts can be sticky. */
  readonly over?: ReactNode;
}

/** A scrolled list that renders only the rows in view. */
export function VirtualRows(props: VirtualRowsProps) {
  const { count, rowHeight, render, label, reveal, revealRows, follow = false, id, role, activeDescendant } = props;
  const own = useRef<HTMLDivElement>(null);
  const scroller = props.ref ?? own;
  const [following, setFollowing] = useState(follow);
  const onFollowing = (next: boolean) => setFollowing(follow && next);
  const rows = useRowWindow(scroller, { count, rowHeight, following, onFollowing });
  const { first, last, top, height } = rows.window;
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls only when another row is to be revealed
  useLayoutEffect(() => {
    if (reveal === undefined || reveal < 0) return;
    // The end would push the row out of view again.
    setFollowing(false);
    rows.reveal(reveal, revealRows);
  }, [reveal, rowHeight]);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only a listbox gets it
    <div
      ref={scroller}
      id={id}
      role={role ?? 'group'}
      aria-activedescendant={activeDescendant}
      aria-label={label}
      // A scrolled region must be reachable by keyboard.
      tabIndex={0}
      className={classNames('overflow-auto', props.className)}
      onScroll={rows.onScroll}
    >
      <div role="presentation" className="relative" style={{ height, paddingTop: top }}>
        {props.over}
        {indexes.map((index) => (
          <div key={index} role="presentation" style={{ height: rowHeight }}>
            {render(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
