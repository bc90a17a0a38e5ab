import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { missedBars } from '../bench/forms/bars.mjs';

const root = join(import.meta.dirname, '..');
const corpus = join(root, '../shared/corpus');

/** What `npm run forms:report -- --json` finds. */
async function report(...args: string[]) {
  const script = join(root, 'bench/forms/forms-report.mjs');
  // Crashes make it fail; the report says which.
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args, '--json'], {
    maxBuffer: 1 << 28,
  }).catch((error: { stdout: string }) => error);
  return JSON.parse(stdout);
}

test('tools of every idiom are drawn wholly by fields, and accessible', async () => {
  test.setTimeout(180_000);
  const found = await report(join(root, 'bench/forms/idioms.json'), '--axe');
  expect(found.tools).toBeGreaterThan(15);
  expect(found.crashes).toEqual([]);
  expect(found.jsonBoxes).toEqual([]);
  expect(missedBars(found, { timed: false })).toEqual([]);
});

test('hostile schemas crash nothing, reach nothing, and can be edited', async () => {
  test.setTimeout(180_000);
  const found = await report(join(root, 'bench/forms/hostile.json'), '--axe');
  expect(found.tools).toBeGreaterThan(5);
  expect(found.jsonBoxes).not.toEqual([]);
  // What cannot be drawn is a JSON box, with the reason; all else holds.
  expect(missedBars({ ...found, toolsByFields: found.tools }, { timed: false })).toEqual([]);
});

test('a sample of real tools is drawn as it should be', async () => {
  test.skip(!existsSync(corpus), 'needs the corpus of real tools beside the checkout');
  test.setTimeout(600_000);
  const real = readdirSync(corpus)
    .filter((name) => name.endsWith('.json') && !name.startsWith('_'))
    .map((name) => join(corpus, name));
  const found = await report(...real, '--sample', '300', '--brief');
  expect(found.tools).toBe(300);
  expect(missedBars(found, { timed: false })).toEqual([]);
});
