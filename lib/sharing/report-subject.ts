import { invalidResult } from '@/lib/problems/invalid-result';
import type { Problem } from '@/lib/problems/problem';
import type { Log } from '@/lib/store/log';
import type { RowStatus } from '@/lib/store/rows/row';
import { AUTOMATIC_METHODS } from './automatic-methods';
import { failedFrame, notedFrames } from './opening-frame';

/** The frames of a report, by seq. */
export interface ReportSubject {
  /** The frame in the title, where the steps lead; undefined if nothing stands out. */
  readonly main: number | undefined;
  /** One frame of each exchange to show, or a frame without an exchange; in order. */
  readonly shown: readonly number[];
}

/**
 * Selects the frames to report: the chosen frame, else the frames with a note or bookmark (the last is the main frame),
 * else the failure that a shared page opens on. With a `range` of first and last seq, all its exchanges are shown.
 */
export function reportSubject(
  log: Log,
  problems: readonly Problem[],
  chosen: number | undefined,
  range: readonly [first: number, last: number] | undefined,
): ReportSubject {
  if (chosen !== undefined) return { main: chosen, shown: [chosen] };
  const noted = notedFrames(log);
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
export function exchangeOf(log: Log, seq: number): number {
  const { kind, peer } = log.row(seq - 1);
  return kind === 'request' || peer === undefined ? seq : peer;
}

const FAILED: ReadonlySet<RowStatus | undefined> = new Set<RowStatus>(['lost', 'timeout', 'error', 'tool-error']);

/** Returns true if a frame, or the request it answers, failed or is not a message. */
export function isFailedFrame(log: Log, seq: number): boolean {
  const { kind, status } = log.row(seq - 1);
  return kind === 'error' || kind === 'junk' || FAILED.has(status);
}

/** Returns the frame that a report is most likely about: the worst failure, else that of a problem. */
function worstFrame(log: Log, problems: readonly Problem[]): number | undefined {
  const invalid = new Set(problems.flatMap((problem) => (invalidResult([problem]) ? problem.seqs : [])));
  const wrong = problems.filter(({ severity }) => severity === 'error').flatMap(({ seqs }) => seqs.slice(0, 1));
  // A stray line may be the only problem, but it does not say what the recording is about.
  return failedFrame(log, (seq) => invalid.has(seq)) ?? wrong.find((seq) => log.row(seq - 1).kind !== 'junk');
}
