import { groupBy } from '@/lib/store/columns/collections';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';
import type { RecordingSummary, ToolSummary } from '../recording-summary';
import { compareTimes, errorRate, sameRates } from '../statistics';
import { quantileUs, TimeBuckets, type Times } from '../time-buckets';
import { newestVersions } from './newest-versions';
import {
  type AnswerRow,
  MOST_SOURCES,
  percent,
  type QuestionOptions,
  type ReportedRecording,
  type ReportQuestion,
  type Source,
  sourceOf,
  summaryServer,
} from './question';

/** Share of reports in which chance alone makes a regression. Divided among all that is compared (Bonferroni). */
const CHANCE = 0.05;
/** Fewest calls on each side to compare times or errors. Fewer differ by chance alone. */
const FEWEST_CALLS = 8;
/** By how much the median must grow. Buckets are 19 % wide. */
const SLOWER = 1.19;

/** Recordings of one server before and after. */
interface Pair {
  readonly server: string;
  readonly names: readonly [string, string];
  readonly before: readonly ReportedRecording[];
  readonly after: readonly ReportedRecording[];
}

export const REGRESSIONS: ReportQuestion = {
  id: 'regressions',
  title: 'Regressions',
  about:
    'Tools that got slower, fail more often or are gone, and findings that are new. “Chance” is the p-value: how often such a difference, or a larger one, comes up between recordings that are alike. Listed if it is below 5% divided by the number of comparisons.',
  columns: [
    { title: 'Server' },
    { title: 'What' },
    { title: 'Change' },
    { title: 'Before', isNumber: true },
    { title: 'After', isNumber: true },
    { title: 'Calls', isNumber: true },
    { title: 'Chance', isNumber: true },
  ],
  empty: 'No regression found',
  answer: (recordings, asked) => {
    const pairs = pairsOf(recordings, asked);
    if (pairs.length === 0) return { rows: [], ...nothingToCompare(asked) };
    const tests = pairs.flatMap(testsOf);
    const found = tests
      .filter(({ chance }) => chance < CHANCE / tests.length)
      .sort((a, b) => a.chance - b.chance)
      .map(({ row }) => row);
    return {
      rows: [...found, ...pairs.flatMap(goneTools), ...pairs.flatMap(newFindings)],
      basis: basisOf(pairs, tests),
    };
  },
};

function nothingToCompare({ compare }: QuestionOptions) {
  return {
    comparedNothing: true as const,
    basis: 'Nothing to compare',
    empty: compare
      ? `No server has recordings of both ${compare[0]} and ${compare[1]}`
      : 'No server has recordings of two versions',
  };
}

function basisOf(pairs: readonly Pair[], tests: readonly Test[]): string {
  const sides = pairs.map(
    ({ server, names: [one, other], before, after }) =>
      `${server}: before ${one} (${countOf(before.length, 'recording')}), after ${other} (${formatCount(after.length)})`,
  );
  const more = sides.length > 3 ? `, and ${countOf(sides.length - 3, 'more server')}` : '';
  return `${sides.slice(0, 3).join('; ')}${more}. ${countOf(tests.length, 'comparison')} with ${FEWEST_CALLS} calls or more on each side`;
}

/** Returns the recordings to compare, by server. */
function pairsOf(recordings: readonly ReportedRecording[], { compare }: QuestionOptions): readonly Pair[] {
  return [...groupBy(recordings, ({ summary }) => summaryServer(summary))].flatMap(([server, all]): Pair[] => {
    const names = compare ?? newestVersions(all);
    if (!names) return [];
    const [before, after] = names.map((name) =>
      all.filter(({ summary }) => (compare ? isNamed(summary, name) : summary.server.version === name)),
    ) as [ReportedRecording[], ReportedRecording[]];
    return before.length === 0 || after.length === 0 ? [] : [{ server, names, before, after }];
  });
}

/** Returns true if this is the recording's commit, or the start of it, the server's version or a tag. */
function isNamed({ commit, server, tags }: RecordingSummary, name: string): boolean {
  return (
    (name.length >= SHORTEST_COMMIT && commit?.startsWith(name.toLowerCase()) === true) ||
    server.version === name ||
    tags.includes(name)
  );
}

/** Characters of the shortest start of a commit's hash. Git asks for four. */
const SHORTEST_COMMIT = 4;

/** A comparison, and the row to show if chance does not explain it. */
interface Test {
  readonly chance: number;
  readonly row: AnswerRow;
}

interface Use {
  readonly recording: ReportedRecording;
  readonly tool: ToolSummary;
}

function toolsIn(recordings: readonly ReportedRecording[]): Map<string, Use[]> {
  return groupBy(
    recordings.flatMap((recording) => recording.summary.tools.map((tool): Use => ({ recording, tool }))),
    ({ tool }) => tool.name,
  );
}

function testsOf(pair: Pair): readonly Test[] {
  const [before, after] = [toolsIn(pair.before), toolsIn(pair.after)];
  return [...after].flatMap(([name, uses]) => {
    const earlier = before.get(name);
    return earlier
      ? [slower(pair, name, earlier, uses), failing(pair, name, earlier, uses)].filter((test) => !!test)
      : [];
  });
}

