import type { Problem } from '@/lib/problems/problem';
import type { Log } from '@/lib/store/log';
import type { Status } from '@/lib/store/row';

/** How a request went, the worst first. */
const BAD: readonly Status[] = ['lost', 'timeout', 'error', 'tool-error'];

/** Whether this frame, or what it answers, failed, or is no message at all. */
export function isBad(log: Log, seq: number): boolean {
  const { kind, status } = log.row(seq - 1);
  return kind === 'error' || kind === 'junk' || (status !== undefined && BAD.includes(status));
}

/** The frame that a report is most likely to be about: the newest of the worst that happened; undefined if nothing went wrong. */
export function worstFrame(log: Log, problems: readonly Problem[]): number | undefined {
  let worst: { readonly seq: number; readonly rank: number } | undefined;
  for (let seq = 1; seq <= log.size; seq++) {
    const exchange = log.exchange(seq);
    const rank = exchange ? BAD.indexOf(exchange.status) : -1;
    if (rank >= 0 && rank <= (worst?.rank ?? BAD.length)) worst = { seq, rank };
  }
  const wrong = problems.filter(({ severity }) => severity === 'error').flatMap(({ seqs }) => seqs.slice(0, 1));
  // A stray line may be all that is wrong, and still says nothing of what the session was about.
  return worst?.seq ?? wrong.find((seq) => log.row(seq - 1).kind !== 'junk');
}
