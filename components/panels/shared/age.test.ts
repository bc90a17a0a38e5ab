import { expect, test } from 'vitest';
import { cacheHint, formatSpan, relativeTime } from './age';

test.each([
  [0, '0 s'],
  [999, '0 s'],
  [12_400, '12 s'],
  [300_000, '5 min'],
  [7_300_000, '2 h'],
  [86_400_000, '1 day'],
  [9e15, '104,166,666 days'],
])('%d ms are %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});

test('a time is relative to now, in the past or future', () => {
  const now = Date.parse('2026-07-28T12:00:00Z');
  expect(relativeTime(Date.parse('2026-07-25T12:00:00Z'), now)).toBe('3 days ago');
  expect(relativeTime(Date.parse('2026-07-28T14:00:00Z'), now)).toBe('in 2 h');
  expect(relativeTime(Date.parse('not a date'), now)).toBeUndefined();
});

// Trap 35: ttlMs negative, absent or huge.
test.each([
  [{ ttlMs: 300_000, cacheScope: 'private' }, 12_000, 'may be cached for 5 min, private', false],
  [{ ttlMs: 300_000, cacheScope: 'public' }, 300_001, 'may be cached for 5 min, public', true],
  [{ ttlMs: 250, cacheScope: 'public' }, 0, 'may be cached for 250 ms, public', false],
  [{ ttlMs: 0, cacheScope: 'private' }, 5, 'may not be cached, private', false],
  [{ ttlMs: -5, cacheScope: 'private' }, 5, 'may not be cached, private', false],
  [{ ttlMs: 1e300, cacheScope: 'shared' }, 5, `may be cached for ${formatSpan(1e300)}`, false],
  [{ ttlMs: '5', cacheScope: 'private' }, 5, 'invalid ttlMs, private', false],
  [{ cacheScope: 'private' }, 5, 'no ttlMs, private', false],
  [{}, 5, '', false],
  [null, 5, '', false],
])('%j, %d ms old: %s', (result, ageMs, text, stale) => {
  expect(cacheHint(result, ageMs)).toEqual({ text, stale });
});
