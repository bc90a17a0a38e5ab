import { expect, test } from 'vitest';
import { junitXml } from '@/lib/ci/junit-xml';
import type { Comparison } from '@/lib/replay/compare/comparison';
import type { RecordedCall } from '@/lib/replay/traffic/recorded-traffic';
import { styledText } from '@/proxy/cli/output';
import { comparisonCases, comparisonReport, reportLines } from './compare-report';
import { terminalJson } from './format-content';

const HOSTILE = '</failure>]]>&"\'\u0000\u001b[2J\u202e\ud800\nx';

const call = (seq: number, name: string) =>
  ({
    kind: 'call',
    seq,
    method: 'tools/call',
    name,
    params: JSON.stringify({ name, arguments: { a: HOSTILE } }),
  }) as RecordedCall;

const SIDES = ['A', 'B', 'A or B'] as const;

const COMPARISON: Comparison = {
  catalogue: [
    {
      about: 'tool',
      name: HOSTILE,
      change: 'changed',
      breaking: 'parameter-gone',
      sentence: `The parameter \`${HOSTILE}\` is gone.`,
      beforeSeq: 1,
      afterSeq: 2,
    },
  ],
  listed: ['tools'],
  unlisted: [{ list: 'prompts', in: 'after' }],
  tokens: [undefined, undefined],
  calls: [
    { before: call(3, 'a'), after: call(4, 'a'), verdict: 'same', ends: undefined, differences: [] },
    {
      before: call(5, HOSTILE),
      after: call(6, HOSTILE),
      verdict: 'different',
      ends: ['a result', 'error -1'],
      differences: [{ kind: 'changed', path: `x["${HOSTILE}"]`, before: '1', after: '2' }],
    },
    { before: call(7, 'c'), after: undefined, verdict: 'only-before', ends: undefined, differences: [] },
    { before: call(8, 'd'), after: undefined, verdict: 'skipped', skipped: 'why', ends: undefined, differences: [] },
  ],
};

test('reports each difference on its own line, without control characters of a server', () => {
  const text = styledText(reportLines(COMPARISON, SIDES), false);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(text.split('\n')).toEqual([
    expect.stringMatching(/^tool <\/failure>/),
    expect.stringMatching(/^ {2}breaking {2}The parameter `.* is gone\. Calls with it/),
    'Prompts were not compared: no list of prompts in B.',
    expect.stringMatching(/^tools\/call <.* \(frame #5 before, #6 after\)$/),
    '  ended differently: a result → error -1',
    expect.stringMatching(/^ {2}changed x\[".*: 1 → 2$/),
    'tools/call c (frame #7)  only in A',
    'tools/call d (frame #8)  skipped: why.',
    'Different: 1 change in what the server offers (1 breaking), 1 of 2 calls got a different response, 1 call on one side only, 1 call skipped.',
  ]);
});

test('writes JUnit XML without forbidden characters', () => {
  const xml = junitXml([{ name: HOSTILE, cases: comparisonCases(COMPARISON, SIDES) }]);
  expect(xml).not.toMatch(/(?!\n)\p{Cc}|\p{Cs}|<\/failure>\]/u);
  const bare = xml.replace(/&(?:amp|lt|gt|quot|apos|#\d+);/g, '').replace(/<[^<>]*>/g, '');
  expect(bare).not.toMatch(/[<>&]/);
  expect(xml).toContain('tests="7" failures="3" errors="0" skipped="2"');
  expect(xml).toContain('name="#8 tools/call d {&quot;a&quot;');
  expect(xml).toContain('<skipped message="why"/>');
});

test('escapes control characters in JSON', () => {
  const json = terminalJson(comparisonReport(COMPARISON));
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(json).catalogue[0].name).toBe(HOSTILE);
});

test('describes differences in JUnit as on the terminal', () => {
  const differences = [
    { kind: 'missing', path: 'structuredContent', before: '{"a":1}', after: '' },
    { kind: 'added', path: 'isError', before: '', after: 'true' },
    { kind: 'type', path: '', before: '1', after: '"1"' },
  ] as const;
  const ends = ['a result', 'no response'] as const;
  const one = { before: call(5, 'a'), after: call(6, 'a'), verdict: 'different', ends, differences } as const;
  const comparison: Comparison = { catalogue: [], listed: ['tools'], unlisted: [], tokens: [0, 0], calls: [one] };
  const words = [
    'ended differently: a result → no response',
    'removed structuredContent: {"a":1}',
    'added isError: true',
    'type changed the response: 1 → "1"',
  ];
  expect(junitXml([{ name: 'x', cases: comparisonCases(comparison, SIDES) }])).toContain(
    `>${words.join('\n').replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}<`,
  );
  expect(styledText(reportLines(comparison, SIDES), false)).toContain(words.map((line) => `  ${line}`).join('\n'));
});
