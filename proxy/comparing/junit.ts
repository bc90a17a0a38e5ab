import type { CallComparison } from '@/lib/compare/call-diff';
import { breakingWords } from '@/lib/compare/catalogue-diff';
import { type Comparison, callName, comparedNothing } from '@/lib/compare/compare-sessions';
import { shownValue } from '@/lib/compare/shown-value';
import { summaryOf, summaryText } from '@/lib/compare/summary';
import { unlistedText } from '@/lib/compare/unlisted';
import { JsonSource } from '@/lib/wire/json-source';
import { type Sides, subjectText } from './report';

/** A test case: what it is of, and why it fails, or was left out. */
interface Case {
  readonly className: string;
  readonly name: string;
  readonly failures: readonly string[];
  readonly skipped?: string;
}

/** A comparison as JUnit XML: a test case for what the server is and offers, and one for each list that was not compared and each call. */
export function junitXml(comparison: Comparison, sides: Sides, suite: string): string {
  const cases = [catalogueCase(comparison), ...unlistedCases(comparison, sides), ...comparison.calls.map(callCase)];
  const failures = cases.filter((one) => one.failures.length > 0).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mcp-inspect verify" ${counts}>`,
    `  <testsuite name="${escaped(suite)}" ${counts}>`,
    ...cases.map(caseXml),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function catalogueCase(comparison: Comparison): Case {
  const { catalogue, listed, unlisted } = comparison;
  const about = { className: 'server', name: 'what the server is and offers' };
  if (comparedNothing(comparison)) return { ...about, failures: [summaryText(summaryOf(comparison))] };
  const skipped = catalogue.length + listed.length === 0 && unlisted.length > 0;
  return {
    ...about,
    ...(skipped && { skipped: 'No list was compared.' }),
    failures: catalogue.map((change) => {
      const { breaking, sentence } = change;
      return `${breaking ? 'breaking: ' : ''}${subjectText(change)}: ${sentence}${breaking ? ` ${breakingWords(breaking)}` : ''}`;
    }),
  };
}

function unlistedCases({ unlisted }: Comparison, sides: Sides): readonly Case[] {
  return unlisted.map((one) => ({
    className: 'server',
    name: `the list ${one.list}`,
    failures: [],
    skipped: unlistedText(one, sides),
  }));
}

function callCase(call: CallComparison): Case {
  const { before, after, verdict, ends, differences, skipped } = call;
  const one = (before ?? after)!;
  const args = JsonSource.parse(one.params ?? '')?.member('arguments');
  return {
    className: one.method,
    name: `#${one.seq} ${callName(one)}${args ? ` ${shownValue(args.value)}` : ''}`,
    failures: [
      ...(verdict === 'only-before' ? ['it was not answered again'] : []),
      ...(verdict === 'only-after' ? ['it is not in the recording'] : []),
      ...(ends ? [`ended otherwise: ${ends.join(' → ')}`] : []),
      ...differences.map(({ kind, path, before, after }) => `${kind} ${path}: ${before} → ${after}`),
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
