import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InterceptRule } from '@/lib/wire/intercept';
import { FakeClock } from '@/lib/wire/test-clock';
import { event, type HttpFixture, initialized, json, result, startHttp, stream } from './fixtures/http-fixture';
import { hostileTarget, openHub, type TestTab } from './test-hub';

let open: Awaited<ReturnType<typeof openHub>>;
let tab: TestTab;
let fixture: HttpFixture | undefined;

beforeEach(async () => {
  open = await openHub();
  tab = await open.tab();
});
afterEach(async () => {
  await open.close();
  await fixture?.close();
  fixture = undefined;
});

const HOLD: InterceptRule = { name: 'pings', when: 'method:ping', direction: 'to-server', action: { do: 'hold' } };

const connectHere = () => tab.connect(hostileTarget('honest'), 'open', '2025-11-25');
const setRules = (connection: string, ...rules: readonly InterceptRule[]) =>
  tab.ask({ type: 'set-rules', connection, rules });
const ping = (connection: string, more: object = {}) =>
  tab.ask({ type: 'request', connection, method: 'ping', ...more });

type Parsed = Record<string, unknown>;

const events = (name: string): Parsed[] =>
  tab
    .texts('lifecycle')
    .map((text) => JSON.parse(text) as Parsed)
    .filter((event) => event.event === name);

/** The frames after the handshake that are about pings or interception, in short. */
const story = () =>
  tab.frames.flatMap(({ channel, direction, bytes }) => {
    const text = Buffer.from(bytes).toString();
    const { event, did, method, id, result, error } = JSON.parse(text) as Parsed & { error?: { code: number } };
    if (event === 'held' || event === 'intercepted') return [`${event} ${did ?? ''}`.trim()];
    if (channel !== 'protocol' && channel !== 'intercept') return [];
    if (method === 'ping' || id === 'mine') return [`${channel} ${direction} ${text}`];
    if (error) return [`${channel} ${direction} error ${error.code}`];
    return result && Object.keys(result).length === 0 ? [`${channel} ${direction} {}`] : [];
  });

const PING = '{"jsonrpc":"2.0","id":3,"method":"ping"}';

test('holds a request until the page decides, and sends what the page wrote', async () => {
  const connection = await connectHere();
  await tab.until(() => tab.texts('protocol').some((text) => text.includes('"tools":[')));
  await setRules(connection, HOLD);
  const sent = await ping(connection);
  await tab.lifecycle('held');
  const [held] = events('held');
  expect(held).toMatchObject({ hold: 1, rule: 'pings', method: 'ping', direction: 'to-server', kind: 'request' });
  expect(sent).toMatchObject({
    type: 'done',
    seq: tab.frames.find((frame) => String(Buffer.from(frame.bytes)).includes('"held"'))?.seq,
  });
  const read = await tab.ask({ type: 'read-held', connection, hold: 1 });
  const { text } = (read as unknown as { held: { text: string } }).held;
  expect(JSON.parse(text)).toMatchObject({ method: 'ping' });
  const changed = text.replace('"ping"', '"ping","params":{"changed":true}');
  expect(
    await tab.ask({ type: 'decide', connection, hold: 1, decision: { do: 'release', text: changed } }),
  ).toMatchObject({ type: 'done' });
  await tab.until(() => story().some((line) => line === 'protocol to-client {}'));
  expect(story()).toEqual([
    'held',
    'intercepted replace',
    `intercept to-server ${text}`,
    `protocol to-server ${changed}`,
    'protocol to-client {}',
  ]);
  expect(await tab.ask({ type: 'decide', connection, hold: 1, decision: { do: 'drop' } })).toMatchObject({
    code: 'not-held',
  });
});

test('stops the timeouts of requests while a message waits for a person', async () => {
  await open.close();
  const clock = new FakeClock();
  open = await openHub(clock);
  tab = await open.tab();
  const connection = await connectHere();
  await setRules(connection, HOLD);
  await ping(connection, { timeoutMs: 1000 });
  await tab.lifecycle('held');
  clock.advance(60_000);
  await tab.ask({ type: 'decide', connection, hold: 1, decision: { do: 'drop' } });
  await tab.lifecycle('intercepted');
  expect(events('timeout')).toEqual([]);
  clock.advance(2000);
  await tab.lifecycle('timeout');
});

test('answers a request in place of the server, which never gets it', async () => {
  const connection = await connectHere();
  await setRules(connection, { ...HOLD, action: { do: 'error', code: -32603, message: 'Down' } });
  await ping(connection);
  await tab.until(() => story().some((line) => line.includes('error')));
  expect(story()).toEqual([
    'intercepted error',
    expect.stringContaining('"method":"ping"'),
    'protocol to-client error -32603',
  ]);
});

test('passes on what a page held when its socket closes, and leaves the rules of other pages', async () => {
  const connection = await connectHere();
  const other = await open.tab();
  const rules = [{ ...HOLD, direction: 'to-client', name: 'answers' }];
  await other.ask({ type: 'set-rules', connection, rules });
  await setRules(connection, { ...HOLD, when: 'method:nothing' });
  await ping(connection);
  await tab.lifecycle('held');
  other.socket.close();
  await tab.until(() => story().includes('protocol to-client {}'));
  expect(events('intercepted')).toMatchObject([{ did: 'release', why: 'owner-gone', rule: 'answers' }]);
  expect(events('rules').at(-1)).toMatchObject({ rules: [{ name: 'pings', do: 'hold' }] });
});

