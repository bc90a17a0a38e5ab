import type { Clock } from '@/lib/wire/clock';
import type { ProcessTree } from './process-tree';

/** Milliseconds to wait after each rung. Together less than the 5 s that terminals and hosts grant. */
export const STDIN_END_MS = 1500;
export const SIGTERM_MS = 1500;
export const SIGKILL_MS = 1000;

/** A step of the ladder. */
export type Rung = 'stdin-end' | 'SIGTERM' | 'SIGKILL';

interface LadderTarget {
  readonly tree: ProcessTree;
  endStdin(): void;
}

/** The rungs in MCP's shutdown order for stdio, with the time to wait after each. */
const RUNGS: readonly { rung: Rung; waitMs: number; act(target: LadderTarget): void }[] = [
  { rung: 'stdin-end', waitMs: STDIN_END_MS, act: (target) => target.endStdin() },
  { rung: 'SIGTERM', waitMs: SIGTERM_MS, act: (target) => target.tree.signal('SIGTERM') },
  { rung: 'SIGKILL', waitMs: SIGKILL_MS, act: (target) => target.tree.signal('SIGKILL') },
];

/** Milliseconds before the second check, doubled up to the longest. There is no event for the end of a grandchild. */
const FIRST_CHECK_MS = 5;
const LONGEST_CHECK_MS = 80;

/**
 * Ends a process tree as gently as it allows, starting at the rung `from`. Calls `onRung` before each step. Resolves
 * with true as soon as all processes are gone, and with false if one outlives SIGKILL by `SIGKILL_MS` (it is stuck in
 * the kernel).
 */
export async function climbKillLadder(
  target: LadderTarget,
  from: Rung,
  clock: Clock,
  onRung: (rung: Rung) => void,
): Promise<boolean> {
  const gone = (): boolean => !target.tree.isAlive();
  for (const { rung, waitMs, act } of RUNGS.slice(RUNGS.findIndex((step) => step.rung === from))) {
    if (gone()) return true;
    onRung(rung);
    act(target);
    if (await waitUntil(gone, waitMs, clock)) return true;
  }
  return false;
}

/** Resolves with true as soon as `condition` holds, or with false after `ms`. Checks with growing pauses. */
export function waitUntil(condition: () => boolean, ms: number, clock: Clock): Promise<boolean> {
  const deadline = clock.now() + ms;
  let pause = FIRST_CHECK_MS;
  return new Promise((resolve) => {
    const check = (): void => {
      const left = deadline - clock.now();
      const holds = condition();
      if (holds || left <= 0) {
        resolve(holds);
        return;
      }
      clock.after(Math.min(pause, left), check);
      pause = Math.min(pause * 2, LONGEST_CHECK_MS);
    };
    check();
  });
}
