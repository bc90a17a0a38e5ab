import { describe, expect, test } from 'vitest';
import { schemaOfName } from './objects';

const named = (pattern: string, name: string) =>
  schemaOfName({ patterns: [[pattern, 'matched']], schema: true, suggested: [] }, name) === 'matched';

describe('patterns of property names', () => {
  test.each([
    ['^x-', 'x-trace', true],
    ['^x-', 'trace', false],
    ['^[A-Za-z_][A-Za-z0-9_.*+]*$', 'a.b', true],
    ['^\\*+$', '***', true],
    ['a|b', 'b', true],
    ['.*', 'anything', true],
    ['[', 'x', false],
  ])('%s for %s: %s', (pattern, name, is) => expect(named(pattern, name)).toBe(is));

  test.each([['.*'.repeat(49)], ['a?'.repeat(30)], ['(a|a)'.repeat(20)], ['(?:a+)+'], ['[^]]*.*.*.*.*.*.*!']])(
    '%s, which could take for ever, is not tried',
    (pattern) => expect(named(pattern, 'a')).toBe(false),
  );
});
