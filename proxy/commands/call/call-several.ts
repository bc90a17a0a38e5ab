import { createHash } from 'node:crypto';
import { canonicalSource } from '@/lib/json/canonical';
import { JsonSource } from '@/lib/json/source';
import { isObject, own } from '@/lib/json/value';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';
import { singlesText, spreadOf } from '@/lib/wire/spread';
import { EXIT, type ExitCode, ExitError, usageError } from '@/proxy/cli/exit-code';
import { lastValue, type ParsedOptions, readCountOption } from '@/proxy/cli/grammar';
import { LateError, TimeOverError } from '../headless/late-error';
import { missingCapabilityAdvice } from '../headless/missing-capability';
import { type ConnectedServer, lostExitCode } from '../headless/on-server';
import type { ServerAnswer } from '../headless/server-connection';

/** Most calls of one command, and most of them in flight at a time. */
const MOST_CALLS = 100_000;
const MOST_JOBS = 1000;

/** How many calls, and how many at a time. */
interface CallPlan {
  readonly times: number;
  readonly jobs: number;
}

/** Reads `--times` and `--jobs`; undefined without `--times`. Throws an ExitError. */
export function readCallPlan(given: ParsedOptions): CallPlan | undefined {
  const [times, jobs] = [lastValue(given, 'times'), lastValue(given, 'jobs')];
  if (times === undefined) {
    if (jobs === undefined) return undefined;
    throw usageError('`--jobs` needs `--times N`: it says how many of the N calls are in flight at a time.');
  }
  return { times: readCountOption('times', times, MOST_CALLS), jobs: readCountOption('jobs', jobs ?? '1', MOST_JOBS) };
}

/** How one call went. */
type Outcome = 'ok' | 'isError' | 'input_required' | 'error' | 'timeout' | 'lost';

/** Words of the summary, and the exit code if a call went like that. The first row that occurs decides. */
const OUTCOMES: readonly (readonly [outcome: Outcome, words: string, code: ExitCode])[] = [
  ['lost', 'lost', EXIT.noConnection],
  ['error', 'error', EXIT.serverError],
  ['isError', 'isError', EXIT.serverError],
  ['input_required', 'input required', EXIT.serverError],
  ['timeout', 'timed out', EXIT.timeout],
  ['ok', 'ok', EXIT.fine],
];

const NO_META: ReadonlySet<string> = new Set(['_meta']);

/**
 * Calls a tool several times, and prints a line of JSON for each call as it ends. Prints on stderr how the calls went,
 * how long they took, and how many different answers there were. Stops at the first call that can't be sent, and when
 * the time is over.
 */
