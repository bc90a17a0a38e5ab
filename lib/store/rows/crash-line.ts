import type { Log } from '@/lib/store/log';
import { withoutAnsi } from '@/lib/wire/control-characters';
import { crashLine } from './error-line';

/** Characters of the line that are returned. */
const MOST_CHARS = 300;

/**
 * Returns the line of stderr that best explains why the newest process crashed; '' without one. Lines after the last
 * response come first: an earlier error belongs to a request that the server survived.
 */
export function crashLineOf(log: Log): string {
  const since = log.state.connection.spawnedSeq ?? 0;
  const lines = log.state.stderr.seqs.filter((seq) => seq > since);
  const settled = lastResponse(log, since);
  const textOf = (seq: number) => withoutAnsi(log.text(seq - 1));
  const line =
    crashLine(
      lines.filter((seq) => seq > settled),
      textOf,
    ) || crashLine(lines, textOf);
  return line.slice(0, MOST_CHARS);
}

/** Returns the seq of the server's last response after frame `since`; `since` without one. */
function lastResponse({ columns, size }: Log, since: number): number {
  for (let seq = size; seq > since; seq--) {
    const kind = columns.kind(seq - 1);
    if ((kind === 'response' || kind === 'error') && columns.direction(seq - 1) === 'to-client') return seq;
  }
  return since;
}
