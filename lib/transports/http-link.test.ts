import { expect, test } from 'vitest';
import { retryAfterMs } from './http-link';

const NOW = Date.parse('2026-11-26T12:00:00Z');

test.each<[text: string, ms: number | undefined]>([
  ['7', 7000],
  [' 0 ', 0],
  ['1.5', 1500],
  ['99999999999', 99_999_999_999_000],
  ['Thu, 26 Nov 2026 12:00:05 GMT', 5000],
  ['Thu, 26 Nov 2026 11:59:55 GMT', undefined],
  ['-5', undefined],
  ['', undefined],
  ['soon', undefined],
])('Retry-After: %j', (text, ms) => {
  expect(retryAfterMs(text, NOW)).toBe(ms);
});
