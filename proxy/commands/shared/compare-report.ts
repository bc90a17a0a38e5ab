import type { TestCase } from '@/lib/ci/junit-xml';
import { JsonSource } from '@/lib/json/source';
import type { CallComparison, CallPair } from '@/lib/replay/compare/call-diff';
import { type ListName, missingListText } from '@/lib/replay/compare/catalogue';
import { breakingReason, type CatalogueChange } from '@/lib/replay/compare/catalogue-diff';
import {
  type Comparison,
  callName,
  comparedNothing,
  comparedText,
  compareTraffic,
  isEqual,
  summarise,
  summaryText,
  toolTokensText,
} from '@/lib/replay/compare/comparison';
import { NORMALISERS, Normaliser } from '@/lib/replay/compare/normalise';
import { holdsPlace, type PlacePattern, parsePlace } from '@/lib/replay/compare/places';
import { COMPARE_MODES, type CompareOptions, type Difference, shortJson } from '@/lib/replay/compare/value-diff';
import type { RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import { runInSlices } from '@/lib/wire/in-slices';
import { choiceOf } from '@/proxy/cli/choice';
import { closest } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import { lastValue, type ParsedOptions } from '@/proxy/cli/grammar';
import type { Line, Piece } from '@/proxy/cli/output';
import type { Status } from '@/proxy/cli/status-line';

/** The word of `--ignore` for the order of items. The others are names of normalisers. */
const ORDER = 'order';

/** Reads `--compare` and `--ignore`. Throws an ExitError. */
export function readCompareOptions(given: ParsedOptions): CompareOptions {
  const mode = choiceOf('--compare', lastValue(given, 'compare') ?? 'semantic', COMPARE_MODES);
  // A place may have commas.
  const words = (given.get('ignore') ?? []).flatMap((value) => (value.startsWith('$') ? [value] : value.split(',')));
  const places = words.filter((one) => one.startsWith('$')).map(readPlace);
  const names = words.filter((one) => !one.startsWith('$'));
  for (const name of names) requireKnown(name);
  const rows = NORMALISERS.filter(({ name, usual }) => names.includes(name) || (usual && mode === 'semantic'));
  return {
    mode,
    normaliser: new Normaliser(rows),
    ...(places.length > 0 && { ignores: (path) => places.some((place) => holdsPlace(place, path)) }),
    unordered: names.includes(ORDER),
  };
}

function readPlace(text: string): PlacePattern {
  const place = parsePlace(text);
  if (place) return place;
  throw usageError(`\`--ignore ${text}\` is not a place: write it like \`$.content[0].text\` or \`$..etag\`.`);
}

function requireKnown(name: string): void {
  const known = [ORDER, ...NORMALISERS.map((row) => row.name)];
  if (known.includes(name)) return;
  const near = closest(name, known);
  const advice = near
    ? `did you mean \`${near}\`?`
    : `choose from ${known.join(', ')}, or write a place such as $..etag.`;
  throw usageError(`Unknown \`--ignore ${name}\`: ${advice}`);
}

/** Compares two recordings, and shows how far it is. `pairs`: the calls that belong together, if known. */
export async function compareWithStatus(
  before: RecordedTraffic,
  after: RecordedTraffic,
  how: CompareOptions,
  status: Status,
  pairs?: readonly CallPair[],
): Promise<Comparison> {
  const { signal } = new AbortController();
  // In slices, so that Ctrl-C works.
  const comparison = await runInSlices(compareTraffic(before, after, how, pairs), signal, (progress) =>
    status.show([progress.what, comparedText(progress)].filter(Boolean).join(': ')),
  );
  status.end();
  return comparison!;
}

/** How many requests of a recording were sent before Ctrl-C. */
export interface InterruptedAt {
  readonly sent: number;
  readonly of: number;
}

/** Returns what programs get of a comparison. */
export function comparisonReport(comparison: Comparison, interrupted?: InterruptedAt): object {
  const { catalogue, listed, unlisted, tokens, calls } = comparison;
  return {
    equal: isEqual(comparison),
    nothingCompared: comparedNothing(comparison),
    ...(interrupted && { interrupted }),
    catalogue,
    listed,
    unlisted,
    ...tokensJson(tokens),
    calls: calls.map(({ before, after, verdict, skipped, ends, differences }) => ({
      call: callName((before ?? after)!),
      verdict,
      ...(skipped !== undefined && { why: skipped }),
      ...(before && { before: before.seq }),
      ...(after && { after: after.seq }),
      ...(ends && { ends }),
      ...(differences.length > 0 && { differences }),
    })),
  };
}

/** Returns what programs get of the tokens of the tools; null stands for an unknown number. */
export function tokensJson([before, after]: Comparison['tokens']): object {
  return { tokens: { before: before ?? null, after: after ?? null } };
}

/** Names of the two sides. `both` stands for the two of them if neither has a list. */
export type SideNames = readonly [before: string, after: string, both: string];

/** Formats a comparison for people. Equal calls are only counted. */
export function reportLines(comparison: Comparison, sides: SideNames): readonly Line[] {
  const { catalogue, calls } = comparison;
  const told = calls.filter(({ verdict }) => verdict !== 'same');
  return [
    ...catalogueLines(catalogue),
    ...unlistedLines(comparison, sides),
    ...told.flatMap((call) => callLines(call, sides)),
    summaryLine(comparison),
  ];
}

/** Names what a change is about, such as `tool echo`. */
function subjectText({ about, name }: Pick<CatalogueChange, 'about' | 'name'>): string {
  return name === '' ? about : `${about} ${name}`;
}

/** Formats changes of what servers offer. */
export function catalogueLines(changes: readonly CatalogueChange[]): readonly Line[] {
  const lines: Line[] = [];
  let subject = '';
  for (const change of changes) {
    const about = subjectText(change);
    if (about !== subject) lines.push([{ text: about, tone: 'strong' }]);
    subject = about;
    const { breaking, sentence } = change;
    lines.push(
      breaking
        ? ['  ', { text: 'breaking', tone: 'bad' }, `  ${sentence} `, { text: breakingReason(breaking), tone: 'muted' }]
        : ['  ', { text: change.change.padEnd(8), tone: 'warn' }, `  ${sentence}`],
    );
  }
  return lines;
}

/** Formats what the tools take of a model’s context before and after. */
export function tokensLines(comparison: Comparison): readonly Line[] {
  const text = toolTokensText(comparison) ?? 'Tools: tokens unknown, because neither side lists them.';
  return [[{ text, tone: 'muted' }]];
}

/** Formats which lists could not be compared. */
export function unlistedLines({ unlisted }: Comparison, sides: SideNames): readonly Line[] {
  return unlisted.map((one) => [{ text: missingListText(one, sides), tone: 'muted' }]);
}

function callLines(call: CallComparison, sides: SideNames): readonly Line[] {
  const { before, after, verdict, ends, differences, skipped } = call;
  const name: Piece = { text: callName((before ?? after)!), tone: 'strong' };
  const where = before && after ? `#${before.seq} before, #${after.seq} after` : `#${(before ?? after)!.seq}`;
  const head: Line = [name, { text: ` (frame ${where})`, tone: 'muted' }];
  if (verdict === 'skipped') return [[...head, '  ', { text: 'skipped', tone: 'warn' }, `: ${skipped}.`]];
  if (verdict !== 'different') {
    return [[...head, '  ', { text: 'only', tone: 'bad' }, ` in ${sides[verdict === 'only-before' ? 0 : 1]}`]];
  }
  return [head, ...changeLines({ ends, differences })];
}

/** Formats how two answers differ, a line each. */
export function changeLines({ ends, differences }: Pick<CallComparison, 'ends' | 'differences'>): readonly Line[] {
  return [
    ...(ends ? [['  ended differently', ...values(...ends)]] : []),
    ...differences.map((difference) => differenceLine(difference)),
  ];
}

/** Formats how two answers differ, as plain text. */
export function changeTexts(change: Pick<CallComparison, 'ends' | 'differences'>): readonly string[] {
  return changeLines(change).map((line) => textOf(line).trim());
}

const KINDS: Readonly<Record<Difference['kind'], string>> = {
  missing: 'removed',
  added: 'added',
  changed: 'changed',
  type: 'type changed',
};

function differenceLine({ kind, path, before, after }: Difference): Line {
  return ['  ', { text: KINDS[kind], tone: 'warn' }, ` ${path || 'the response'}`, ...values(before, after)];
}

function textOf(line: Line): string {
  return line.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
}

function values(before: string, after: string): readonly Piece[] {
  return [
    ': ',
    ...(before === '' ? [] : [{ text: before, tone: 'bad' } as const]),
    ...(before === '' || after === '' ? [] : [' → ']),
    ...(after === '' ? [] : [{ text: after, tone: 'good' } as const]),
  ];
}

function summaryLine(comparison: Comparison): Line {
  return [{ text: summaryText(summarise(comparison)), tone: isEqual(comparison) ? 'good' : 'bad' }];
}

/** Returns a test case for the server, for each list and for each call. */
export function comparisonCases(comparison: Comparison, sides: SideNames): readonly TestCase[] {
  return [
    ...catalogueCases(comparison),
    ...unlistedCases(comparison, sides),
    ...comparison.calls.map((call) => callCase(call, sides)),
  ];
}

/** Subjects of the changes in each list. */
const ABOUT: Readonly<Record<ListName, CatalogueChange['about']>> = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'template',
};

