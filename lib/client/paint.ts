import { LIMITS } from '@/lib/wire/limits';

/** Runs at the next animation frame; after a moment in a hidden tab, which has none, and where it is to be done `seldom`. */
export function paint(run: () => void, seldom = false): void {
  if (document.hidden || seldom) setTimeout(run, LIMITS.seldomPaintedMs);
  else requestAnimationFrame(run);
}
