import type { Clock } from '@/lib/wire/clock';
import type { WatchFailure, WatchState } from '@/lib/wire/watch';
import { type FileWatch, nameIn, watchFiles } from './file-watcher';
import { MOST_ECHOES, SaveLoop } from './save-loop';
import type { WatchPlan } from './watch-plan';

/** Longest time in milliseconds to wait for a server at a URL. */
const MOST_WAIT_MS = 120_000;
/** Milliseconds between two looks for a server at a URL. */
const LOOK_AGAIN_MS = 100;
/** Times that mcp-inspect connects to a server at a URL that accepts connections, and then loses them. */
const MOST_ATTEMPTS = 5;
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
  /** Prints a sentence in the terminal. */
  print(sentence: string): void;
  /**
   * Ends the newest run, and starts the next one. Resolves once that is open or has failed, or at once when `stale` is
   * aborted: with undefined if nothing has started. Rejects with a Failure.
   */
  restart(stale: AbortSignal): Promise<RunEnd | undefined>;
  /** Runs the build. Resolves with its failure. Absent: there is none. */
  readonly build?: { run(): Promise<WatchFailure | undefined>; stop(): Promise<void> };
  /** Resolves with true if something answers at the URL. Absent for commands. */
  answers?(): Promise<boolean>;
  /** Called with a run that opened. Resolves when what it does is over or was aborted. */
  afterSave?(id: string, stale: AbortSignal): Promise<void>;
}

/** Re-run on save for one entry: watches its files, builds, restarts, and shows how that went. */
export class EntryWatch {
  readonly #entry: WatchedEntry;
  readonly #plan: WatchPlan;
  readonly #loop: SaveLoop;
  #watch: FileWatch | undefined;
  #state: WatchState;
  /** Aborted by a save during a run, which makes the rest of that run useless. */
  #stale = new AbortController();
  #stopped = false;

  constructor(entry: WatchedEntry, plan: WatchPlan) {
    this.#entry = entry;
    this.#plan = plan;
    this.#loop = new SaveLoop(
      entry.clock,
      (files, at) => this.#run(files, at),
      (file) => this.#onEndless(file),
    );
    const good = entry.good();
    this.#state = { phase: 'looking', where: plan.where, files: 0, saves: 0, ...(good !== undefined && { good }) };
  }

  /** Starts watching. Resolves when all files are under watch. */
  async start(): Promise<void> {
    this.#show({});
    const onChange = (path: string): void => {
      if (this.#loop.saved(path)) this.#stale.abort();
    };
    this.#watch = await watchFiles(this.#plan, onChange, { onLimit: () => this.#show({}) });
    if (this.#stopped) await this.#watch.close();
    else this.#show({ phase: 'watching' });
  }

  /** Runs once more without a save, because the server came back by itself or was never started. */
  runAgain(): void {
    this.#loop.saved('');
  }

  /** A person restarted the server, and the new run is open. */
  onOpenedByHand(id: string): void {
    const { phase, good } = this.#state;
    if (phase !== 'watching' || id === good) return;
    const before = good !== undefined && { before: good };
    this.#show({ good: id, ...before, failure: undefined, saved: undefined, tookMs: undefined });
  }

  /** Stops watching, and ends a build. Resolves when that is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stale.abort();
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
    this.#stale = new AbortController();
    this.#show({ phase, saved, saves: this.#state.saves + 1, tookMs: undefined });
    let failure: WatchFailure | undefined;
    try {
      failure = (await build?.run()) ?? (await this.#restart(names.length > 0));
    } catch (error) {
      const { message = String(error), advice = 'Save again to try again.' } = error as Partial<WatchFailure>;
      failure = { what: 'server', message, advice };
    }
    this.#show({ phase: 'watching', tookMs: Math.round(clock.now() - at), failure });
  }

  /** The server or the build seems to write a watched file in each run. */
  #onEndless(file: string): void {
    const { run } = this.#state.failure ?? {};
    const what = file === '' ? 'the server came back' : `\`${nameIn(this.#plan.base, file)}\` was saved`;
    const failure = {
      what: 'watch',
      message: `Stopped after ${MOST_ECHOES} runs in a row: ${what} during each.`,
      advice:
        'If the server or the build writes it, keep it out of the watched files. The next save starts the server again.',
      ...(run !== undefined && { run }),
    } as const;
    this.#show({ failure });
    this.#entry.print(`Re-run on save: ${failure.message} ${failure.advice}`);
  }

  /** `isSaved`: because of a save, not because the server came back. */
  async #restart(isSaved: boolean): Promise<WatchFailure | undefined> {
    const { clock, afterSave, answers } = this.#entry;
    const stale = this.#stale.signal;
    const deadline = clock.now() + MOST_WAIT_MS;
    // Somebody else restarts a server at a URL. It has to end first, unless it keeps its port.
    if (answers && isSaved) await this.#waitFor(false, clock.now() + NOTICE_MS);
    for (let attempts = 1; ; attempts++) {
      if (answers) await this.#waitFor(true, deadline);
      if (stale.aborted) return undefined;
      this.#show({ phase: 'restarting' });
      const before = this.#entry.good();
      const end = await this.#entry.restart(stale);
      if (!end) return undefined;
      if (!end.opened) {
        if (stale.aborted) return undefined;
        if (!end.gone || !answers || attempts === MOST_ATTEMPTS) return end.failure;
        await new Promise<void>((resolve) => clock.after(LOOK_AGAIN_MS * 2 ** attempts, resolve));
        continue;
      }
      this.#show({ good: end.id, ...(before !== undefined && { before }) });
      if (afterSave) {
        this.#show({ phase: 'pins' });
        await afterSave(end.id, stale);
      }
      return undefined;
    }
  }

  /** Waits until something answers at the URL, or until nothing does. */
  async #waitFor(answered: boolean, deadline: number): Promise<void> {
    const { clock, answers } = this.#entry;
    while (!this.#stale.signal.aborted && clock.now() < deadline) {
      if ((await answers?.()) === answered) return;
      this.#show({ phase: 'waiting' });
      await new Promise<void>((resolve) => clock.after(LOOK_AGAIN_MS, resolve));
    }
  }
}
