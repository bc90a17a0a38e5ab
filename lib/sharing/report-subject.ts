import type { Problem } from '@/lib/problems/problem';
import type { Log } from '@/lib/store/log';
import type { Status } from '@/lib/store/rows/row';

/** The frames of a report, by seq. */
export interface ReportSubject {
  /** The frame in the title, where the steps lead; undefined if nothing stands out. */
  readonly main: number | undefined;
  /** One frame of each exchange to show, or a frame without an exchange; in order. */
  readonly shown: readonly number[];
}

/** Requests that clients send automatically. They are shown only if there is nothing else. */
export const AUTOMATIC_METHODS: ReadonlySet<string> = new Set([
  ...['initialize', 'server/discover', 'ping', 'subscriptions/listen'],
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
]);

/**
 * Selects the frames to report: the chosen frame, else the frames with a note or bookmark (the last is the main frame),
 * else the worst frame. With a `range` of first and last seq, all its exchanges are shown.
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

/**
 * Returns the requests that are in the range, or whose response is. If a person made any of them, returns only those.
 */
function exchangesIn(log: Log, [first, last]: readonly [number, number]): readonly number[] {
  const found = new Set<number>();
  for (let seq = first; seq <= last; seq++) {
    const request = exchangeOf(log, seq);
    if (log.exchange(request)) found.add(request);
  }
  const made = [...found].filter((seq) => !AUTOMATIC_METHODS.has(log.exchange(seq)!.method));
  return made.length > 0 ? made : [...found];
}

/** Returns the seq of the request that a frame is or answers; its own seq for any other frame. */
function exchangeOf(log: Log, seq: number): number {
  const { kind, peer } = log.row(seq - 1);
  return kind === 'request' || peer === undefined ? seq : peer;
}

/** Statuses of failed requests, worst first. */
const BAD: readonly Status[] = ['lost', 'timeout', 'error', 'tool-error'];

/** Returns true if a frame, or the request it answers, failed or is not a message. */
export function hasFailed(log: Log, seq: number): boolean {
  const { kind, status } = log.row(seq - 1);
  return kind === 'error' || kind === 'junk' || (status !== undefined && BAD.includes(status));
}

/**
 * Returns the frame that a report is most likely about: the newest with the worst status; undefined if nothing failed.
 */
function worstFrame(log: Log, problems: readonly Problem[]): number | undefined {
  let worst: { readonly seq: number; readonly rank: number } | undefined;
  for (let seq = 1; seq <= log.size; seq++) {
    const exchange = log.exchange(seq);
    const rank = exchange ? BAD.indexOf(exchange.status) : -1;
    if (rank >= 0 && rank <= (worst?.rank ?? BAD.length)) worst = { seq, rank };
  }
  const wrong = problems.filter(({ severity }) => severity === 'error').flatMap(({ seqs }) => seqs.slice(0, 1));
  // A stray line may be the only problem, but it does not say what the recording is about.
  return worst?.seq ?? wrong.find((seq) => log.row(seq - 1).kind !== 'junk');
}
