import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repositoryFolders } from './repository-folders';

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

// Only root can give folders away.
test.runIf(process.getuid?.() === 0)('a repository or a folder of somebody else is not searched', () => {
  const git = join(root, '.git');
  mkdirSync(git);
  chownSync(git, 12345, 12345);
  expect(repositoryFolders(inside)).toEqual([inside]);
  chownSync(git, 0, 0);
  chownSync(join(root, 'a'), 12345, 12345);
  expect(repositoryFolders(inside)).toEqual([inside]);
});
