import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { FileLock } from './file-lock';
import { PID_NAMESPACE } from './process-identity';

/** Above what any system gives. */
const NOBODY = 2 ** 31 - 2;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  path = join(folder, 'a');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('gives the lock to one holder at a time', async () => {
  const first = await FileLock.acquire(path);
  expect(await FileLock.acquire(path, 0)).toBeUndefined();
  await first!.release();
  expect(existsSync(`${path}.lock`)).toBe(false);
  expect(await FileLock.acquire(path, 0)).toBeDefined();
});

test('removes the lock of a dead process', async () => {
  writeFileSync(`${path}.lock`, `${NOBODY}  ${PID_NAMESPACE} x`);
  expect(await FileLock.acquire(path, 0)).toBeDefined();
});

test.runIf(process.platform === 'linux')('or whose number another one has now', async () => {
  writeFileSync(`${path}.lock`, `${process.pid} 1 ${PID_NAMESPACE} x`);
  expect(await FileLock.acquire(path, 0)).toBeDefined();
});

test('respects a new lock without a mark', async () => {
  writeFileSync(`${path}.lock`, '');
  expect(await FileLock.acquire(path, 0)).toBeUndefined();
});

test('reports a lost lock and leaves the next one alone', async () => {
  const first = await FileLock.acquire(path);
  rmSync(`${path}.lock`);
  const second = await FileLock.acquire(path, 0);
  expect(await first!.isHeld()).toBe(false);
  await first!.release();
  expect(await second!.isHeld()).toBe(true);
});

test('respects the lock of a process elsewhere until it is old', async () => {
  for (const pid of [process.pid, NOBODY]) {
    writeFileSync(`${path}.lock`, `${pid} 1 ${PID_NAMESPACE === '000000' ? '000001' : '000000'} x`);
    expect(await FileLock.acquire(path, 0)).toBeUndefined();
  }
  const left = (Date.now() - LIMITS.strangeWriterMs) / 1000 - 1;
  utimesSync(`${path}.lock`, left, left);
  expect(await FileLock.acquire(path, 0)).toBeDefined();
});
