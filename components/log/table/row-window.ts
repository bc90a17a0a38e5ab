import { scrollScale, tallContent } from '@/components/ui/tall-content';

/** Height of a log row, in px. */
export const ROW_HEIGHT = 22;

/** Height of the header that covers the top of the scrolled element, its hairline included, in px. */
export const HEADER_HEIGHT = 20;

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
  const { height, position, shift } = tallContent(count * ROW_HEIGHT, scrollTop, viewport);
  const firstInView = Math.floor(position / ROW_HEIGHT);
  const lastInView = Math.min(count, Math.ceil((position + viewport) / ROW_HEIGHT));
  const first = Math.max(0, firstInView - OVERSCAN);
  const last = Math.min(count, firstInView + mostRows(viewport) - OVERSCAN);
  return { first, last, firstInView, lastInView, top: shift + first * ROW_HEIGHT, height };
}

/** Rows that are ever rendered at a time. */
export function mostRows(viewport: number): number {
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
