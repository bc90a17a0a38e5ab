import { type Answer, json, result, startHttp } from '../proxy/connection/fixtures/http-fixture';
import { expect, runBin } from './bin';
import { accessFaults } from './page-faults';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const CARD = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: 'com.example/weather',
  description: 'Forecasts.',
  version: '1.0.0',
};
const TYPES = {
  'content-type': 'application/mcp-server-card+json',
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=3600',
};

/** A legacy server in a session, which may have a card. `cardOf` gets the URL of the server. */
const server =
  (cardOf: ((url: string) => object | string) | undefined, headers: Record<string, string> = TYPES): Answer =>
  ({ method, url, message, headers: asked }, response) => {
    if (url === '/mcp/server-card' && cardOf) {
      const card = cardOf(`http://${asked.host}/mcp`);
      return void response.writeHead(200, headers).end(typeof card === 'string' ? card : JSON.stringify(card));
    }
    if (url !== '/mcp') return void response.writeHead(404).end('nothing here');
    if (method !== 'POST') return void response.writeHead(405).end();
    if (message?.id === undefined) return void response.writeHead(202).end();
    const serverInfo = { name: 'weather', version: '1.0.0' };
    const capabilities = { tools: {} };
    if (message.method === 'initialize') {
      response.setHeader('mcp-session-id', 'a-session');
      return json(response, result(message.id, { protocolVersion: '2025-11-25', capabilities, serverInfo }));
    }
    if (message.method === 'ping') return json(response, result(message.id, {}));
    if (message.method === 'tools/list') return json(response, result(message.id, { tools: [] }));
    return json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no such method' } });
  };

const remote = (url: string, versions: readonly string[]) => [
  { type: 'streamable-http', url, supportedProtocolVersions: versions },
];

test('card: a valid card that agrees with the server', async () => {
  const http = await startHttp(server((url) => ({ ...CARD, remotes: remote(url, ['2025-11-25']) })));
  try {
    const run = await runBin(['doctor', `${http.origin}/mcp`]);
    expect(run).toMatchObject({ ended: 0, stderr: '' });
    expect(run.stdout).toContain('/mcp/server-card is valid.');
    expect(run.stdout).toMatch(/protocol versions\s+same\s+2025-11-25\s+2025-11-25/);
    const [asked] = http.seen.filter(({ url }) => url === '/mcp/server-card');
    expect(asked).toMatchObject({ method: 'GET', headers: { accept: 'application/mcp-server-card+json' } });
  } finally {
    await http.close();
  }
});

test('card: an invalid card, and claims that the server contradicts', async () => {
  const bad = {
    ...CARD,
    name: 'weather',
    version: '^2',
    description: '',
    tools: ['x'],
    remotes: remote('http://x.example/mcp', ['2024-11-05']),
  };
  const http = await startHttp(server(() => bad, { 'content-type': 'application/json' }));
  try {
    const run = await runBin(['doctor', '--json', `${http.origin}/mcp`]);
    expect(run.ended).toBe(1);
    const { findings, claims } = JSON.parse(run.stdout).card;
    expect(findings.map(({ severity, at }: { severity: string; at: string }) => `${severity} ${at}`)).toEqual([
      'warning Content-Type',
      'error Access-Control-Allow-Origin',
      'warning Cache-Control',
      'error name',
      'error description',
      'error version',
      'warning tools',
    ]);
    expect(claims).toEqual([
      { what: 'name', card: 'weather', live: 'weather', isSame: true },
      { what: 'version', card: '^2', live: '1.0.0', isSame: false },
      { what: 'remote', card: 'http://x.example/mcp', live: `${http.origin}/mcp`, isSame: false },
      { what: 'tools', card: 'x', live: '', isSame: false },
    ]);
  } finally {
    await http.close();
  }
});

for (const [what, card, problem] of [
  ['no JSON', 'a card', 'card is not a JSON object.'],
  ['an endless one', 'x'.repeat(200_000), 'card is longer than 64 KB, so it was not checked.'],
] as const) {
  test(`card: ${what} is a finding`, async () => {
    const http = await startHttp(server(() => card));
    try {
      const run = await runBin(['doctor', `${http.origin}/mcp`]);
      expect(run.ended).toBe(1);
      expect(run.stdout).toContain(problem);
    } finally {
      await http.close();
    }
  });
}

test('card: a server without one, and a command', async () => {
  const http = await startHttp(server(undefined));
  try {
    const none = await runBin(['doctor', `${http.origin}/mcp`]);
    expect(none.ended).toBe(0);
    expect(none.stdout).toContain('/mcp/server-card (HTTP 404)');
  } finally {
    await http.close();
  }
  expect((await runBin(['doctor', '--demo'])).stdout).not.toContain('Server Card');
});

test('the Server panel gets a card, and its request breaks no rule', async ({ visit }) => {
  const http = await startHttp(server((url) => ({ ...CARD, version: '2.0.0', remotes: remote(url, ['2025-11-25']) })));
  try {
    const { page } = await visit([`${http.origin}/mcp`]);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.panel('Server');
    const card = page.getByRole('region', { name: 'Server Card' });
    expect(http.seen.some(({ url }) => url === '/mcp/server-card')).toBe(false);
    await card.getByRole('button', { name: 'Get card' }).click();
    await expect(card).toContainText('✓ Valid');
    await expect(card.getByRole('row', { name: /version differs/ })).toContainText('2.0.0');
    await expect(card.getByRole('row', { name: /remote is the same/ })).toBeVisible();
    expect(await accessFaults(page)).toEqual([]);
    await expect(card.getByRole('button', { name: /answer/ })).toBeVisible();
    await bench.panel('Problems');
    await expect(page.getByText(/session/i)).toHaveCount(0);
  } finally {
    await http.close();
  }
});
