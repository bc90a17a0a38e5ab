/** Calls back once when `signal` is aborted, or at once if it is; the returned function calls that off. */
export function whenAborted(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
  return () => signal.removeEventListener('abort', run);
}
