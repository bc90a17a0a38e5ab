import { expect, test } from 'vitest';
import type { Problem } from '@/lib/problems/problem';
import { groupProblems } from './problems-panel';

const problem = (id: number, rule: string, severity: Problem['severity'], message: string): Problem => ({
  id,
  rule,
  severity,
  title: `Title of ${rule}`,
  advice: '',
  message,
  path: ['result', 'tools', 0],
  seqs: [1],
  count: 1,
  related: [],
  section: '',
  url: '',
});

const FOUND = [
  problem(1, 'tool-name', 'warning', 'A tool is called "a b".'),
  problem(2, 'id-reused', 'error', '1 is the id.'),
  problem(3, 'tool-name', 'warning', 'A tool is called "c d".'),
];

test('groups by rule, errors first', () => {
  expect(
    groupProblems(FOUND, 'All', '', () => []).map(({ rule, problems }) => [rule, problems.map(({ id }) => id)]),
  ).toEqual([
    ['id-reused', [2]],
    ['tool-name', [1, 3]],
  ]);
});

test('filters by severity and by words, in rule, message and path', () => {
  const ids = (level: Parameters<typeof groupProblems>[1], words: string) =>
    groupProblems(FOUND, level, words, ({ id }) => (id === 2 ? [{ name: 'get_sum' }] : [])).flatMap(({ problems }) =>
      problems.map(({ id }) => id),
    );
  expect(ids('Errors', '')).toEqual([2]);
  expect(ids('Info', '')).toEqual([]);
  expect(ids('All', 'TOOL-NAME "c')).toEqual([3]);
  expect(ids('All', 'result.tools.0')).toEqual([2, 1, 3]);
  expect(ids('All', 'get_sum')).toEqual([2]);
  expect(ids('All', 'nothing')).toEqual([]);
});
