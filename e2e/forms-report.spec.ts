import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { missedBars } from '../bench/forms/bars.mjs';

const FORMS = join(import.meta.dirname, '../bench/forms');

/** Number of tools of `real-schemas.json` to draw. Takes about a minute. */
const SAMPLE = 120;

/** Returns the report of `npm run forms:report -- FILE --json`. */
async function report(file: string, ...args: string[]) {
  const command = [join(FORMS, 'forms-report.mjs'), join(FORMS, file), ...args, '--json'];
  // After a crash the command exits with 1, but still prints the report.
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    maxBuffer: 1 << 28,
  }).catch((error: { stdout: string }) => error);
  return JSON.parse(stdout);
}

test('draws tools of every idiom with accessible fields only', async () => {
  test.setTimeout(180_000);
  const found = await report('idioms.json', '--axe');
  expect(found.tools).toBeGreaterThan(15);
  expect(found.crashes).toEqual([]);
  expect(found.jsonBoxes).toEqual([]);
  expect(missedBars(found, { timed: false })).toEqual([]);
});

test('hostile schemas can be edited, crash nothing and reach nothing', async () => {
  test.setTimeout(180_000);
  const found = await report('hostile.json', '--axe');
  expect(found.tools).toBeGreaterThan(5);
  expect(found.jsonBoxes).not.toEqual([]);
  // A part that can't be drawn is a JSON box with the reason. So only `toolsByFields` would miss its minimum.
  expect(missedBars({ ...found, toolsByFields: found.tools }, { timed: false })).toEqual([]);
});

test('draws a sample of real schemas', async () => {
  test.setTimeout(600_000);
  const found = await report('real-schemas.json', '--sample', String(SAMPLE), '--brief');
  expect(found.tools).toBe(SAMPLE);
  expect(missedBars(found, { timed: false })).toEqual([]);
});
