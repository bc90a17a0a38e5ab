import { afterEach, describe, expect, test, vi } from 'vitest';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { EXIT } from '@/proxy/cli/exit-code';
import { testFolder } from '@/proxy/commands/test-folder';
import {
  type Answer,
  initialized,
  json,
  legacy,
  result,
  startHttp,
  stream,
} from '@/proxy/connection/fixtures/http-fixture';
import { startOAuth } from '@/proxy/connection/fixtures/oauth-fixture';
import { findLaunch, readServerRequest, runOn } from '../headless/on-server';
import { keptOutput } from '../headless/test-connection';
import { prepareAction, requestOf } from '../test-command-line';

const open = closedAfterEach();

/** Returns the answers of a legacy server with tools. */
function withTools(more: Answer, listen?: Parameters<typeof legacy>[1]): Answer {
  const others = legacy(more, listen);
  return (seen, response) =>
    seen.message?.method === 'initialize'
      ? json(response, initialized(seen.message.id, { tools: {} }), 200, { 'Mcp-Session-Id': 's-1' })
      : others(seen, response);
}

async function server(answer: Answer) {
  const fixture = await startHttp(answer);
  open.push(fixture);
  return fixture;
}

/** Runs `doctor` on a URL. */
const doctor = (...words: string[]) => runCommand('doctor', ...words);

async function runCommand(command: string, ...words: string[]) {
  const request = { ...readServerRequest(requestOf(command, ...words)), isUnattended: true } as const;
  const action = await prepareAction(command, ...words);
  const out = keptOutput(request.json);
  const run = Object.assign((connected: Parameters<typeof action>[0]) => action(connected), {
    connect: { ...action.connect, out },
  });
  const launch = await findLaunch(request.options, testFolder());
  const code = await runOn(launch, run, request, '0.0.0-test', () => {});
  return { code, stdout: out.stdout.join('\n'), notes: out.notes };
}

const LIST: Answer = ({ message }, response) => json(response, result(message?.id, { tools: [] }));
const PINNED = ['--protocol', '2025-11-25'];

test('says that the result of initialize has no version', async () => {
  const others = withTools(LIST);
  const { origin } = await server((seen, response) =>
    seen.message?.method === 'initialize'
      ? json(response, result(seen.message.id, { capabilities: { tools: {} } }))
      : others(seen, response),
  );
  expect(await doctor(...PINNED, `${origin}/mcp`)).toEqual({
    code: EXIT.fine,
    stdout: expect.stringMatching(/^Connected: protocol 2025-11-25 \(assumed\), legacy era\. tools\/list works\.\n/),
    notes: ['mcp-inspect: The result of initialize has no `protocolVersion`. mcp-inspect goes on with 2025-11-25.'],
  });
});

test('prints the era, what the server supports, a round trip and the steps', async () => {
  const { origin } = await server(withTools(LIST));
  const { code, stdout, notes } = await doctor(...PINNED, `${origin}/mcp`);
  expect({ code, notes }).toEqual({ code: EXIT.fine, notes: [] });
  const lines = stdout.split('\n');
  expect(lines.slice(0, 5)).toEqual([
    'Connected: protocol 2025-11-25, legacy era. tools/list works.',
    'Server: fixture 1',
    'Supports: tools',
    expect.stringMatching(/^Round trip: [\d.]+ (ms|s) \(ping\)$/),
    `Server Card: none at ${origin}/mcp/server-card (HTTP 405)`,
  ]);
  expect(lines.filter((line) => /^(ok|-) /.test(line)).map((line) => line.slice(8, 22).trim())).toEqual([
    'DNS',
    'TCP',
    'TLS',
    'HTTP',
    'Authorization',
    'Content type',
    'MCP version',
  ]);
  const json = JSON.parse((await doctor('--json', ...PINNED, `${origin}/mcp`)).stdout);
  expect(json).toMatchObject({
    code: 'connected',
    version: '2025-11-25',
    era: 'legacy',
    capabilities: { tools: {} },
    findings: [],
    roundTrip: { method: 'ping', ms: expect.any(Number) },
    card: { url: `${origin}/mcp/server-card`, none: 'HTTP 405' },
  });
  expect(json.steps.map(({ state }: { state: string }) => state)).toEqual([
    'ok',
    'ok',
    'unused',
    'ok',
    'ok',
    'ok',
    'ok',
  ]);
});

