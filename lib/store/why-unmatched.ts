import { brokenBecause, EXPLAINED_CHARS, idMismatch } from './broken-answer';
import { decodeLossy } from './classify';
import type { Log } from './log';

/** Says why the frame `seq` is not paired with the request that it seems to answer. Quotes the server. */
export function whyUnmatched(log: Log, seq: number, requestSeq: number): string {
  const { kind, id } = log.row(seq - 1);
  const requested = log.row(requestSeq - 1).id;
  if (kind === 'response' || kind === 'error') return idMismatch(id, requested) ?? 'It came before the request.';
  // No character has more than four bytes.
  const text = decodeLossy(log.wholeBytes(seq - 1).subarray(0, 4 * EXPLAINED_CHARS + 1));
  return brokenBecause(text, log.printed.from(seq)?.lines.length ?? 1, requested);
}
