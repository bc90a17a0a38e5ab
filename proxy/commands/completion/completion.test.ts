import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recorded } from '@/features/team/proxy/query/test-recordings';
import { COMMANDS } from '../registry';
import { runCommand } from '../test-command-line';
import { candidatesFor, type KnownNames } from './candidates';
import { SCRIPTS } from './scripts';

const known: KnownNames = {
  servers: async () => ['files', 'cursor/files', 'a; rm -rf ~'],
  tools: async (server) => (server === 'files' ? ['read_file', 'search'] : ['any']),
};
const complete = (...words: string[]) => candidatesFor(words, COMMANDS, known);

test.each<[string[], readonly string[]]>([
  [['serv'], ['servers']],
  [['he'], ['help']],
  [['help', 'conn'], ['connecting']],
  [['tap', 'r'], ['remove']],
  [['tap', 'add', 'curs'], ['cursor']],
  [['tap', 'add', 'cursor', 'f'], ['files']],
  [
    ['auth', 'l'],
    ['logout', 'list'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['share', 'a.mcpr.jsonl', '--fo'], ['--format']],
  [['--auth', 'client-i'], ['client-id=']],
  [['list', '--auth', 'dp'], ['dpop']],
  [
    ['list', '--server', ''],
    ['files', 'cursor/files'],
  ],
  [['call', '--server', 'files', 's'], ['search']],
  [['--server=files', 'call', 'r'], ['read_file']],
  [['call', ''], ['any']],
  [['--protocol', '2026'], ['2026-07-28']],
  // Files, or the words of a server.
  [['open', ''], []],
  [['list', '--', 'no'], []],
  [['node', 's'], []],
  [['--record', 'a'], []],
])('%j becomes %j', async (words, found) => {
  expect(await complete(...words)).toEqual(found);
});

test('options are those of the command', async () => {
  expect(await complete('report', '--')).toEqual(expect.arrayContaining(['--fail-on', '--usage', '--help']));
  expect(await complete('report', '--env')).toEqual([]);
});

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  mkdirSync(join(home, 'recordings'));
});
afterAll(() => rmSync(home, { recursive: true }));

test('knows the tools that a recording of the server lists', async () => {
  vi.stubEnv('MCP_INSPECT_HOME', home);
  recorded(join(home, 'recordings'), '20260101T000000Z-demo-imported-0123abcd', { id: 'one' });
  const words = async (...line: string[]) => (await runCommand(['completion', 'words', '--', ...line])).stdout;
  expect(await words('call', '--server', 'demo', '')).toBe('add\nslow');
  // Its summary is kept now.
  expect(await words('call', '')).toBe('add\nslow');
  expect(await words('call', '--server', 'other', '')).toBe('');
  await expect(runCommand(['completion', 'tcsh'])).rejects.toThrow('the name of a shell: bash, zsh, fish');
});

test('the script of bash asks for the words', () => {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'mcp-inspect'), '#!/bin/sh\nprintf "%s\\n" "$@" | tail -n +4\n');
  chmodSync(join(bin, 'mcp-inspect'), 0o755);
  const line = `${SCRIPTS.get('bash')}\nCOMP_WORDS=(mcp-inspect call "" later); COMP_CWORD=2; _mcp_inspect; printf '%s.' "\${COMPREPLY[@]}"`;
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
  expect(execFileSync('bash', ['-c', line], { encoding: 'utf8', env })).toBe('call.');
});

test.each(['bash', 'zsh', 'fish'])('the script of %s has no syntax error', (shell) => {
  const { error, status, stderr } = spawnSync(shell, ['-n'], { input: SCRIPTS.get(shell)!, encoding: 'utf8' });
  // Not every machine has every shell.
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return;
  expect([status, stderr]).toEqual([0, '']);
});