test('times server/discover of a modern server, and prints its versions', async () => {
  const about = { supportedVersions: ['2026-07-28'], capabilities: {}, serverInfo: { name: 'new', version: '1' } };
  const { origin } = await server(({ message }, response) =>
    json(response, result(message?.id, { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...about })),
  );
  const { code, stdout } = await doctor('--protocol', '2026-07-28', `${origin}/mcp`);
  expect(code).toBe(EXIT.fine);
  expect(stdout).toMatch(/^Connected: protocol 2026-07-28, modern era\./);
  expect(stdout).toMatch(/^Versions: .*2026-07-28/m);
  expect(stdout).toMatch(/^Round trip: .+ \(server\/discover\)$/m);
});

test('exits with 1 if the server refuses a ping', async () => {
  const { origin } = await server(
    withTools(({ message }, response) =>
      message?.method === 'ping'
        ? json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no' } })
        : json(response, result(message?.id, { tools: [] })),
    ),
  );
  const { code, notes } = await doctor(...PINNED, `${origin}/mcp`);
  expect({ code, notes }).toEqual({
    code: EXIT.serverError,
    notes: ['mcp-inspect: ping failed. The request was answered with error -32601: no'],
  });
});

const CARD = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: 'com.example/fixture',
  description: 'A fixture.',
  version: '1',
};
const CARD_HEADERS = {
  'content-type': 'application/mcp-server-card+json',
  'access-control-allow-origin': '*',
  'cache-control': 'max-age=60',
};

/** Runs `doctor` on a server that answers requests for its card like this. */
async function withCard(headers: Record<string, string>, body: string, others: Answer = withTools(LIST)) {
  const { origin } = await server((seen, response) =>
    seen.url === '/mcp/server-card' ? void response.writeHead(200, headers).end(body) : others(seen, response),
  );
  return doctor(...PINNED, `${origin}/mcp`);
}

test('checks the Server Card of a URL, and compares it with the server', async () => {
  const good = await withCard(CARD_HEADERS, JSON.stringify(CARD));
  expect([good.code, good.stdout]).toEqual([EXIT.fine, expect.stringMatching(/^Server Card: http.+ is valid\.$/m)]);
  expect(good.stdout).toMatch(/^version +same +1 +1$/m);
  const other = await withCard(CARD_HEADERS, JSON.stringify({ ...CARD, version: '2' }));
  expect([other.code, other.stdout]).toEqual([EXIT.serverError, expect.stringMatching(/^version +differs +2 +1$/m)]);
  const invalid = await withCard(CARD_HEADERS, 'a card');
  expect([invalid.code, invalid.stdout]).toEqual([
    EXIT.serverError,
    expect.stringContaining('  error: card is not a JSON object.'),
  ]);
});

test.each([
  ['a page', { 'content-type': 'text/html' }, '<h1>hi</h1>'],
  ['a JSON-RPC error', { 'content-type': 'application/json' }, '{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}'],
])('a server that answers every path with %s has no card', async (_what, headers, body) => {
  const { code, stdout } = await withCard(headers, body);
  expect([code, stdout]).toEqual([EXIT.fine, expect.stringMatching(/^Server Card: none at .+ instead of /m)]);
});

test('checks the card of a server that refuses the connection, too', async () => {
  const refuse: Answer = (_, response) => void response.writeHead(403).end();
  const { code, stdout } = await withCard(CARD_HEADERS, JSON.stringify(CARD), refuse);
  expect(code).toBe(EXIT.noConnection);
  expect(stdout).toMatch(/^Code: .+\nServer Card: http.+ is valid\.$/m);
});

test.each<[string, unknown, boolean, string | undefined]>([
  ['[] as the tools', { tools: [] }, true, 'The capability `tools` is an array'],
  ['null as the tools', { tools: null }, true, 'The capability `tools` is null'],
  ['[] as all capabilities', [], true, '`capabilities` is an array'],
  ['false as the tools', { tools: false }, false, undefined],
])('reads the first list of a server with %s', async (_what, capabilities, isRead, fault) => {
  const others = withTools(LIST);
  const { origin } = await server((seen, response) =>
    seen.message?.method === 'initialize'
      ? json(response, initialized(seen.message.id, capabilities as object))
      : others(seen, response),
  );
  const { stdout, notes } = await doctor(...PINNED, `${origin}/mcp`);
  const [first] = stdout.split('\n');
  expect(first).toBe(`Connected: protocol 2025-11-25, legacy era.${isRead ? ' tools/list works.' : ''}`);
  const note = `mcp-inspect: ${fault}, expected an object. Some clients then read no list.`;
  expect(notes).toEqual(fault === undefined ? [] : [note]);
});

