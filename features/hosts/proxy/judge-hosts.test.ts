import { describe, expect, test } from 'vitest';
import { initialized, result } from '@/proxy/connection/fixtures/http-fixture';
import { hostReport } from '../lib/host-report';
import type { HostSession } from '../lib/host-session';
import { type HostId, JUDGED_HOSTS } from '../lib/hosts';
import { judgeHosts } from '../lib/judge-hosts';
import { handshakeWithin } from '../lib/looks/handshake';
import { foreignResource } from '../lib/looks/sign-in';
import { logWith, type Script, TOOL } from './test-host-sessions';

const NOW = new Date('2026-11-30');

async function verdictOf(host: HostId, script: Script, now = NOW) {
  const [verdict] = judgeHosts(await logWith(script), [host], now);
  return verdict!;
}

const WITH_UNION: Script = {
  pages: [[{ ...TOOL, inputSchema: { type: 'object', properties: {}, anyOf: [{ required: [] }] } }]],
};

test('a server without a call has no obstacle, and what was not tried is said once', async () => {
  expect(await verdictOf('claude-code', {})).toMatchObject({
    state: 'no-obstacle',
    obstacles: [],
    untried: ['No tool has been called yet.'],
  });
});

test('a directory that judges files only knows nothing of a server', async () => {
  expect(await verdictOf('registry', {})).toMatchObject({ state: 'unknown', obstacles: [] });
});

test.each<[string, Script]>([
  ['a process', { stdio: {} }],
  ['a loopback address', {}],
  ['a private address', { address: 'https://10.0.0.7/mcp' }],
  ['a name that no public DNS has', { address: 'https://server.internal/mcp' }],
])('a cloud host does not reach %s, which counts nothing', async (_what, script) => {
  expect(await verdictOf('claude.ai', { ...WITH_UNION, ...script })).toMatchObject({
    state: 'out-of-reach',
    obstacles: [],
    untried: ['Nothing was judged: check the server at a public https address.'],
    questions: [],
  });
});

test('the Claude directory reaches no private address, and takes a process in a bundle', async () => {
  const stateIn = async (script: Script) => (await verdictOf('claude-directory', script)).state;
  expect([await stateIn({}), await stateIn({ stdio: {} })]).toEqual(['out-of-reach', 'no-obstacle']);
});

test('what only users report makes nothing certain', async () => {
  const { state, obstacles } = await verdictOf('claude-code', WITH_UNION);
  expect(state).toBe('unknown');
  expect(obstacles).toMatchObject([{ fact: 'cc-top-combinators', isReported: true }]);
});

test('a lost tool, a lost part, and everything lost are three states', async () => {
  expect(await verdictOf('vscode', WITH_UNION)).toMatchObject({ state: 'loses', obstacles: [{ loses: 'feature' }] });
  expect(await verdictOf('codex', { pages: [[TOOL, TOOL]] })).toMatchObject({ state: 'loses' });
  const bad = { pages: [[TOOL, { name: 'bad', inputSchema: {} }]] };
  expect(await verdictOf('claude-code', bad)).toMatchObject({
    state: 'fails',
    obstacles: [
      { fact: 'tssdk-one-bad-tool', places: [{ tool: 'bad', path: 'result.tools["bad"].inputSchema.type' }] },
    ],
  });
});

test('one cause is one obstacle', async () => {
  const redirected: Script = {
    address: 'https://mcp.example.com/mcp',
    headers: { Authorization: 'Bearer x' },
    first: ({ url }, response) =>
      url === '/mcp' && Boolean(response.writeHead(307, { location: 'http://localhost:1/mcp' }).end()),
  };
  const { obstacles, untried } = await verdictOf('claude.ai', redirected);
  expect(obstacles.map(({ fact }) => fact)).toEqual(['claudeai-307-token']);
  expect(untried).toHaveLength(1);
});

