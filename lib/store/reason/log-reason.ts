import type { Log } from '@/lib/store/log';
import { endingReason, REASON_LINES, type Reason } from './reason';

/** A reason, and the frame of its line. */
export interface LoggedReason extends Reason {
  readonly seq: number;
}

/**
 * Returns why the newest process ended, in its own words; undefined if it printed nothing that says so. Lines after the
 * last response come first: an earlier error belongs to a request that the server survived.
 */
export function reasonInLog(log: Log): LoggedReason | undefined {
  const { connection, stderr, junk } = log.state;
  const since = connection.spawnedSeq ?? 0;
  const settled = lastResponse(log, since);
  return (
    reasonAfter(log, settled, stderr.seqs, junk.seqs) ??
    (settled > since ? reasonAfter(log, since, stderr.seqs, junk.seqs) : undefined)
  );
}

function reasonAfter(
  log: Log,
  since: number,
  stderr: readonly number[],
  stdout: readonly number[],
): LoggedReason | undefined {
  const seqs = { stderr: newestOf(stderr, since), stdout: newestOf(stdout, since) };
  const textOf = (seq: number): string => log.text(seq - 1);
  const reason = endingReason({ stderr: seqs.stderr.map(textOf), stdout: seqs.stdout.map(textOf) });
  return reason && { ...reason, seq: seqs[reason.stream][reason.index]! };
}

function newestOf(seqs: readonly number[], since: number): readonly number[] {
  return seqs.filter((seq) => seq > since).slice(-REASON_LINES);
}

/** Returns the seq of the server's last response after frame `since`; `since` without one. */
function lastResponse({ columns, size }: Log, since: number): number {
  for (let seq = size; seq > since; seq--) {
    const kind = columns.kind(seq - 1);
    const isResponse = kind === 'response' || kind === 'error';
    // An answer over HTTP comes from an address that the process printed.
    if (isResponse && columns.direction(seq - 1) === 'to-client' && columns.exchange(seq - 1) === undefined) return seq;
  }
  return since;
}