/** Test cases for the server and for each compared list. */
export function catalogueCases(comparison: Comparison): readonly TestCase[] {
  const { catalogue, listed } = comparison;
  const abouts = listed.map((list) => ABOUT[list]);
  const nothing = comparedNothing(comparison) ? [summaryText(summarise(comparison))] : [];
  const others = catalogue.filter(({ about }) => !abouts.includes(about)).map(changeText);
  return [
    { className: 'server', name: 'what the server is', failures: [...nothing, ...others] },
    ...listed.map((list) => ({
      className: 'server',
      name: `the list ${list}`,
      failures: catalogue.filter(({ about }) => about === ABOUT[list]).map(changeText),
    })),
  ];
}

function changeText(change: CatalogueChange): string {
  const { breaking, sentence } = change;
  return `${breaking ? 'breaking: ' : ''}${subjectText(change)}: ${sentence}${breaking ? ` ${breakingReason(breaking)}` : ''}`;
}

/** Skipped test cases for lists that were not compared. */
export function unlistedCases({ unlisted }: Comparison, sides: SideNames): readonly TestCase[] {
  return unlisted.map((one) => ({
    className: 'server',
    name: `the list ${one.list}`,
    failures: [],
    skipped: missingListText(one, sides),
  }));
}

function callCase(call: CallComparison, [first, second]: SideNames): TestCase {
  const { before, after, verdict, ends, differences, skipped } = call;
  const one = (before ?? after)!;
  const args = JsonSource.parse(one.params ?? '')?.member('arguments');
  return {
    className: one.method,
    name: `#${one.seq} ${callName(one)}${args ? ` ${shortJson(args.value)}` : ''}`,
    failures: [
      ...(verdict === 'only-before' ? [`it is only in ${first}`] : []),
      ...(verdict === 'only-after' ? [`it is only in ${second}`] : []),
      ...changeTexts({ ends, differences }),
    ],
    ...(verdict === 'skipped' && { skipped: skipped ?? '' }),
  };
}