export async function callSeveral(
  server: ConnectedServer,
  params: string,
  { times, jobs }: CallPlan,
): Promise<ExitCode> {
  const { connection, out } = server;
  const counts = new Map<Outcome, number>();
  const answers = new Map<string, number>();
  const took: number[] = [];
  let advice: string | undefined;
  let sent = 0;
  let done = 0;
  /** Why no more calls are made. */
  let ended: 'lost' | 'time' | undefined;
  let lostCode: ExitCode = EXIT.noConnection;
  const begun = performance.now();
  const note = (call: number, outcome: Outcome, ms: number, member: string) => {
    done++;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    out.printExact(`{"call":${call},"outcome":"${outcome}","ms":${Number(ms.toFixed(3))}${member}}`);
    out.status.show(`${done} of ${countOf(times, 'call')} done… Ctrl-C cancels`);
  };
  const callOnce = async (call: number): Promise<void> => {
    const from = performance.now();
    try {
      const answer = await connection.request('tools/call', params);
      const ms = performance.now() - from;
      took.push(ms * 1000);
      if (answer.kind === 'error') advice ??= missingCapabilityAdvice(answer.error, true);
      const text = answer.kind === 'result' ? answer.text : JSON.stringify(answer.error);
      const key = digest(text);
      answers.set(key, (answers.get(key) ?? 0) + 1);
      note(call, outcomeOf(answer), ms, `,"${answer.kind}":${text.replace(/[\r\n]/g, ' ')}`);
    } catch (error) {
      if (error instanceof TimeOverError) {
        ended ??= 'time';
        return;
      }
      const ms = performance.now() - from;
      const isLate = error instanceof ExitError && error.exitCode === EXIT.timeout;
      if (!isLate) ended = 'lost';
      if (!isLate) lostCode = lostExitCode(error);
      const why = isLate ? error : await server.explain(error);
      const message = lateSentence(error, ms) ?? (why instanceof Error ? why.message : String(why));
      note(call, isLate ? 'timeout' : 'lost', ms, `,"message":${JSON.stringify(message)}`);
    }
  };
  const work = async (): Promise<void> => {
    while (ended === undefined && sent < times) await callOnce(++sent);
  };
  await Promise.all(Array.from({ length: Math.min(jobs, times) }, work));
  out.status.end();
  const seconds = (performance.now() - begun) / 1000;
  for (const line of summary(counts, took, answers, seconds)) out.printNote('mcp-inspect', line);
  if (advice !== undefined) out.printNote('mcp-inspect', advice);
  const left = times - done;
  if (left > 0) out.printNote('mcp-inspect', `${formatCount(left)} not made: ${WHY_ENDED[ended!]}.`);
  const worst = OUTCOMES.find(([outcome]) => counts.has(outcome))?.[2] ?? EXIT.fine;
  const code = worst === EXIT.noConnection ? lostCode : worst;
  return left > 0 && code === EXIT.fine ? EXIT.timeout : code;
}

/** The time of `--timeout` is for the whole command, so a call may have had little of it. */
function lateSentence(error: unknown, ms: number): string | undefined {
  if (!(error instanceof LateError) || error.option !== '--timeout') return undefined;
  return `Stopped after ${formatDuration(ms * 1000)}: ${WHY_ENDED.time}.`;
}

const WHY_ENDED = {
  lost: 'a call could not be sent or was lost',
  time: 'the time of `--timeout` was over',
} as const;

function summary(
  counts: ReadonlyMap<Outcome, number>,
  took: readonly number[],
  answers: ReadonlyMap<string, number>,
  seconds: number,
): string[] {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const parts = OUTCOMES.filter(([outcome]) => counts.has(outcome)).map(([outcome, words]) => {
    const count = counts.get(outcome)!;
    return outcome === 'error' ? countOf(count, words) : `${count} ${words}`;
  });
  const spread = spreadOf(took);
  const [most = 0, ...others] = [...answers.values()].sort((a, b) => b - a);
  const differ = others.reduce((sum, count) => sum + count, 0);
  return [
    `${countOf(total, 'call')} in ${seconds.toFixed(2)} s: ${parts.reverse().join(', ')}.`,
    ...(spread
      ? [
          spread.singles
            ? `Durations: ${singlesText(spread.singles)}.`
            : `Durations: min ${formatDuration(spread.min)}, median ${formatDuration(spread.median)}, p95 ${formatDuration(spread.p95)}, max ${formatDuration(spread.max)}.`,
        ]
      : []),
    ...(differ > 0 ? [`Answers: ${most} equal, ${differ} differ (${countOf(answers.size, 'kind')}).`] : []),
    ...(differ === 0 && most > 1 ? ['All answers are equal.'] : []),
  ];
}

function outcomeOf(answer: ServerAnswer): Outcome {
  if (answer.kind === 'error') return 'error';
  const { result } = answer;
  if (!isObject(result)) return 'error';
  if (own(result, 'resultType') === 'input_required') return 'input_required';
  return own(result, 'isError') === true ? 'isError' : 'ok';
}

/** Returns the same digest for equal JSON in any spelling, without `_meta`. */
function digest(text: string): string {
  const source = JsonSource.parse(text);
  return createHash('sha256')
    .update(source ? canonicalSource(source, NO_META) : text)
    .digest('base64');
}
