import { expect, test } from 'vitest';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { firstMatch, groupsOf, SlowPattern } from './bounded-pattern';

test('groups are found by number and name', () => {
  const match = firstMatch(/weather in (?<city>\w+)(x)?/, 'the weather in Oslo, please', runWithin)!;
  expect(Object.fromEntries(groupsOf(match))).toEqual({ 0: 'weather in Oslo', 1: 'Oslo', city: 'Oslo' });
  expect(firstMatch(/a/, 'b', runWithin)).toBeUndefined();
});

test('attack: a pattern that takes for ever is stopped', () => {
  const text = `${'a'.repeat(19_000)}!`;
  for (const pattern of [/^(a+)+$/, /^(a|a)*$/, /(x+x+)+y/]) {
    const find = () => firstMatch(pattern, pattern.source.includes('x') ? text.replaceAll('a', 'x') : text, runWithin);
    expect(find).toThrow(SlowPattern);
  }
});
