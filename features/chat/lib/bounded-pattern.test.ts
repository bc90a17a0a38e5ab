import { expect, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { firstMatch, groupsOf, oneBudget, SlowPattern } from './bounded-pattern';

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

test('attack: thousands of patterns that are each just fast enough take a second together', () => {
  let now = 0;
  const within = (_ms: number, work: () => void): boolean => {
    now += 150;
    work();
    return true;
  };
  const limit = oneBudget(within, { ...systemClock, now: () => now });
  const find = () => firstMatch(/a/, 'b', limit);
  for (let at = 0; at < 7; at++) expect(find()).toBeUndefined();
  expect(find).toThrow(SlowPattern);
  expect(now).toBe(1050);
});
