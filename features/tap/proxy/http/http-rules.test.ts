import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PROGRESS_MS } from '@/features/intercept/lib/interceptor';
import type { InterceptRule } from '@/lib/wire/intercept';
import { PID_NAMESPACE } from '@/proxy/files/process-identity';
import { urlTaps } from '@/proxy/files/tap-control-files';
import { TapRules } from '../tap-rules';
import { ask, type TestHttpTaps, testHttpTaps } from './test-http-tap';

let taps: TestHttpTaps;
beforeEach(async () => {
  taps = await testHttpTaps();
});
afterEach(() => taps.remove());

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const IN_SESSION = { ...HEADERS, 'mcp-session-id': 'session-of-this-test', 'mcp-protocol-version': '2025-11-25' };
const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}';
const call = (id: number, more = ''): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"a"${more}}}`;
const answerTo = (id: number, text = 'ok'): string => `{"jsonrpc":"2.0","id":${id},"result":{"text":"${text}"}}`;

const rule = (action: InterceptRule['action'], when = 'method:tools/call', about: Partial<InterceptRule> = {}) =>
  ({ name: 'r', direction: 'to-server', when, action, ...about }) satisfies InterceptRule;
const file = (...rules: InterceptRule[]): string => {
  const path = join(taps.recordings, '../../rules.json');
  writeFileSync(path, JSON.stringify({ rules: rules.map((one, at) => ({ ...one, name: `r${at}` })) }));
  return path;
};

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A server with one session that answers with JSON. It keeps the requests that it got. */
async function jsonServer() {
  const got: { readonly body: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const streams: ServerResponse[] = [];
  const origin = await taps.serve(async (req, res) => {
    if (req.method === 'GET') {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.flushHeaders();
      streams.push(res);
      return;
    }
    const body = await bodyOf(req);
    got.push({ body, headers: req.headers });
    const message = JSON.parse(body);
    if (message.method === 'initialize') res.setHeader('mcp-session-id', 'session-of-this-test');
    if (message.id === undefined || message.method === undefined) return void res.writeHead(202).end();
    res.setHeader('content-type', 'application/json');
    const version = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
    res.end(
      message.method === 'initialize'
        ? JSON.stringify({ jsonrpc: '2.0', id: 1, result: version })
        : answerTo(message.id),
    );
  });
  const calls = () => got.map(({ body }) => body).filter((body) => body.includes('tools/call'));
  return { url: `${origin}/mcp`, got, calls, streams };
}

/** Opens the event stream of the session. `text` returns what it has sent so far. */
async function openStream(url: string, headers: object = {}) {
  const sent = get(url, { headers: { ...IN_SESSION, accept: 'text/event-stream', ...headers }, agent: false });
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let read = '';
  let ended: string | undefined;
  answer.on('data', (chunk) => {
    read += String(chunk);
  });
  answer.on('error', () => {});
  answer.on('close', () => {
    ended = answer.complete ? 'complete' : 'cut';
  });
  return { answer, text: () => read, ended: () => ended };
}

/** Resolves with a page on the oldest session. */
async function page(): Promise<TapRules> {
  await vi.waitFor(() => expect(taps.names()).not.toEqual([]));
  await vi.waitFor(() => expect(taps.frames()).not.toEqual([]));
  const { session, part } = JSON.parse(Buffer.from(taps.frames()[0]!.bytes).toString()).tap;
  const own = { pid: process.pid, space: PID_NAMESPACE, path: '', name: '', at: new Date().toISOString() };
  return new TapRules(taps.recordings, { ...own, session, part });
}

/** The events and messages of the oldest recording, shortened. */
const story = (): readonly string[] =>
  taps
    .lines()
    .filter((line) => /^. (?:protocol|intercept) |"event":"(?:rules|held|intercepted|overlay)"/.test(line))
    .map((line) => {
      const event = /"event":"(\w+)"/.exec(line)?.[1];
      const did = /"did":"([\w-]+)"/.exec(line)?.[1];
      const why = /"why":"([\w-]+)"/.exec(line)?.[1];
      return event === undefined ? line : [event, did, why].filter(Boolean).join(' ');
    })
    .filter((line) => !line.includes('initialize') && !line.includes('protocolVersion'));

describe('a file of rules for a server at a URL', () => {
  test('delays, fails, answers and drops requests, each on its own exchange', async () => {
    const server = await jsonServer();
    const rules = file(
      rule({ do: 'error', code: -32603, message: 'Down' }, 'id:2'),
      rule({ do: 'result', result: '{"made":1}' }, 'id:3'),
      rule({ do: 'drop' }, 'id:4'),
      rule({ do: 'delay', ms: 50 }, 'id:5'),
      rule({ do: 'replace', text: call(6, ',"changed":true') }, 'id:6'),
      rule({ do: 'cut' }, 'id:7'),
    );
    const tap = await taps.start(server.url, { intercept: [rules] });
    await ask(tap.url, { body: INITIALIZE, headers: HEADERS });
    const failed = await ask(tap.url, { body: call(2), headers: IN_SESSION });
    expect([failed.status, failed.headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(failed.body)).toEqual({ jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'Down' } });
    const made = await ask(tap.url, { body: call(3), headers: { ...IN_SESSION, accept: 'text/event-stream' } });
    expect(made.headers['content-type']).toBe('text/event-stream');
    expect(made.body).toBe('data: {"jsonrpc":"2.0","id":3,"result":{"made":1}}\n\n');
    const dropped = request(tap.url, { method: 'POST', headers: IN_SESSION, agent: false });
    const onDropped = vi.fn();
    dropped.on('response', onDropped).on('error', () => {});
    dropped.end(call(4));
    expect((await ask(tap.url, { body: call(5), headers: IN_SESSION })).body).toBe(answerTo(5));
    expect((await ask(tap.url, { body: call(6), headers: IN_SESSION })).body).toBe(answerTo(6));
    await expect(ask(tap.url, { body: call(7), headers: IN_SESSION })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(server.calls()).toEqual([call(5), call(6, ',"changed":true')]);
    expect(server.got.at(-1)?.headers['content-length']).toBe(String(call(6, ',"changed":true').length));
    expect(onDropped).not.toHaveBeenCalled();
    dropped.destroy();
    await tap.close();
    expect(story()).toEqual([
      'rules',
      'intercepted error',
      `> protocol ${call(2)}`,
      '< protocol {"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Down"}}',
      'intercepted result',
      `> protocol ${call(3)}`,
      '< protocol {"jsonrpc":"2.0","id":3,"result":{"made":1}}',
      'intercepted drop',
      `> protocol ${call(4)}`,
      'held',
      'intercepted delay',
      `> protocol ${call(5)}`,
      `< protocol ${answerTo(5)}`,
      'intercepted replace',
      `> intercept ${call(6)}`,
      `> protocol ${call(6, ',"changed":true')}`,
      `< protocol ${answerTo(6)}`,
      'intercepted cut',
      `> protocol ${call(7)}`,
    ]);
    expect(taps.names()).toHaveLength(1);
  });

  test('changes and copies a response with a JSON body', async () => {
    const server = await jsonServer();
    const back = { direction: 'to-client' } as const;
    const rules = file(
      rule({ do: 'replace', text: answerTo(2, 'changed') }, 'id:2', back),
      rule({ do: 'duplicate' }, 'id:3', back),
      rule({ do: 'duplicate' }, 'id:4'),
    );
    const tap = await taps.start(server.url, { intercept: [rules] });
    await ask(tap.url, { body: INITIALIZE, headers: HEADERS });
    const changed = await ask(tap.url, { body: call(2), headers: IN_SESSION });
    expect([changed.body, changed.headers['content-length']]).toEqual([
      answerTo(2, 'changed'),
      String(answerTo(2, 'changed').length),
    ]);
    const copied = await ask(tap.url, { body: call(3), headers: IN_SESSION });
    expect(copied.body).toBe(`data: ${answerTo(3)}\n\n`.repeat(2));
    const twice = await ask(tap.url, { body: call(4), headers: IN_SESSION });
    expect(twice.body).toBe(`data: ${answerTo(4)}\n\n`.repeat(2));
    expect(server.calls()).toEqual([call(2), call(3), call(4), call(4)]);
  });

  test('gives each session its own counts', async () => {
    const server = await jsonServer();
    const rules = file(rule({ do: 'error', code: 1, message: 'once' }, 'method:tools/call', { times: 1 }));
    const tap = await taps.start(server.url, { intercept: [rules] });
    const texts: string[] = [];
    for (const agent of ['one', 'one', 'two']) {
      const { body } = await ask(tap.url, { body: call(2), headers: { ...HEADERS, 'user-agent': agent } });
      texts.push(body.includes('once') ? 'failed' : 'passed');
    }
    expect(texts).toEqual(['failed', 'passed', 'failed']);
  });

  test('sends progress for a delayed call that asked for it, and then its answer', async () => {
    const server = await jsonServer();
    const tap = await taps.start(server.url, { intercept: [file(rule({ do: 'delay', ms: PROGRESS_MS + 200 }))] });
    const body = call(2, ',"_meta":{"progressToken":"t"}');
    const answer = await ask(tap.url, { body, headers: IN_SESSION });
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(answer.body).toMatch(/^data: \{"jsonrpc":"2\.0","method":"notifications\/progress"/);
    expect(answer.body.endsWith(`\n\ndata: ${answerTo(2)}\n\n`)).toBe(true);
  });

  test('that is invalid is refused before the tap listens', async () => {
    const rules = file(rule({ do: 'hold' }));
    await expect(taps.start('http://127.0.0.1:1/', { intercept: [rules] })).rejects.toMatchObject({
      code: 'bad-rules',
    });
  });

  test('lets messages of more than 4 MiB pass in both directions, and says so', { timeout: 30_000 }, async () => {
    const large = 'x'.repeat(5 * 1024 * 1024);
    let read = 0;
    const origin = await taps.serve(async (req, res) => {
      read = (await bodyOf(req)).length;
      res.setHeader('content-type', 'application/json');
      res.end(answerTo(2, large));
    });
    const tap = await taps.start(`${origin}/mcp`, {
      intercept: [file(rule({ do: 'drop' }, 'method:x', { direction: 'to-client' }), rule({ do: 'drop' }, 'method:x'))],
    });
    await ask(tap.url, { body: call(1), headers: IN_SESSION });
    const body = call(2, `,"x":"${large}"`);
    const answer = await ask(tap.url, { body, headers: IN_SESSION });
    expect([read, answer.body.length]).toEqual([body.length, answerTo(2, large).length]);
    await tap.close();
    expect(taps.notes).toEqual([]);
    expect(story().filter((line) => line === 'intercepted pass too-large')).toHaveLength(2);
  });
});

test('a tap of a URL is listed before its first session', async () => {
  const server = await jsonServer();
  const tap = await taps.start(server.url, { name: 'files', host: 'cursor' });
  await vi.waitFor(() => expect(urlTaps(taps.recordings)).toMatchObject([{ name: 'files', host: 'cursor' }]));
  await tap.close();
  expect(urlTaps(taps.recordings)).toEqual([]);
});

describe('rules of a page for a server at a URL', () => {
  test('hold a request until the page decides, and one that the page leaves behind', async () => {
    const server = await jsonServer();
    const tap = await taps.start(server.url);
    await ask(tap.url, { body: INITIALIZE, headers: HEADERS });
    const [rules, me] = [await page(), {}];
    await rules.setRules(me, [rule({ do: 'hold' })]);
    const first = ask(tap.url, { body: call(2), headers: IN_SESSION });
    const second = ask(tap.url, { body: call(3), headers: IN_SESSION });
    const ping = '{"jsonrpc":"2.0","id":9,"method":"ping"}';
    expect((await ask(tap.url, { body: ping, headers: IN_SESSION })).body).toBe(answerTo(9));
    await vi.waitFor(() => expect(story().filter((line) => line === 'held')).toHaveLength(2));
    expect(String(await rules.readHeld(1))).toMatch(/tools\/call/);
    await rules.decide(1, { do: 'result', result: '{"mine":1}' });
    const answered = await Promise.race([first, second]);
    expect(answered.body).toContain('{"mine":1}');
    expect(server.calls()).toEqual([]);
    rules.close();
    await Promise.all([first, second]);
    expect(server.calls()).toHaveLength(1);
    // Nothing is looked at any more.
    expect((await ask(tap.url, { body: call(4), headers: IN_SESSION })).body).toBe(answerTo(4));
    await tap.close();
    expect(story().filter((line) => line.startsWith('intercepted'))).toEqual([
      'intercepted result',
      'intercepted release owner-gone',
    ]);
    expect(taps.names()).toHaveLength(1);
  });

  test('concern event streams that are open already, from the next event on', async () => {
    const server = await jsonServer();
    const tap = await taps.start(server.url);
    await ask(tap.url, { body: INITIALIZE, headers: HEADERS });
    const stream = await openStream(tap.url);
    await vi.waitFor(() => expect(server.streams).toHaveLength(1));
    server.streams[0]!.write('id: 1\ndata: {"jsonrpc":"2.0","method":"n/1"}\n\nid: 2\ndata: {"jsonrpc":"2.0",');
    await vi.waitFor(() => expect(stream.text()).toContain('id: 2'));
    const rules = await page();
    await rules.setRules({}, [rule({ do: 'drop' }, 'method:n/2 OR method:n/3', { direction: 'to-client' })]);
    server.streams[0]!.write('"method":"n/2"}\n\nid: 3\ndata: {"jsonrpc":"2.0","method":"n/3"}\n\n: alive\n\n');
    server.streams[0]!.write('id: 4\ndata: {"jsonrpc":"2.0","method":"n/4"}\n\n');
    await vi.waitFor(() => expect(stream.text()).toContain('n/4'));
    // The one that had begun to pass passes. The id of the dropped one stays, so that nobody asks for it again.
    expect(stream.text()).toBe(
      'id: 1\ndata: {"jsonrpc":"2.0","method":"n/1"}\n\nid: 2\ndata: {"jsonrpc":"2.0","method":"n/2"}\n\n' +
        'id: 3\ndata:\n\n: alive\n\nid: 4\ndata: {"jsonrpc":"2.0","method":"n/4"}\n\n',
    );
    stream.answer.destroy();
  });

  test('keep the id of an event that waits, so that a host that resumes misses nothing', async () => {
    const server = await jsonServer();
    const tap = await taps.start(server.url);
    await ask(tap.url, { body: INITIALIZE, headers: HEADERS });
    const rules = await page();
    await rules.setRules({}, [rule({ do: 'hold' }, 'method:n/2', { direction: 'to-client' })]);
    const stream = await openStream(tap.url);
    await vi.waitFor(() => expect(server.streams).toHaveLength(1));
    for (const n of [1, 2, 3]) {
      server.streams[0]!.write(`id: ${n}\ndata: {"jsonrpc":"2.0","method":"n/${n}"}\n\n`);
    }
    await vi.waitFor(() => expect(stream.text()).toContain('n/3'));
    expect(stream.text()).toBe(
      'id: 1\ndata: {"jsonrpc":"2.0","method":"n/1"}\n\ndata: {"jsonrpc":"2.0","method":"n/3"}\n\n',
    );
    await rules.decide(1, { do: 'release' });
    await vi.waitFor(() => expect(stream.text()).toContain('n/2'));
    expect(stream.text().slice(-47)).toBe('\n\ndata: {"jsonrpc":"2.0","method":"n/2"}\nid: 3\n\n'.slice(-47));
    // Ending waits for what is held.
    server.streams[0]!.write('id: 4\ndata: {"jsonrpc":"2.0","method":"n/2"}\n\n');
    await vi.waitFor(() => expect(story().filter((line) => line === 'held')).toHaveLength(2));
    server.streams[0]!.end();
    await rules
      .decide(2, { do: 'replace' as 'release', text: '{"jsonrpc":"2.0","method":"n/changed"}' })
      .catch(() => {});
    await rules.decide(2, { do: 'release', text: '{"jsonrpc":"2.0","method":"n/changed"}' });
    await vi.waitFor(() => expect(stream.ended()).toBe('complete'));
    expect(stream.text()).toContain('id: 4\ndata: {"jsonrpc":"2.0","method":"n/changed"}\n\n');
  });

  test('cut an event stream without moving the id of the event', async () => {
    const server = await jsonServer();
    const tap = await taps.start(server.url);
    await ask(tap.url, { body: INITIALIZE, headers: HEADERS });
    const rules = await page();
    await rules.setRules({}, [rule({ do: 'cut' }, 'method:n/2', { direction: 'to-client' })]);
    const stream = await openStream(tap.url);
    await vi.waitFor(() => expect(server.streams).toHaveLength(1));
    const gone = once(server.streams[0]!, 'close');
    server.streams[0]!.write(
      'id: 1\ndata: {"jsonrpc":"2.0","method":"n/1"}\n\nid: 2\ndata: {"jsonrpc":"2.0","method":"n/2"}\n\n',
    );
    await vi.waitFor(() => expect(stream.ended()).toBe('cut'));
    expect(stream.text()).not.toContain('id: 2');
    await gone;
  });

  test('answer a request of the server', async () => {
    const server = await jsonServer();
    const tap = await taps.start(server.url);
    await ask(tap.url, { body: INITIALIZE, headers: HEADERS });
    const rules = await page();
    await rules.setRules({}, [
      rule({ do: 'result', result: '{"roots":[]}' }, 'method:roots/list', { direction: 'to-client' }),
    ]);
    const stream = await openStream(tap.url);
    await vi.waitFor(() => expect(server.streams).toHaveLength(1));
    server.streams[0]!.write('data: {"jsonrpc":"2.0","id":"s1","method":"roots/list"}\n\n');
    await vi.waitFor(() => expect(server.got.at(-1)?.body).toBe('{"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}'));
    expect(server.got.at(-1)?.headers['mcp-session-id']).toBe('session-of-this-test');
    expect(stream.text()).toBe('');
    stream.answer.destroy();
  });

  test('drop what waits when the host leaves', async () => {
    const server = await jsonServer();
    const tap = await taps.start(server.url);
    await ask(tap.url, { body: INITIALIZE, headers: HEADERS });
    const rules = await page();
    await rules.setRules({}, [rule({ do: 'hold' })]);
    const sent = request(tap.url, { method: 'POST', headers: IN_SESSION, agent: false });
    sent.on('error', () => {});
    sent.end(call(2));
    await vi.waitFor(() => expect(story()).toContain('held'));
    sent.destroy();
    await vi.waitFor(() => expect(story()).toContain('intercepted drop client-left'));
    expect(server.calls()).toEqual([]);
    await expect(rules.decide(1, { do: 'release' })).rejects.toMatchObject({ code: 'not-held' });
  });
});
