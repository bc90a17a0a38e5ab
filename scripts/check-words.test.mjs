import { expect, test } from 'vitest';
import { checkWords } from './check-words.mjs';

test.each([
  ['const say = "The file was told anew.";', ['was told', 'anew']],
  ['/** What a client sends. */', ['What']],
  ['  // mended by whoever opens it', ['mended', 'whoever']],
  ['"This is no recording."', ['is no r']],
])('%s is refused', (line, words) => {
  const found = checkWords('lib/a.ts', line);
  expect(found).toHaveLength(words.length);
  for (const word of words) expect(found.join('\n')).toContain(`"${word}"`);
});

test.each([
  '"There is no server at this address."',
  '"The server is no longer reachable."',
  '/** Returns what a client sends. */',
  '// The page shows it again.',
])('%s is fine', (line) => {
  expect(checkWords('lib/a.ts', line)).toEqual([]);
});

test('a comment longer than a line of code is refused, a long string is not', () => {
  expect(checkWords('lib/a.ts', `// ${'x'.repeat(120)}`)).toEqual([
    'lib/a.ts:1: a comment of 123 columns: wrap it at 120',
  ]);
  expect(checkWords('lib/a.ts', `const text = '${'x'.repeat(120)}';`)).toEqual([]);
});
