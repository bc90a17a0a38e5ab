import { mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFile } from './open-file';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('reads any part of a file while it is the same file', async () => {
  const path = join(folder, 'a');
  writeFileSync(path, 'one two three');
  const opened = await openFile(path);
  await opened.bytes.cancel();
  const file = await opened.parts();
  expect(file.size).toBe(13);
  expect(Buffer.from(await file.read(4, 7)).toString()).toBe('two');
  truncateSync(path, 6);
  await expect(file.read(4, 7)).rejects.toMatchObject({ code: 'EIO' });
  await file.close();
  writeFileSync(join(folder, 'b'), 'one two three');
  renameSync(join(folder, 'b'), path);
  await expect(opened.parts()).rejects.toMatchObject({ code: 'recording-replaced' });
});
