import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { HEADER_HEIGHT, mostRows, type RowWindow, rowWindow, scrollTopFor } from './row-window';

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

  const keyOf = (position: number) => position % mostRows(viewport);
  return { window: shown, onScroll, reveal, viewport, keyOf };
}
