import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { capture } from '@/proxy/commands/headless/test-against';
import { runCommand } from '@/proxy/commands/test-command-line';

const FIXTURES = join(import.meta.dirname, '../../../../proxy/connection/fixtures');
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-check-'));
const [good, bad] = [join(folder, 'good.mcpr.jsonl'), join(folder, 'bad.mcpr.jsonl')];
const run = (...argv: string[]) => runCommand(['check', ...argv]);
const problemsOf = (stdout: string) => JSON.parse(stdout).problems.map(({ rule }: { rule: string }) => rule);

beforeAll(async () => {
  const target = {
    transport: 'stdio',
    command: process.execPath,
    args: [join(FIXTURES, 'shop-server.mjs'), 'same'],
  } as const;
  await capture(target, good, async (ask) => {
    await ask('tools/list');
  });
  // The same session, with a wrong version of JSON-RPC in an answer, and without its end.
  const lines = readFileSync(good, 'utf8').trimEnd().split('\n');
  const answer = lines.findIndex((line) => /tools\\?":\s*\[/.test(line));
  const broken = lines[answer]!.replace(/(jsonrpc\\?":\s*\\?")2\.0/, '$11.0');
  writeFileSync(bad, `${lines.with(answer, broken).slice(0, -1).join('\n')}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a recording without errors passes', async () => {
  const { stdout, code } = await run(good);
  expect(stdout).toContain('Passed: 0 errors, 4 warnings');
  expect(code).toBe(EXIT.fine);
});

test('judges the lists of a recording', async () => {
  const { stdout } = await run(good, '--json');
  expect(problemsOf(stdout)).toContain('argument-description');
  expect(JSON.parse(stdout).summary.sources[0]).toMatchObject({ tools: expect.any(Number) });
});

test('settings change severities, and an unknown rule is an error', async () => {
  const settings = join(folder, 'settings.json');
  const write = (value: unknown) => writeFileSync(settings, JSON.stringify(value));
  write({ rules: { 'jsonrpc-version': 'off', 'argument-description': 'error' }, failOn: 'warning' });
  const { stdout } = await run(bad, '--json', '--settings', settings);
  expect(problemsOf(stdout)).not.toContain('jsonrpc-version');
  expect(JSON.parse(stdout).summary).toMatchObject({ failOn: 'warning', off: 1 });
  write({ rules: { 'jsonrpc-versions': 'off' } });
  await expect(run(good, '--settings', settings)).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringContaining('did you mean `jsonrpc-version`'),
  });
  await expect(run(good, '--settings', join(folder, 'none.json'))).rejects.toThrow('was not found');
});

test('`--for` judges a recording for hosts, and settings turn a fact off', async () => {
  const { stdout, code } = await run(good, '--json', '--for', 'chatgpt-directory,claude-directory,codex');
  const { summary, problems } = JSON.parse(stdout);
  expect(summary.sources[0].hosts).toMatchObject([
    { host: 'codex', state: 'no-obstacle', obstacles: 0, untried: ['No tool has been called yet.'] },
    { host: 'claude-directory', state: 'fails' },
    { host: 'chatgpt-directory', state: 'out-of-reach' },
  ]);
  expect(problems).toContainEqual(
    expect.objectContaining({
      rule: 'host-dir-claude-hints',
      severity: 'error',
      message: expect.stringMatching(/^".+": has neither readOnlyHint .+\. The host wants `readOnlyHint`/),
      path: expect.stringMatching(/^result\.tools\[".+"\]\.annotations$/),
      frames: [expect.any(Number)],
    }),
  );
  expect(code).toBe(EXIT.serverError);
  const settings = join(folder, 'hosts.json');
  const rules = { 'host-dir-claude-hints': 'off', 'host-dir-claude-title': 'info' };
  writeFileSync(settings, JSON.stringify({ rules }));
  const off = await run(good, '--json', '--for', 'claude-directory', '--settings', settings);
  expect(problemsOf(off.stdout)).not.toContain('host-dir-claude-hints');
  expect(off.code).toBe(EXIT.fine);
  await expect(run(good, '--for', 'vscod')).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringContaining('did you mean `vscode`'),
  });
});

test('what a check sent wrong on purpose is not reported from its recording', async () => {
  const [file, server] = [join(folder, 'checked.mcpr.jsonl'), join(FIXTURES, 'shop-server.mjs')];
  await run('--record', file, '--', process.execPath, server, 'same');
  expect(readFileSync(file, 'utf8')).toContain('mcp-inspect/no-such-method');
  const { stdout } = await run(file, '--json');
  expect(problemsOf(stdout)).not.toContain('method-unknown');
});

test('fails on errors, and names the frames', async () => {
  const { stdout, code } = await run(good, bad, '--json');
  expect(problemsOf(stdout)).toContain('jsonrpc-version');
  const { summary, problems } = JSON.parse(stdout);
  expect(summary.sources.map(({ file }: { file: string }) => file)).toEqual([good, bad]);
  expect(problems.find(({ rule }: { rule: string }) => rule === 'jsonrpc-version').frames).toHaveLength(1);
  expect(code).toBe(EXIT.serverError);
});

test('accepts the problems of a baseline', async () => {
  const baseline = join(folder, 'known.json');
  writeFileSync(baseline, (await run(bad, '--json')).stdout);
  const { stdout, code } = await run(bad, '--baseline', baseline);
  expect(stdout).toMatch(/Passed: 0 errors, .* Baseline: (\d+) problems, \1 found again\./);
  expect(code).toBe(EXIT.fine);
});

test('a budget fails the check, and so does one that nothing measures', async () => {
  const { stdout, code } = await run(good, '--budget', 'tools=0,p95=0.001,result=1KB', '--json');
  expect(problemsOf(stdout).filter((rule: string) => rule.startsWith('budget-'))).toEqual([
    'budget-tools',
    'budget-p95',
    'budget-unmeasured',
  ]);
  expect(code).toBe(EXIT.serverError);
  expect((await run(good, '--budget', 'tools=40,tokens=5000')).code).toBe(EXIT.fine);
});

test('writes files for build servers', async () => {
  const files = ['junit', 'sarif', 'markdown'].map((kind) => ['--report', `${kind}=${join(folder, kind)}`]);
  await run(bad, ...files.flat(), '--location', 'package.json');
  expect(readFileSync(join(folder, 'junit'), 'utf8')).toContain('<failure type="jsonrpc-version"');
  const { version, runs } = JSON.parse(readFileSync(join(folder, 'sarif'), 'utf8'));
  expect(version).toBe('2.1.0');
  // The recording is outside of the repository.
  const { physicalLocation } = runs[0].results[0].locations[0];
  expect(physicalLocation).toEqual({ artifactLocation: { uri: 'package.json' }, region: { startLine: 1 } });
  expect(readFileSync(join(folder, 'markdown'), 'utf8')).toContain('### mcp-inspect check: failed');
});

test('checks what is left of a damaged recording', async () => {
  const cut = join(folder, 'cut.mcpr.jsonl');
  writeFileSync(cut, readFileSync(bad));
  truncateSync(cut, readFileSync(bad).length - 40);
  const { stdout, code } = await run(cut);
  expect(stdout).toContain('note     The recording is incomplete: its last line was cut off.');
  expect(code).toBe(EXIT.serverError);
});

test('names a file that is not a recording, and checks the others', async () => {
  const other = join(folder, 'other.txt');
  writeFileSync(other, 'hello\n');
  const junit = join(folder, 'unread.xml');
  const { stdout, code } = await run(other, good, join(folder, 'missing'), '--report', `junit=${junit}`);
  expect(stdout).toContain('File not found. Check the path after `check`.');
  expect(stdout).toContain('Failed: 2 errors');
  expect(readFileSync(junit, 'utf8').match(/<failure type="unreadable"/g)).toHaveLength(2);
  expect(code).toBe(EXIT.usage);
  expect(JSON.parse((await run(other, '--json')).stdout).summary).toMatchObject({ passed: false, errors: 1 });
});

test('a command without `--` gets the advice to write it', async () => {
  const { notes, code } = await run('node', join(folder, 'other.txt'));
  expect(notes.join()).toContain('put `--` before its command');
  expect(code).toBe(EXIT.usage);
  expect((await run(good, join(folder, 'missing'))).notes.join()).not.toContain('`--`');
});

test.each([
  [['--fail-on', 'eror'], 'did you mean `error`?'],
  [['--fail-on', 'never'], 'choose from error, warning, info'],
  [['--baseline', '/nowhere/known.json'], 'Check the path after `--baseline`'],
  [['--json', '--report', 'github'], 'remove one of them'],
  [['--report', 'junit=/nowhere/out.xml'], 'check the path after `--report junit`'],
  [['--report', 'sarif=out.sarif', '--location', '/etc/hosts'], 'is not a file in'],
  [['--location', 'package.json'], 'add `--report sarif=FILE`'],
  [['--budget', 'token=5'], 'there is no budget `token`'],
  [['--limit', 'few'], '`--limit few`'],
  [['--budget', 'p95=fast'], '`p95` is not a limit'],
])('refuses %j', async (argv, why) => {
  await expect(run(good, ...argv)).rejects.toThrow(why);
});

test('--since and --limit choose recordings of a folder', async () => {
  const place = mkdtempSync(join(folder, 'some-'));
  for (const [name, from] of [
    ['a', good],
    ['b', bad],
  ] as const)
    copyFileSync(from, join(place, `${name}.mcpr.jsonl`));
  const checked = async (...argv: string[]) => {
    const { stdout, code } = await run(place, '--json', ...argv);
    return [JSON.parse(stdout).summary.sources.map(({ file }: { file: string }) => basename(file)), code];
  };
  expect(await checked('--since', '1h')).toEqual([['a.mcpr.jsonl', 'b.mcpr.jsonl'], EXIT.serverError]);
  expect(await checked('--limit', '1')).toEqual([['a.mcpr.jsonl'], EXIT.fine]);
  expect(await checked('--limit', '2-5')).toEqual([['b.mcpr.jsonl'], EXIT.serverError]);
  // A check of nothing does not pass.
  await expect(run(place, '--since', '2100-01-01')).rejects.toThrow('No recording began since then');
  await expect(run(place, '--limit', '3-4')).rejects.toThrow('chooses none of 2 files');
});

test('--fail-on info fails on hints', async () => {
  expect((await run(bad, '--fail-on', 'info')).code).toBe(EXIT.serverError);
});
