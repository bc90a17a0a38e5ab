import { expect, test } from 'vitest';
import { readTime } from './read-time';

const NOW = Date.parse('2026-11-26T12:00:00Z');

test.each([
  ['12h', '2026-11-26T00:00:00.000Z'],
  ['2w', '2026-11-12T12:00:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01T10:00:00+02:00', '2026-11-01T08:00:00.000Z'],
  ['99999999d', undefined],
  ['2026-13-45', undefined],
  ['', undefined],
])('reads the time %j', (text, time) => {
  expect(readTime(text, NOW)).toBe(time);
});
