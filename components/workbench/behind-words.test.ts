import { expect, test } from 'vitest';
import { behindWords } from './behind-words';

test('a live log is behind, and a recording is read', () => {
  expect(behindWords(7151, 140_000, false)).toBe('7,151 frames behind');
  expect(behindWords(7151, 140_000, true)).toBe('Reading: 94 %');
  expect(behindWords(1, 140_000, true)).toBe('Reading: 99 %');
});
