import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { capture, testAgainst } from '@/proxy/commands/headless/test-against';
import { KeptSignIns } from '@/proxy/connection/kept-sign-ins';
import { findLaunch, readServerRequest, runOn } from './headless/on-server';
import { runAnswered } from './headless/test-answers';
import { keptOutput } from './headless/test-connection';
import { prepareAction, requestOf, runCommand } from './test-command-line';
import { requireShape } from './test-output-shape';

const ROOT = join(import.meta.dirname, '../..');
const DEMO = [process.execPath, join(ROOT, 'examples/demo-server/server.mjs')] as const;
const target = { transport: 'stdio', command: DEMO[0], args: [DEMO[1]] } as const;
/** Schemas of what commands print. */
const SCHEMAS = readdirSync(join(ROOT, 'schemas')).flatMap((file) => {
  const [, name] = /^mcp-inspect\.(\w+)\.schema\.json$/.exec(file) ?? [];
  return name === undefined || ['config', 'rules'].includes(name) ? [] : [name];
});
const PINS = { pins: 1, calls: [{ tool: 'echo', arguments: { message: 'hi' } }] };

let folder: string;
const at = (...names: string[]) => join(folder, ...names);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-outputs-'));
  mkdirSync(at('.cursor'));
  const servers = { demo: { command: DEMO[0], args: [DEMO[1]] }, remote: { url: 'http://127.0.0.1:9/mcp' } };
  writeFileSync(at('.cursor/mcp.json'), JSON.stringify({ mcpServers: servers }));
  writeFileSync(at('a.pins.json'), JSON.stringify(PINS));
  mkdirSync(at('data/recordings'), { recursive: true });
  writeFileSync(at('data/recordings/unreadable.mcpr.jsonl'), 'no recording');
  const grant = {
    issuer: 'https://login.example',
    clientId: 'me',
    accessToken: 'x',
    scopes: ['read'],
    by: 'sign-in',
  } as const;
  await new KeptSignIns(at('data/recordings')).keep('https://mcp.example', '', grant, false);
  for (const [name, message] of [
    ['one', 'hi'],
    ['two', 'ho'],
  ])
    await capture(target, at(`${name}.mcpr.jsonl`), async (ask) => {
      await ask('tools/list', undefined);
      await ask('tools/call', JSON.stringify({ name: 'echo', arguments: { message } }));
    });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

async function printed(...argv: string[]): Promise<string> {
  vi.stubEnv('HOME', folder);
  vi.stubEnv('MCP_INSPECT_HOME', at('data'));
  return (await runCommand(argv, join(ROOT, 'dist'))).stdout;
}

/** Runs `doctor` on a command. */
async function doctor(...server: string[]): Promise<string> {
  const request = requestOf('doctor', '--json', '--', ...server);
  const [action, out] = [await prepareAction('doctor', '--json', '--', ...server), keptOutput(true)];
  const run = Object.assign((connected: Parameters<typeof action>[0]) => action(connected), {
    connect: { ...action.connect, out },
  });
  const asked = { ...readServerRequest(request), isUnattended: true } as const;
  await runOn(await findLaunch(asked.options, folder), run, asked, '0.0.0-test', () => {});
  return out.stdout.join('\n');
}

test.each([
  ['servers', ['servers']],
  ['entries', ['tap', 'add', 'cursor', 'demo', '--dry-run']],
  ['entries', ['tap', 'add', 'cursor', 'demo']],
  ['entries', ['mcp', 'add', 'cursor', '--dry-run']],
  ['share', ['share', 'one.mcpr.jsonl', '--format', 'md', '--out', 'one.md']],
  ['diff', ['diff', 'one.mcpr.jsonl', 'two.mcpr.jsonl']],
  ['check', ['check', 'one.mcpr.jsonl', 'two.mcpr.jsonl']],
  ['report', ['report', 'one.mcpr.jsonl', 'two.mcpr.jsonl']],
  ['usage', ['report', '--usage', 'one.mcpr.jsonl']],
  ['usage', ['report', '--usage', 'one.mcpr.jsonl', 'two.mcpr.jsonl']],
  ['recordings', ['recordings']],
  ['auth', ['auth']],
  ['export', ['export', 'one.mcpr.jsonl', '--format', 'schema']],
  ['outbox', ['recordings', 'outbox']],
  ['logout', ['auth', 'logout', 'https://mcp.example']],
])('schemas/…%s… describes what `%s` prints', async (schema, words) => {
  const argv = words.map((word) => (/\.(?:jsonl|md)$/.test(word) ? at(word) : word));
  requireShape(schema, await printed(...argv, '--json'));
});

test('schemas/…search… describes each line of `search`', async () => {
  const lines = (await printed('search', '', at('one.mcpr.jsonl'), '--json')).split('\n');
  expect(lines.length).toBeGreaterThan(4);
  for (const line of lines) requireShape('search', line);
});

test('schemas/…calls… describes each line of `call --times`', async () => {
  const answers: Readonly<Record<string, string>> = {
    good: '{"content":[]}',
    wrong: '{"content":[],"isError":true}',
    odd: '[1]',
  };
  for (const text of Object.values(answers)) {
    const { stdout } = await runAnswered(['call', 'echo', '--times', '2', '--protocol', 'none'], {
      'tools/call': text,
    });
    expect(stdout).toHaveLength(2);
    for (const line of stdout) requireShape('calls', line);
  }
  const refused = await runAnswered(['call', 'echo', '--times', '1', '--protocol', 'none'], {});
  requireShape('calls', refused.stdout[0]!);
  expect(JSON.parse(refused.stdout[0]!)).toHaveProperty('error');
});

test('schemas/…fields… and …apps… describe what `list` prints of forms and of apps', async () => {
  const circle = { type: 'object', properties: { a: { $ref: '#/nowhere' }, b: { type: 'number' } } };
  const tools = [
    { name: 't', inputSchema: circle, _meta: { ui: { resourceUri: 'ui://a' } } },
    { name: 'u', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: 'ui://b' } } },
  ];
  const _meta = { ui: { csp: { connectDomains: ['https://a.example', 'nonsense'] } } };
  const page = { contents: [{ uri: 'ui://a', mimeType: 'text/html;profile=mcp-app', text: '<p>hi</p>', _meta }] };
  const answers = { 'tools/list': JSON.stringify({ tools }), 'resources/read': JSON.stringify(page) };
  for (const [schema, words] of [
    ['fields', ['tools', '--fields']],
    ['apps', ['apps']],
  ] as const)
    requireShape(schema, (await runAnswered(['list', ...words, '--json'], answers)).stdout[0]!);
});

test('schemas/…test… describes what `test` prints of pins and of recordings', async () => {
  for (const file of ['a.pins.json', 'one.mcpr.jsonl'])
    requireShape('test', (await testAgainst(target, at(file), '--json')).stdout.join(''));
});

test('schemas/…doctor… describes what `doctor` prints of a connection, and of a failure', async () => {
  requireShape('doctor', await doctor(...DEMO));
  requireShape('doctor', await doctor('no-such-program'));
}, 30_000);

test('docs/cli.md names every schema', () => {
  const page = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
  expect(SCHEMAS.filter((name) => !page.includes(`\`mcp-inspect.${name}.schema.json\``))).toEqual([]);
});

test('every schema is one', () => {
  for (const name of SCHEMAS) expect(() => requireShape(name, '0')).toThrow();
});
