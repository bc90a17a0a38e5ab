import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const TABLE = readFileSync(join(ROOT, 'docs/attacks.md'), 'utf8');

/** Rows of the tables: attack, file of the test, name of the test. */
const ROWS = [...TABLE.matchAll(/^\| (.+?) \| .+ \| `([\w/.-]+)`: "(.+)" \|$/gm)].map(
  ([, attack, file, name]) => [attack!, file!, name!] as const,
);

describe('docs/attacks.md', () => {
  test('has a test in every row', () => {
    const rows = TABLE.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| attack |'));
    expect(ROWS).toHaveLength(rows.length);
  });

  test.each(ROWS)('names an existing test: %s', (_attack, file, name) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(name);
  });
});
