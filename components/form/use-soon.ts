import { startTransition, useEffect, useState } from 'react';

/** Groups drawn in one go. */
const AT_ONCE = 8;

/** Lets the first few groups of a moment be drawn at once, and the others while nothing else is to do. */
export class Pacer {
  #admitted = 0;

  /** True for the first few that ask before the page gets a breath. */
  admit(): boolean {
    if (this.#admitted === 0) setTimeout(() => (this.#admitted = 0), 0);
    this.#admitted += 1;
    return this.#admitted <= AT_ONCE;
  }
}

/** Whether a group's content is to be drawn now; if not, it is soon. */
export function useSoon(pacer: Pacer, open: boolean): boolean {
  const [drawn, setDrawn] = useState(() => open && pacer.admit());
  useEffect(() => {
    if (open && !drawn) startTransition(() => setDrawn(true));
  }, [open, drawn]);
  return drawn;
}
