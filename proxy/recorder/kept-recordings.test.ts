import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newFileName } from './file-names';
import { KeptRecordings } from './kept-recordings';
import { newRecording } from './new-recording';

/** Above what any system gives. */
const NOBODY = 2 ** 31 - 2;

let base: string;
let folder: string;
let kept: KeptRecordings;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  folder = join(base, 'recordings');
  mkdirSync(folder);
  writeFileSync(join(base, 'secret.mcpr.jsonl'), 'x');
  kept = new KeptRecordings(folder);
});
afterEach(() => rmSync(base, { recursive: true }));

function record(name: string, at: string, pid: number, ends: boolean): string {
  const id = newFileName(at, name, pid);
  const file = newRecording(join(folder, id), { name, transport: 'stdio', version: '0.0.0-test', secrets: [] });
  const frame = (text: string, time: number) =>
    ({ time, channel: 'protocol', direction: 'to-client', flags: 0, bytes: Buffer.from(text) }) as const;
  file.add([frame('{}', 5), frame(`{"x":"${'x'.repeat(10_000)}"}`, 42_000)]);
  if (ends) file.end();
  return id;
}

test('the list says, newest first, what each one is, whether it ended or not', async () => {
  const old = record('old', '2026-01-01T00:00:00.000Z', NOBODY, true);
  const young = record('Young Server', '2026-01-02T00:00:00.000Z', process.pid, false);
  writeFileSync(join(folder, 'broken.mcpr.jsonl'), 'no header\n');
  writeFileSync(join(folder, 'notes.txt'), 'x');
  mkdirSync(join(folder, 'folder.mcpr.jsonl'));
  const { recordings } = await kept.list();
  expect(recordings).toEqual([
    expect.objectContaining({ id: young, name: 'Young Server', frames: 2, durationUs: 42_000, live: true }),
    expect.objectContaining({ id: old, name: 'old', frames: 2, durationUs: 42_000, live: false }),
  ]);
  expect(recordings[0]!.bytes).toBeGreaterThan(10_000);
});

test('a folder that is not there has none', async () => {
  expect(await new KeptRecordings(join(base, 'none')).list()).toEqual({ folder: join(base, 'none'), recordings: [] });
});

test('what is deleted is gone, but not while it is recorded', async () => {
  const dead = record('a', '2026-01-01T00:00:00.000Z', NOBODY, true);
  const live = record('b', '2026-01-01T00:00:00.000Z', process.pid, false);
  await kept.delete(dead);
  await expect(kept.delete(live)).rejects.toMatchObject({ code: 'still-recorded' });
  expect([existsSync(join(folder, dead)), existsSync(join(folder, live))]).toEqual([false, true]);
});

describe('nothing outside is read or deleted', () => {
  test.each([
    '../secret.mcpr.jsonl',
    '..\\secret.mcpr.jsonl',
    '/etc/passwd',
    'CON',
    'a\0b.mcpr.jsonl',
    `${'a'.repeat(300)}.mcpr.jsonl`,
    '\u2024\u2024/secret.mcpr.jsonl',
    '.mcpr.jsonl',
    '',
    '__proto__',
    'link.mcpr.jsonl',
    'folder.mcpr.jsonl',
    'none.mcpr.jsonl',
  ])('%j', async (id) => {
    symlinkSync(join(base, 'secret.mcpr.jsonl'), join(folder, 'link.mcpr.jsonl'));
    mkdirSync(join(folder, 'folder.mcpr.jsonl'));
    await expect(kept.open(id)).rejects.toMatchObject({ code: 'no-recording' });
    await expect(kept.delete(id)).rejects.toMatchObject({ code: 'no-recording' });
    expect(existsSync(join(base, 'secret.mcpr.jsonl'))).toBe(true);
  });
});
