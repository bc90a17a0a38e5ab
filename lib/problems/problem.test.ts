import { expect, test } from 'vitest';
import { NEEDS_EVERY_FRAME } from './problem';
import { PROTOCOL_RULES } from './rules/registry';

test('every id in NEEDS_EVERY_FRAME is a rule', () => {
  const ids = new Set(PROTOCOL_RULES.map(({ id }) => id));
  expect([...NEEDS_EVERY_FRAME].filter((id) => !ids.has(id))).toEqual([]);
});
