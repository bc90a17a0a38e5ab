import type { ProcessTree } from './process-tree';

/**
 * A process tree on Windows, which has no groups and no signals: `taskkill /T` walks from the process we started to its
 * children. Once that process is gone the walk has no start, so what it left behind is not reached.
 */
export class WindowsTree implements ProcessTree {
  readonly #taskkill: (args: readonly string[]) => void;
  #lives = true;

  /** `taskkill` runs the program of that name for our process with these further arguments. */
  constructor(taskkill: (args: readonly string[]) => void) {
    this.#taskkill = taskkill;
  }

  isAlive(): boolean {
    return this.#lives;
  }

  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#lives) this.#taskkill(signal === 'SIGKILL' ? ['/T', '/F'] : ['/T']);
  }

  leaderExited(): void {
    this.#lives = false;
  }
}
