import { expect, test } from 'vitest';
import { isParsableMarkdown } from './markdown-bound';

test.each([
  ['# Title\n\n- a\n  - b\n    1. c\n\n> > quoted twice', true],
  ['-'.repeat(200), true],
  ['* * *', true],
  ['>'.repeat(30), false],
  ['fine\n'.concat('> '.repeat(40)), false],
  ['- '.repeat(30), false],
  ['1. '.repeat(30), false],
  ['x'.repeat(1_000_000), false],
])('%#: %j', (text, expected) => {
  expect(isParsableMarkdown(text)).toBe(expected);
});

test.each([' ', '- ', '-  \t', '> x\n', '1'])('looking at lines of %j takes linear time', (part) => {
  const started = performance.now();
  isParsableMarkdown(part.repeat(20_000).slice(0, 40_000));
  expect(performance.now() - started).toBeLessThan(500);
});
