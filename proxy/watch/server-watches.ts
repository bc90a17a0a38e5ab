import type { Connection } from '@/lib/hub/connection';
import { errorPlace } from '@/lib/store/rows/error-place';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { entryOf } from '@/lib/wire/command';
import type { WatchFailure, WatchState } from '@/lib/wire/watch';
import { explainConnectionFailure } from '@/proxy/connection/failure-lines';
import type { Launch } from '@/proxy/connection/launch';
import { StderrLines } from '@/proxy/connection/stdio-lines';
import { answers } from '@/proxy/egress/answers';
import { helperEnvironment } from '@/proxy/process/environment';
import type { Reaper } from '@/proxy/process/reaper';
import { Build } from './build';
import { EntryWatch, type RunEnd } from './entry-watch';
import { planOf, planOfGlobs, type WatchPlan } from './watch-plan';

/**
 * Runs of an entry that are kept while it is watched. The log of each older one is removed, and its recording, too, if
 * a save started it.
 */
export const KEPT_RUNS = 20;

/** Options of the command line about watching its server. */
export interface WatchOptions {
  /** From `--on-save files`, relative to `cwd`. Empty: the server's own sources. */
  readonly globs: readonly string[];
  /** Words of `--on-save build`. Absent: nothing is built. */
  readonly build?: readonly string[];
}

/** The hub's services. */
export interface WatchHost {
  readonly clock: Clock;
  readonly reaper: Reaper;
  /** The runs of an entry, oldest first, without those that only try another profile. */
  runs(entry: string): readonly Connection<Launch>[];
  restart(id: string): Promise<Connection<Launch>>;
  /** Removes a run that has ended. `bySave`: its recording is deleted, too, unless somebody noted it. */
  forget(connection: Connection<Launch>, bySave: boolean): Promise<void>;
  /** Prints a sentence in the terminal. */
  print(sentence: string): void;
  /** Allows URLs with link-local addresses. */
  readonly allowLinkLocal: boolean;
  /** For tests, which would have to start many servers otherwise: see {@link KEPT_RUNS}. */
  readonly keptRuns?: number;
  /** Called with a run that a save started. Absent: there is nothing to do. */
  afterSave?(connection: Connection<Launch>, signal: AbortSignal): Promise<void>;
}

/** Re-run on save for the servers of a hub. */
export class ServerWatches {
  readonly #host: WatchHost;
  readonly #watches = new Map<string, EntryWatch>();
  /** Called when a connection has left the state `starting`. */
  readonly #settling = new Map<Connection<Launch>, () => void>();
  readonly #unreachable = new WeakSet<Connection<Launch>>();
  /** Runs that a save started. */
  readonly #bySave = new WeakSet<Connection<Launch>>();
  /** Watches that were turned off and still end. */
  readonly #ending = new Set<Promise<void>>();

  constructor(host: WatchHost) {
    this.#host = host;
  }

