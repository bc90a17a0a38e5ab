import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PatternError, SafePattern } from './safe-pattern';

test.each([
  ['weather in (?<city>\\w+)', 'the weather in Oslo, please', { 0: 'weather in Oslo', 1: 'Oslo', city: 'Oslo' }],
  ['(a|ab)(c|bcd)', 'abcd', { 0: 'abcd', 1: 'a', 2: 'bcd' }],
  ['a+?', 'aaa', { 0: 'a' }],
  ['^(\\d{2,3})-(?:x|y)?$', '123-', { 0: '123-', 1: '123' }],
  ['\\bcat\\b', 'a concat cat', { 0: 'cat' }],
  ['[^\\s\\]-]+', ' -x1]', { 0: 'x1' }],
  ['', 'x', { 0: '' }],
])('%s finds in %s', (pattern, text, groups) => {
  expect(Object.fromEntries(new SafePattern(pattern).match(text)!)).toEqual(groups);
});

test('ignores the case of ASCII letters on request', () => {
  const groups = (pattern: string, text: string) =>
    new SafePattern(pattern, { ignoreCase: true }).match(text)?.get('0');
  expect(groups('WEATHER [A-F]+', 'Weather abc')).toBe('Weather abc');
  expect(new SafePattern('a').match('A')).toBeUndefined();
});

test.each([
  '(',
  ')',
  '[a',
  'a**',
  '*a',
  '(?=a)',
  '(?<!a)',
  '(a)\\1',
  '\\',
  '\\p{L}',
  '[z-a]',
  '\\u12',
  '(?<a>x)(?<a>y)',
  'a{3,2}',
  '((a{1000}){1000}){1000}',
  '('.repeat(60),
])('attack: %s is refused', (pattern) => {
  expect(() => new SafePattern(pattern)).toThrow(PatternError);
});

test('attack: patterns that take for ever elsewhere end', () => {
  const text = `${'a'.repeat(19_000)}!`;
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a*)*b', 'a*a*a*a*b', '(x+x+)+y']) {
    expect(new SafePattern(pattern).match(text) === undefined).toBe(true);
  }
});

test('finds the same as the engine of JavaScript', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', 'c');
  const pattern = fc.letrec<{ any: string }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      atom,
      fc.tuple(tie('any'), tie('any')).map(([a, b]) => a + b),
      fc.tuple(tie('any'), tie('any')).map(([a, b]) => `(${a}|${b})`),
      fc
        .tuple(
          fc.constantFrom('a', 'b', '[ab]', '.', '(a|b)', '(?:ab|c)'),
          fc.constantFrom('*', '+', '?', '*?', '{1,2}', '??'),
        )
        .map(([a, count]) => a + count),
    ),
  })).any;
  fc.assert(
    fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 8 }), (source, text) => {
      const expected = new RegExp(source).exec(text);
      const found = new SafePattern(source).match(text);
      expect(found?.get('0')).toBe(expected?.[0]);
    }),
    { numRuns: 2000 },
  );
});
