import { constants } from 'node:os';
import { systemClock } from '@/lib/wire/clock';
import { selfFailure, stdoutEnd } from './exit-code';

/**
 * Milliseconds within which a repeated signal counts as the same. Under `npm start`, Ctrl-C arrives twice: from the
 * terminal and from npm.
 */
const SIGNAL_ECHO_MS = 500;

/** Milliseconds between two sentences about what the end waits for. */
const WAITING_MS = 1000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ends a process without servers after Ctrl-C: first calls `say`. Returns a function that turns this off. */
export function exitOnInterrupt(say: () => void): () => void {
  const end = (): void => {
    say();
    process.exit(128 + constants.signals.SIGINT);
  };
  process.once('SIGINT', end);
  return () => process.off('SIGINT', end);
}

/** How this process ends. */
interface Ending {
  /** Ends all servers politely, then by force. Resolves when they are gone. */
  shutdown(): Promise<void>;
  /** True if a server is running. */
  hasServers(): boolean;
  /** Returns a sentence about what the shutdown waits for; undefined if nothing. It is printed if that takes long. */
  waitsFor?(): string | undefined;
  /** Writes one line to the terminal. */
  say(line: string): void;
  /** Called on the first Ctrl-C. Returns true if the process then ends by itself. */
  interrupt?: (() => boolean) | undefined;
  /** Exit code after an error of our own. */
  readonly failureCode: number;
  /** The results go to stdout, so this process ends if they can't be written. */
  readonly needsStdout?: true;
}

/**
 * Ends the servers before this process: after a signal (exit code 128 + its number), an error of our own
 * (`failureCode`), or once a needed stdout can't be written. A second signal exits at once, and the reaper kills what
 * is left. Returns a function that does the same for an error that was caught.
 */
export function endOnSignals(ending: Ending): (error: unknown) => void {
  const { shutdown, hasServers, say, interrupt, failureCode, needsStdout } = ending;
  let begunAt: number | undefined;
  let interruptedAt: number | undefined;
  const isHandled = (signal: (typeof SIGNALS)[number]): boolean => {
    if (signal !== 'SIGINT') return false;
    if (interruptedAt !== undefined) return systemClock.now() - interruptedAt <= SIGNAL_ECHO_MS;
    if (begunAt !== undefined || !interrupt?.()) return false;
    interruptedAt = systemClock.now();
    return true;
  };
  const end = (code: number, why?: string): void => {
    if (begunAt !== undefined) {
      if (systemClock.now() - begunAt > SIGNAL_ECHO_MS) process.exit(code);
      return;
    }
    begunAt = systemClock.now();
    if (why !== undefined) say(hasServers() ? `${why} Ending the servers. Another Ctrl-C ends them by force.` : why);
    const callOff = sayWhatItWaitsFor(ending);
    const exit = (): void => {
      callOff();
      process.exit(code);
    };
    shutdown().then(exit, exit);
  };
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (!isHandled(signal)) end(128 + constants.signals[signal], `Received ${signal}.`);
    });
  }
  const fail = (error: unknown): void => end(failureCode, selfFailure(error));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, fail);
  // A closed terminal must not end us before the servers.
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error) => {
    if (!needsStdout || begunAt !== undefined) return;
    const { exitCode, sentence } = stdoutEnd(error);
    if (sentence !== undefined) say(sentence);
    end(exitCode);
  });
  return fail;
}

/** Prints what the shutdown waits for every second, unless that has not changed. */
function sayWhatItWaitsFor({ waitsFor, say }: Ending): () => void {
  let said: string | undefined;
  let callOff = (): void => {};
  const next = (): void => {
    callOff = systemClock.after(WAITING_MS, () => {
      const sentence = waitsFor?.();
      if (sentence !== undefined && sentence !== said) say(sentence);
      said = sentence;
      next();
    });
  };
  next();
  return () => callOff();
}
