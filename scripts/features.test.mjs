import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allFeatures, commandsOf, importedNames, problemWithout, withDependents, withoutRow } from './features.mjs';

const FEATURES = join(import.meta.dirname, '../features');

test('a feature goes with those that use it', () => {
  expect([...withDependents(['chat'])].sort()).toEqual(['agents', 'chat', 'evals']);
  expect([...withDependents(['evals'])]).toEqual(['evals']);
});

test('the commands of a feature are found', () => {
  expect(commandsOf(readFileSync(join(FEATURES, 'tap/feature.ts'), 'utf8'))).toEqual([
    'servers',
    'tap',
    'tap add',
    'tap remove',
  ]);
  expect(() => commandsOf('  commands: { model: [] },')).toThrow('not found');
});

test('without all features, no list names one', () => {
  for (const { name } of readdirSync(FEATURES, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    const list = readFileSync(join(FEATURES, name), 'utf8');
    const left = allFeatures().reduce((text, feature) => withoutRow(text, feature), list);
    for (const feature of allFeatures())
      expect(left, name).not.toMatch(new RegExp(`/${feature}/|\\[.*\\b${feature}\\b`));
    expect(left, name).toContain('export ');
    for (const imported of list
      .split('\n')
      .filter((line) => /'\.\/[^']*\//.test(line))
      .flatMap(importedNames))
      expect(left, name).not.toMatch(new RegExp(`\\b${imported}\\b`));
  }
});

// It takes a minute for each.
describe.runIf(process.env.TEST_LONG)('the rest works', () => {
  test.each(allFeatures())('without %s', async (name) => {
    expect(await problemWithout([name])).toBeUndefined();
  });
});
