import { groupBy } from '@/lib/store/columns/collections';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';
import { singlesText } from '@/lib/wire/spread';
import type { ToolSummary } from '../recording-summary';
import { callsIn, quantileInterval, quantileUs, singlesOf, TimeBuckets } from '../time-buckets';
import {
  type AnswerRow,
  MOST_SOURCES,
  type ReportedRecording,
  type ReportQuestion,
  sourceOf,
  summaryServer,
} from './question';

/** A tool in one recording. */
interface Use {
  readonly recording: ReportedRecording;
  readonly tool: ToolSummary;
}

export const SLOWEST_TOOLS: ReportQuestion = {
  id: 'slowest-tools',
  title: 'Slowest tools',
  about:
    'Time from call to answer at the tap, without the time that people took. p50 and p95 are within 9%. The interval of p95 holds with 95% confidence and needs about 75 calls. Tools with fewer than 8 calls come last; of fewer than 5, each time is shown.',
  columns: [
    { title: 'Tool' },
    { title: 'Server' },
    { title: 'Calls', isNumber: true },
    { title: 'p50', isNumber: true },
    { title: 'p95', isNumber: true },
    { title: 'p95 between', isNumber: true },
    { title: 'Longest', isNumber: true },
  ],
  empty: 'No tool was called',
  answer: (recordings) => {
    const uses = recordings.flatMap((recording) =>
      recording.summary.tools.filter(({ times }) => times).map((tool): Use => ({ recording, tool })),
    );
    const rows = [
      ...groupBy(uses, ({ recording, tool }) => JSON.stringify([summaryServer(recording.summary), tool.name])),
    ]
      .map(([, group]) => rowOf(group))
      .sort((a, b) => Number(a.tone === 'unsure') - Number(b.tone === 'unsure') || p95(b) - p95(a));
    const calls = uses.reduce((sum, { tool }) => sum + callsIn(tool.times!), 0);
    return { rows, basis: `${countOf(calls, 'answered call')} of ${countOf(rows.length, 'tool')}` };
  },
};

const p95 = ({ facts }: AnswerRow) => facts.p95Ms as number;

function rowOf(uses: readonly Use[]): AnswerRow {
  const buckets = new TimeBuckets();
  for (const { tool } of uses) buckets.addAll(tool.times!);
  const { times } = buckets;
  const [p50Us, p95Us] = [quantileUs(times, 0.5)!, quantileUs(times, 0.95)!];
  const interval = quantileInterval(times, 0.95);
  const slowest = uses.toSorted((a, b) => (b.tool.maxMs ?? 0) - (a.tool.maxMs ?? 0));
  const maxMs = slowest[0]!.tool.maxMs ?? 0;
  const [name, server] = [uses[0]!.tool.name, summaryServer(uses[0]!.recording.summary)];
  const calls = callsIn(times);
  // The middle of a bucket can lie beyond the longest call in it.
  const shown = (us: number) => formatDuration(Math.min(us, maxMs * 1000));
  const singles = singlesOf(
    uses.map(({ tool }) => tool),
    times,
  );
  const figures = singles ? [singlesText(singles.map((ms) => ms * 1000)), ''] : [shown(p50Us), shown(p95Us)];
  return {
    cells: [
      name,
      server,
      formatCount(calls),
      ...figures,
      interval ? `${formatDuration(interval.fromUs)} – ${shown(interval.toUs)}` : 'too few calls',
      formatDuration(maxMs * 1000),
    ],
    facts: {
      tool: name,
      server,
      calls,
      maxMs,
      p50Ms: Math.min(p50Us / 1000, maxMs),
      p95Ms: Math.min(p95Us / 1000, maxMs),
      ...(interval && { p95FromMs: interval.fromUs / 1000, p95ToMs: Math.min(interval.toUs / 1000, maxMs) }),
    },
    ...(!quantileInterval(times, 0.5) && { tone: 'unsure' }),
    sources: slowest
      .slice(0, MOST_SOURCES)
      .map(({ recording, tool }) => sourceOf(recording, tool.slowest, 'slowest call')),
    recordings: uses.length,
  };
}
