import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { whenAborted } from './when-aborted';

/** How long a replay takes, as a part of how long it took: 0 is at once, 1 as recorded, 0.25 four times as fast. */
export type Pace = number;

/** Reads `instant`, `real`, `x4`, `×4`; undefined for what is none. */
export function readPace(text: string): Pace | undefined {
  if (text === 'instant') return 0;
  if (text === 'real') return 1;
  const times = Number(/^[x×](\d{1,6}(?:\.\d{1,6})?)$/.exec(text)?.[1]);
  return times > 0 ? 1 / times : undefined;
}

/** Waits for a stretch of recorded time, in microseconds; resolves at once when `signal` is aborted. */
export async function wait(us: number, pace: Pace, clock: Clock, signal: AbortSignal): Promise<void> {
  const ms = Math.min((us / 1000) * pace, LIMITS.timerMs);
  if (!(ms > 0) || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const callOff = clock.after(ms, () => {
      forget();
      resolve();
    });
    const forget = whenAborted(signal, () => {
      callOff();
      resolve();
    });
  });
}
