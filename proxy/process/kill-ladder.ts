import type { Clock } from '@/lib/wire/clock';
import type { ProcessTree } from './process-tree';

/** The kill ladder: after stdin's end, after SIGTERM, and how long the dead may take to go after SIGKILL. */
export const STDIN_END_MS = 1500;
export const SIGTERM_MS = 1500;
export const SIGKILL_MS = 1000;

/** A step of the ladder, by what it does. */
export type Rung = 'stdin-end' | 'SIGTERM' | 'SIGKILL';

/** What the ladder acts on. */
interface LadderTarget {
  readonly tree: ProcessTree;
  endStdin(): void;
}

/** Each rung, what it does, and how long its effect is waited for. MCP's shutdown order for stdio, for a whole tree. */
const RUNGS: readonly { rung: Rung; waitMs: number; act(target: LadderTarget): void }[] = [
  { rung: 'stdin-end', waitMs: STDIN_END_MS, act: (target) => target.endStdin() },
  { rung: 'SIGTERM', waitMs: SIGTERM_MS, act: (target) => target.tree.signal('SIGTERM') },
  { rung: 'SIGKILL', waitMs: SIGKILL_MS, act: (target) => target.tree.signal('SIGKILL') },
];

/** Milliseconds until the second look, doubled up to the longest; nothing tells us when a grandchild ends. */
const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 80;

/**
 * Ends a process tree as gently as it allows, from the rung `from` on, telling of each rung before it acts. Resolves
 * true as soon as everything is gone, at once and without a rung if it is already; false if something outlives SIGKILL
 * by `SIGKILL_MS` (a process stuck in the kernel).
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

/** Looks again and again until `condition` holds (true) or `ms` have passed (false). */
export function waitUntil(condition: () => boolean, ms: number, clock: Clock): Promise<boolean> {
  const deadline = clock.now() + ms;
  let pause = FIRST_LOOK_MS;
  return new Promise((resolve) => {
    const look = (): void => {
      const left = deadline - clock.now();
      const holds = condition();
      if (holds || left <= 0) {
        resolve(holds);
        return;
      }
      clock.after(Math.min(pause, left), look);
      pause = Math.min(pause * 2, LONGEST_LOOK_MS);
    };
    look();
  });
}
