import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requestOf } from '@/proxy/commands/test-command-line';
import { readLocation } from './repository-place';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-inspect-place-')));
  mkdirSync(join(root, '.git'));
  mkdirSync(join(root, 'packages/a'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (...files: string[]) => files.map((file) => writeFileSync(join(root, file), '{}'));

/** Returns where results of a server are, if the check runs in `packages/a`. */
function locationOf(...argv: string[]) {
  const locate = readLocation(requestOf('check', '--report', 'sarif=out.sarif', ...argv), join(root, 'packages/a'));
  return locate?.({ name: 'x', facts: {}, steps: [], notes: [] }).location;
}

test('is the named file, the config, the script, or a file that lists servers, from the root', () => {
  const script = ['--', 'node', 'server.js'];
  expect(() => locationOf('https://example.com/mcp')).toThrow('`--location FILE`');
  write('.mcp.json');
  expect(locationOf('https://example.com/mcp')).toBe('.mcp.json');
  write('packages/a/server.js', 'packages/a/servers.json', 'README.md');
  expect(locationOf(...script)).toBe('packages/a/server.js');
  expect(locationOf('--config', 'servers.json', '--all')).toBe('packages/a/servers.json');
  expect(locationOf('--location', '../../README.md', ...script)).toBe('README.md');
});

test('is never outside of the repository, nor in node_modules', () => {
  mkdirSync(join(root, 'packages/a/node_modules'));
  write('packages/a/node_modules/x.js');
  expect(() => locationOf('--', 'node', process.execPath)).toThrow('`--location FILE`');
  expect(() => locationOf('--', 'node', 'node_modules/x.js')).toThrow('`--location FILE`');
  expect(() => locationOf('--location', process.execPath, '--demo')).toThrow('is not a file in');
});

test('is the recording for a recording of the repository, and is not looked for without a report', () => {
  write('packages/a/a.mcpr.jsonl');
  const request = requestOf('check', '--report', 'sarif=x', 'a.mcpr.jsonl');
  const source = { name: 'x', file: 'a.mcpr.jsonl', facts: {}, steps: [], notes: [] };
  expect(readLocation(request, join(root, 'packages/a'))?.(source)).toEqual({ location: 'packages/a/a.mcpr.jsonl' });
  expect(readLocation(requestOf('check', '--demo'), root)).toBeUndefined();
});
