import { expect, test } from 'vitest';
import { NEEDS_ALL } from './needs-all';
import { RULES } from './rules/registry';

test('each of them is a rule', () => {
  const ids = new Set(RULES.map(({ id }) => id));
  expect([...NEEDS_ALL].filter((id) => !ids.has(id))).toEqual([]);
});
