import type { Clock } from '@/lib/wire/clock';
import type { WatchFailure, WatchState } from '@/lib/wire/watch';
import { type FileWatch, nameIn, watchFiles } from './file-watcher';
import { SaveLoop } from './save-loop';
import type { WatchPlan } from './watch-plan';

/** Longest time in milliseconds to wait for a server at a URL. */
const MOST_WAIT_MS = 120_000;
/** Milliseconds between two looks for a server at a URL. */
const LOOK_AGAIN_MS = 100;
/** Milliseconds in which a server at a URL should notice a save, and end. */
const NOTICE_MS = 1500;

/** How a run ended up. */
export type RunEnd =
  | { readonly opened: true; readonly id: string }
  /** `gone`: nobody answers at the URL. */
  | { readonly opened: false; readonly id: string; readonly failure: WatchFailure; readonly gone: boolean };

/** Everything that happens to the watched entry. */
export interface WatchedEntry {
  readonly clock: Clock;
  /** Id of the newest run that opened. */
  readonly good: () => string | undefined;
  /** Shows the state on the newest run. */
  show(state: WatchState): void;
  /** Ends the newest run, and starts the next one. Resolves once that is open or has failed. Rejects with a Failure. */
  restart(): Promise<RunEnd>;
  /** Runs the build. Resolves with its failure. Absent: there is none. */
  readonly build?: { run(): Promise<WatchFailure | undefined>; stop(): Promise<void> };
  /** Resolves with true if something answers at the URL. Absent for commands. */
  answers?(): Promise<boolean>;
  /** Plays the pinned calls on a run that opened, if there are any. Resolves when that is over or was aborted. */
  playPins?(id: string, signal: AbortSignal): Promise<void>;
}

/** Re-run on save for one entry: watches its files, builds, restarts, and shows how that went. */
export class EntryWatch {
  readonly #entry: WatchedEntry;
  readonly #plan: WatchPlan;
  readonly #loop: SaveLoop;
  #watch: FileWatch | undefined;
  #state: WatchState;
  /** Stops playing pinned calls. */
  #stopPins: AbortController | undefined;
  #stopped = false;

  constructor(entry: WatchedEntry, plan: WatchPlan) {
    this.#entry = entry;
    this.#plan = plan;
    this.#loop = new SaveLoop(entry.clock, (files, at) => this.#run(files, at));
    const good = entry.good();
    this.#state = { phase: 'looking', where: plan.where, files: 0, saves: 0, ...(good !== undefined && { good }) };
  }

  /** Starts watching. Resolves when all files are under watch. */
  async start(): Promise<void> {
    this.#show({});
    this.#watch = await watchFiles(this.#plan, (path) => {
      this.#loop.saved(path);
      // Their answers would be of a server that is out of date.
      this.#stopPins?.abort();
    });
    if (this.#stopped) await this.#watch.close();
    else this.#show({ phase: 'watching' });
  }

  /** Runs once more, because the server came back by itself. */
  runAgain(): void {
    this.#loop.saved('');
  }

  /** Stops watching, and ends a build. Resolves when that is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopPins?.abort();
    await this.#watch?.close();
    await this.#entry.build?.stop();
    await this.#loop.stop();
  }

  #show(changes: Partial<WatchState>): void {
    const { files = this.#state.files, limit } = this.#watch ?? {};
    this.#state = { ...this.#state, files, ...(limit !== undefined && { limit }), ...changes };
    if (!this.#stopped) this.#entry.show(this.#state);
  }

  /** Never rejects. */
  async #run(files: readonly string[], at: number): Promise<void> {
    const { clock, build } = this.#entry;
    const names = files.filter((file) => file !== '').map((file) => nameIn(this.#plan.base, file));
    const saved = {
      at: new Date(Date.now() - (clock.now() - at)).toISOString(),
      file: names[0] ?? '',
      more: Math.max(0, names.length - 1),
    };
    const phase = build ? 'building' : 'restarting';
    this.#show({ phase, saved, saves: this.#state.saves + 1, tookMs: undefined });
    let failure: WatchFailure | undefined;
    try {
      failure = (await build?.run()) ?? (await this.#restart());
    } catch (error) {
      const { message = String(error), advice = 'Save again to try again.' } = error as Partial<WatchFailure>;
      failure = { what: 'server', message, advice };
    }
    this.#show({ phase: 'watching', tookMs: Math.round(clock.now() - at), failure });
  }

  async #restart(): Promise<WatchFailure | undefined> {
    const { clock, playPins, answers } = this.#entry;
    const deadline = clock.now() + MOST_WAIT_MS;
    // Somebody else restarts a server at a URL. It has to end first, unless it keeps its port.
    if (answers) await this.#waitFor(false, clock.now() + NOTICE_MS);
    for (;;) {
      if (answers) await this.#waitFor(true, deadline);
      if (this.#stopped) return undefined;
      this.#show({ phase: 'restarting' });
      const before = this.#entry.good();
      const end = await this.#entry.restart();
      if (!end.opened) {
        if (end.gone && answers && clock.now() < deadline) continue;
        return end.failure;
      }
      this.#show({ good: end.id, ...(before !== undefined && { before }) });
      if (playPins) {
        this.#show({ phase: 'pins' });
        this.#stopPins = new AbortController();
        await playPins(end.id, this.#stopPins.signal);
        this.#stopPins = undefined;
      }
      return undefined;
    }
  }

  /** Waits until something answers at the URL, or until nothing does. */
  async #waitFor(answered: boolean, deadline: number): Promise<void> {
    const { clock, answers } = this.#entry;
    while (!this.#stopped && clock.now() < deadline) {
      if ((await answers?.()) === answered) return;
      this.#show({ phase: 'waiting' });
      await new Promise<void>((resolve) => clock.after(LOOK_AGAIN_MS, resolve));
    }
  }
}
