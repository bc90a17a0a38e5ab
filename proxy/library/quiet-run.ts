import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import type { ParsedOptions } from '@/proxy/cli/grammar';
import type { CommandOutput } from '@/proxy/cli/output';
import { runPatiently } from './failures';

export const NO_STATUS = { show: () => {}, end: () => {} };

const SILENT: CommandOutput = {
  json: true,
  width: undefined,
  status: NO_STATUS,
  printText: () => {},
  printLines: () => {},
  printExact: () => {},
  printNote: () => {},
};

/** Runs actions of subcommands without printing. */
export class QuietRun {
  #error: unknown;
  readonly #closes: (() => Promise<void>)[] = [];
  readonly #stopped: AbortSignal;

  constructor(stopped: AbortSignal) {
    this.#stopped = stopped;
  }

  /** The settings of a connection. */
  readonly quiet = {
    out: SILENT,
    onError: (error: unknown): ExitCode => {
      this.#error ??= error;
      return EXIT.internal;
    },
  };

  /** Gets what ends a connection. */
  readonly onClose = (close: () => Promise<void>): void => {
    this.#closes.push(close);
    // A connection that starts after the signal ends at once.
    if (this.#stopped.aborted) void close();
  };

  /** Throws what a subcommand would have printed. */
  readonly requireFine = (): void => {
    if (this.#error !== undefined) throw this.#error;
  };

  async close(): Promise<void> {
    await Promise.all(this.#closes.map((close) => close()));
  }
}

/** Runs work that connects to servers, and ends them. Rejects with an InspectError. */
export async function runQuietly<T>(signal: AbortSignal | undefined, work: (run: QuietRun) => Promise<T>): Promise<T> {
  const runs: QuietRun[] = [];
  try {
    return await runPatiently({ signal }, 'The report', (stopped) => {
      const run = new QuietRun(stopped);
      runs.push(run);
      return work(run);
    });
  } finally {
    await Promise.all(runs.map((run) => run.close()));
  }
}

/** Returns options as a command line gives them. undefined: not given. */
export function givenOptions(options: Readonly<Record<string, string | readonly string[] | undefined>>): ParsedOptions {
  return new Map(
    Object.entries(options).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? [value] : value] as const],
    ),
  );
}
