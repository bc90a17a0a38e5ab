import type { CallComparison } from '@/lib/compare/call-diff';
import type { ListName } from '@/lib/compare/catalogue';
import { breakingWords, type CatalogueChange } from '@/lib/compare/catalogue-diff';
import { type Comparison, callName, comparedNothing } from '@/lib/compare/compare-sessions';
import { shownValue } from '@/lib/compare/shown-value';
import { summaryOf, summaryText } from '@/lib/compare/summary';
import { unlistedText } from '@/lib/compare/unlisted';
import { JsonSource } from '@/lib/wire/json-source';
import { differenceText, endsText, type Sides, subjectText } from './report';

/** A test case: what it is of, and why it fails, or was left out. */
interface Case {
  readonly className: string;
  readonly name: string;
  readonly failures: readonly string[];
  readonly skipped?: string;
}

/** A comparison as JUnit XML: a test case for what the server is, one for each list, compared or not, and one for each call. */
export function junitXml(comparison: Comparison, sides: Sides, suite: string): string {
  const cases = [
    ...catalogueCases(comparison),
    ...unlistedCases(comparison, sides),
    ...comparison.calls.map((call) => callCase(call, sides)),
  ];
  const failures = cases.filter((one) => one.failures.length > 0).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mcp-inspect" ${counts}>`,
    `  <testsuite name="${escaped(suite)}" ${counts}>`,
    ...cases.map(caseXml),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** What changes of each list are about. */
const ABOUT: Readonly<Record<ListName, CatalogueChange['about']>> = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'template',
};

/** One of what the server is, and one of each list that was compared. */
function catalogueCases(comparison: Comparison): readonly Case[] {
  const { catalogue, listed } = comparison;
  const abouts = listed.map((list) => ABOUT[list]);
  const nothing = comparedNothing(comparison) ? [summaryText(summaryOf(comparison))] : [];
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
  return `${breaking ? 'breaking: ' : ''}${subjectText(change)}: ${sentence}${breaking ? ` ${breakingWords(breaking)}` : ''}`;
}

function unlistedCases({ unlisted }: Comparison, sides: Sides): readonly Case[] {
  return unlisted.map((one) => ({
    className: 'server',
    name: `the list ${one.list}`,
    failures: [],
    skipped: unlistedText(one, sides),
  }));
}

function callCase(call: CallComparison, [first, second]: Sides): Case {
  const { before, after, verdict, ends, differences, skipped } = call;
  const one = (before ?? after)!;
  const args = JsonSource.parse(one.params ?? '')?.member('arguments');
  return {
    className: one.method,
    name: `#${one.seq} ${callName(one)}${args ? ` ${shownValue(args.value)}` : ''}`,
    failures: [
      ...(verdict === 'only-before' ? [`it is only in ${first}`] : []),
      ...(verdict === 'only-after' ? [`it is only in ${second}`] : []),
      ...(ends ? [endsText(ends)] : []),
      ...differences.map(differenceText),
    ],
    ...(verdict === 'skipped' && { skipped: skipped ?? '' }),
  };
}

function caseXml({ className, name, failures, skipped }: Case): string {
  const start = `    <testcase classname="${escaped(className)}" name="${escaped(name)}"`;
  if (skipped !== undefined) return `${start}><skipped message="${escaped(skipped)}"/></testcase>`;
  const [first] = failures;
  if (first === undefined) return `${start}/>`;
  return `${start}><failure message="${escaped(first)}">${escaped(failures.join('\n'))}</failure></testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
  '\r': '&#13;',
};

/** Text for XML 1.0: what no document may have, not even escaped, becomes U+FFFD. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?![\n\t\r])[\p{Cc}\ufffe\uffff]/gu, '\uFFFD')
    .replace(/[&<>"'\n\t\r]/g, (character) => ENTITIES[character]!);
}