test('an old source says so', async () => {
  const script = { pages: [Array.from({ length: 81 }, (_, at) => ({ ...TOOL, name: `t${at}` }))] };
  const isOld = async (now: string) => (await verdictOf('cursor', script, new Date(now))).obstacles[0]?.isOld;
  expect([await isOld('2025-12-01'), await isOld('2026-06-01')]).toEqual([false, true]);
});

test('questions about a sign-in are asked only of a server that wants one', async () => {
  const asks = async (script: Script) => (await verdictOf('vscode', script)).questions.length;
  expect([await asks({}), await asks({ signIn: {} })]).toEqual([0, 1]);
});

test.each<[string, Record<string, string>, string]>([
  ['no header', {}, 'the HTTP 401 has no `WWW-Authenticate`, and no metadata was found by 4 requests.'],
  [
    'a header without metadata',
    { 'www-authenticate': 'Bearer realm="x"' },
    'the `WWW-Authenticate` of the HTTP 401 has no `resource_metadata`, and no metadata was found by 4 requests.',
  ],
])('a sign-in that leads nowhere says what is missing, and is asked nothing: %s', async (_what, headers, missing) => {
  const log = await logWith({
    first: ({ method }, response) => Boolean(response.writeHead(method === 'POST' ? 401 : 404, headers).end()),
  });
  const verdicts = judgeHosts(log, ['vscode'], NOW);
  expect(verdicts).toMatchObject([{ state: 'unknown', obstacles: [], questions: [] }]);
  expect(verdicts[0]!.untried).toEqual([
    `The server wants a sign-in and does not say where: ${missing} A host can guess /authorize and /token at its origin, or send a token that its user enters. Nothing after that could be checked.`,
  ]);
  expect(hostReport(log, verdicts, 'markdown')).toMatch(/^- `POST .* HTTP 401 ← here$/m);
});

test('metadata that breaks the specification is named, since a host may be less strict', async () => {
  const { state, untried } = await verdictOf('claude-code', {
    signIn: { metadata: { issuer: 'https://other.example' } },
  });
  expect([state, untried]).toEqual([
    'unknown',
    [
      expect.stringMatching(
        /^A client that keeps to the specification can’t sign in\. The authorization server at .* names another issuer: "https:\/\/other\.example"\. .*`issuer`/,
      ),
    ],
  ]);
});

test('a server that nobody can connect to is explained as the doctor explains it', async () => {
  const { obstacles } = await verdictOf('vscode', {
    first: (_seen, response) =>
      Boolean(response.writeHead(421, { 'content-type': 'text/plain' }).end('Invalid Host header')),
  });
  expect(obstacles).toMatchObject([
    {
      fact: 'not-connected',
      advice: expect.stringContaining('allowed hosts'),
      places: [{ words: expect.stringContaining('"Invalid Host header"') }],
    },
  ]);
});

test('a host that loses each tool of a server, one by one, fails', async () => {
  const long = { ...TOOL, name: 'x'.repeat(65) };
  const stateFor = async (...tools: readonly object[]) =>
    (await verdictOf('claude-directory', { address: 'https://mcp.example.com/mcp', pages: [tools] })).state;
  expect([await stateFor(long), await stateFor(TOOL, long)]).toEqual(['fails', 'loses']);
});

test('a start that was slow while another protocol was tried is not certain', () => {
  const at = (afterUs: number, mostUs: number) =>
    handshakeWithin(5)({ handshake: { seq: 1, result: {}, afterUs, mostUs } } as HostSession);
  expect([at(1e6, 3e6), at(1e6, 6e6), at(6e6, 8e6)]).toEqual([
    'holds',
    { notSeen: 'start' },
    [{ seq: 1, words: expect.any(String) }],
  ]);
});

test('a server that wants a password is not lost: its user may have one', async () => {
  const { state, obstacles, untried } = await verdictOf('claude-code', {
    first: (_seen, response) => Boolean(response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end()),
  });
  expect([state, obstacles, untried]).toEqual(['unknown', [], [expect.stringContaining('Authorization header')]]);
});

test.each([
  ['http://127.0.0.1:1', false],
  ['http://127.0.0.1:1/', false],
  ['http://127.0.0.1:1/mcp', false],
  ['http://127.0.0.1:1/mcp/', true],
  ['http://127.0.0.1:1/mcp2', true],
  ['http://127.0.0.1:2/mcp', true],
])('metadata of %s for /mcp is that of another resource: %s', (resource, isForeign) => {
  const step = {
    kind: 'resource-metadata',
    outcome: 'ok',
    request: { url: 'http://127.0.0.1:1/.well-known/oauth-protected-resource' },
    response: { seq: 1, body: JSON.stringify({ resource }) },
  };
  const session = { url: new URL('http://127.0.0.1:1/mcp'), signIn: [step] } as unknown as HostSession;
  expect(foreignResource(session) !== 'holds').toBe(isForeign);
});

test('a failure of this machine says nothing about the server', async () => {
  const { state, obstacles, untried } = await verdictOf('claude-code', { unreachable: true });
  expect([state, obstacles]).toEqual(['unknown', []]);
  expect(untried).toEqual([
    expect.stringMatching(/^mcp-inspect could not connect, so nothing after that was seen\. .*ECONNREFUSED/),
  ]);
});

test('a redirect that mcp-inspect refuses is certain only for hosts that are known to fail at it', async () => {
  const redirected: Script = {
    first: ({ url }, response) => url === '/mcp' && Boolean(response.writeHead(302, { location: '/mcp/' }).end()),
  };
  const stateIn = async (host: HostId) => (await verdictOf(host, redirected)).state;
  expect([await stateIn('vscode'), await stateIn('windsurf')]).toEqual(['fails', 'unknown']);
});

test('a part that is lost does not explain a failed connection', async () => {
  const script: Script = {
    address: 'https://mcp.example.com/mcp',
    transport: 'sse',
    first: (_seen, response) => Boolean(response.writeHead(404).end()),
  };
  const { state, obstacles } = await verdictOf('claude.ai', script);
  expect([state, obstacles.map(({ fact }) => fact)]).toEqual(['fails', ['not-connected', 'claudeai-transport']]);
});

test('a server that answers nothing but errors fails in every host, with the frame of its answer', async () => {
  const refuses: Script = { first: (_seen, response) => Boolean(response.writeHead(500).end()) };
  expect(await verdictOf('cursor', refuses)).toMatchObject({
    state: 'fails',
    obstacles: [{ fact: 'not-connected', places: [{ seq: expect.any(Number) }] }],
  });
});

test.each<[string, number]>([
  ['initialize', 20],
  ['initialize', -20],
  ['tools/list', 20],
  ['tools/list', -20],
])('an answer to %s whose Content-Length is wrong by %i bytes is an obstacle everywhere', async (method, wrong) => {
  const script: Script = {
    first: ({ message }, response) => {
      if (message?.method !== method) return false;
      const answer =
        method === 'initialize' ? initialized(message.id, { tools: {} }) : result(message.id, { tools: [] });
      const text = JSON.stringify(answer);
      // Node refuses to end a response with another length than it declared.
      const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length + wrong}\r\n\r\n`;
      response.socket!.write(head + text);
      return true;
    },
  };
  const { state, obstacles, untried } = await verdictOf('vscode', { ...script, timeoutMs: 2000 });
  expect(state).toBe('fails');
  expect(obstacles).toMatchObject([
    {
      loses: method === 'initialize' ? 'server' : 'all-tools',
      places: [{ words: expect.stringContaining(wrong > 0 ? 'Content-Length' : `response to ${method}`) }],
    },
  ]);
  expect(untried).not.toContain('The tools have not been listed yet.');
});

