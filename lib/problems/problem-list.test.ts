import { expect, test } from 'vitest';
import type { Problem } from './problem';
import { ProblemList } from './problem-list';

const problem = (id: number, severity: Problem['severity'], seqs: readonly number[]): Problem => ({
  id,
  rule: `rule-${id}`,
  severity,
  title: '',
  advice: '',
  message: '',
  path: undefined,
  seqs,
  count: seqs.length,
  related: [],
  section: '',
  url: '',
});

test('upTo leaves out later frames', () => {
  const list = new ProblemList();
  list.addResults({
    changed: [problem(1, 'warning', [2, 5, 9]), problem(2, 'error', [5]), problem(3, 'info', [9])],
    marks: Uint32Array.of(2, 1, 5, 1, 5, 2, 9, 1, 9, 3),
  });
  const past = list.upTo(5);
  expect(past.all.map(({ id, seqs, count }) => [id, seqs, count])).toEqual([
    [1, [2, 5], 2],
    [2, [5], 1],
  ]);
  expect([2, 5, 9].map((seq) => past.severityOf(seq))).toEqual(['warning', 'error', undefined]);
  expect(list.upTo(1).all).toEqual([]);
  expect(list.upTo(99).all).toEqual(list.all);
});

test('without leaves out the findings of some rules', () => {
  const list = new ProblemList();
  list.addResults({
    changed: [problem(1, 'warning', [2, 5]), problem(2, 'error', [5])],
    marks: Uint32Array.of(2, 1, 5, 1, 5, 2),
  });
  const rest = list.without(new Set(['rule-2']));
  expect(rest.all).toEqual([list.all[0]]);
  expect([2, 5].map((seq) => rest.severityOf(seq))).toEqual(['warning', 'warning']);
  expect(rest.changes).toBe(2);
});

test('knows the first result that breaks its schema', () => {
  const list = new ProblemList();
  const invalid = (id: number, seq: number) => ({
    ...problem(id, 'error', [seq]),
    path: ['result', 'a'],
    fault: 'is missing',
  });
  list.addResults({ changed: [problem(1, 'error', [2])], marks: Uint32Array.of(2, 1) });
  expect(list.firstInvalidResult).toBeUndefined();
  list.addResults({ changed: [invalid(2, 9), invalid(3, 7)], marks: Uint32Array.of(7, 3, 9, 2) });
  expect(list.firstInvalidResult).toBe(7);
  expect(list.upTo(5).firstInvalidResult).toBeUndefined();
});
