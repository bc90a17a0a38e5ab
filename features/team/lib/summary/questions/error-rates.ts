import { groupBy } from '@/lib/store/columns/collections';
import { countOf, formatCount } from '@/lib/wire/format';
import type { FailureSummary, RecordingSummary } from '../recording-summary';
import { type CallCounts, errorRate } from '../statistics';
import {
  type AnswerRow,
  MOST_SOURCES,
  newestFirst,
  percent,
  type ReportedRecording,
  type ReportQuestion,
  sourceOf,
  summaryServer,
} from './question';

export const ERROR_RATES: ReportQuestion = {
  id: 'error-rates',
  title: 'Error rates by server version',
  about:
    'Requests that failed: protocol errors, tool errors, timeouts and lost answers. Requests that the client cancelled do not count. The interval holds with 95% confidence, and is wider if recordings differ.',
  columns: [
    { title: 'Server' },
    { title: 'Version' },
    { title: 'Requests', isNumber: true },
    { title: 'Errors', isNumber: true },
    { title: 'Rate', isNumber: true },
    { title: 'Rate between', isNumber: true },
    { title: 'Most frequent error' },
  ],
  empty: 'No request was answered',
  answer: (recordings) => {
    const asked = recordings.filter(({ summary }) => trialsOf(summary).calls > 0);
    const servers = [...groupBy(asked, ({ summary }) => summaryServer(summary)).values()];
    const rows = servers
      .sort((a, b) => shareOf(b) - shareOf(a))
      .flatMap((ofServer) =>
        [...groupBy(ofServer, ({ summary }) => summary.server.version ?? '').values()]
          .sort((a, b) => newestFirst(newest(a), newest(b)))
          .map(rowOf),
      );
    const calls = asked.reduce((sum, { summary }) => sum + trialsOf(summary).calls, 0);
    return { rows, basis: `${countOf(calls, 'finished request')} in ${countOf(asked.length, 'recording')}` };
  },
};

function shareOf(recordings: readonly ReportedRecording[]): number {
  return errorRate(recordings.map(({ summary }) => trialsOf(summary)))?.share ?? 0;
}

/** Requests that count: those that were answered or failed. */
function trialsOf({ requests: { calls, errors, unfinished = 0 } }: Pick<RecordingSummary, 'requests'>): CallCounts {
  return { calls: calls - unfinished, errors };
}

function newest(recordings: readonly ReportedRecording[]): string {
  return recordings.reduce((latest, { summary: { at } }) => (at > latest ? at : latest), '');
}

function rowOf(recordings: readonly ReportedRecording[]): AnswerRow {
  const rate = errorRate(recordings.map(({ summary }) => trialsOf(summary)))!;
  const { summary } = recordings[0]!;
  const [server, version] = [summaryServer(summary), summary.server.version];
  const failure = mostFrequent(recordings);
  const failing = recordings
    .filter((each) => each.summary.requests.errors > 0)
    .sort((a, b) => b.summary.requests.errors - a.summary.requests.errors);
  return {
    cells: [
      server,
      version ?? '(none)',
      formatCount(rate.calls),
      formatCount(rate.errors),
      percent(rate.share),
      `${percent(rate.from)} – ${percent(rate.to)}`,
      failure ? failureText(failure) : '',
    ],
    facts: { server, version, ...rate, ...(failure && { failure }) },
    sources: (failing.length > 0 ? failing : recordings).slice(0, MOST_SOURCES).map((each) => {
      const such = failure && each.summary.failures.find((one) => wayOf(one) === wayOf(failure));
      return such
        ? sourceOf(each, such.frame, 'first such error')
        : sourceOf(each, each.summary.failures[0]?.frame, 'first of its most frequent errors');
    }),
    recordings: recordings.length,
  };
}

type Failure = Omit<FailureSummary, 'frame'>;

/** Returns the failure that the summaries count most often. */
function mostFrequent(recordings: readonly ReportedRecording[]): Failure | undefined {
  const ways = new Map<string, { failure: Failure; count: number }>();
  for (const { frame: _, ...failure } of recordings.flatMap(({ summary }) => summary.failures)) {
    const key = wayOf(failure);
    const known = ways.get(key);
    if (known) known.count += failure.count;
    else ways.set(key, { failure, count: failure.count });
  }
  const [most] = [...ways.values()].sort((a, b) => b.count - a.count);
  return most && { ...most.failure, count: most.count };
}

function wayOf({ method, name, code }: Failure): string {
  return JSON.stringify([method, name, code]);
}

const WORDS: Readonly<Record<string, string>> = { 'tool-error': 'tool error', lost: 'no answer' };

function failureText({ method, name, code, message, count }: Failure): string {
  const what = method === 'tools/call' && name !== undefined ? name : name === undefined ? method : `${method} ${name}`;
  return `${what}: ${WORDS[code] ?? code}${message === undefined ? '' : `, ${message}`} (${formatCount(count)}×)`;
}