function slower({ server }: Pair, name: string, before: readonly Use[], after: readonly Use[]): Test | undefined {
  const sides = [before, after].map((uses) => uses.map(({ tool }): Times => tool.times ?? []));
  const merged = sides.map((times) => {
    const buckets = new TimeBuckets();
    for (const each of times) buckets.addAll(each);
    return buckets.times;
  });
  const calls = merged.map((times) => times.reduce((sum, [, count]) => sum + count, 0));
  if (calls.some((count) => count < FEWEST_CALLS)) return undefined;
  const { same, longer } = compareTimes(sides[0]!, sides[1]!)!;
  const [from, to] = merged.map((times) => quantileUs(times, 0.5)!) as [number, number];
  const isSlower = longer > 0.5 && to >= from * SLOWER;
  return {
    // A tool that did not get slower was compared too, so it counts among the comparisons.
    chance: isSlower ? same : 1,
    row: {
      cells: [
        server,
        name,
        `p50 ${(to / from).toFixed(1)}× as long`,
        formatDuration(from),
        formatDuration(to),
        callsText(calls),
        chanceText(same),
      ],
      facts: {
        server,
        tool: name,
        kind: 'slower',
        beforeMs: from / 1000,
        afterMs: to / 1000,
        callsBefore: calls[0],
        callsAfter: calls[1],
        chance: same,
        longer,
      },
      ...sourcesOf(before, after, ({ tool }) => tool.slowest, 'slowest call'),
    },
  };
}

function failing({ server }: Pair, name: string, before: readonly Use[], after: readonly Use[]): Test | undefined {
  const sides = [before, after].map((uses) =>
    uses.map(({ tool: { calls, errors, unfinished = 0 } }) => ({ calls: calls - unfinished, errors })),
  );
  const [one, other] = sides.map(errorRate);
  if (!one || !other || one.calls < FEWEST_CALLS || other.calls < FEWEST_CALLS) return undefined;
  const chance = sameRates(sides[0]!, sides[1]!)!;
  return {
    chance: other.share > one.share ? chance : 1,
    row: {
      cells: [
        server,
        name,
        'fails more often',
        percent(one.share),
        percent(other.share),
        callsText([one.calls, other.calls]),
        chanceText(chance),
      ],
      facts: {
        server,
        tool: name,
        kind: 'errors',
        before: one.share,
        after: other.share,
        callsBefore: one.calls,
        callsAfter: other.calls,
        chance,
      },
      ...sourcesOf(before, after, ({ tool }) => tool.failed, 'first failed call'),
    },
  };
}

/** Names recordings of both sides: those after that have such a frame first, then one before. */
function sourcesOf(
  before: readonly Use[],
  after: readonly Use[],
  frameOf: (use: Use) => number | undefined,
  what: string,
): Pick<AnswerRow, 'sources' | 'recordings' | 'tone'> {
  const named = (use: Use): Source => sourceOf(use.recording, frameOf(use), what);
  const telling = after.toSorted((a, b) => Number(frameOf(a) === undefined) - Number(frameOf(b) === undefined));
  return {
    sources: [...telling.slice(0, MOST_SOURCES - 1), ...before.slice(0, 1)].map(named),
    recordings: before.length + after.length,
    // How much sessions differ anyway does not show in one of them.
    ...((before.length < 2 || after.length < 2) && { tone: 'unsure' }),
  };
}

/** Finds tools that were listed in every recording before and in none after. */
function goneTools({ server, before, after }: Pair): readonly AnswerRow[] {
  // Without a list, nothing is known to be gone.
  const listing = after.filter(({ summary }) => summary.tools.length > 0 && summary.toolsLeftOut === undefined);
  if (listing.length === 0) return [];
  const there = new Set(listing.flatMap(({ summary }) => summary.tools.filter(isListed).map(({ name }) => name)));
  if (there.size === 0) return [];
  return [...toolsIn(before)]
    .filter(([name, uses]) => !there.has(name) && uses.some(({ tool }) => isListed(tool)))
    .map(([name, uses]) => ({
      cells: [server, name, 'is no longer listed', 'listed', 'gone', '', ''],
      facts: { server, tool: name, kind: 'gone' },
      sources: [...listing.slice(0, MOST_SOURCES - 1), uses[0]!.recording].map((each) => sourceOf(each)),
      recordings: before.length + after.length,
    }));
}

const isListed = ({ unlisted }: ToolSummary) => unlisted !== true;

/** Finds rules with findings after and none before. */
function newFindings({ server, before, after }: Pair): readonly AnswerRow[] {
  const known = new Set(before.flatMap(({ summary }) => summary.problems.map(({ rule }) => rule)));
  const found = groupBy(
    after.flatMap((recording) => recording.summary.problems.map((problem) => ({ recording, problem }))),
    ({ problem }) => problem.rule,
  );
  return [...found]
    .filter(([rule, uses]) => !known.has(rule) && uses[0]!.problem.severity !== 'info')
    .map(([rule, uses]) => {
      const count = uses.reduce((sum, { problem }) => sum + problem.count, 0);
      return {
        cells: [server, rule, 'new finding', '0', formatCount(count), '', ''],
        facts: { server, rule, kind: 'finding', severity: uses[0]!.problem.severity, count },
        sources: uses.slice(0, MOST_SOURCES).map(({ recording }) => sourceOf(recording)),
        recordings: before.length + after.length,
      };
    });
}

function callsText(calls: readonly number[]): string {
  return calls.map(formatCount).join(' → ');
}

function chanceText(chance: number): string {
  return chance < 0.0001 ? '<0.01%' : percent(chance);
}
