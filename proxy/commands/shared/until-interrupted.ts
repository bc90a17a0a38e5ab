import { EXIT, type ExitCode, ExitError } from '@/proxy/cli/exit-code';

/** The reason of a signal that Ctrl-C has aborted. */
const INTERRUPTED = new ExitError(EXIT.interrupted, 'Interrupted.');

/** Runs work that ends early, and cleans up, once its signal is aborted by Ctrl-C. A second Ctrl-C ends the process. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<ExitCode>): Promise<ExitCode> {
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(INTERRUPTED);
  process.once('SIGINT', onInterrupt);
  try {
    return await work(stop.signal);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
