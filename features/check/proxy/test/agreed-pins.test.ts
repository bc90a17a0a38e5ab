import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SETTINGS_FILE } from '@/proxy/cli/options';
import { COMMANDS } from '@/proxy/commands/registry';
import { withTeamOptions } from '@/proxy/commands/shared/team-options';
import { parseRun } from '@/proxy/commands/test-command-line';
import { keptDecisions } from '@/proxy/files/decisions';
import { readPinsFile } from './pins-file';

const PINS = 'p.pins.json';
const CALLS = '{"pins":1,"calls":[{"name":"a","method":"tools/call","params":{"name":"read"}}]}';

/** Runs in a new folder with settings that name these pins, and agrees to them. Resolves with what reads the pins. */
async function agree(pins: string, ...argv: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-agreed-'));
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });
  writeFileSync(PINS, CALLS);
  writeFileSync(SETTINGS_FILE, JSON.stringify({ options: { pins } }));
  const asking = { ask: async () => 'y', printNote: () => {} };
  const words = ['test', ...argv, '--demo'];
  const { request } = await withTeamOptions(words, parseRun(words), COMMANDS, asking, keptDecisions(folder));
  const read = () => readPinsFile({ path: resolve(PINS), shown: PINS });
  return { named: request.given.get('pins'), read };
}

test('attack: pins that change after a person agreed to the settings that name them are not used', async () => {
  const { named, read } = await agree(PINS);
  expect(named).toEqual([PINS]);
  expect((await read()).pins).toHaveLength(1);
  writeFileSync(PINS, CALLS.replace('read', 'drop'));
  await expect(read()).rejects.toThrow('`p.pins.json` has changed since you agreed to it: start again, or name it.');
  writeFileSync(PINS, CALLS);
  expect((await read()).pins).toHaveLength(1);
});

test('pins that the command line names may change', async () => {
  const { read } = await agree(PINS, '--pins', PINS, '--client', 'a@1');
  writeFileSync(PINS, CALLS.replace('read', 'drop'));
  expect((await read()).pins).toHaveLength(1);
});

test.each([
  ['../p.pins.json', 'leads out of its project'],
  ['s3://team/p.pins.json', 'Name a file of the project.'],
  ['-', 'Name a file of the project.'],
])('attack: settings that nobody named can’t name the pins %s', async (pins, why) => {
  await expect(agree(pins)).rejects.toThrow(why);
});
