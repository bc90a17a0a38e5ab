import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findLaunch, readServerRequest, runOn } from './headless/on-server';
import { keptOutput } from './headless/test-connection';
import { capture, testAgainst } from './test/test-against';
import { prepareAction, requestOf, runCommand } from './test-command-line';

const ROOT = join(import.meta.dirname, '../..');
const DEMO = [process.execPath, join(ROOT, 'examples/demo-server/server.mjs')] as const;
const target = { transport: 'stdio', command: DEMO[0], args: [DEMO[1]] } as const;
const PINS = { pins: 1, calls: [{ tool: 'echo', arguments: { message: 'hi' } }] };

let folder: string;
const at = (...names: string[]) => join(folder, ...names);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-outputs-'));
  mkdirSync(at('.cursor'));
  const servers = { demo: { command: DEMO[0], args: [DEMO[1]] }, remote: { url: 'http://127.0.0.1:9/mcp' } };
  writeFileSync(at('.cursor/mcp.json'), JSON.stringify({ mcpServers: servers }));
  writeFileSync(at('a.pins.json'), JSON.stringify(PINS));
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

/** Throws unless a text is JSON as a schema says. */
function requireShape(name: string, text: string): void {
  const path = (one: string) => join(ROOT, `schemas/mcp-inspect.${one}.schema.json`);
  const accepts = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(path(name), 'utf8')));
  accepts(JSON.parse(text));
  expect(accepts.errors ?? []).toEqual([]);
}

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
])('schemas/…%s… describes what `%s` prints', async (schema, words) => {
  const argv = words.map((word) => (/\.(?:jsonl|md)$/.test(word) ? at(word) : word));
  requireShape(schema, await printed(...argv, '--json'));
});

test('schemas/…test… describes what `test` prints of pins and of recordings', async () => {
  for (const file of ['a.pins.json', 'one.mcpr.jsonl'])
    requireShape('test', (await testAgainst(target, at(file), '--json')).stdout.join(''));
});

test('schemas/…doctor… describes what `doctor` prints of a connection, and of a failure', async () => {
  requireShape('doctor', await doctor(...DEMO));
  requireShape('doctor', await doctor('no-such-program'));
}, 30_000);

test('every schema is one', () => {
  for (const name of ['check', 'diff', 'doctor', 'entries', 'servers', 'share', 'test'])
    expect(() => requireShape(name, '0')).toThrow();
});
