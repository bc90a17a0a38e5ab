import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fingerprintOf, readBaseline, withBaseline } from './baseline';
import { jsonReport } from './outputs/json';
import { checkText } from './outputs/text';
import { findingsOf, hasFailed } from './report';
import { ERROR, FINDING, reportOf } from './test-reports';

const accepted = readBaseline(jsonReport(reportOf([ERROR])));

test('accepts the problems of an earlier report, and fails on new ones', () => {
  if (typeof accepted === 'string') throw new Error(accepted);
  const same = withBaseline(reportOf([ERROR]), accepted);
  expect([findingsOf(same).length, same.accepted, hasFailed(same)]).toEqual([0, 1, false]);
  const other = withBaseline(reportOf([ERROR, { ...ERROR, rule: 'field-type' }]), accepted);
  expect([findingsOf(other).length, other.accepted, hasFailed(other)]).toEqual([1, 1, true]);
});

test('reads a report as 0.1.0 wrote it', () => {
  const text = readFileSync(join(import.meta.dirname, 'fixtures/baseline-0.1.0.json'), 'utf8');
  const baseline = readBaseline(text);
  if (typeof baseline === 'string') throw new Error(baseline);
  const { problems } = JSON.parse(text) as { problems: readonly Parameters<typeof fingerprintOf>[0][] };
  expect(problems.length).toBeGreaterThan(3);
  expect([...baseline.accepted.keys()].sort()).toEqual(problems.map(fingerprintOf).sort());
  expect(baseline.sources.get('server.mjs')).toMatchObject({
    server: 'house 1.0.0',
    names: { tools: ['temperature'] },
  });
});

test.each([
  [{ frames: [1] }, true],
  [{ advice: 'Other advice.' }, true],
  [{ message: 'id 17 of 2a9f01bc-1111-4222-8333-abcdefabcdef' }, false],
  [{ path: 'result.tools["other"].inputSchema.type' }, false],
  [{ rule: 'other' }, false],
])('identifies a finding by rule, path and message: %j', (change, same) => {
  expect(fingerprintOf({ ...FINDING, ...change }) === fingerprintOf(FINDING)).toBe(same);
});

test('numbers and ids do not matter, names do', () => {
  const of = (message: string) => fingerprintOf({ ...FINDING, message });
  expect(of('The answer to request 17 took 3.5 s, id 2a9f01bc-1111-4222-8333-abcdefabcdef')).toBe(
    of('The answer to request 4 took 12 s, id 00000000-1111-4222-8333-abcdefabcdef'),
  );
  expect(of('tool get_v1 is missing')).not.toBe(of('tool get_v2 is missing'));
});

test.each([
  ['', 'it is not JSON'],
  ['[]', 'it has no `problems`'],
  ['{"problems":[1]}', 'problems[0] is not an object'],
  ['{"problems":[{"rule":"a"}]}', 'problems[0] has no rule or message'],
])('says why %j is not a baseline', (text, why) => {
  expect(readBaseline(text)).toBe(why);
});

/** A report of a server with these tools. */
function listing(tools: readonly string[], name = 'demo') {
  const report = reportOf([]);
  const [source] = report.sources;
  return { ...report, sources: [{ ...source!, name, facts: { ...source!.facts, names: { tools } } }] };
}

test('a list that shrank is said, also if the server has another name now', () => {
  const before = readBaseline(jsonReport(listing(['add', 'echo', 'sum'])));
  if (typeof before === 'string') throw new Error(before);
  expect(findingsOf(withBaseline(listing(['sum', 'echo', 'add', 'new']), before))).toEqual([]);
  for (const name of ['demo', 'another command']) {
    const [found] = findingsOf(withBaseline(listing(['add'], name), before));
    expect(found!.finding).toMatchObject({
      rule: 'list-shrank',
      severity: 'warning',
      path: 'tools',
      message: 'tools: "echo", "sum" of 3 are gone.',
    });
  }
});

test('says what the baseline holds, and never accepts what is above a budget', () => {
  const over = { ...ERROR, rule: 'budget-tokens' };
  const before = readBaseline(jsonReport(reportOf([ERROR, FINDING, over])));
  if (typeof before === 'string') throw new Error(before);
  const report = withBaseline(reportOf([ERROR, over]), before);
  expect(findingsOf(report).map(({ finding }) => finding.rule)).toEqual(['budget-tokens']);
  expect(checkText(report)).toContain('Baseline: 2 problems, 1 found again.');
  expect(JSON.parse(jsonReport(report)).summary.baseline).toEqual({ problems: 2, found: 1 });
});
