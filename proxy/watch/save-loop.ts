import type { Clock } from '@/lib/wire/clock';

/** Milliseconds without another save before a run, since compilers and editors write several files. */
export const QUIET_MS = 100;
/** Longest time in milliseconds that further saves put off a run. */
const LONGEST_WAIT_MS = 3000;

/** Handles the files saved since the last run; the first one at this time on the clock. Must not reject. */
type RunOnSave = (files: readonly string[], at: number) => Promise<void>;

/** Turns saves into runs: several saves cause one run, and saves during a run cause one more after it. */
export class SaveLoop {
  readonly #clock: Clock;
  readonly #run: RunOnSave;
  readonly #saved = new Set<string>();
  #firstAt = 0;
  #cancelTimer: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(clock: Clock, run: RunOnSave) {
    this.#clock = clock;
    this.#run = run;
  }

  /** A file was saved, or something else asks for a run. */
  saved(file: string): void {
    if (this.#stopped) return;
    const now = this.#clock.now();
    if (this.#saved.size === 0) this.#firstAt = now;
    this.#saved.add(file);
    if (this.#running) return;
    this.#cancelTimer?.();
    const left = this.#firstAt + LONGEST_WAIT_MS - now;
    this.#cancelTimer = this.#clock.after(Math.max(0, Math.min(QUIET_MS, left)), () => this.#start());
  }

  /** Starts no further run. Resolves when the present one is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer?.();
    await this.#running;
  }

  #start(): void {
    const files = [...this.#saved];
    this.#saved.clear();
    this.#running = this.#run(files, this.#firstAt).then(() => {
      this.#running = undefined;
      if (this.#saved.size === 0 || this.#stopped) return;
      const [first] = this.#saved;
      this.saved(first!);
    });
  }
}
