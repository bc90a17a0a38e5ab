import { describe, expect, test } from 'vitest';
import { connected, LEGACY, MODERN, MODERN_META, spawned, started, VERSIONS } from './test-client.mjs';

const CLIENT = { capabilities: {}, clientInfo: { name: 'test', version: '0' } };

describe.each(LEGACY)('initialize %s', (version) => {
  test('agrees on the version and identifies the server', async () => {
    const client = started(version);
    const result = await client.result('initialize', { protocolVersion: version, ...CLIENT });
    expect(result.protocolVersion).toBe(version);
    expect(result.serverInfo.name).toBe('skerry-light');
    expect(result.instructions).toContain('log');
    expect(result.capabilities.resources).toEqual({ listChanged: true, subscribe: true });
    expect(result).not.toHaveProperty('resultType');
    expect(result).not.toHaveProperty('_meta');
  });

  test('leaves out members that this version does not have', async () => {
    const client = started(version);
    const { serverInfo, capabilities } = await client.result('initialize', { protocolVersion: version, ...CLIENT });
    expect('completions' in capabilities).toBe(version >= '2025-03-26');
    expect('title' in serverInfo).toBe(version >= '2025-06-18');
    expect('icons' in serverInfo).toBe(version >= '2025-11-25');
    const { tools } = await client.result('tools/list');
    expect(tools.some((tool) => tool.annotations)).toBe(version >= '2025-03-26');
    expect(tools.some((tool) => tool.outputSchema || tool.title)).toBe(version >= '2025-06-18');
    expect(tools.some((tool) => tool.icons)).toBe(version >= '2025-11-25');
  });

  test('answers ping, refuses modern methods and a second initialize', async () => {
    const client = await connected(version);
    expect(await client.result('ping')).toEqual({});
    expect((await client.request('server/discover', {}, MODERN_META)).error.code).toBe(-32601);
    expect((await client.request('initialize', { protocolVersion: version, ...CLIENT })).error.code).toBe(-32600);
  });

  test('accepts batches only in the version that has them', async () => {
    const client = await connected(version);
    client.write(
      '[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"notifications/none"},' +
        '{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"echo","arguments":{"n": 1e400}}}]\n',
    );
    const answer = await client.message((message) => Array.isArray(message) || message.error);
    if (version !== '2025-03-26') {
      expect(answer.error.code).toBe(-32600);
      return;
    }
    expect(answer.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(answer[1].result.content[0].text).toBe('{"n": 1e400}');
  });
});

test('offers the newest legacy version to a client that asks for an unknown one', async () => {
  const client = started();
  expect((await client.result('initialize', { protocolVersion: '2099-01-01', ...CLIENT })).protocolVersion).toBe(
    '2025-11-25',
  );
});

describe('modern', () => {
  test('initialize still works after server/discover', async () => {
    const client = started();
    const found = await client.result('server/discover', {}, MODERN_META);
    expect(found).toMatchObject({
      resultType: 'complete',
      supportedVersions: [MODERN],
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'skerry-light', icons: [{ mimeType: 'image/png' }] } },
    });
    expect(found.ttlMs).toBeGreaterThanOrEqual(0);
    const legacy = await client.result('initialize', { protocolVersion: '2025-06-18', ...CLIENT });
    expect(legacy.protocolVersion).toBe('2025-06-18');
    expect(legacy).not.toHaveProperty('resultType');
  });

  test('initialize gets -32022 after another modern request', async () => {
    const client = await connected(MODERN);
    await client.result('tools/list');
    client.version = 'none';
    const { error } = await client.request('initialize', { protocolVersion: '2025-11-25', ...CLIENT });
    expect(error).toMatchObject({ code: -32022, data: { supported: [MODERN], requested: '2025-11-25' } });
  });

  test('legacy methods do not exist', async () => {
    const client = await connected(MODERN);
    for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']) {
      expect((await client.request(method, { uri: 'light://lamp', level: 'info' })).error.code, method).toBe(-32601);
    }
  });

  test.each(['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities'])(
    'a request without %s is -32602, and the message names it',
    async (key) => {
      const client = await connected(MODERN);
      const { error } = await client.request('tools/list', {}, { [key]: undefined });
      expect(error.code).toBe(-32602);
      expect(error.message).toContain(key);
    },
  );

  test('an unknown version is -32022, with the supported versions', async () => {
    const client = await connected(MODERN);
    const { error } = await client.request(
      'tools/list',
      {},
      { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
    );
    expect(error).toMatchObject({ code: -32022, data: { supported: [MODERN], requested: '2099-01-01' } });
  });

  test('every result has its type, and a caching hint where the specification asks for one', async () => {
    const client = await connected(MODERN);
    const cached = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];
    for (const method of cached) {
      expect(await client.result(method), method).toMatchObject({ resultType: 'complete', cacheScope: 'private' });
    }
    expect(await client.result('resources/read', { uri: 'light://lamp' })).toMatchObject({
      resultType: 'complete',
      ttlMs: 1000,
    });
    const called = await client.call('look_out');
    expect(called.resultType).toBe('complete');
    expect(called).not.toHaveProperty('ttlMs');
  });
});

test('understands only initialize and ping from a client that names no version', async () => {
  const client = started();
  expect((await client.request('tools/list')).error.code).toBe(-32602);
  expect(await client.result('ping')).toEqual({});
  expect((await client.result('initialize', { protocolVersion: '2024-11-05', ...CLIENT })).protocolVersion).toBe(
    '2024-11-05',
  );
});

const MALFORMED = [
  ['{"jsonrpc":', -32700],
  ['7', -32600],
  ['{"jsonrpc":"2.0","id":1000}', -32600],
  ['{"jsonrpc":"2.0","id":null,"method":"tools/list"}', -32600],
  ['{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}', -32600],
];

describe.each(VERSIONS)('malformed input in %s', (version) => {
  test('gets an error without an id', async () => {
    const client = await connected(version);
    if (version === MODERN) await client.result('tools/list');
    for (const [line, code] of MALFORMED) {
      const before = client.messages.length;
      client.write(`${line}\n`);
      await client.until(() => client.messages.length > before);
      const answer = client.messages.at(-1);
      expect(answer.error.code, line).toBe(code);
      expect(answer.id).toBe(version >= '2025-11-25' ? undefined : null);
    }
  });

  test('ignores a response, and answers an unknown method with an error', async () => {
    const client = await connected(version);
    client.write('{"jsonrpc":"2.0","id":99,"result":{}}\n\r\n');
    expect((await client.request('no/such')).error).toEqual({ code: -32601, message: 'Method not found: no/such' });
    expect(client.messages.some(({ id }) => id === 99)).toBe(false);
  });

  test('refuses an id in use, and distinguishes string and number ids', async () => {
    const client = await connected(version);
    const id = client.send('tools/call', { name: 'wait_for_ship' });
    const meta = version === MODERN ? MODERN_META : {};
    const line = (used) => JSON.stringify({ jsonrpc: '2.0', id: used, method: 'tools/list', params: { _meta: meta } });
    client.write(`${line(id)}\n${line(String(id))}\n`);
    expect((await client.message((message) => message.id === id && message.error)).error.code).toBe(-32600);
    expect((await client.message((message) => message.id === String(id))).result.tools.length).toBeGreaterThan(20);
  });
});

test('exits when its input ends', async () => {
  const client = await spawned('2025-11-25');
  client.endInput();
  expect(await client.exit).toEqual([0, null]);
});
