import { expect, test } from 'vitest';
import { completionIn } from './use-complete';

const many = Array.from({ length: 120 }, (_, n) => `v${n}`);

test.each([
  [{ values: ['a', 'b'] }, ['a', 'b'], false, undefined],
  [{ values: ['a', 'a', 5, null] }, ['a'], false, undefined],
  [{ values: ['a'], hasMore: true }, ['a'], true, undefined],
  [{ values: ['a'], total: 12 }, ['a'], true, 12],
  [{ values: ['a'], total: 1, hasMore: false }, ['a'], false, 1],
  [{ values: ['a', 'b'], total: -1 }, ['a', 'b'], false, undefined],
  [{ values: many }, many.slice(0, 100), true, undefined],
])('the completion %j', (completion, values, more, total) => {
  expect(completionIn({ completion })).toEqual({ values, more, total });
});

test.each([undefined, null, {}, { completion: null }, { completion: { values: 'a' } }])(
  '%j has no values',
  (result) => {
    expect(() => completionIn(result)).toThrow('no values');
  },
);
