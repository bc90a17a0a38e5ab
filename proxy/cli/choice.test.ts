import { expect, test } from 'vitest';
import { choiceOf } from './choice';

test('takes a choice, and suggests or lists them for another word', () => {
  expect(choiceOf('--compare', 'strict', ['structure', 'strict'])).toBe('strict');
  for (const [what, word, sentence] of [
    ['--compare', 'stric', 'Unknown `--compare stric`: did you mean `strict`?'],
    ['--s3 addressing=', 'x', 'Unknown `--s3 addressing=x`: choose from structure, strict.'],
    ['action', 'x'.repeat(99), `Unknown action \`${'x'.repeat(60)}\`: choose from structure, strict.`],
  ] as const)
    expect(() => choiceOf(what, word, ['structure', 'strict'])).toThrow(sentence);
});
