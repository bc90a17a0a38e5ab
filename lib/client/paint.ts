import { LIMITS } from '@/lib/wire/limits';

/** When a log that changed is to be drawn: at the next frame, at the one after it, or after a moment. */
export type Pace = 'next' | 'every-other' | 'seldom';

/** Runs at an animation frame; a hidden tab has none, so there, and where it is to be done seldom, after a moment. */
export function paint(run: () => void, pace: Pace = 'next'): void {
  if (document.hidden || pace === 'seldom') setTimeout(run, LIMITS.seldomPaintedMs);
  else if (pace === 'every-other') requestAnimationFrame(() => requestAnimationFrame(run));
  else requestAnimationFrame(run);
}
