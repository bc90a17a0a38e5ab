import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareVerdicts } from '@/bench/forms/verdicts';

const root = join(import.meta.dirname, '../..');
const corpus = join(root, '../shared/corpus');

/** Tools compared here; `npm run forms:full` compares all. */
const COMPARED = 80;

function toolsIn(file: string): { name: string; schema?: string }[] {
  const list = JSON.parse(readFileSync(file, 'utf8'));
  const tools: { name: string; inputSchema?: unknown }[] = Array.isArray(list) ? list : list.tools;
  return tools.map(({ name, inputSchema }) => ({ name, schema: JSON.stringify(inputSchema) }));
}

test('our verdict on values of every idiom, right and wrong, is that of another validator', () => {
  const { pairs, differences, unchecked } = compareVerdicts(toolsIn(join(root, 'bench/forms/idioms.json')));
  expect(differences).toEqual([]);
  // Of an older dialect that it does not name: ajv refuses it.
  expect(unchecked).toEqual(['tuples']);
  expect(pairs).toBeGreaterThan(300);
});

test.skipIf(!existsSync(corpus))(
  'so is that on values of real tools, where they are at hand',
  () => {
    const files = readdirSync(corpus).filter((name) => name.endsWith('.json') && !name.startsWith('_'));
    const all = files.flatMap((name) => toolsIn(join(corpus, name)));
    const tools = all.filter((_, index) => index % Math.ceil(all.length / COMPARED) === 0);
    const { pairs, agreed, differences } = compareVerdicts(tools);
    expect(agreed / pairs, differences.join('\n')).toBeGreaterThanOrEqual(0.999);
    expect(pairs).toBeGreaterThan(1000);
  },
  60_000,
);
