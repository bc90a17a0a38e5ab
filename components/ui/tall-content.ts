/** Tallest element to ask a browser for, in px: Firefox stops near 17.9 M, Chromium near 33.5 M. */
const MAX_HEIGHT = 15_000_000;

/** How content of any height stands in what is scrolled, all in px. */
export interface TallContent {
  /** Of the scrolled element. */
  readonly height: number;
  /** What of the content is at the top of the view. */
  readonly position: number;
  /** How much lower the content is to be drawn than its own coordinates say. */
  readonly shift: number;
}

/** Content too tall for a browser is scaled: a pixel of scrolling is then more than one of it, and both ends are still reached. */
export function tallContent(natural: number, scrollTop: number, viewport: number): TallContent {
  const height = Math.min(natural, MAX_HEIGHT);
  const at = Math.max(0, Math.min(scrollTop, height - viewport));
  const position = at * scrollScale(natural, viewport);
  return { height, position, shift: at - position };
}

/** Pixels of content for a pixel of scrolling: 1 unless it is too tall. */
export function scrollScale(natural: number, viewport: number): number {
  return natural <= MAX_HEIGHT ? 1 : (natural - viewport) / (MAX_HEIGHT - viewport);
}
