import { EXIT, type ExitCode, ExitError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { exitOnInterrupt } from '@/proxy/cli/signals';

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

/** Runs work that only reads, and ends this process at Ctrl-C. What it has put into temporary folders is deleted. */
export async function exitingOnInterrupt(
  { status }: Pick<CommandContext, 'status'>,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  const goOn = exitOnInterrupt(() => status.end());
  try {
    return await work();
  } finally {
    goOn();
  }
}
