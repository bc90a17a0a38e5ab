import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EvalAttempt } from '@/features/evals/lib/eval-attempt';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { KeptEvals } from './kept-evals';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const about = (second: number) => ({
  at: `2026-01-01T00:00:0${second}Z`,
  title: 'a',
  cases: 1,
  models: ['m'],
  planned: 1,
  from: { command: { cwd: '/', files: ['a.yaml'], options: [] } },
});
const attempt = (text: string, error?: string): EvalAttempt => ({
  number: 1,
  file: 'a',
  line: 1,
  name: 'a',
  model: 'm',
  repeat: 1,
  reasons: [],
  choices: [],
  text,
  turn: 't',
  calls: [],
  refused: 0,
  milliseconds: 1,
  tokens: { input: 1, output: 1, exact: true },
  ...(error !== undefined && { error, reasons: [error] }),
});
const secrets = new CaptureRedactor([]);

test('a later result replaces an error, and no other result', async () => {
  const evals = new KeptEvals(folder);
  const first = await evals.create(about(1), secrets);
  for (const key of ['a', 'b']) first.add({ key, attempt: attempt('first', key === 'a' ? 'timeout' : undefined) });
  await first.end(true);
  const { writer } = await evals.continue(first.head.id);
  for (const key of ['a', 'b']) writer.add({ key, attempt: attempt('second') });
  await writer.end(true);
  const { attempts } = await evals.read(first.head.id);
  expect(attempts.map((one) => one.attempt.text)).toEqual(['second', 'first']);
});

test('lists the newest first, also of one second', async () => {
  const evals = new KeptEvals(folder);
  const ids: string[] = [];
  for (const at of ['00.001', '00.002', '00.010', '00.100', '01.000']) {
    const writer = await evals.create({ ...about(1), at: `2026-01-01T00:00:${at}Z` }, secrets);
    await writer.end(true);
    ids.unshift(writer.head.id);
  }
  expect(evals.ids()).toEqual(ids);
});

test('an eval that runs can’t be resumed', async () => {
  const evals = new KeptEvals(folder);
  const { head } = await evals.create(about(1), secrets);
  await expect(evals.continue(head.id)).rejects.toMatchObject({ code: 'eval-runs' });
  await expect(evals.continue('20200101-000000-abcd')).rejects.toMatchObject({ code: 'no-eval' });
});

test('reads an eval for the list again only once it has changed', async () => {
  const evals = new KeptEvals(folder);
  const writer = await evals.create(about(1), secrets);
  const { id } = writer.head;
  const summary = await evals.summary(id);
  expect(summary).toMatchObject({ made: 0, state: 'stopped', from: 'command' });
  expect(await evals.summary(id)).toBe(summary);
  writer.add({ key: 'a', attempt: attempt('a') });
  await writer.end(true);
  expect(await evals.summary(id)).toMatchObject({ made: 1, passed: 1, state: 'done' });
});

test('a file that became too large keeps what it has, and says so', async () => {
  const evals = new KeptEvals(folder);
  const writer = await evals.create(about(1), secrets);
  const large = attempt('x'.repeat(30 * 1024 * 1024));
  for (const key of ['a', 'b', 'c']) writer.add({ key, attempt: large });
  expect(writer.failure).toContain('too large');
  await writer.end(true);
  expect(await evals.read(writer.head.id)).toMatchObject({ isDone: false, attempts: { length: 2 } });
  const path = join(evals.pathOf(writer.head.id), 'run-2.jsonl');
  writeFileSync(path, ' '.repeat(65 * 1024 * 1024));
  await expect(evals.read(writer.head.id)).rejects.toMatchObject({ message: expect.stringContaining('larger than') });
});

test('deletes the oldest evals once they are too large together', async () => {
  const evals = new KeptEvals(folder, 3000);
  const ids: string[] = [];
  for (const second of [1, 2, 3]) {
    const writer = await evals.create(about(second), secrets);
    writeFileSync(join(evals.pathOf(writer.head.id), 'a.mcpr.jsonl'), 'x'.repeat(2000));
    await writer.end(true);
    ids.push(writer.head.id);
  }
  expect(evals.ids()).toEqual([ids[2], ids[1]]);
});
