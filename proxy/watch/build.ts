import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { errorLine } from '@/lib/store/rows/error-line';
import { errorPlace } from '@/lib/store/rows/error-place';
import { type Clock, systemClock } from '@/lib/wire/clock';
import { withoutAnsi } from '@/lib/wire/control-characters';
import { isFailure } from '@/lib/wire/lifecycle';
import type { WatchFailure } from '@/lib/wire/watch';
import { climbKillLadder } from '@/proxy/process/kill-ladder';
import type { Reaper } from '@/proxy/process/reaper';
import { type ServerProcess, spawnServer } from '@/proxy/process/spawn';

/** Newest lines of the output that are kept to explain a failure. */
const KEPT_LINES = 400;
/** Characters quoted from a line. */
const QUOTED_CHARS = 300;
/** Milliseconds after the end of a build in which the rest of its output is read. */
const REST_MS = 200;

/** The command of `--on-save build`, run before each restart. */
export interface BuildCommand {
  /** Its words; the first is the program. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Gets what a build prints on one of its outputs. */
interface BuildOutput {
  addChunk(chunk: Buffer): void;
  end(): void;
}

/** One run of a build. */
export class Build {
  readonly #reaper: Reaper;
  readonly #clock: Clock;
  readonly #lines: string[] = [];
  #process: ServerProcess | undefined;
  #stopped = false;

  constructor(reaper: Reaper, clock: Clock = systemClock) {
    this.#reaper = reaper;
    this.#clock = clock;
  }

  /**
   * Runs the command, and passes on the bytes that it prints. `openOutput` is called for each of its two outputs.
   * Resolves with undefined for success, or with the failure. Never rejects.
   */
  async run(
    { words: [command = '', ...args], cwd, env }: BuildCommand,
    openOutput: () => BuildOutput,
  ): Promise<WatchFailure | undefined> {
    const shown = [command, ...args].join(' ');
    let build: ServerProcess;
    try {
      build = await spawnServer({ command, args, cwd, env }, this.#reaper);
    } catch (error) {
      if (!isFailure(error)) throw error;
      return { what: 'build', message: error.message, advice: error.advice };
    }
    this.#process = build;
    const { child, tree, pid } = build;
    child.stdin.on('error', () => {}).end();
    const pipes = [child.stdout, child.stderr];
    const endings = pipes.map((pipe) => this.#read(pipe, openOutput()));
    const ended = new Promise<[number | null, string | null]>((resolve) => {
      child.once('exit', (...end) => {
        tree.onLeaderExit();
        resolve(end);
      });
    });
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    if (this.#stopped) await this.stop();
    const [code, signal] = await ended;
    // A build may leave processes of its own, such as a compile server, which are not ours to end.
    this.#reaper.delete(pid);
    // They may hold the pipes open for good.
    let cancel = () => {};
    await Promise.race([closed, new Promise<void>((resolve) => (cancel = this.#clock.after(REST_MS, resolve)))]);
    cancel();
    for (const pipe of pipes) pipe.destroy();
    for (const end of endings) end();
    this.#process = undefined;
    if (code === 0) return undefined;
    return this.#failure(shown, signal === null ? `failed with exit code ${code}` : `was ended by ${signal}`);
  }

  /** Ends the build, with everything it started. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const build = this.#process;
    if (!build) return;
    await climbKillLadder(
      { tree: build.tree, endStdin: () => build.child.stdin.end() },
      'SIGTERM',
      this.#clock,
      () => {},
    );
  }

  /** Keeps the newest lines of an output. The returned function ends it. */
  #read(pipe: Readable, output: BuildOutput): () => void {
    const decoder = new StringDecoder();
    let rest = '';
    const add = (text: string): void => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!.slice(-QUOTED_CHARS);
      this.#lines.push(...lines.slice(-KEPT_LINES).map(withoutAnsi));
      this.#lines.splice(0, this.#lines.length - KEPT_LINES);
    };
    pipe.on('error', () => {});
    pipe.on('data', (chunk: Buffer) => {
      output.addChunk(chunk);
      add(decoder.write(chunk));
    });
    return () => {
      output.end();
      add(decoder.end());
      if (rest !== '') add('\n');
    };
  }

  #failure(shown: string, how: string): WatchFailure {
    const lines = this.#lines;
    const place = errorPlace(lines);
    const line =
      errorLine(lines, (text) => text) ??
      lines.find((text) => /\berror\b/i.test(text)) ??
      (place === undefined ? undefined : lines.find((text) => text.includes(place))) ??
      lines.findLast((text) => text.trim() !== '');
    return {
      what: 'build',
      message: `\`${shown}\` ${how}.`,
      advice: 'Still running the previous build. Fix the error and save again.',
      ...(line !== undefined && { line: line.trim().slice(0, QUOTED_CHARS) }),
      ...(place !== undefined && { place }),
    };
  }
}