  /** Starts watching the files of an entry, unless that is on. Rejects with a ConnectionError. */
  async turnOn(entry: string, options: WatchOptions): Promise<void> {
    if (this.#watches.has(entry)) return;
    const newest = this.#host.runs(entry).at(-1);
    if (!newest) throw new ConnectionError(NOTHING_TO_RESTART);
    const watch = new EntryWatch(this.#watched(entry, newest.launch, options), planFor(newest.launch, options));
    this.#watches.set(entry, watch);
    try {
      await watch.start();
    } catch (error) {
      // Otherwise it would count as on, and could not be turned on again.
      if (this.#watches.get(entry) === watch) this.turnOff(entry);
      throw error;
    }
  }

  /** Stops watching the files of an entry. */
  turnOff(entry: string): void {
    const watch = this.#watches.get(entry);
    this.#watches.delete(entry);
    if (watch) {
      const ending = watch.stop().finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
    }
    for (const run of this.#host.runs(entry)) run.showWatch(undefined);
  }

  /** Stops everything. Resolves when no build runs, also none of a watch that was turned off before. */
  async stop(): Promise<void> {
    const watches = [...this.#watches.values()];
    this.#watches.clear();
    await Promise.all([...this.#ending, ...watches.map((watch) => watch.stop())]);
  }

  /** Call this when a connection’s summary has changed. */
  onChanged(connection: Connection<Launch>): void {
    const { state, unreachable } = connection.server;
    if (state !== 'starting') {
      this.#settling.get(connection)?.();
      this.#settling.delete(connection);
    }
    const entry = entryOf(connection.summary);
    const watch = this.#watches.get(entry);
    if (!watch || this.#host.runs(entry).at(-1) !== connection) return;
    if (unreachable) this.#unreachable.add(connection);
    else if (state === 'open') {
      // A server at a URL that restarts by itself may have loaded the save after the run.
      if (this.#unreachable.delete(connection)) watch.runAgain();
      else watch.onOpenedByHand(connection.id);
    }
  }

  #watched(entry: string, launch: Launch, { build }: WatchOptions) {
    const { clock, afterSave, allowLinkLocal } = this.#host;
    const runs = () => this.#host.runs(entry);
    return {
      clock,
      good: () => runs().findLast(hasOpened)?.id,
      show: (state: WatchState) => this.#show(entry, state),
      print: (sentence: string) => this.#host.print(sentence),
      restart: (stale: AbortSignal) => this.#restart(entry, stale),
      ...(build && launch.transport === 'stdio' && { build: this.#builder(entry, build, launch.cwd) }),
      ...(launch.transport !== 'stdio' && { answers: () => answers(launch.url, allowLinkLocal) }),
      ...(afterSave && {
        afterSave: async (id: string, signal: AbortSignal) => {
          const run = runs().find((one) => one.id === id);
          if (run) await afterSave(run, signal);
        },
      }),
    };
  }

  /** Shows the state on the newest run. That has it before another one loses it, so that it is never away. */
  #show(entry: string, state: WatchState): void {
    const runs = this.#host.runs(entry);
    runs.at(-1)?.showWatch(state);
    for (const run of runs.slice(0, -1)) run.showWatch(undefined);
  }

  #builder(entry: string, words: readonly string[], cwd: string) {
    const { reaper, clock } = this.#host;
    let running: Build | undefined;
    return {
      run: async () => {
        const env = helperEnvironment(process.env);
        running = new Build(reaper, clock);
        // Its output is where the server's own is: in the log of the run that it will replace.
        const sink = this.#host.runs(entry).at(-1)?.server.logOnlySink();
        const openOutput = () =>
          new StderrLines(clock, (source, start, end, flags) => {
            sink?.appendFrame('stderr', 'to-client', source, start, end, flags);
          });
        const failure = await running.run({ words, cwd, env }, openOutput);
        running = undefined;
        return failure;
      },
      stop: async () => running?.stop(),
    };
  }

  async #restart(entry: string, stale: AbortSignal): Promise<RunEnd | undefined> {
    await this.#forgetOldRuns(entry);
    // Somebody may have disconnected the server meanwhile.
    if (stale.aborted) return undefined;
    // The entry's first run may be forgotten by now.
    const run = await this.#host.restart(this.#host.runs(entry).at(-1)!.id);
    this.#bySave.add(run);
    // A server that hangs at its start must not keep the next save waiting.
    if (run.server.state === 'starting' && !stale.aborted) {
      await new Promise<void>((resolve) => {
        this.#settling.set(run, resolve);
        stale.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    if (hasOpened(run)) return { opened: true, id: run.id };
    return { opened: false, id: run.id, ...(await failureOf(run)) };
  }

  async #forgetOldRuns(entry: string): Promise<void> {
    const runs = this.#host.runs(entry);
    const good = runs.findLast(hasOpened);
    for (const run of runs.slice(0, -(this.#host.keptRuns ?? KEPT_RUNS))) {
      if (run !== good && run.ended) await this.#host.forget(run, this.#bySave.has(run));
    }
  }
}

function hasOpened({ server: { state, negotiated } }: Connection<Launch>): boolean {
  return negotiated !== undefined || state === 'open';
}

async function failureOf(run: Connection<Launch>): Promise<{ readonly failure: WatchFailure; readonly gone: boolean }> {
  const found = await explainConnectionFailure(run);
  const { what: message, advice } = found?.diagnosis ?? { what: UNKNOWN.message, advice: UNKNOWN.advice };
  const place = errorPlace(found?.stderr ?? []);
  const line = found?.diagnosis.said?.text;
  const failure = {
    what: 'server',
    run: run.id,
    message,
    advice,
    ...(line && { line }),
    ...(place && { place }),
  } as const;
  return { failure, gone: GONE.has(found?.code ?? UNKNOWN.code) };
}

/** Returns the files to watch for a server. Throws a ConnectionError if there are none. */
export function planFor(launch: Launch, { globs, build }: WatchOptions): WatchPlan {
  if (globs.length > 0) return planOfGlobs(globs, process.cwd());
  if (launch.transport !== 'stdio') throw new ConnectionError(NEEDS_PATH);
  const plan = planOf(launch, build !== undefined);
  if (plan) return plan;
  throw new ConnectionError(NO_SOURCES);
}

/** Failures of a server at a URL that is just being restarted. */
export const GONE: ReadonlySet<string> = new Set([
  'connection-refused',
  'connection-reset',
  'connection-timeout',
  'host-unreachable',
]);

const UNKNOWN = { code: 'closed', message: 'The server was stopped before it was ready.', advice: 'Save again.' };

const NEEDS_PATH = {
  code: 'watch-path-needed',
  message: 'mcp-inspect can’t know the source files of a server at a URL.',
  advice: 'Start mcp-inspect with `--on-save files=GLOB` and the URL.',
};

const NO_SOURCES = {
  code: 'no-sources',
  message: 'mcp-inspect found no source files that belong to this command.',
  advice: 'Start mcp-inspect with `--on-save files=GLOB` and the command.',
};

const NOTHING_TO_RESTART = {
  code: 'nothing-to-restart',
  message: 'There is no server to restart.',
  advice: 'Connect to a server first.',
};