test('hostile lists are judged in bounded time, and named at most a few hundred times', async () => {
  const long = 'n'.repeat(50_000);
  const deep: Record<string, unknown> = { type: 'object' };
  let at = deep;
  for (let depth = 0; depth < 2000; depth++)
    at = at.properties = { type: 'array', items: {} } as Record<string, unknown>;
  const required = Array.from({ length: 200_000 }, (_, name) => `a${name}`);
  const pages = [
    [
      { ...TOOL, name: long, inputSchema: { type: 'object', properties: {}, required } },
      { ...TOOL, name: '__proto__', inputSchema: deep },
      ...Array.from({ length: 3000 }, (_, name) => ({ name: `t${name}`, inputSchema: { type: 'array' } })),
    ],
    Array.from({ length: 3000 }, (_, name) => ({ ...TOOL, name: `later-${name}` })),
  ];
  const log = await logWith({ pages });
  const before = process.cpuUsage();
  const verdicts = judgeHosts(
    log,
    JUDGED_HOSTS.map(({ id }) => id),
    NOW,
  );
  const { user } = process.cpuUsage(before);
  expect(user / 1000).toBeLessThan(5000);
  for (const { obstacles } of verdicts)
    for (const { places } of obstacles) {
      expect(places.length).toBeLessThanOrEqual(201);
      for (const { words, path = '' } of places) expect(words.length + path.length).toBeLessThan(1500);
    }
});

