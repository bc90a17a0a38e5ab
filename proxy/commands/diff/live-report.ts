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
  tokensJson,
  tokensLines,
  unlistedCases,
  unlistedLines,
} from '../shared/compare-report';
import type { Diff } from './end-diff';
import { type DiffGates, failingChanges } from './gates';
import type { SideFacts, SidesCall, SidesResult } from './play-sides';

const SIDES = ['A', 'B', 'A or B'] as const;

/** Describes how two sides differ. The test cases fail only for what the gates are about. */
export function liveDiff(title: string, result: SidesResult, gates: DiffGates): Diff {
  const { offers, calls } = result;
  return {
    title,
    facts: {
      isEqual: areEqual(result),
      comparedNothing: calls.length === 0 && comparedNothing(offers),
      breaking: summarise(offers).breaking,
      broken: countVerdicts(calls).broken,
      tokens: offers.tokens,
    },
    lines: sidesLines(result),
    json: sidesReport(result),
    cases: sidesCases(result, gates),
  };
}

/** True if something was compared, and nothing differs. */
function areEqual({ offers, calls }: SidesResult): boolean {
  const isFine = offers.catalogue.length === 0 && calls.every(({ verdict }) => verdict === 'same');
  return isFine && (calls.length > 0 || !comparedNothing(offers));
}

const TONES: Readonly<Record<SidesCall['verdict'], Tone>> = {
  same: 'good',
  changed: 'bad',
  broken: 'bad',
  skipped: 'warn',
};
const VERDICTS = Object.keys(TONES) as readonly SidesCall['verdict'][];

/** Formats the result for people. Changes read from A to B. */
function sidesLines(result: SidesResult): readonly Line[] {
  const { sides, offers, calls } = result;
  return [
    ...sides.map(sideLine),
    ...catalogueLines(offers.catalogue),
    ...unlistedLines(offers, SIDES),
    ...calls.flatMap(callLines),
    ...tokensLines(offers),
    [{ text: sidesSummary(result), tone: areEqual(result) ? 'good' : 'bad' }],
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

function callLines(call: SidesCall): readonly Line[] {
  const { pin, verdict, why, ms } = call;
  const took = verdict === 'skipped' ? '' : `  ${ms.map((each) => formatDuration(each * 1000)).join(' → ')}`;
  return [
    [{ text: verdict.padEnd(8), tone: TONES[verdict] }, ` ${pin.name}`, { text: took, tone: 'muted' }],
    ...(why === undefined ? [] : [[`  ${why}`]]),
    ...changeLines(call),
  ];
}

function countVerdicts(calls: readonly SidesCall[]): Readonly<Record<SidesCall['verdict'], number>> {
  const counts = VERDICTS.map((known) => [known, calls.filter(({ verdict }) => verdict === known).length] as const);
  return Object.fromEntries(counts) as Record<SidesCall['verdict'], number>;
}

function sidesSummary({ offers, calls }: SidesResult): string {
  const { same, changed, broken, skipped } = countVerdicts(calls);
  return summaryText({ ...summarise(offers), different: changed + broken, same, skipped });
}

/** Returns what programs get. */
function sidesReport(result: SidesResult): object {
  const { sides, offers, calls } = result;
  return {
    equal: areEqual(result),
    sides,
    ...{ catalogue: offers.catalogue, listed: offers.listed, unlisted: offers.unlisted },
    ...tokensJson(offers.tokens),
    summary: countVerdicts(calls),
    calls: calls.map(({ pin, verdict, why, ends, differences, ms }) => ({
      ...{ name: pin.name, method: pin.method, verdict, ms: ms.map((each) => Number(each.toFixed(3))) },
      ...(why !== undefined && { why }),
      ...(ends && { ends }),
      ...(differences.length > 0 && { differences }),
    })),
  };
}

function sidesCases({ offers, calls }: SidesResult, gates: DiffGates): readonly TestCase[] {
  const failing = { ...offers, catalogue: failingChanges(offers, gates) };
  return [
    ...catalogueCases(failing),
    ...unlistedCases(offers, SIDES),
    ...calls.map((call) => callCase(call, gates.onChange ? ['changed', 'broken'] : ['broken'])),
  ];
}

function callCase(call: SidesCall, failing: readonly SidesCall['verdict'][]): TestCase {
  const { pin, verdict, why, ms } = call;
  return {
    className: pin.method,
    name: pin.name,
    failures: failing.includes(verdict) ? [...(why === undefined ? [] : [why]), ...changeTexts(call)] : [],
    ...(verdict === 'skipped' && { skipped: why ?? '' }),
    ms: ms[1],
  };
}
