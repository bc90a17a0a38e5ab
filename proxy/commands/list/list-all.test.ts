import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { prepareAction, requestOf, runCommand } from '../test-command-line';
import { requireShape } from '../test-output-shape';
import { listAll } from './list-all';

const FAULTY = join(import.meta.dirname, '../fixtures/faulty-server.mjs');
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-list-'));
const file = join(folder, 'mcp.json');
afterAll(() => rmSync(folder, { recursive: true }));

const server = (...faults: string[]) => ({ command: process.execPath, args: [FAULTY, 'legacy', ...faults] });

async function list(servers: object, ...more: string[]) {
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  const argv = ['list', ...more, '--config', file, '--all'];
  const stdout: string[] = [];
  const notes: string[] = [];
  const context = {
    request: requestOf(...argv),
    version: '0.0.0-test',
    home: '',
    printLines: () => {},
    printText: (text: string) => stdout.push(text),
    printNote: (text: string) => notes.push(text),
    status: { show: () => {}, end: () => {} },
  };
  const code = await listAll(
    context,
    () => prepareAction(...argv),
    () => {},
  );
  return { code, notes, stdout: stdout.join('\n') };
}

test('lists every enabled server in the order of the config, and says why one is missing', async () => {
  const { stdout, notes, code } = await list({
    good: server(),
    missing: { command: 'no-such-program' },
    off: { ...server(), disabled: true },
  });
  expect(stdout).toMatch(/# good\ntools \(1\)\nNAME[\s\S]*echo[\s\S]*prompts \(2\)[\s\S]*# missing\nNo connection\. /);
  expect(notes).toEqual(['mcp-inspect: `off` is disabled in its config, so it was left out.']);
  expect(code).toBe(EXIT.noConnection);
});

test('--json prints a line for each server, with its pages as they came', async () => {
  const { stdout } = await list({ one: server(), two: { command: 'no-such-program' } }, 'tools', '--json');
  for (const line of stdout.split('\n')) requireShape('list', line);
  const [one, two] = stdout.split('\n').map((line) => JSON.parse(line));
  expect(one).toMatchObject({ server: 'one', pages: [{ tools: [{ name: 'echo' }] }] });
  expect(two).toMatchObject({ server: 'two', error: expect.stringContaining('was not found') });
});

test('needs a config, and no server', async () => {
  await expect(runCommand(['list', '--all'])).rejects.toThrow('add `--config FILE`');
});
