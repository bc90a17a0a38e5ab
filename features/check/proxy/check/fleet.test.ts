import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { EXIT } from '@/proxy/cli/exit-code';
import { readServerOptions } from '@/proxy/cli/server-options';
import { requestOf, runCommand } from '@/proxy/commands/test-command-line';
import { startOAuth } from '@/proxy/connection/fixtures/oauth-fixture';

const ROOT = join(import.meta.dirname, '../../../..');
const SCHEMAS = ['check', 'fleet'].map((name) => join(ROOT, `schemas/mcp-inspect.${name}.schema.json`));
const node = (script: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(ROOT, script), ...args],
});
const faulty = (...faults: string[]) => node('proxy/commands/fixtures/faulty-server.mjs', 'legacy', ...faults);

/** A name that is markup where it is not escaped. */
const HOSTILE = '<img src=x onerror=alert(1)>"\'`\u202e';
const SERVERS = {
  demo: node('examples/demo-server/server.mjs'),
  tides: node('examples/eval/tides-server.mjs'),
  [HOSTILE]: faulty('tool-schema-null'),
  down: { command: 'no-such-program' },
};

let folder: string;
let first: Awaited<ReturnType<typeof runCommand>>;
const at = (...names: string[]) => join(folder, ...names);
const readJson = (...names: string[]) => JSON.parse(readFileSync(at(...names), 'utf8'));

