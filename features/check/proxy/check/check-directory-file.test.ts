import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { runCommand } from '@/proxy/commands/test-command-line';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-directories-'));
afterAll(() => rmSync(folder, { recursive: true }));

const started = join(folder, 'started');
const CODE = `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`;
const SERVER = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'io.github.example/weather',
  description: 'Weather and forecasts.',
  version: '1.0.0',
  packages: [{ registryType: 'npm', identifier: 'weather', version: '1.0.0', transport: { type: 'stdio' } }],
};
const MANIFEST = {
  manifest_version: '0.3',
  name: 'weather',
  version: '1.0.0',
  description: 'Weather and forecasts.',
  author: { name: 'Example' },
  icon: 'icon.png',
  privacy_policies: ['https://example.com/privacy'],
  server: {
    type: 'node',
    entry_point: 'server/index.js',
    mcp_config: { command: process.execPath, args: ['-e', CODE, '${__dirname}/server/index.js'] },
  },
};

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function bundle(name: string, manifest: object, files: Readonly<Record<string, string>> = {}): string {
  const all = { 'manifest.json': JSON.stringify(manifest), 'server/index.js': CODE, 'empty.js': '', ...files };
  const entries = Object.entries(all).map(([path, text]) => [path, Buffer.from(text, 'latin1')] as const);
  return file(name, zipSync(Object.fromEntries(entries)));
}

const check = async (...words: readonly string[]) => {
  const { stdout, code } = await runCommand(['check', '--json', ...words]);
  const { summary, problems } = JSON.parse(stdout);
  return { code, hosts: summary.sources[0].hosts, problems, summary };
};
const PNG = '\x89PNG\r\n\x1a\n';

test('a server.json is read for the registry', async () => {
  const good = file('server.json', JSON.stringify(SERVER));
  expect(await check('--for', 'registry', good)).toMatchObject({
    code: EXIT.fine,
    problems: [],
    hosts: [{ host: 'registry', state: 'no-obstacle', questions: expect.arrayContaining([expect.any(String)]) }],
  });
  const { stdout } = await runCommand(['check', '--for', 'registry', good]);
  expect(stdout).toMatch(/note {5}The MCP registry: Is the namespace .*\?/);
  const bad = file('bad.server.json', JSON.stringify({ ...SERVER, description: 'x'.repeat(101) }));
  const { code, problems, summary } = await check('--for', 'registry,chatgpt-directory', bad, good);
  expect(code).toBe(EXIT.serverError);
  expect(problems).toEqual([
    expect.objectContaining({
      rule: 'host-registry-description',
      severity: 'error',
      message: '`description` has 101 characters. The host takes descriptions of up to 100 characters.',
      path: 'description',
      frames: [],
    }),
  ]);
  expect(summary.sources).toHaveLength(2);
});

test('a bundle is read for the Claude directory, and not started', async () => {
  const good = bundle('good.mcpb', MANIFEST, { 'icon.png': PNG });
  expect(await check('--for', 'claude-directory', good)).toMatchObject({ code: EXIT.fine, problems: [] });
  const icon = `${'../'.repeat(20)}${good.slice(1)}`;
  const bad = bundle('bad.mcpb', {
    ...MANIFEST,
    icon,
    privacy_policies: [],
    server: { ...MANIFEST.server, entry_point: 'empty.js' },
  });
  const { code, problems } = await check('--for', 'claude-directory', bad);
  expect(code).toBe(EXIT.serverError);
  expect(problems.map(({ rule, path }: { rule: string; path: string }) => [rule, path])).toEqual([
    ['host-dir-mcpb-privacy', 'privacy_policies'],
    ['host-dir-mcpb-icon', 'icon'],
  ]);
  expect(existsSync(started)).toBe(false);
});

test.each([
  ['server.json', '{"name": ', /^It is not valid JSON\. Line 1/],
  ['server.json', '{"name": "a/b", }', /^It is not plain JSON\./],
  ['server.json', '[]', /^It is not a JSON object\./],
  ['a.mcpb', 'not a zip', /^It is not a valid ZIP archive\./],
])('%s with %s is not judged', async (name, content, reason) => {
  const { code, problems } = await check('--for', 'registry', file(name, content));
  expect(code).toBe(EXIT.usage);
  expect(problems).toEqual([expect.objectContaining({ rule: 'unreadable', advice: expect.stringMatching(reason) })]);
});

test('a missing file, and one without `--for`, say what to do', async () => {
  const { problems } = await check('--for', 'registry', join(folder, 'gone.server.json'));
  expect(problems[0].advice).toBe('It does not exist.');
  const { stdout, code } = await runCommand(['check', 'server.json']);
  expect(stdout).toContain('It is not a recording. Add `--for registry`, or another directory.');
  expect(code).toBe(EXIT.usage);
});
