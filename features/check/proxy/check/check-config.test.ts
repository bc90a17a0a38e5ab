import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { readServerOptions } from '@/proxy/cli/server-options';
import { requestOf } from '@/proxy/commands/test-command-line';
import { checkConfig, sharedNames } from './check-config';
import { fleetRows, matrixText } from './fleet-rows';

const FAULTY = join(import.meta.dirname, '../../../../proxy/commands/fixtures/faulty-server.mjs');
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-check-'));
  file = join(folder, 'mcp.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function check(servers: object, jobs = 2) {
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  const options = readServerOptions(requestOf('check', '--config', file, '--all'));
  const notes: string[] = [];
  const entries = await checkConfig({
    options,
    home: '',
    jobs,
    check: {
      server: { options, json: true },
      version: '0.0.0-test',
      status: { show: () => {}, end: () => {} },
      limits: { wholeMs: 60_000, stepMs: 5000 },
    },
    stepsOf: () => {
      let isRun = false;
      const run = async () => {
        isRun = true;
        return [];
      };
      return [{ name: 'once', skips: () => (isRun ? 'It was run.' : undefined), run }];
    },
    printNote: (text) => notes.push(text),
    onClose: () => {},
  });
  return { entries, notes };
}

const server = (...faults: string[]) => ({ command: process.execPath, args: [FAULTY, 'legacy', ...faults] });

test('every enabled server has a row: up or why not, and its problems', async () => {
  const { entries, notes } = await check({
    good: server(),
    bad: server('tool-schema-null'),
    missing: { command: 'no-such-program' },
    off: { ...server(), disabled: true },
  });
  expect(entries.map(({ name, failure }) => [name, failure?.message])).toEqual([
    ['good', undefined],
    ['bad', undefined],
    ['missing', expect.stringContaining('was not found')],
  ]);
  expect(notes).toEqual(['mcp-inspect: `off` is disabled in its config, so it was left out.']);
  const reported = entries.flatMap(({ sources }) => sources);
  const rows = matrixText(fleetRows(entries, reported, undefined), undefined).split('\n');
  expect(rows[1]).toMatch(/^good +up .* legacy +\d+ +~\d+ /);
  expect(rows[2]).toMatch(/^bad +up .* \d+ errors?/);
  expect(rows[3]).toMatch(/^missing +no: .* 1 error$/);
});

test('names of tools that several servers have are one hint each', async () => {
  const { entries } = await check({ one: server(), two: server() }, 1);
  const { steps } = sharedNames(entries, 'mcp.json')!;
  expect(steps[0]!.findings.map(({ message }) => message)).toContain('"echo" is a tool of "one", "two".');
  expect(sharedNames(entries.slice(1), 'mcp.json')).toBeUndefined();
});

test('a config without servers is an error', async () => {
  await expect(check({ off: { ...server(), disabled: true } })).rejects.toMatchObject({ exitCode: EXIT.usage });
});

test('a step that runs once runs for each server', async () => {
  const { entries } = await check({ one: server(), two: server() }, 1);
  const once = entries.map(({ sources: [first] }) => first!.steps.find(({ name }) => name === 'once')?.skipped);
  expect(once).toEqual([undefined, undefined]);
});