test('a page of an app that is one long tag costs little', async () => {
  const text = '<a '.repeat(100_000);
  const page = { mimeType: 'text/html;profile=mcp-app', text };
  const tool = { ...TOOL, _meta: { ui: { resourceUri: 'ui://a' } } };
  const log = await logWith({
    pages: [[tool]],
    resources: [{ uri: 'ui://a', name: 'a' }],
    contents: { 'ui://a': page },
  });
  const before = process.cpuUsage();
  judgeHosts(log, ['claude.ai', 'claude-desktop'], NOW);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
});

test('a version that the host would not have asked for decides nothing', async () => {
  expect(await verdictOf('gemini', {})).toMatchObject({
    state: 'no-obstacle',
    untried: expect.arrayContaining([expect.stringContaining('--protocol 2025-06-18')]),
  });
});

describe('processes', () => {
  test('variables of this server that the host does not pass are a question with their names', async () => {
    const { state, questions, untried } = await verdictOf('codex', { stdio: { env: { API_KEY: 's3cret' } } });
    expect(state).toBe('no-obstacle');
    expect(questions).toEqual([
      expect.stringMatching(/^Does the config of the host set `API_KEY`\? .* \(openai\/codex:.*, 2026-11-30\)$/),
    ]);
    expect(JSON.stringify([questions, untried])).not.toContain('s3cret');
  });

  test('variables of this shell are not held against the server', async () => {
    const start = { environment: { policy: 'shell', inherited: ['API_KEY', 'PATH'], added: [] } };
    const { obstacles, questions, untried } = await verdictOf('claude-desktop', { stdio: { start } });
    expect(obstacles).toEqual([]);
    expect(questions.join()).not.toContain('API_KEY');
    expect(untried).toContainEqual(expect.stringContaining('--env minimal'));
  });

  test('a tapped host passes its variables itself', async () => {
    const start = { environment: { policy: 'shell', inherited: ['API_KEY'], added: ['TOKEN'] }, tap: { pid: 1 } };
    const { questions, untried } = await verdictOf('gemini', { stdio: { start } });
    expect([questions, untried.filter((one) => one.includes('--env'))]).toEqual([[], []]);
  });

  test.each([
    ['npx', '-y', 'server'],
    ['/opt/homebrew/bin/uvx', 'server'],
    ['C:\\nodejs\\npx.cmd', 'server'],
    ['docker', 'run', '-i', 'image'],
  ])('%s: asks about the first start, which downloads the server', async (command, ...args) => {
    const { questions } = await verdictOf('codex', { stdio: { start: { command, args } } });
    expect(questions).toEqual([expect.stringMatching(/^Does the first start, .* within 30 s\?/)]);
  });

  test.each([
    ['node', 'npx', 'server.js'],
    ['npx', '--no-install', 'server'],
    ['npxish', 'server'],
    ['docker', 'exec', '-i', 'container', 'server'],
  ])('%s %s %s: downloads nothing', async (command, ...args) => {
    expect((await verdictOf('codex', { stdio: { start: { command, args } } })).questions).toEqual([]);
  });
});
