import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import type { Target } from '@/lib/wire/command';
import { closedAfterEach } from '@/lib/wire/test-closing';
import {
  type Answer,
  event,
  initialized,
  json,
  result,
  type Seen,
  startHttp,
  stream,
  text,
} from './fixtures/http-fixture';
import { openHub, type TestTab } from './test-hub';

const open = closedAfterEach();

const TOOLS = [{ name: 'echo', inputSchema: { type: 'object' } }];

async function start(answer: Answer) {
  const fixture = await startHttp(answer);
  const hub = await openHub();
  open.push(fixture, hub);
  const tab = await hub.tab();
  return { fixture, tab, url: `${fixture.origin}/mcp`, hub: hub.hub };
}

function logOf(tab: TestTab): Log {
  const log = new Log('c');
  log.append(tab.frames);
  return log;
}

/** Answers the requests after the handshake like every server here. */
function answerTools({ message }: Seen, response: ServerResponse): void {
  if (message?.method === 'tools/list') json(response, result(message.id, { tools: TOOLS }));
  else if (message?.id !== undefined) json(response, result(message.id, { content: [] }));
  else response.writeHead(202).end();
}

const modernServer: Answer = (seen, response) => {
  const discovered = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
  if (seen.message?.method === 'server/discover') json(response, result(seen.message.id, discovered));
  else if (seen.message?.method === 'initialize')
    json(response, { jsonrpc: '2.0', id: null, error: { code: -32022, message: 'no' } }, 400);
  else answerTools(seen, response);
};

/** Answers like the first SDK: 400 to everything before `initialize`. */
const legacyServer: Answer = (seen, response) => {
  const { method, message, headers } = seen;
  if (method !== 'POST') response.writeHead(405).end();
  else if (message?.method === 'initialize') {
    json(response, initialized(message.id, { tools: {} }), 200, { 'mcp-session-id': 's' });
  } else if (headers['mcp-session-id'] === undefined) {
    const error = { code: -32000, message: 'Bad Request: Server not initialized' };
    json(response, { jsonrpc: '2.0', error, id: null }, 400);
  } else answerTools(seen, response);
};

function sseServer(): Answer {
  let answers: ServerResponse;
  return ({ method, url, message }, response) => {
    if (url === '/mcp' && method === 'POST') text(response, 'Cannot POST /mcp', 404);
    else if (method === 'GET') answers = stream(response, 'event: endpoint\ndata: /messages?s=1\n\n');
    else {
      response.writeHead(202).end('Accepted');
      if (message?.method === 'initialize') answers.write(event(initialized(message.id, { tools: {} }, '2024-11-05')));
      else if (message?.method === 'tools/list') answers.write(event(result(message.id, { tools: TOOLS })));
    }
  };
}

