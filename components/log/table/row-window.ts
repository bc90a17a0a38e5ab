/** Height of a log row, in px. */
export const ROW_HEIGHT = 22;

/** Height of the header that covers the top of the scrolled element, its hairline included, in px. */
export const HEADER_HEIGHT = 20;

/** Tallest element to ask a browser for, in px: Firefox stops near 17.9 M, Chromium near 33.5 M. */
const MAX_HEIGHT = 15_000_000;

/** Rows rendered beyond each edge, so that a fast scroll shows no gap. */
const OVERSCAN = 6;

/** What to render of a list of fixed-height rows. */
export interface RowWindow {
  /** Rows to render: [first, last). */
  readonly first: number;
  readonly last: number;
  /** Where row `first` is, in px from the top of the scrolled element. */
  readonly top: number;
  /** Height of the scrolled element, in px. */
  readonly height: number;
}

/**
 * The window for a scroll position, in O(1). A list too tall for a browser is scaled: a pixel of scrolling is then more
 * than a pixel of rows, and both ends are still reached.
 */
export function rowWindow(count: number, scrollTop: number, viewport: number): RowWindow {
  const natural = count * ROW_HEIGHT;
  const height = Math.min(natural, MAX_HEIGHT);
  const position = clamp(scrollTop, height - viewport) * scale(count, viewport);
  const firstVisible = Math.floor(position / ROW_HEIGHT);
  const first = Math.max(0, firstVisible - OVERSCAN);
  const last = Math.min(count, firstVisible + mostRows(viewport) - OVERSCAN);
  return { first, last, top: clamp(scrollTop, height - viewport) - position + first * ROW_HEIGHT, height };
}

/** Rows that are ever rendered at a time. */
export function mostRows(viewport: number): number {
  return Math.ceil(viewport / ROW_HEIGHT) + 1 + 2 * OVERSCAN;
}

/** The scroll position nearest to `scrollTop` at which row `index` is wholly visible. */
export function scrollTopFor(index: number, count: number, scrollTop: number, viewport: number): number {
  const factor = scale(count, viewport);
  const position = scrollTop * factor;
  const rowTop = index * ROW_HEIGHT;
  if (rowTop < position) return rowTop / factor;
  if (rowTop + ROW_HEIGHT > position + viewport) return (rowTop + ROW_HEIGHT - viewport) / factor;
  return scrollTop;
}

/** Pixels of rows for a pixel of scrolling: 1 unless the list is too tall. */
function scale(count: number, viewport: number): number {
  const natural = count * ROW_HEIGHT;
  return natural <= MAX_HEIGHT ? 1 : (natural - viewport) / (MAX_HEIGHT - viewport);
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}
