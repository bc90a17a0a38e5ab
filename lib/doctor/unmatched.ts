import { explainUnmatched, isUnended, unmatchedText } from '@/lib/store/exchanges/exchange-timeline';
import type { Log } from '@/lib/store/log';
import { quoteLine } from './quote-line';

/** Requests that are looked at, from the end of the log. */
const SEARCHED_REQUESTS = 20;

/** A text that looks like the answer to a request, but can't be paired with it. */
export interface Unmatched {
  /** Method of the request. */
  readonly method: string;
  /** Start of the text, on one line. */
  readonly text: string;
  /** Why it is not the answer, in sentences. */
  readonly why: string;
  readonly seq: number;
  /** The server printed it on stdout, and never ended the line. */
  readonly unended: boolean;
}

/** Returns the text that looks like the answer to the newest request that has none. */
export function unmatchedIn(log: Log): Unmatched | undefined {
  const { columns } = log;
  let left = SEARCHED_REQUESTS;
  for (let seq = log.size; seq > 0 && left > 0; seq--) {
    if (columns.kind(seq - 1) !== 'request' || columns.direction(seq - 1) !== 'to-server') continue;
    left--;
    const found = log.exchange(seq)?.unmatchedSeq;
    if (found === undefined) continue;
    return {
      method: columns.method(seq - 1) ?? 'the request',
      text: quoteLine(unmatchedText(log, found)),
      why: explainUnmatched(log, found, seq).replace(/\s+/g, ' '),
      seq: found,
      unended: isUnended(log.row(found - 1)),
    };
  }
  return undefined;
}
