import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unifiedDiff } from './definition-diff';

const lines = (...all: readonly (string | number)[]) => all.map((line) => `${line}\n`).join('');
const diffOf = (before: string, after: string) => unifiedDiff('tools.json', [{ before, after }]);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

it('writes what diff -u writes', () => {
  const now = numbers(30).flatMap((n) => (n === 4 ? ['four'] : n === 20 ? [] : n === 25 ? ['new', 25] : [n]));
  expect(diffOf(lines(...numbers(30)), lines(...now))).toBe(
    lines(
      '--- a/tools.json',
      '+++ b/tools.json',
      '@@ -2,7 +2,7 @@',
      ' 1',
      ' 2',
      ' 3',
      '-4',
      '+four',
      ' 5',
      ' 6',
      ' 7',
      '@@ -18,11 +18,11 @@',
      ' 17',
      ' 18',
      ' 19',
      '-20',
      ' 21',
      ' 22',
      ' 23',
      ' 24',
      '+new',
      ' 25',
      ' 26',
      ' 27',
    ),
  );
  expect(diffOf('1\n', '1\n')).toBe('');
});

it('can be applied by git, for texts of all sorts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'definition-diff-'));
  const file = join(folder, 'tools.json');
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 16807) % 2147483647;
    return seed % below;
  };
  try {
    for (let round = 0; round < 20; round++) {
      const old = numbers(1 + random(60)).map(() => random(6));
      const now = old.flatMap((line) => (random(8) === 0 ? [] : random(8) === 0 ? [line, 'added'] : [line]));
      const [before, after] = [lines(...old), lines(...now, 'end')];
      writeFileSync(file, before);
      execFileSync('git', ['apply', '-'], { cwd: folder, input: diffOf(before, after) });
      expect(readFileSync(file, 'utf8')).toBe(after);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('takes the lines between the first and the last change as new, if aligning them takes too long', () => {
  const [old, now] = [numbers(5000), numbers(5000).map((n) => n + 0.5)];
  const diff = diffOf(lines('a', ...old, 'z'), lines('a', ...now, 'z'));
  expect(diff).toContain('@@ -1,5002 +1,5002 @@\n a\n-0\n-1\n');
});
