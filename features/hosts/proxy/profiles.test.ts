import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { readServerOptions } from '@/proxy/cli/server-options';
import { readClientOptions } from '@/proxy/commands/headless/client-options';
import { type CommandAction, findLaunch, runOn } from '@/proxy/commands/headless/on-server';
import { keptOutput } from '@/proxy/commands/headless/test-connection';
import { requestOf, runCommand } from '@/proxy/commands/test-command-line';
import {
  event,
  type HttpFixture,
  json,
  legacy,
  result,
  startHttp,
  stream,
} from '@/proxy/connection/fixtures/http-fixture';
import { PROFILES } from '../lib/profiles';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
const open: HttpFixture[] = [];
afterEach(async () => {
  for (const fixture of open.splice(0)) await fixture.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The params of `initialize` as they were recorded, see `from` of each profile. */
const INITIALIZE: Readonly<Record<string, string>> = {
  'claude-code':
    '{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"claude-code","title":"Claude Code","version":"2.1.292","description":"Anthropic\'s agentic coding tool","websiteUrl":"https://claude.com/claude-code"}}',
  vscode:
    '{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}},"tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}},"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}},"clientInfo":{"name":"Visual Studio Code","version":"1.138.0"}}',
  cursor:
    '{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{}},"roots":{"listChanged":false},"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}},"clientInfo":{"name":"cursor-vscode","version":"1.0.0"}}',
  codex:
    '{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"codex-mcp-client","title":"Codex","version":"0.153.4"}}',
  gemini:
    '{"protocolVersion":"2025-06-18","capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"gemini-cli-mcp-client","version":"0.59.0"}}',
};

/** A legacy server that asks for roots before it lists its tools. */
async function serve(): Promise<HttpFixture> {
  let list: ((answer: string) => void) | undefined;
  const fixture = await startHttp(
    legacy(({ message }, response) => {
      if (message?.method === 'server/discover') {
        json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
      } else if (message?.method === 'tools/list') {
        const events = stream(response, event({ jsonrpc: '2.0', id: 'r', method: 'roots/list' }));
        list = () => events.end(event(result(message.id, { tools: [] })));
      } else {
        response.writeHead(202).end();
        list?.('');
      }
    }),
  );
  open.push(fixture);
  return fixture;
}

/** Connects as these options say, lists the tools, and records that. */
async function listTools(file: string, ...options: readonly string[]) {
  const fixture = await serve();
  const request = requestOf('list', 'tools', ...options, `${fixture.origin}/mcp`);
  const settings = readServerOptions(request);
  const kept = keptOutput();
  const action: CommandAction = Object.assign(
    async ({ connection }: Parameters<CommandAction>[0]) => {
      await connection.request('tools/list', undefined);
      return 0 as const;
    },
    { connect: { out: kept } },
  );
  const client = await readClientOptions(request.given);
  const server = { options: settings, json: true, client, record: file, isUnattended: true } as const;
  expect(await runOn(await findLaunch(settings, ''), action, server, '0.0.0-test', () => {})).toBe(0);
  const answer = fixture.seen.find(({ message }) => message?.id === 'r');
  return {
    fixture,
    answer: answer && JSON.parse(answer.text),
    header: JSON.parse(readFileSync(file, 'utf8').split('\n')[0]!),
  };
}

test.each(PROFILES.map(({ id }) => id))('as %s the server sees exactly what was recorded', async (id) => {
  const { fixture, header } = await listTools(join(folder, `${id}.mcpr.jsonl`), '--as', id);
  const [first, ...more] = fixture.of('initialize');
  expect(JSON.stringify(first!.message!.params)).toBe(INITIALIZE[id]);
  expect(more).toEqual([]);
  expect(fixture.of('server/discover')).toHaveLength(id === 'claude-code' ? 1 : 0);
  for (const { headers } of fixture.seen) expect(headers['user-agent']).toMatch(/^mcp-inspect\//);
  expect(header).toMatchObject({ mode: 'client', as: id });
});

test('as Claude Code the probe introduces the client too', async () => {
  const { fixture } = await listTools(join(folder, 'probe.mcpr.jsonl'), '--as', 'claude-code');
  const { capabilities, clientInfo } = JSON.parse(INITIALIZE['claude-code']!);
  expect(fixture.of('server/discover')[0]!.message!.params).toEqual({
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    },
  });
});

test('roots/list gets the folder, or nothing from a host that has no roots', async () => {
  const here = { uri: pathToFileURL(process.cwd()).href, name: basename(process.cwd()) };
  const vscode = await listTools(join(folder, 'roots-1.mcpr.jsonl'), '--as', 'vscode');
  expect(vscode.answer.result).toEqual({ roots: [here] });
  const codex = await listTools(join(folder, 'roots-2.mcpr.jsonl'), '--as', 'codex');
  expect(codex.answer.result).toEqual({ roots: [] });
});

test.each([
  ['vscode', 'GET'],
  ['gemini', 'GET'],
  ['claude-code', undefined],
])('as %s a redirect by 302 is followed as the host does', async (id, method) => {
  const fixture = await startHttp(({ url }, response) => {
    response.writeHead(url === '/mcp' ? 302 : 405, { location: '/mcp/' }).end();
  });
  open.push(fixture);
  await runCommand(['list', 'tools', '--as', id, '--transport', 'http', `${fixture.origin}/mcp`]);
  const after = fixture.seen.find(({ url }) => url === '/mcp/');
  expect([after?.method, after?.text, after?.headers['content-type']]).toEqual(
    method === undefined ? [undefined, undefined, undefined] : [method, '', undefined],
  );
});

test('other options change a part of the profile', async () => {
  const options = ['--as', 'vscode', '--capabilities', '{}', '--client', 'other@1', '--protocol', '2025-06-18'];
  const { fixture, header } = await listTools(join(folder, 'other.mcpr.jsonl'), ...options);
  expect(fixture.of('initialize')[0]!.message!.params).toEqual({
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'other', version: '1' },
  });
  expect(header.as).toBe('vscode');
});

test('an unknown host, and a host without a handshake', async () => {
  const read = (...argv: string[]) => readClientOptions(requestOf('list', 'tools', ...argv, '--demo').given);
  await expect(read('--as', 'vscod')).rejects.toThrow(/Unknown `--as vscod`: .*vscode/);
  await expect(read('--as', 'vscode', '--protocol', 'none')).rejects.toThrow('`--as` has no effect');
});

test('check compares the client of a recording with the profile', async () => {
  const [same, older] = [join(folder, 'same.mcpr.jsonl'), join(folder, 'older.mcpr.jsonl')];
  const { capabilities } = JSON.parse(INITIALIZE.vscode!);
  const as = (file: string, version: string, declared: object) => {
    const client = `{"name":"Visual Studio Code","version":"${version}"}`;
    return listTools(file, '--client', client, '--capabilities', JSON.stringify(declared), '--protocol', '2025-11-25');
  };
  await as(same, '1.138.0', capabilities);
  const { tasks: _, ...others } = capabilities;
  await as(older, '1.120.0', others);
  const notesOf = async (file: string, host: string) => (await runCommand(['check', '--as', host, file])).notes;
  const profile = 'the profile of VS Code 1.138.0.';
  expect(await notesOf(same, 'vscode')).toContainEqual(
    `mcp-inspect: ${same}: answer to roots/list is none, but folders in ${profile}`,
  );
  const notes = await notesOf(older, 'vscode');
  expect(notes).toContainEqual(`mcp-inspect: ${older}: clientInfo.version is "1.120.0", but "1.138.0" in ${profile}`);
  expect(notes).toContainEqual(`mcp-inspect: ${older}: capabilities.tasks.list is absent, but {} in ${profile}`);
  expect(await notesOf(same, 'codex')).toContainEqual(
    `mcp-inspect: ${same}: protocolVersion is 2025-11-25, but 2025-06-18 in the profile of Codex 0.153.4.`,
  );
});

test('check says so if mcp-inspect itself borrowed the name', async () => {
  const file = join(folder, 'own.mcpr.jsonl');
  await listTools(file, '--as', 'gemini');
  const { notes } = await runCommand(['check', '--as', 'gemini', file]);
  expect(notes).toContainEqual(expect.stringContaining('mcp-inspect connected as gemini here'));
});