describe('auto mode', () => {
  test.each<[string, Answer, object, string[]]>([
    [
      'modern',
      modernServer,
      { transport: 'http', era: 'modern', version: '2026-07-28' },
      ['server/discover', 'tools/list'],
    ],
    [
      'legacy',
      legacyServer,
      { transport: 'http', era: 'legacy', version: '2025-11-25' },
      ['server/discover', 'initialize', 'notifications/initialized', 'GET', 'tools/list'],
    ],
    [
      'HTTP+SSE',
      sseServer(),
      { transport: 'sse', era: 'legacy', version: '2024-11-05' },
      ['server/discover', 'initialize', 'GET', 'initialize', 'notifications/initialized', 'tools/list'],
    ],
  ])('%s', async (_what, answer, summary, asked) => {
    const { fixture, tab, url, hub } = await start(answer);
    await tab.connect({ transport: 'auto', url });
    await tab.until(() => logOf(tab).state.tools.status === 'listed');
    expect(hub.connections()[0]).toMatchObject({ state: 'open', title: url, ...summary });
    await fixture.until(() => fixture.seen.length >= asked.length);
    const seen = fixture.seen.map(({ message, method }) => message?.method ?? method);
    expect(seen).toEqual(asked);
    const { state } = logOf(tab);
    expect(state.tools.items.map(({ name }) => name)).toEqual(['echo']);
    expect(state.connection.start).toMatchObject({ transport: 'auto', url, headerNames: [] });
    expect(tab.texts('http').some((frame) => frame.includes('"kind":"request"'))).toBe(true);
  });

  test.each<[string, Answer, string]>([
    ['401', (_, response) => text(response, '', 401), 'http-unauthorized'],
    ['403', (_, response) => text(response, '', 403), 'http-forbidden'],
    ['500', (_, response) => text(response, '', 500), 'http-server-error'],
    ['a web page', (_, response) => text(response, '<html>'), 'not-mcp'],
    ['404 everywhere', (_, response) => text(response, '', 404), 'http-not-found'],
    ['a cut connection', (_, response) => void response.destroy(), 'connection-reset'],
  ])('fails with advice on %s', async (_what, answer, code) => {
    const { tab, url } = await start(answer);
    await tab.connect({ transport: 'auto', url }, 'failed');
    const { failure, state } = logOf(tab).state.connection;
    expect(failure).toMatchObject({ code });
    expect(failure?.advice).not.toBe('');
    expect(state).toBe('failed');
  });

  test('connects with initialize to a server that fails only at the probe', async () => {
    const { tab, url } = await start((seen, response) => {
      if (seen.message?.method === 'server/discover') text(response, 'no such method', 500);
      else legacyServer(seen, response);
    });
    await tab.connect({ transport: 'auto', url });
    const probe = tab.texts('lifecycle').find((line) => line.includes('"event":"probe"'));
    expect(JSON.parse(probe!)).toMatchObject({ era: 'legacy', reason: expect.stringContaining('HTTP 500') });
    expect(logOf(tab).state.connection).toMatchObject({ state: 'open', era: 'legacy' });
  });

  test('if initialize fails too, reports the probe’s failure and how to skip one of the two', async () => {
    const { fixture, tab, url } = await start((seen, response) =>
      text(response, '', seen.message?.method === 'server/discover' ? 503 : 404),
    );
    await tab.connect({ transport: 'auto', url }, 'failed');
    expect(logOf(tab).state.connection.failure).toMatchObject({
      message: expect.stringContaining('503'),
      advice: expect.stringContaining('--protocol'),
    });
    expect(fixture.of('initialize').length).toBe(1);
  });

  test('keeps to the named transport', async () => {
    const { fixture, tab, url } = await start(sseServer());
    await tab.connect({ transport: 'http', url }, 'failed');
    expect(fixture.of('GET')).toEqual([]);
    expect(logOf(tab).state.connection.failure).toMatchObject({ code: 'http-not-found' });
  });

  test('never probes HTTP+SSE for the modern era', async () => {
    const { fixture, tab, url } = await start(sseServer());
    await tab.connect({ transport: 'sse', url });
    expect(fixture.of('server/discover')).toEqual([]);
  });

  test.each<[Target['transport'], Answer, string]>([
    ['http', legacyServer, '2025-06-18'],
    ['http', modernServer, '2026-07-28'],
    ['sse', sseServer(), '2024-11-05'],
  ])('%s sends no probe when pinned to its version', async (transport, answer, version) => {
    const { fixture, tab, url } = await start(answer);
    await tab.connect({ transport, url } as Target, 'open', version);
    const first = fixture.seen.find(({ message }) => message !== undefined);
    expect(first?.message?.method).toBe(version === '2026-07-28' ? 'server/discover' : 'initialize');
    expect(tab.texts('lifecycle').some((event) => event.includes('"probe"'))).toBe(false);
  });
});

test('closing during a slow handshake closes at once', async () => {
  const { fixture, tab, url } = await start((seen, response) => {
    if (seen.message?.method !== 'notifications/initialized') legacyServer(seen, response);
  });
  const connection = await tab.connect({ transport: 'http', url }, 'start', '2025-11-25');
  await fixture.until(() => fixture.of('notifications/initialized').length === 1);
  await tab.ask({ type: 'close', connection });
  await tab.lifecycle('closed');
  expect(logOf(tab).state.connection.state).toBe('closed');
  expect(tab.texts('lifecycle').filter((event) => event.includes('"event":"open"'))).toEqual([]);
});

test('initializes again after a lost session, logs it, and reads the lists again', async () => {
  let valid = 1;
  const { fixture, tab, url } = await start((seen, response) => {
    const { method, message, headers } = seen;
    if (method !== 'POST') response.writeHead(405).end();
    else if (message?.method === 'initialize') {
      json(response, initialized(message.id, { tools: {} }), 200, { 'mcp-session-id': `s${valid}` });
    } else if (headers['mcp-session-id'] !== `s${valid}`) json(response, { error: 'Session not found' }, 404);
    else answerTools(seen, response);
  });
  const connection = await tab.connect({ transport: 'http', url }, 'open', '2025-11-25');
  await tab.until(() => logOf(tab).state.tools.status === 'listed');
  valid = 2;
  const done = await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo"}' });
  await fixture.until(() => fixture.of('tools/list').length === 2);
  await tab.lifecycle('session-lost');
  await tab.until(() => tab.texts('lifecycle').filter((event) => event.includes('"event":"open"')).length === 2);
  const log = logOf(tab);
  expect(log.exchange((done as { seq: number }).seq)?.status).toBe('refused');
  expect(fixture.of('initialize')).toHaveLength(2);
  const again = await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo"}' });
  await tab.until(() => logOf(tab).exchange((again as { seq: number }).seq)?.status === 'ok');
});

test('fails if the server forgets every session', async () => {
  const { fixture, tab, url } = await start(({ method, message }, response) => {
    if (method !== 'POST') response.writeHead(405).end();
    else if (message?.method === 'initialize') {
      json(response, initialized(message.id, { tools: {} }), 200, { 'mcp-session-id': 's' });
    } else if (message?.id === undefined) response.writeHead(202).end();
    else json(response, {}, 404);
  });
  await tab.connect({ transport: 'http', url }, 'failed', '2025-11-25');
  expect(logOf(tab).state.connection.failure).toMatchObject({ code: 'session-lost' });
  expect(fixture.of('initialize').length).toBeLessThanOrEqual(4);
});

