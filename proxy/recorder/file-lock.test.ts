import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileLock } from './file-lock';

/** Above what any system gives. */
const NOBODY = 2 ** 31 - 2;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  path = join(folder, 'a');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('one has it at a time', async () => {
  const first = await FileLock.take(path);
  expect(await FileLock.take(path, 0)).toBeUndefined();
  await first!.release();
  expect(existsSync(`${path}.lock`)).toBe(false);
  expect(await FileLock.take(path, 0)).toBeDefined();
});

test('what a process left that is gone is taken away', async () => {
  writeFileSync(`${path}.lock`, `${NOBODY}  x`);
  expect(await FileLock.take(path, 0)).toBeDefined();
});

test.runIf(process.platform === 'linux')('or whose number another one has now', async () => {
  writeFileSync(`${path}.lock`, `${process.pid} 1 x`);
  expect(await FileLock.take(path, 0)).toBeDefined();
});

test('what was just made and says nothing yet is somebody’s', async () => {
  writeFileSync(`${path}.lock`, '');
  expect(await FileLock.take(path, 0)).toBeUndefined();
});

test('who lost it knows, and does not take the next one’s away', async () => {
  const first = await FileLock.take(path);
  rmSync(`${path}.lock`);
  const second = await FileLock.take(path, 0);
  expect(await first!.isHeld()).toBe(false);
  await first!.release();
  expect(await second!.isHeld()).toBe(true);
});
