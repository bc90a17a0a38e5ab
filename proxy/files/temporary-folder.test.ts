import { existsSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { withTemporaryFolder } from './temporary-folder';

test('deletes the folder afterwards, also after an error', async () => {
  let folder = '';
  const work = async (one: string) => {
    folder = one;
    expect(existsSync(one)).toBe(true);
    throw new Error('no');
  };
  await expect(withTemporaryFolder(work)).rejects.toThrow('no');
  expect(existsSync(folder)).toBe(false);
});

test('deletes the folder when the process exits meanwhile', async () => {
  // Other owners in this process share a listener.
  vi.resetModules();
  const fresh = await import('./temporary-folder');
  const before = process.listeners('exit');
  await fresh.withTemporaryFolder(async (folder) => {
    const added = process.listeners('exit').filter((listener) => !before.includes(listener));
    for (const listener of added) listener(0);
    expect(existsSync(folder)).toBe(false);
  });
  expect(process.listeners('exit')).toEqual(before);
});