test('cancelling a modern request closes its response, and the page shows it as cancelled', async () => {
  let closed = false;
  const { fixture, tab, url } = await start((seen, response) => {
    if (seen.message?.method !== 'tools/call') return modernServer(seen, response);
    stream(response, ': working\n');
    response.on('close', () => {
      closed = true;
    });
  });
  const connection = await tab.connect({ transport: 'auto', url });
  const done = (await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo"}' })) as {
    seq: number;
  };
  await tab.until(() => tab.texts('http').some((frame) => frame.includes('working')));
  await tab.ask({ type: 'cancel', connection, id: logOf(tab).row(done.seq - 1).id });
  await fixture.until(() => closed);
  await tab.until(() => logOf(tab).exchange(done.seq)?.status === 'cancelled');
  expect(fixture.of('notifications/cancelled')).toEqual([]);
});

test('losing the stream fails a connection over HTTP+SSE', async () => {
  let answers: ServerResponse | undefined;
  const server = sseServer();
  const { tab, url } = await start((seen, response) => {
    if (seen.method === 'GET') answers = response;
    server(seen, response);
  });
  await tab.connect({ transport: 'sse', url });
  answers!.destroy();
  await tab.lifecycle('failed');
  expect(logOf(tab).state.connection.failure).toMatchObject({ code: 'stream-lost' });
});

test('header values reach the server, but neither log nor page', async () => {
  const { fixture, tab, url } = await start(legacyServer);
  const headers = { Authorization: 'Bearer s3cret', 'X-Team': 's3cret' };
  await tab.connect({ transport: 'http', url, headers });
  expect(fixture.seen.every((request) => request.headers['x-team'] === 's3cret')).toBe(true);
  expect(logOf(tab).state.connection.start).toMatchObject({ headerNames: ['Authorization', 'X-Team'] });
  const frames = tab.frames.map(({ bytes }) => Buffer.from(bytes).toString()).join('\n');
  expect(frames).not.toContain('s3cret');
  expect(JSON.stringify(tab.events)).not.toContain('s3cret');
});

describe('masked values can be revealed', () => {
  const own = { Authorization: 'Bearer s3cret', 'X-Team': 't3am' };
  type Http = { kind: string; headers: [string, string][] };

  async function connected() {
    const { tab, url } = await start((seen, response) => {
      response.setHeader('Set-Cookie', 'a=c00kie');
      response.setHeader('X-Auth-Token', 'n0t-yours');
      legacyServer(seen, response);
    });
    const connection = await tab.connect(
      { transport: 'http', url: `${url}?key=url-s3cret`, headers: own },
      'open',
      '2025-11-25',
    );
    await tab.until(() => logOf(tab).state.tools.status === 'listed');
    /** Returns the newest frame of this kind that has such a header. */
    const ask = async (kind: string, header: string) => {
      const found = tab.frames
        .filter(({ channel }) => channel === 'http')
        .map(({ seq, bytes }) => ({ seq, ...(JSON.parse(Buffer.from(bytes).toString()) as Http) }))
        .findLast((frame) => frame.kind === kind && frame.headers.some(([name]) => name.toLowerCase() === header));
      const field = found!.headers.findIndex(([name]) => name.toLowerCase() === header);
      expect(found!.headers[field]![1]).toBe('•••');
      return tab.ask({ type: 'reveal', connection, seq: found!.seq, field });
    };
    return { tab, connection, ask };
  }

  test('in our headers, the session id and the URL, only to the tab that asks, until the connection ends', async () => {
    const { tab, connection, ask } = await connected();
    expect(await ask('request', 'authorization')).toMatchObject({ type: 'done', secret: 'Bearer s3cret' });
    expect(await ask('request', 'x-team')).toMatchObject({ secret: 't3am' });
    expect(await ask('request', 'mcp-session-id')).toMatchObject({ secret: 's' });
    expect(await ask('response', 'set-cookie')).toMatchObject({ secret: 'a=c00kie' });
    expect(await ask('response', 'x-auth-token')).toMatchObject({ type: 'error', code: 'not-kept' });
    const request = tab.frames.find(({ channel }) => channel === 'http')!;
    const url = await tab.ask({ type: 'reveal', connection, seq: request.seq, field: 'url' });
    expect(url).toMatchObject({ secret: expect.stringContaining('/mcp?key=url-s3cret') });
    expect(await tab.ask({ type: 'reveal', connection, seq: 1, field: 0 })).toMatchObject({ code: 'not-kept' });
    expect(tab.frames.map(({ bytes }) => Buffer.from(bytes).toString()).join()).not.toMatch(/s3cret|t3am|c00kie/);
    await tab.ask({ type: 'close', connection });
    expect(await ask('request', 'authorization')).toMatchObject({ type: 'error', code: 'not-kept' });
  });
});
