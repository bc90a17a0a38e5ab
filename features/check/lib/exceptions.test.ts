import { expect, test } from 'vitest';
import { readExceptions, withExceptions } from './exceptions';
import { type CheckFinding, type CheckReport, findingsOf } from './report';

const RULES = ['tool-description', 'slow-list'];
const finding = (rule: string): CheckFinding => ({
  rule,
  severity: 'error',
  title: rule,
  message: rule,
  path: undefined,
  frames: [],
  advice: 'Fix it.',
  spec: undefined,
});
const REPORT: CheckReport = {
  version: '1',
  failOn: 'error',
  accepted: 0,
  at: '2026-11-29T10:00:00Z',
  sources: ['billing', 'mail'].map((name) => ({
    name,
    facts: {},
    notes: [],
    steps: [{ name: 'tools', ms: 1, findings: RULES.map(finding) }],
  })),
};
const ANA = { owner: 'ana@example.com', rule: 'tool-description' };

test('an exception accepts the problems of its rule until its last day, of one server or of all', () => {
  const all = withExceptions(REPORT, [{ ...ANA, until: '2026-11-29' }]);
  expect(all.accepted).toBe(2);
  expect(findingsOf(all).map(({ finding: { rule } }) => rule)).toEqual(['slow-list', 'slow-list']);
  const one = withExceptions(REPORT, [{ ...ANA, until: '2027-01-01', server: 'mail' }]);
  expect(findingsOf(one).map(({ source, finding: { rule } }) => `${source.name} ${rule}`)).toEqual([
    'billing tool-description',
    'billing slow-list',
    'mail slow-list',
  ]);
});

test('an expired exception counts, and is named', () => {
  const expired = withExceptions(REPORT, [{ ...ANA, until: '2026-11-28' }]);
  expect(expired.accepted).toBe(0);
  expect(findingsOf(expired)[0]!.finding.advice).toBe('The exception of ana@example.com ended on 2026-11-28. Fix it.');
});

test.each<[unknown, string]>([
  [{}, '`exceptions` is not a list'],
  [[1], '`exceptions[0]` is not an object'],
  [[{ ...ANA, until: '2027-01-01', who: 'x' }], '`exceptions[0].who` is unknown'],
  [[{ ...ANA, rule: 'nosuch', until: '2027-01-01' }], '`exceptions[0].rule` is not the id of a rule'],
  [[{ rule: 'slow-list', until: '2027-01-01' }], '`exceptions[0].owner` is missing'],
  [[{ ...ANA, until: '2027-02-30' }], '`exceptions[0].until` is not a day'],
  [[{ ...ANA, until: 'soon' }], '`exceptions[0].until` is not a day'],
])('%j can’t be used', (value, sentence) =>
  expect(readExceptions(value, (id) => RULES.includes(id))).toContain(sentence),
);
