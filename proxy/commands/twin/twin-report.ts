import type { TestCase } from '@/lib/check/junit-xml';
import type { ListName } from '@/lib/replay/compare/catalogue';
import { comparedNothing, summarise, summaryText } from '@/lib/replay/compare/comparison';
import { countOf, formatDuration } from '@/lib/wire/format';
import type { Line, Tone } from '@/proxy/cli/output';
import {
  catalogueCases,
  catalogueLines,
  changeLines,
  changeTexts,
  unlistedCases,
  unlistedLines,
} from '../shared/compare-report';
import type { SideFacts, TwinCall, TwinResult } from './play-sides';

const SIDES = ['A', 'B', 'A or B'] as const;

/** True if something was compared, and nothing differs. */
export function isTwinEqual({ offers, calls }: TwinResult): boolean {
  const isFine = offers.catalogue.length === 0 && calls.every(({ verdict }) => verdict === 'same');
  return isFine && (calls.length > 0 || !comparedNothing(offers));
}

const TONES: Readonly<Record<TwinCall['verdict'], Tone>> = {
  same: 'good',
  changed: 'bad',
  broken: 'bad',
  skipped: 'warn',
};
const VERDICTS = Object.keys(TONES) as readonly TwinCall['verdict'][];

/** Formats the result for people. Changes read from A to B. */
export function twinLines(result: TwinResult): readonly Line[] {
  const { sides, offers, calls } = result;
  return [
    ...sides.map(sideLine),
    ...catalogueLines(offers.catalogue),
    ...unlistedLines(offers, SIDES),
    ...calls.flatMap(callLines),
    [{ text: twinSummary(result), tone: isTwinEqual(result) ? 'good' : 'bad' }],
  ];
}

const ONE: readonly (readonly [ListName, string])[] = [
  ['tools', 'tool'],
  ['resources', 'resource'],
  ['resourceTemplates', 'template'],
  ['prompts', 'prompt'],
];

function sideLine({ name, title, server, version, lists }: SideFacts): Line {
  const counts = ONE.flatMap(([list, one]) => (lists[list] === undefined ? [] : [countOf(lists[list], one)]));
  const facts = [server, version, ...counts].filter((fact) => fact !== '').join(', ');
  return [{ text: name, tone: 'strong' }, `  ${title}`, { text: `  ${facts}`, tone: 'muted' }];
}

function callLines(call: TwinCall): readonly Line[] {
  const { pin, verdict, why, ms } = call;
  const took = verdict === 'skipped' ? '' : `  ${ms.map((each) => formatDuration(each * 1000)).join(' → ')}`;
  return [
    [{ text: verdict.padEnd(8), tone: TONES[verdict] }, ` ${pin.name}`, { text: took, tone: 'muted' }],
    ...(why === undefined ? [] : [[`  ${why}`]]),
    ...changeLines(call),
  ];
}

function countVerdicts(calls: readonly TwinCall[]): Readonly<Record<TwinCall['verdict'], number>> {
  const counts = VERDICTS.map((known) => [known, calls.filter(({ verdict }) => verdict === known).length] as const);
  return Object.fromEntries(counts) as Record<TwinCall['verdict'], number>;
}

function twinSummary({ offers, calls }: TwinResult): string {
  const { same, changed, broken, skipped } = countVerdicts(calls);
  return summaryText({ ...summarise(offers), different: changed + broken, same, skipped });
}

/** Returns what programs get. */
export function twinReport(result: TwinResult): object {
  const { sides, offers, calls } = result;
  return {
    equal: isTwinEqual(result),
    sides,
    ...{ catalogue: offers.catalogue, listed: offers.listed, unlisted: offers.unlisted },
    summary: countVerdicts(calls),
    calls: calls.map(({ pin, verdict, why, ends, differences, ms }) => ({
      ...{ name: pin.name, method: pin.method, verdict, ms: ms.map((each) => Number(each.toFixed(3))) },
      ...(why !== undefined && { why }),
      ...(ends && { ends }),
      ...(differences.length > 0 && { differences }),
    })),
  };
}

/** Returns a test case for the server, for each list and for each call. */
export function twinCases({ offers, calls }: TwinResult): readonly TestCase[] {
  return [...catalogueCases(offers), ...unlistedCases(offers, SIDES), ...calls.map(callCase)];
}

function callCase(call: TwinCall): TestCase {
  const { pin, verdict, why, ms } = call;
  const isFine = verdict === 'same' || verdict === 'skipped';
  return {
    className: pin.method,
    name: pin.name,
    failures: isFine ? [] : [...(why === undefined ? [] : [why]), ...changeTexts(call)],
    ...(verdict === 'skipped' && { skipped: why ?? '' }),
    ms: ms[1],
  };
}
