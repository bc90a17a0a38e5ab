import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { isParsableMarkdown } from './markdown';

test.each([
  ['# Title\n\n- a\n  - b\n    1. c\n\n> > quoted twice', true],
  ['x'.repeat(LIMITS.markdownChars), true],
  ['x'.repeat(LIMITS.markdownChars + 1), false],
])('%#: a text is parsed up to a maximum length', (text, expected) => {
  expect(isParsableMarkdown(text)).toBe(expected);
});
