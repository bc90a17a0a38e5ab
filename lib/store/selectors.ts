import type { Exchange } from './exchanges';
import type { Log } from './log';

/** The newest exchange of a request of ours with this method (and about this tool, prompt or uri). */
export function lastExchange(log: Log, method: string, name?: string): Exchange | undefined {
  const seq = log.latestRequest(method, name);
  return seq === undefined ? undefined : log.exchange(seq);
}
