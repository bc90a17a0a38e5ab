import { expect, test } from 'vitest';
import { shortenText, textParts } from './untrusted-text';

test('never cuts a surrogate pair', () => {
  expect(shortenText('ab😀', 3)).toBe('ab');
  expect(shortenText('ab😀', 4)).toBe('ab😀');
  expect(shortenText('abc', 5)).toBe('abc');
});

test('the parts add up to the text', () => {
  const text = 'x😀'.repeat(1000);
  expect(textParts(text, 16, Number.POSITIVE_INFINITY).join('')).toBe(text);
  expect(textParts(text, 16, 2).join('').length).toBeLessThanOrEqual(32);
  expect(textParts('', 16, 2)).toEqual([]);
});
