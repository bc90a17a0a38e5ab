import type { Problem } from '@/lib/problems/problem';
import type { Log } from '@/lib/store/log';
import { worstFrame } from './worst-frame';

/** What a report is about, by seq. */
export interface ReportSubject {
  /** The frame that it is called after, and that the steps lead to; undefined if nothing stands out. */
  readonly main: number | undefined;
  /** One frame of each exchange that is shown whole, or a frame that is of none; in order. */
  readonly shown: readonly number[];
}

/** The client asks for these by itself: they are shown if nothing else is there. */
export const BY_ITSELF: ReadonlySet<string> = new Set([
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
  const made = [...found].filter((seq) => !BY_ITSELF.has(log.exchange(seq)!.method));
  return made.length > 0 ? made : [...found];
}

/** The seq of the request that a frame is, or answers; its own for what is of no exchange. */
function exchangeOf(log: Log, seq: number): number {
  const { kind, peer } = log.row(seq - 1);
  return kind === 'request' || peer === undefined ? seq : peer;
}