test.each(['doctor', 'list'])('%s names a refusal of notifications/initialized', async (command) => {
  const others = withTools(LIST);
  const { origin } = await server((seen, response) =>
    seen.message?.method === 'notifications/initialized' ? void response.writeHead(500).end() : others(seen, response),
  );
  const { code, notes } = await runCommand(command, ...PINNED, `${origin}/mcp`);
  expect(code).toBe(EXIT.fine);
  expect(notes).toEqual([
    'mcp-inspect: The server answered notifications/initialized with HTTP 500, expected 202. It may not have begun the session.',
  ]);
});

test.each<[string, Answer, RegExp]>([
  [
    'an error',
    ({ message }, response) =>
      json(response, { jsonrpc: '2.0', id: message?.id, error: { code: -32603, message: 'no' } }),
    /tools\/list can’t be read\. .+-32603: no/,
  ],
  ['no list', ({ message }, response) => json(response, result(message?.id, {})), /tools\/list has no list `tools`/],
])('exits with 1 if the first list is %s', async (_what, answer, note) => {
  const { origin } = await server(withTools(answer));
  const { code, notes } = await doctor(...PINNED, `${origin}/mcp`);
  expect(code).toBe(EXIT.serverError);
  expect(notes.join('\n')).toMatch(note);
});

test('diagnoses a list that breaks the connection', async () => {
  const { origin } = await server(withTools((_, response) => void response.destroy()));
  const { code, stdout } = await doctor(...PINNED, `${origin}/mcp`);
  expect(code).toBe(EXIT.noConnection);
  expect(stdout).toMatch(/closed the connection without a response to tools\/list/);
  expect(stdout).toMatch(/Code: connection-cut$/);
});

test('names a redirect that works, and the URL to use', async () => {
  const answer = withTools(LIST);
  const { origin } = await server((seen, response) =>
    seen.url === '/mcp' ? void response.writeHead(307, { location: '/mcp/' }).end() : answer(seen, response),
  );
  const { code, notes } = await doctor(...PINNED, `${origin}/mcp`);
  expect(code).toBe(EXIT.fine);
  expect(notes).toEqual([
    `mcp-inspect: ${origin}/mcp redirects (HTTP 307) to ${origin}/mcp/. Some clients don’t follow redirects, so use that URL.`,
  ]);
});

test('names a GET without an answer, but not an open stream', async () => {
  const silent = await server(withTools(LIST, () => {}));
  const { notes } = await doctor(...PINNED, `${silent.origin}/mcp`);
  expect(notes).toEqual([expect.stringMatching(/does not answer GET http.+\/mcp, so clients that wait for it hang/)]);
  const listening = await server(withTools(LIST, (response) => void stream(response)));
  expect((await doctor(...PINNED, `${listening.origin}/mcp`)).notes).toEqual([]);
});

