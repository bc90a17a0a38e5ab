import { chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isWithin, repositoryFolders } from './repository-folders';
import { readNamedFile } from './user-files';

let root: string;
let inside: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mcp-inspect-repository-'));
  inside = join(root, 'a/b');
  mkdirSync(inside, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

test('folders are searched up to the root of the repository', () => {
  expect(repositoryFolders(inside)).toEqual([inside]);
  mkdirSync(join(root, '.git'));
  expect(repositoryFolders(inside)).toEqual([inside, join(root, 'a'), root]);
});

test('attack: a file that nobody named leads nowhere else, by its path or by a link', async () => {
  const outside = join(root, 'outside.json');
  writeFileSync(outside, 'secret');
  writeFileSync(join(inside, 'own.json'), 'own');
  symlinkSync(outside, join(inside, 'link.json'));
  symlinkSync(join(root, 'a'), join(inside, 'up'));
  const read = async (name: string) => (await readNamedFile(join(inside, name), { most: 100, within: inside })).text;
  expect(await read('own.json')).toBe('own');
  for (const name of ['link.json', '../../outside.json', 'up/../outside.json', 'up/b/own.json/../../../outside.json'])
    expect(await read(name)).toBeUndefined();
  expect(isWithin(inside, join(inside, 'missing.json'))).toBe(true);
  expect(isWithin(inside, join(root, 'missing.json'))).toBe(false);
});

// Only root can give folders away.
test.runIf(process.getuid?.() === 0)('a repository or a folder of somebody else is not searched', () => {
  const git = join(root, '.git');
  mkdirSync(git);
  chownSync(git, 12345, 12345);
  expect(repositoryFolders(inside)).toEqual([inside]);
  chownSync(git, 0, 0);
  chownSync(join(root, 'a'), 12345, 12345);
  expect(repositoryFolders(inside)).toEqual([inside]);
  expect(isWithin(root, join(root, 'a'))).toBe(false);
});