function check(servers: object, ...more: string[]) {
  writeFileSync(at('mcp.json'), JSON.stringify({ mcpServers: servers }));
  return runCommand(['check', '--config', at('mcp.json'), '--all', '--jobs', '4', ...more]);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-fleet-'));
  first = await check(SERVERS, '--out', at('a', 'fleet'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));
const open = closedAfterEach();
afterEach(() => vi.unstubAllEnvs());

test('a row for each server says whether it was reached, its problems, tools, tokens and times', () => {
  expect([first.code, first.notes.at(-1)]).toEqual([
    EXIT.serverError,
    `mcp-inspect: Wrote ${at('a', 'fleet', 'index.html')} and fleet.json.`,
  ]);
  const { servers, summary, removed, config } = readJson('a', 'fleet', 'fleet.json');
  expect([config, removed, summary.passed]).toEqual(['mcp.json', [], false]);
  expect(servers).toMatchObject([
    { name: 'demo', reached: true, tools: expect.any(Number), tokens: expect.any(Number), p95Ms: expect.any(Number) },
    { name: 'tides', reached: true },
    { name: HOSTILE, reached: true, errors: expect.any(Number) },
    { name: 'down', reached: false, failure: expect.stringContaining('not found'), errors: 1 },
  ]);
  expect(servers.some((server: object) => 'changes' in server)).toBe(false);
});

test('the file is as its schema says', () => {
  const [report, fleet] = SCHEMAS.map((path) => JSON.parse(readFileSync(path, 'utf8')));
  const ajv = new Ajv({ allErrors: true }).addSchema(report);
  const accepts = ajv.compile(fleet);
  accepts(readJson('a', 'fleet', 'fleet.json'));
  expect(accepts.errors ?? []).toEqual([]);
});

test('the page has no script, makes no request, escapes names, and shows first what is down', () => {
  const page = readFileSync(at('a', 'fleet', 'index.html'), 'utf8');
  expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
  expect(page).not.toMatch(/<script|<img|\u202e/i);
  expect([...page.matchAll(/<[^>]*\s(?:src|href|on\w+)=[^>]*>/gi)].map(String)).toEqual(['<a href="fleet.json">']);
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&#96;\uFFFD');
  expect(page.match(/<th scope="row"><bdi>\w+/g)?.[0]).toBe('<th scope="row"><bdi>down');
});

test('says what changed since the fleet was approved, and accepts its problems', async () => {
  const approved = readJson('a', 'fleet', 'fleet.json');
  const source = approved.summary.sources.find(({ name }: { name: string }) => name === 'demo');
  const [changed, gone] = source.names.tools;
  const hostileErrors = approved.servers[1].errors;
  source.digests.tools[0] = 'x';
  source.names.tools[1] = 'was_there';
  source.tokens = 1;
  mkdirSync(at('approved'));
  writeFileSync(at('approved', 'fleet.json'), JSON.stringify(approved));
  const { demo, [HOSTILE]: hostile, down } = SERVERS;
  const { code } = await check(
    { demo, [HOSTILE]: hostile, down, fresh: hostile },
    '--baseline',
    at('approved'),
    '--out',
    at('b'),
  );
  const { servers, removed, summary, problems } = readJson('b', 'fleet.json');
  expect(removed).toEqual(['tides']);
  expect(servers[0].changes).toEqual([
    { what: 'tools', added: [gone], removed: ['was_there'], changed: [changed] },
    { what: 'tokens', before: 1, after: servers[0].tokens },
  ]);
  expect(servers[1]).toMatchObject({ name: HOSTILE, changes: [], errors: 0 });
  expect(servers[2]).toMatchObject({ name: 'down', errors: 0 });
  expect(servers[2].changes).toBeUndefined();
  // Nobody approved the same problems of a new server.
  expect(servers[3]).toMatchObject({ name: 'fresh', changes: [{ what: 'new' }], errors: hostileErrors });
  expect(hostileErrors).toBeGreaterThan(0);
  expect(code).toBe(EXIT.serverError);
  // The file is the next baseline, so it keeps what was accepted.
  expect(summary.accepted).toBeGreaterThan(0);
  expect(problems.length).toBeGreaterThan(summary.accepted);
  expect(readFileSync(at('b', 'index.html'), 'utf8')).toContain('tools removed: &quot;was_there&quot;');

  // A fleet as it was approved passes, even with a server that is down.
  const same = await check({ demo, down }, '--baseline', at('b'), '--out', at('c'));
  expect(same.code).toBe(EXIT.fine);
}, 120_000);

test('is refused before anything starts where it can’t be written, or without a config', async () => {
  writeFileSync(at('file'), '');
  await expect(check(SERVERS, '--out', at('file'))).resolves.toMatchObject({ code: EXIT.usage });
  await expect(runCommand(['check', '--demo', '--out', at('x')])).resolves.toMatchObject({ code: EXIT.usage });
});

test('options about one server name the part of the config that is for all', () => {
  const given = requestOf('check', '--config', 'mcp.json', '--all', '--auth', 'client-id=me');
  expect(() => readServerOptions(given)).toThrow('For all, write `oauth` in their entries in the config');
});

test('signs in as the environment says, beside servers that need no sign-in', async () => {
  const oauth = await startOAuth({
    metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
    onToken: () => ({ body: { access_token: 'token-of-fleet', token_type: 'Bearer', expires_in: 3600 } }),
    accepts: ['token-of-fleet'],
  });
  open.push(oauth.server, oauth.issuer);
  vi.stubEnv('MCP_INSPECT_CLIENT_SECRET', 'secret-of-fleet');
  const client = { grant: 'client-credentials', clientId: 'me', clientSecret: `\${MCP_INSPECT_CLIENT_SECRET}` };
  await check({ remote: { url: oauth.url, oauth: client }, local: faulty() }, '--out', at('signed'));
  expect(readJson('signed', 'fleet.json').servers).toMatchObject([
    { name: 'remote', reached: true },
    { name: 'local', reached: true },
  ]);
}, 60_000);

test('takes what was approved from a bucket', async () => {
  const asked: string[] = [];
  const store = createServer((request, response) => {
    const body = JSON.stringify({ problems: [], servers: [{ name: 'gone' }] });
    if (request.method === 'GET') asked.push(request.url!);
    const length = { 'content-length': body.length };
    if (request.method === 'HEAD') response.writeHead(200, length).end();
    else response.writeHead(206, { ...length, 'content-range': `bytes 0-${body.length - 1}/${body.length}` }).end(body);
  });
  await new Promise<void>((listening) => store.listen(0, '127.0.0.1', listening));
  open.push({ close: () => store.close() });
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAPLANTED7EXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'planted/Secret+9xQz71LmWvBn4Key');
  const endpoint = `endpoint=http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  for (const place of ['s3://team/approved/', 's3://team/last.json'])
    await check({ local: faulty() }, '--baseline', place, '--s3', endpoint, '--out', at('stored'));
  expect(asked).toEqual(['/team/approved/fleet.json', '/team/last.json']);
  expect(readJson('stored', 'fleet.json')).toMatchObject({
    removed: ['gone'],
    servers: [{ changes: [{ what: 'new' }] }],
  });
}, 60_000);
