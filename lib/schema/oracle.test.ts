import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareVerdicts } from '@/bench/forms/verdicts';

/** Tools compared here, so that the test takes seconds; `npm run forms:report -- FILES --bars` compares all. */
const COMPARED = 80;

function toolsIn(file: string): { name: string; schema: string }[] {
  const { tools } = JSON.parse(readFileSync(join(import.meta.dirname, '../../bench/forms', file), 'utf8'));
  return tools.map(({ name, inputSchema }: { name: string; inputSchema: unknown }) => ({
    name,
    schema: JSON.stringify(inputSchema),
  }));
}

test('agrees with ajv on valid and invalid values of every idiom', () => {
  const { pairs, differences, unchecked } = compareVerdicts(toolsIn('idioms.json'));
  expect(differences).toEqual([]);
  // This schema uses an older dialect without naming it, so ajv refuses it.
  expect(unchecked).toEqual(['tuples']);
  expect(pairs).toBeGreaterThan(300);
});

test('agrees with ajv on values of real schemas', () => {
  const all = toolsIn('real-schemas.json');
  const tools = all.filter(
    (_, index) => Math.floor((index * COMPARED) / all.length) !== Math.floor(((index - 1) * COMPARED) / all.length),
  );
  expect(tools).toHaveLength(COMPARED);
  const { pairs, agreed, differences } = compareVerdicts(tools);
  expect(agreed / pairs, differences.join('\n')).toBeGreaterThanOrEqual(0.999);
  expect(pairs).toBeGreaterThan(1000);
}, 60_000);
