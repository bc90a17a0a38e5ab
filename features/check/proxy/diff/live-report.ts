import type { TestCase } from '@/lib/ci/junit-xml';
import type { ListName } from '@/lib/replay/compare/catalogue';
import { comparedNothing, summarise, summaryText } from '@/lib/replay/compare/comparison';
import { countOf } from '@/lib/wire/format';
import type { Line } from '@/proxy/cli/output';
import {
  catalogueCases,
  catalogueLines,
  tokensJson,
  tokensLines,
  unlistedCases,
  unlistedLines,
} from '@/proxy/commands/shared/compare-report';
import { callCase, callLines, callReport, countVerdicts } from '../verdict-report';
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
      broken: countVerdicts(calls, VERDICTS).broken,
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

const VERDICTS: readonly SidesCall['verdict'][] = ['same', 'changed', 'broken', 'skipped'];

/** Formats the result for people. Changes read from A to B. */
function sidesLines(result: SidesResult): readonly Line[] {
  const { sides, offers, calls } = result;
  return [
    ...sides.map(sideLine),
    ...catalogueLines(offers.catalogue),
    ...unlistedLines(offers, SIDES),
    ...calls.flatMap((call) => callLines(call)),
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

function sidesSummary({ offers, calls }: SidesResult): string {
  const { same, changed, broken, skipped } = countVerdicts(calls, VERDICTS);
  return summaryText({ ...summarise(offers), different: changed + broken, same, skipped });
}

/** Returns what programs get. */
function sidesReport(result: SidesResult): object {
  const { sides, offers, calls } = result;
  return {
    equal: areEqual(result),
    sides,
    catalogue: offers.catalogue,
    listed: offers.listed,
    unlisted: offers.unlisted,
    ...tokensJson(offers.tokens),
    summary: countVerdicts(calls, VERDICTS),
    calls: calls.map((call) => ({ ...callReport(call), ms: call.ms.map((each) => Number(each.toFixed(3))) })),
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
