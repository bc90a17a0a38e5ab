import type { Clock } from '@/lib/wire/clock';

/** Milliseconds without another save before a run, since compilers and editors write several files. */
export const QUIET_MS = 100;
/** Longest time in milliseconds that further saves put off a run. */
const LONGEST_WAIT_MS = 3000;
/**
 * Runs in a row whose only saves came during the run before: the server or the build writes a watched file. So many are
 * not the work of a person, whose saves also come between runs.
 */
export const MOST_ECHOES = 250;

/** Handles the files saved since the last run; the first one at this time on the clock. Must not reject. */
type RunOnSave = (files: readonly string[], at: number) => Promise<void>;

/**
 * Turns saves into runs: several saves cause one run, and saves during a run cause one more after it. Stops if each run
 * seems to cause the next one, and goes on with a later save.
 */
export class SaveLoop {
  readonly #clock: Clock;
  readonly #run: RunOnSave;
  readonly #onEndless: (file: string) => void;
  readonly #saved = new Set<string>();
  #firstAt = 0;
  #cancelTimer: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;
  /** True if the run before may have caused all saves since it started. */
  #isEcho = false;
  #echoes = 0;
  #isEndless = false;

  /** Calls `onEndless`, when no run is going on, with the file whose save led to no run, because runs caused it. */
  constructor(clock: Clock, run: RunOnSave, onEndless: (file: string) => void) {
    this.#clock = clock;
    this.#run = run;
    this.#onEndless = onEndless;
  }

  /** A file was saved, or something else asks for a run. Returns false if there will be none. */
  saved(file: string): boolean {
    if (this.#stopped) return false;
    const now = this.#clock.now();
    const isEcho = this.#running !== undefined;
    if (isEcho && this.#echoes === MOST_ECHOES && this.#saved.size === 0) {
      void this.#stopEchoes(file);
      return false;
    }
    if (this.#saved.size === 0) {
      this.#firstAt = now;
      this.#isEcho = true;
    }
    this.#isEcho &&= isEcho;
    this.#saved.add(file);
    if (!this.#running) this.#wait(now);
    return true;
  }

  #wait(now: number): void {
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
    this.#echoes = this.#isEcho ? this.#echoes + 1 : 0;
    this.#isEndless = false;
    this.#running = this.#run(files, this.#firstAt).then(() => {
      this.#running = undefined;
      if (this.#saved.size > 0 && !this.#stopped) this.#wait(this.#clock.now());
    });
  }

  async #stopEchoes(file: string): Promise<void> {
    if (this.#isEndless) return;
    this.#isEndless = true;
    await this.#running;
    if (!this.#stopped) this.#onEndless(file);
  }
}