describe('--for', () => {
  const refusesSessions: Answer = (seen, response) => {
    const session = seen.headers['mcp-session-id'];
    if (session !== undefined && session !== 's-1') response.writeHead(400).end();
    else withTools(LIST)(seen, response);
  };

  test('says what a host stumbles over, with the request that shows it', async () => {
    const { origin } = await server(refusesSessions);
    const { stdout, code } = await doctor(...PINNED, '--for', 'goose,claude.ai', `${origin}/mcp`);
    expect(stdout).toMatch(/^claude\.ai: needs a public https address$/m);
    expect(stdout).toMatch(/^Goose: loses a part\n\n {2}- The host begins a new session only after 404\./m);
    expect(stdout).toMatch(/^ {4}- A request with an unknown session was answered with HTTP 400\.$/m);
    expect(stdout).toMatch(/^ {2}- POST http\S+ ping HTTP 400 ← here$/m);
    expect(code).toBe(EXIT.fine);
  });

  test('--markdown prints that alone, and server text as code', async () => {
    const tools = { tools: [{ name: '@team <b>', inputSchema: { type: 'string' } }] };
    const { origin } = await server(withTools(({ message }, response) => json(response, result(message?.id, tools))));
    const { stdout, code } = await doctor(...PINNED, '--for', 'claude-code', '--markdown', `${origin}/mcp`);
    expect(stdout).toMatch(/^#### Claude Code: fails\n/);
    expect(stdout).toContain('  - `"@team <b>": inputSchema.type is not "object".`');
    expect(stdout).not.toContain('Connected');
    expect(code).toBe(EXIT.serverError);
  });

  test('a server that nobody reaches has one obstacle', async () => {
    const { origin } = await server((_, response) => void response.writeHead(404).end());
    const { stdout, code } = await doctor(...PINNED, '--json', '--for', 'vscode', `${origin}/mcp`);
    expect(JSON.parse(stdout).hosts).toMatchObject([
      {
        state: 'fails',
        obstacles: [{ fact: 'not-connected' }],
        untried: ['The handshake has not completed, so nothing after it could be checked.'],
      },
    ]);
    expect(code).toBe(EXIT.noConnection);
  });

  test('a server that wants a sign-in is unknown, and no client is registered', async () => {
    vi.stubEnv('MCP_INSPECT_HOME', testFolder());
    const fixture = await startOAuth();
    open.push(fixture.server, fixture.issuer);
    const { stdout } = await doctor(...PINNED, '--json', '--for', 'gemini', fixture.url);
    expect(JSON.parse(stdout).hosts).toMatchObject([
      { state: 'unknown', obstacles: [], untried: ['Nobody has signed in, so nothing after that could be checked.'] },
    ]);
    expect(fixture.asked.filter((asked) => !asked.startsWith('GET /.well-known/'))).toEqual([]);
  });

  test('--markdown without it is refused', async () => {
    await expect(doctor('--markdown', 'http://127.0.0.1:1/mcp')).rejects.toThrow('add `--for`');
  });
});

async function oauth(metadata: Record<string, unknown> = {}) {
  vi.stubEnv('MCP_INSPECT_HOME', testFolder());
  const fixture = await startOAuth({ metadata });
  open.push(fixture.server, fixture.issuer);
  const { stdout, code } = await doctor(...PINNED, fixture.url);
  const paths = fixture.issuer.seen.map(({ url }) => new URL(url, fixture.issuer.origin).pathname);
  return { fixture, stdout, code, paths };
}

afterEach(() => vi.unstubAllEnvs());

test('does not claim to have read OAuth metadata that does not exist', async () => {
  vi.stubEnv('MCP_INSPECT_HOME', testFolder());
  const { origin } = await server(({ url }, response) => response.writeHead(url === '/mcp' ? 401 : 404).end());
  const { stdout } = await doctor(...PINNED, `${origin}/mcp`);
  expect(stdout).toContain('no OAuth metadata was found');
  expect(stdout).toContain('Add an Authorization header');
  expect(stdout).toMatch(/Code: sign-in-needed$/m);
});

test('names metadata that is for a parent of the URL', async () => {
  expect((await oauth()).stdout).not.toContain('instead of');
  vi.stubEnv('MCP_INSPECT_HOME', testFolder());
  const fixture = await startOAuth();
  open.push(fixture.server, fixture.issuer);
  const { origin } = fixture.server;
  fixture.options.resource = { resource: origin };
  const { stdout } = await doctor(...PINNED, fixture.url);
  expect(stdout).toContain(`metadata is for "${origin}" instead of ${fixture.url}`);
  expect(stdout).toMatch(/RFC 9728.+--auth sign-in/);
});

test('reads OAuth metadata, and registers no client', async () => {
  const { fixture, stdout, code, paths } = await oauth();
  expect(code).toBe(EXIT.noConnection);
  expect(stdout).toContain(`requires a sign-in at ${fixture.issuer.origin}`);
  expect(stdout).toContain('`--auth sign-in`');
  expect(stdout).toMatch(/Code: sign-in-needed$/);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !path.startsWith('/.well-known/'))).toEqual([]);
});

test('says, without trying, that nobody can register', async () => {
  const { stdout, paths } = await oauth({ registration_endpoint: undefined });
  expect(stdout).toContain('has no client registration');
  expect(paths.filter((path) => !path.startsWith('/.well-known/'))).toEqual([]);
});
