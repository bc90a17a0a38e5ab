import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { SETTINGS_FILE } from '@/proxy/cli/options';
import { keptDecisions } from '@/proxy/files/decisions';
import { COMMANDS } from '../registry';
import { parseRun } from '../test-command-line';
import { readSettingsFiles } from './settings-file';
import { mayUseSettings, withTeamOptions } from './team-options';

/** Runs in a folder with these settings. `answers`: of a person, in their order; absent: nobody is there. */
function inFolder(settings: string, answers?: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-team-'));
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });
  writeFileSync(SETTINGS_FILE, settings);
  const said: string[] = [];
  const ask = answers && (async () => answers.shift());
  const asking = { ask, printNote: (line: string) => void said.push(line) };
  const run = async (...argv: string[]) => {
    const { request } = await withTeamOptions(argv, parseRun(argv), COMMANDS, asking, keptDecisions(folder));
    return Object.fromEntries(request.given);
  };
  return { run, said };
}

const TEAM = JSON.stringify({
  failOn: 'warning',
  options: { client: 'acme@1', to: 's3://team/mcp', s3: { region: 'eu-west-1', tag: ['a', 'b'] } },
});

test('settings that somebody names set the options that the command takes', async () => {
  const { run, said } = inFolder(TEAM);
  expect(await run('--settings', SETTINGS_FILE, 'list', '--s3', 'tag=mine', '--demo')).toEqual({
    settings: [SETTINGS_FILE],
    demo: [''],
    's3.tag': ['mine'],
    client: ['acme@1'],
    to: ['s3://team/mcp'],
    's3.region': ['eu-west-1'],
  });
  expect(await run('doctor', '--settings', SETTINGS_FILE, '--client', 'x@2', '--demo')).toMatchObject({
    client: ['x@2'],
  });
  expect(said).toEqual([]);
});

test('addresses in settings that nobody named are used once a person agrees', async () => {
  const { run, said } = inFolder(TEAM, ['y']);
  expect(await run('list', '--demo')).toMatchObject({ to: ['s3://team/mcp'] });
  expect(said.join('\n')).toContain(
    'sets these options, severities and exceptions:\n  --client acme@1\n  --to s3://team/mcp\n  --s3 region=eu-west-1',
  );
  expect(await run('list', '--demo')).toMatchObject({ to: ['s3://team/mcp'] });
});

test.each<[string, string[] | undefined, string]>([
  ['refuses', ['n'], 'sets these options'],
  ['is not there', undefined, 'Not using options, severities and exceptions in `'],
])('if a person %s, no option of the file counts', async (_, answers, sentence) => {
  const { run, said } = inFolder(TEAM, answers);
  expect(await run('list', '--demo')).toEqual({ demo: [''] });
  expect(said.join('\n')).toContain(sentence);
});

test.each([
  ['{"options":{"env":"A=1"}}', '`options` may have client, otel'],
  ['{"options":[]}', '`options` is not an object'],
  ['{"options":{"client":1}}', '`client` is not a text'],
  ['{"options":{"s3":{"regoin":"x"}}}', '`s3` has no `regoin`: did you mean `region`?'],
])('settings that can’t be used say why: %s', async (settings, sentence) => {
  const { run } = inFolder(settings, ['y']);
  await expect(run('list', '--demo')).rejects.toThrow(sentence);
});

test.each([
  ['{bad', 'it is not JSON'],
  ['{"rulez":{}}', '`rulez` is unknown'],
  ['{"rules":{"tool-name-invlaid":"off"}}', 'there is no rule `tool-name-invlaid`'],
])('%s is refused by all commands, whether the file is named or found', async (settings, sentence) => {
  const { run } = inFolder(settings);
  const refused = { exitCode: EXIT.usage, message: expect.stringContaining(sentence) };
  for (const argv of [['list'], ['call', 't'], ['test'], ['list', '--settings', SETTINGS_FILE]])
    await expect(run(...argv, '--demo')).rejects.toMatchObject(refused);
});

test('settings extend a file of the company, whose options they replace', async () => {
  const { run } = inFolder('{"extends":"base/company.json","options":{"client":"team@2"}}', ['y']);
  mkdirSync('base');
  writeFileSync('base/company.json', TEAM);
  expect(await run('list', '--demo')).toMatchObject({ client: ['acme@1', 'team@2'], to: ['s3://team/mcp'] });
  writeFileSync('base/company.json', '{"extends":"../mcp-inspect.config.json"}');
  await expect(run('list', '--demo')).rejects.toThrow('extends itself');
  rmSync('base', { recursive: true });
  await expect(run('list', '--demo')).rejects.toThrow(/company\.json` was not found\. `.+config\.json` extends it\./);
});

test('attack: settings that nobody named lead to no file outside of the project', async () => {
  const { run } = inFolder('{"extends":"../company.json"}', ['y']);
  const outside = mkdtempSync(join(tmpdir(), 'mcp-inspect-outside-'));
  onTestFinished(() => rmSync(outside, { recursive: true }));
  writeFileSync(join(outside, 'company.json'), TEAM);
  const refused = /company\.json` can’t be used as settings\. It leads out of its project/;
  for (const path of ['../x/company.json', join(outside, 'company.json'), 'linked/company.json']) {
    writeFileSync(SETTINGS_FILE, JSON.stringify({ extends: path }));
    if (path.startsWith('linked')) symlinkSync(outside, 'linked');
    await expect(run('list', '--demo')).rejects.toThrow(refused);
  }
  expect(await run('list', '--settings', SETTINGS_FILE, '--demo')).toMatchObject({ client: ['acme@1'] });
});

test('a person is asked once about all that settings do', async () => {
  const { run, said } = inFolder('{"rules":{"field-type":"off"},"options":{"client":"a@1"}}', ['y']);
  expect(await run('check', 'a.mcpr.jsonl', '--client', 'b@2')).toMatchObject({ client: ['b@2'] });
  expect(said).toEqual([]);
  expect(await run('list', '--demo')).toMatchObject({ client: ['a@1'] });
  expect(said.slice(1)).toEqual(['  --client a@1', '  field-type: off']);
  const files = await readSettingsFiles(undefined);
  const nobody = { ask: undefined, printNote: () => {} };
  expect(await mayUseSettings(files, nobody, keptDecisions(process.cwd()))).toBe(true);
});

test('agreeing for one command shows what all commands would use, and holds for this content of the pins only', async () => {
  const { run, said } = inFolder('{"options":{"client":"a@1","to":"s3://x","pins":"p.pins.json"}}', ['y', 'n']);
  writeFileSync('p.pins.json', '{"pins":1,"calls":[]}');
  await run('list', '--demo');
  expect(said.join('\n')).toContain('--pins p.pins.json');
  expect(await run('test', '--demo')).toMatchObject({ pins: ['p.pins.json'] });
  writeFileSync('p.pins.json', '{"pins":1,"calls":[{"tool":"drop"}]}');
  expect(await run('test', '--demo')).not.toHaveProperty('pins');
});

test('attack: a value of the file can’t write over the question', async () => {
  const { run, said } = inFolder(JSON.stringify({ options: { to: 's3://evil/x\u001b[1A\n  --to s3://team' } }), ['n']);
  await run('list', '--demo');
  expect(said.slice(1, -1).every((line) => !line.includes('\u001b') && !line.includes('\n'))).toBe(true);
});
