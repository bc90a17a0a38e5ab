import type { Problem } from '@/lib/problems/problem';
import type { Log } from '@/lib/store/log';
import type { Status } from '@/lib/store/rows/row';

/** What a report is about, by seq. */
export interface ReportSubject {
  /** The frame that it is called after, and that the steps lead to; undefined if nothing stands out. */
  readonly main: number | undefined;
  /** One frame of each exchange that is shown whole, or a frame that is of none; in order. */
  readonly shown: readonly number[];
}

/** The client asks for these by itself: they are shown if nothing else is there. */
export const AUTOMATIC_METHODS: ReadonlySet<string> = new Set([
  ...['initialize', 'server/discover', 'ping', 'subscriptions/listen'],
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
]);

/**
 * In this order: the frame that was chosen, what a person noted or bookmarked (called after the last of it), what went worst. Of a
 * part, `range` by the first and last seq, all exchanges are shown.
 */
export function reportSubject(
  log: Log,
  problems: readonly Problem[],
  chosen: number | undefined,
  range: readonly [first: number, last: number] | undefined,
): ReportSubject {
  if (chosen !== undefined) return { main: chosen, shown: [chosen] };
  const noted = [...log.state.notes.notes.keys()].filter((seq) => seq >= 1 && seq <= log.size).sort((a, b) => a - b);
  const inRange = range ? exchangesIn(log, range) : [];
  const worst = worstFrame(log, problems);
  const among = inRange.map((seq) => exchangeOf(log, seq));
  const worstHere = worst !== undefined && (!range || among.includes(exchangeOf(log, worst))) ? worst : undefined;
  const main = noted.at(-1) ?? worstHere ?? inRange.at(-1);
  const all = [...noted, ...inRange, ...(main === undefined ? [] : [main])].sort((a, b) => a - b);
  const byExchange = new Map(all.map((seq) => [exchangeOf(log, seq), seq]));
  return { main, shown: [...byExchange.values()] };
}

/** Requests of which a half is in it: all that a person made, or if there are none, all. */
function exchangesIn(log: Log, [first, last]: readonly [number, number]): readonly number[] {
  const found = new Set<number>();
  for (let seq = first; seq <= last; seq++) {
    const request = exchangeOf(log, seq);
    if (log.exchange(request)) found.add(request);
  }
  const made = [...found].filter((seq) => !AUTOMATIC_METHODS.has(log.exchange(seq)!.method));
  return made.length > 0 ? made : [...found];
}

/** The seq of the request that a frame is, or answers; its own for what is of no exchange. */
function exchangeOf(log: Log, seq: number): number {
  const { kind, peer } = log.row(seq - 1);
  return kind === 'request' || peer === undefined ? seq : peer;
}

/** How a request went, the worst first. */
const BAD: readonly Status[] = ['lost', 'timeout', 'error', 'tool-error'];

/** Whether this frame, or what it answers, failed, or is no message at all. */
export function hasFailed(log: Log, seq: number): boolean {
  const { kind, status } = log.row(seq - 1);
  return kind === 'error' || kind === 'junk' || (status !== undefined && BAD.includes(status));
}

/** The frame that a report is most likely to be about: the newest of the worst that happened; undefined if nothing went wrong. */
function worstFrame(log: Log, problems: readonly Problem[]): number | undefined {
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
