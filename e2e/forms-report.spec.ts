import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { missedBars } from '../bench/forms/bars.mjs';

const FORMS = join(import.meta.dirname, '../bench/forms');

/** Number of tools of `real-schemas.json` to draw. */
const SAMPLE = process.env.TEST_LONG ? 120 : 10;

/** Writes every so many of the real tools, which have a line each, into a file. */
function sampleFile(folder: string): string {
  const tools = readFileSync(join(FORMS, 'real-schemas.json'), 'utf8')
    .split('\n')
    .map((line) => line.trim().replace(/,$/, ''))
    .filter((line) => line.startsWith('{"name"'));
  const sample = Array.from({ length: SAMPLE }, (_, at) => tools[Math.floor((at * tools.length) / SAMPLE)]);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'sample.json');
  writeFileSync(file, `{"tools":[${sample.join(',')}]}`);
  return file;
}

/** Returns the report of `npm run forms:report -- FILES --axe --json`. */
async function report(files: readonly string[]) {
  const command = [join(FORMS, 'forms-report.mjs'), ...files, '--axe', '--json'];
  // After a crash the command exits with 1, but still prints the report.
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    maxBuffer: 1 << 28,
  }).catch((error: { stdout: string }) => error);
  return JSON.parse(stdout);
}

// One report, because each starts a browser and draws a form with 2,000 fields.
test('draws every idiom and real schemas with accessible fields only; hostile schemas crash and reach nothing', async ({
  browserName: _,
}, { outputDir }) => {
  test.setTimeout(600_000);
  const files = ['idioms.json', 'hostile.json'].map((name) => join(FORMS, name));
  const found = await report([...files, sampleFile(outputDir)]);
  expect(found.tools).toBeGreaterThan(20 + SAMPLE);
  expect(found.crashes).toEqual([]);
  // A part of a hostile schema that can't be drawn is a JSON box with the reason.
  const boxed = found.jsonBoxes.filter(({ file }: { file: string }) => file === 'hostile.json');
  expect(boxed).not.toEqual([]);
  const others = found.jsonBoxes.filter(({ file }: { file: string }) => file !== 'hostile.json');
  expect(others.filter(({ file }: { file: string }) => file === 'idioms.json')).toEqual([]);
  const toolsByFields = found.tools - others.length;
  expect(missedBars({ ...found, toolsByFields }, { timed: false })).toEqual([]);
});