test('keeps the rules of a page over a restart, from the first message on', async () => {
  const connection = await connectHere();
  await setRules(connection, { ...HOLD, when: 'method:initialize', action: { do: 'delay', ms: 1 } });
  const again = (await tab.ask({ type: 'restart', connection })) as { connection: string };
  tab.frames.length = 0;
  tab.send({ type: 'attach', connection: again.connection, after: 0 });
  await tab.lifecycle('open');
  expect(events('intercepted')).toMatchObject([{ did: 'delay', method: 'initialize' }]);
  tab.socket.close();
  await expect.poll(() => open.hub.live(again.connection).server.interceptor).toBeUndefined();
});

test('drops what waits when the connection ends, with an event', async () => {
  const connection = await connectHere();
  await setRules(connection, HOLD);
  await ping(connection);
  await tab.ask({ type: 'close', connection });
  await tab.lifecycle('closed');
  expect(story().slice(-2)).toEqual(['intercepted drop', expect.stringContaining('protocol to-server')]);
  expect(events('intercepted')).toMatchObject([{ why: 'connection-ended', withheld: true }]);
  expect(await setRules(connection, HOLD)).toMatchObject({ type: 'error', code: 'not-connected' });
});

test('refuses a rule with an unknown key, and keeps the old rules', async () => {
  const connection = await connectHere();
  await setRules(connection, HOLD);
  expect(await setRules(connection, { ...HOLD, when: 'duration:>1s' })).toMatchObject({
    type: 'error',
    code: 'bad-rule',
    message: expect.stringContaining('Rule “pings” has an invalid filter: duration: is not known as a message passes.'),
  });
  await ping(connection);
  await tab.lifecycle('held');
});

test('holds a person’s raw message, and drops one with a timeout of its own', async () => {
  const connection = await connectHere();
  await setRules(connection, { ...HOLD, action: { do: 'drop' } });
  await tab.ask({ type: 'send-raw', connection, text: PING.replace('3', '"mine"'), terminate: true });
  await ping(connection, { timeoutMs: 20 });
  await tab.lifecycle('timeout');
  expect(story().filter((line) => line === 'intercepted drop')).toHaveLength(2);
});

test('costs nothing once the last rule is gone', async () => {
  const connection = await connectHere();
  await setRules(connection, HOLD);
  expect(open.hub.live(connection).server.interceptor).toBeDefined();
  await setRules(connection);
  expect(open.hub.live(connection).server.interceptor).toBeUndefined();
  await ping(connection);
  await tab.until(() => story().includes('protocol to-client {}'));
  expect(events('intercepted')).toEqual([]);
});

describe('over HTTP', () => {
  /** Answers `ping` on an event stream, which ends directly after the answer. */
  const connectHttp = async () => {
    fixture = await startHttp(({ method, message }, response) => {
      if (method !== 'POST') response.writeHead(405).end();
      else if (message?.method === 'initialize') json(response, initialized(message.id));
      else if (message?.id === undefined) response.writeHead(202).end();
      else stream(response, event(result(message.id, {}))).end();
    });
    return tab.connect({ transport: 'http', url: fixture.origin }, 'open', '2025-11-25');
  };

  test('a held response keeps its request waiting although its stream has ended', async () => {
    const connection = await connectHttp();
    await setRules(connection, { ...HOLD, direction: 'to-client' });
    await ping(connection);
    await tab.lifecycle('held');
    await tab.until(() => tab.texts('http').filter((text) => text.includes('"kind":"end"')).length > 0);
    expect(tab.texts('http').filter((text) => text.includes('unanswered'))).toEqual([]);
    await tab.ask({ type: 'decide', connection, hold: 1, decision: { do: 'result', result: '{}' } });
    await tab.until(() => story().includes('protocol to-client {}'));
    expect(story().slice(-3)).toEqual(['intercepted result', 'intercept to-client {}', 'protocol to-client {}']);
  });

  test('a cut stream is a broken one', async () => {
    const connection = await connectHttp();
    await setRules(connection, { ...HOLD, direction: 'to-client', action: { do: 'cut' } });
    await ping(connection);
    await tab.until(() => tab.texts('http').some((text) => text.includes('stream-cut')));
    expect(open.hub.live(connection).server.state).toBe('open');
  });

  test('a request that is answered here is not sent', async () => {
    const connection = await connectHttp();
    await setRules(connection, { ...HOLD, action: { do: 'result', result: '{}' } });
    await ping(connection);
    await tab.until(() => story().includes('protocol to-client {}'));
    expect(fixture!.of('ping')).toEqual([]);
  });

  test('a held request is sent as the page wrote it', async () => {
    const connection = await connectHttp();
    await setRules(connection, HOLD);
    await ping(connection);
    await tab.lifecycle('held');
    const text = '{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":1}}';
    await tab.ask({ type: 'decide', connection, hold: 1, decision: { do: 'release', text } });
    await tab.until(() => story().includes('protocol to-client {}'));
    expect(fixture!.of('ping').map((seen) => seen.text)).toEqual([text]);
  });
});

test('a cut stream of a process ends the connection', async () => {
  const connection = await connectHere();
  await setRules(connection, { ...HOLD, direction: 'to-client', action: { do: 'cut' } });
  await ping(connection);
  await tab.lifecycle('failed');
  expect(events('failed')).toMatchObject([{ code: 'stream-cut' }]);
  await tab.lifecycle('exit');
  await expect.poll(() => open.hub.live(connection).ended).toBe(true);
  expect(open.hub.live(connection).server.failure?.code).toBe('stream-cut');
});
