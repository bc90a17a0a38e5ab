import { isFailure } from '@/lib/wire/lifecycle';
import { EXIT, type ExitCode, ExitError } from '@/proxy/cli/exit-code';
import { InspectError } from './inspect-error';
import { inLibraryWords } from './option-words';

const CODES: Partial<Record<ExitCode, string>> = {
  [EXIT.usage]: 'usage',
  [EXIT.noConnection]: 'no-connection',
  [EXIT.timeout]: 'timeout',
  [EXIT.serverError]: 'server-error',
};

/** Turns whatever was thrown into the library's error. */
export function toInspectError(error: unknown): InspectError {
  if (error instanceof InspectError) return error;
  if (error instanceof ExitError)
    return new InspectError(CODES[error.exitCode] ?? 'failed', inLibraryWords(error.message));
  if (isFailure(error)) return new InspectError(error.code, inLibraryWords(`${error.message} ${error.advice}`));
  return new InspectError('internal', `mcp-inspect itself failed: ${String(error)}`, { cause: error });
}

/** Times and signals that end a wait. */
export interface Patience {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Runs work until `patience` is over: it then aborts the signal of the work, and rejects without waiting. `what` is
 * awaited, such as `the answer to ping`. Rejects with an {@link InspectError} only.
 */
export async function runPatiently<T>(
  { signal, timeoutMs }: Patience,
  what: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  // A signal of its own for each wait: Node warns about more than ten listeners on one.
  const given = signal && AbortSignal.any([signal]);
  let end = (): void => {};
  const over = new Promise<never>((_, reject) => {
    const abort = (error: InspectError): void => {
      reject(error);
      stop.abort(error);
    };
    const onAbort = (): void =>
      abort(new InspectError('aborted', `${what} was given up: the signal was aborted.`, { cause: given?.reason }));
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => abort(new InspectError('timeout', `${what} did not come within ${timeoutMs} ms.`)),
            timeoutMs,
          );
    end = () => {
      clearTimeout(timer);
      given?.removeEventListener('abort', onAbort);
    };
    if (given?.aborted) onAbort();
    else given?.addEventListener('abort', onAbort);
  });
  try {
    // A signal that was aborted before must not send anything.
    return await Promise.race([over, stop.signal.aborted ? over : work(stop.signal)]);
  } catch (error) {
    throw toInspectError(error);
  } finally {
    end();
  }
}
