import { LIMITS } from '@/lib/wire/limits';

/** Runs at the next animation frame; a hidden tab has none, so there after a moment. */
export function paint(run: () => void): void {
  if (document.hidden) setTimeout(run, LIMITS.hiddenTabMs);
  else requestAnimationFrame(run);
}
