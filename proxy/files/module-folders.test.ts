import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installLine, moduleFolders } from './module-folders';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mcp-inspect-modules-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Makes a package with a chunk in `dist`. Returns the folder of the chunk. */
function makePackage(...path: string[]): string {
  const chunks = join(root, ...path, 'dist/chunks');
  mkdirSync(chunks, { recursive: true });
  writeFileSync(join(root, ...path, 'package.json'), '{}');
  return chunks;
}

test('modules are loaded from beside mcp-inspect and from its data folder', () => {
  const installed = makePackage('node_modules', 'mcp-inspect');
  expect(moduleFolders(installed, '/data')).toEqual([
    join(root, 'node_modules/mcp-inspect/node_modules'),
    join(root, 'node_modules'),
    join('/data', 'node_modules'),
  ]);
  expect(moduleFolders(makePackage('clone'), '/data')).toEqual([
    join(root, 'clone/node_modules'),
    join('/data', 'node_modules'),
  ]);
});

test('the line to install a module is quoted if it has to be', () => {
  expect(installLine('x', '/home/a/.local')).toBe('npm install --prefix /home/a/.local x');
  expect(installLine('x', '/Users/a/Application Support')).toBe(
    "npm install --prefix '/Users/a/Application Support' x",
  );
});

test('attack: the line to install a module runs nothing else, whatever the folder is called', () => {
  for (const folder of [
    '/a/$(touch evil)',
    '/a/`touch evil`',
    "/a/'; touch evil; '",
    '/a/"; touch evil; "',
    '/a/b&c d',
  ]) {
    const line = installLine('x', folder).replace('npm install', "printf '%s\\n'");
    expect(execFileSync('/bin/sh', ['-c', line], { cwd: root, encoding: 'utf8' })).toBe(`--prefix\n${folder}\nx\n`);
  }
  expect(readdirSync(root)).toEqual([]);
});
