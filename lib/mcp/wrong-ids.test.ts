import { describe, expect, test } from 'vitest';
import { Engine, type EngineConfig } from './engine';
import { INITIALIZE_MS, PROBE_QUIET_MS } from './handshake';
import { FakeHost, failure, peek } from './test-engine';
import { WRONG_ID_MS } from './wrong-ids';

/** An engine at its handshake that ends requests on a wrong id. `receive` takes an answer and lets promises settle. */
function begin(protocol: EngineConfig['protocol'] = '2025-11-25', config: Partial<EngineConfig> = {}) {
  const host = new FakeHost();
  const engine = new Engine(host, {
    protocol,
    clientInfo: { name: 'test', version: '1' },
    capabilities: () => ({}),
    endsOnWrongId: true,
    ...config,
  });
  const opened = engine.handshake();
  opened.catch(() => {});
  const receive = (message: object) => {
    engine.receive(JSON.stringify({ jsonrpc: '2.0', ...message }));
    return peek(opened);
  };
  return { host, engine, opened, receive };
}

const RESULT = { protocolVersion: '2025-11-25', capabilities: {} };

/** An engine after a handshake without a fault. Its next id is 2. */
async function open() {
  const begun = begin();
  await begun.receive({ id: 1, result: RESULT });
  return begun;
}

describe('an answer with another id ends the request soon', () => {
  test.each<[string, unknown, string]>([
    ['always 0', 0, 'with the wrong id: the number 0. Expected the number 1.'],
    ['as text', '1', 'with the wrong id: the string "1". Expected the number 1.'],
    ['null', null, 'with the wrong id: null. Expected the number 1.'],
    ['none', undefined, 'without an id. Expected the number 1.'],
    ['an object', {}, 'with the wrong id: a value that can’t be an id. Expected the number 1.'],
  ])('in the handshake: %s', async (_what, id, words) => {
    const { host, opened, receive } = begin();
    await receive({ id, result: RESULT });
    await host.clock.pass(WRONG_ID_MS);
    expect(await failure(opened)).toMatchObject({
      code: 'wrong-id',
      message: `The server answered initialize ${words}`,
    });
  });

  test('in auto mode, where the probe is answered wrongly, too', async () => {
    const { host, opened, receive } = begin('auto');
    await receive({ id: 0, error: { code: -32601, message: 'no' } });
    await host.clock.pass(PROBE_QUIET_MS);
    await receive({ id: 0, result: RESULT });
    await host.clock.pass(WRONG_ID_MS);
    expect(await failure(opened)).toMatchObject({ code: 'wrong-id' });
  });

  test('the id of the first answer, unless it is a copy of that', async () => {
    const { host, engine, receive } = await open();
    const { outcome } = engine.sendRequest('tools/list', '{}');
    await receive({ id: 1, result: RESULT });
    await host.clock.pass(2 * WRONG_ID_MS);
    expect(engine.awaits(2)).toBe(true);
    await receive({ id: 1, result: { tools: [] } });
    await host.clock.pass(WRONG_ID_MS);
    expect(await outcome).toMatchObject({
      unusable: {
        message: 'The server answered tools/list with the wrong id: the number 1. Expected the number 2.',
      },
    });
  });

  test('an error is quoted, and an id of the arguments is named', async () => {
    const { host, engine, receive } = await open();
    const nameless = engine.sendRequest('tools/call', '{"name":"a"}').outcome;
    await receive({ id: null, error: { code: -32603, message: 'boom' } });
    await host.clock.pass(WRONG_ID_MS);
    expect(await nameless).toMatchObject({
      kind: 'lost',
      unusable: { message: expect.stringContaining('null. Expected the number 2. It is error -32603: "boom".') },
    });
    const echoed = engine.sendRequest('tools/call', '{"name":"a","arguments":{"list":[{"id":1}]}}').outcome;
    await receive({ id: 1, result: {} });
    await host.clock.pass(WRONG_ID_MS);
    expect(await echoed).toMatchObject({
      unusable: { message: expect.stringContaining('the number 1, which is an `id` in the params of the request.') },
    });
  });

  test('several requests end in the order in which they were sent', async () => {
    const { host, engine, receive } = await open();
    const [first, second] = ['a', 'b'].map((name) => engine.sendRequest('tools/call', `{"name":"${name}"}`).outcome);
    await receive({ id: 0, result: {} });
    await host.clock.pass(WRONG_ID_MS);
    expect(await first).toMatchObject({ kind: 'lost' });
    expect(await peek(second!)).toBe('waiting');
  });
});

describe('goes on waiting', () => {
  test('for the right answer, which follows', async () => {
    const { host, opened, receive } = begin();
    await receive({ id: 0, result: {} });
    await receive({ id: 1, result: RESULT });
    await host.clock.pass(WRONG_ID_MS);
    expect(await opened).toMatchObject({ era: 'legacy' });
  });

  test('after a copy of an earlier answer, and after a late one', async () => {
    const { host, engine, receive } = await open();
    const { id } = engine.sendRequest('tools/call', '{"name":"a"}');
    engine.cancel(id);
    const next = engine.sendRequest('tools/call', '{"name":"b"}').outcome;
    await receive({ id: 1, result: RESULT });
    await receive({ id, result: {} });
    await host.clock.pass(2 * WRONG_ID_MS);
    expect(await peek(next)).toBe('waiting');
  });

  test('after a server has answered a notification, which has no id', async () => {
    const { host, engine, receive } = await open();
    const next = engine.sendRequest('tools/call', '{"name":"slow"}').outcome;
    await receive({ id: null, error: { code: -32601, message: 'Unknown method notifications/initialized' } });
    await host.clock.pass(2 * WRONG_ID_MS);
    expect(await peek(next)).toBe('waiting');
  });

  test('after a late refusal of the probe without an id', async () => {
    const { host, opened, receive } = begin('auto');
    await host.clock.pass(PROBE_QUIET_MS);
    await receive({ id: null, error: { code: -32601, message: 'no' } });
    await host.clock.pass(2 * WRONG_ID_MS);
    expect(await receive({ id: 1, result: RESULT })).toMatchObject({ era: 'legacy' });
    expect(await opened).toMatchObject({ version: '2025-11-25' });
  });

  test('without endsOnWrongId', async () => {
    const { host, opened, receive } = begin('2025-11-25', { endsOnWrongId: undefined });
    await receive({ id: 0, result: RESULT });
    await host.clock.pass(2 * WRONG_ID_MS);
    expect(await peek(opened)).toBe('waiting');
  });
});

test.each([200, 2 * INITIALIZE_MS])('the handshake waits %d ms if the config says so', async (handshakeMs) => {
  const { host, opened } = begin('2025-11-25', { handshakeMs });
  await host.clock.pass(handshakeMs - 1);
  expect(await peek(opened)).toBe('waiting');
  await host.clock.pass(1);
  expect(await failure(opened)).toMatchObject({
    code: 'handshake-timeout',
    message: `The server did not answer initialize within ${handshakeMs / 1000} seconds.`,
  });
});

test('a silent probe is reported with the time that it had', async () => {
  const { host } = begin('auto', { handshakeMs: 200 });
  await host.clock.pass(200);
  expect(host.events).toEqual([{ event: 'probe-silent', afterMs: 200 }]);
});

describe('text that looks like an answer ends the request soon', () => {
  const broken = (what: string) => ({ code: 'answer-broken', message: what, advice: '' });

  test('with what was seen last, since an object may be printed over several lines', async () => {
    const { host, engine, opened } = begin();
    engine.onBrokenAnswer(1, broken('its first line'));
    engine.onBrokenAnswer(1, broken('all lines'));
    engine.onBrokenAnswer(7, broken('of nobody'));
    await host.clock.pass(WRONG_ID_MS);
    expect(await failure(opened)).toEqual(expect.objectContaining(broken('all lines')));
  });

  test('unless the right answer follows: some servers print what they send', async () => {
    const { host, engine, opened, receive } = begin();
    engine.onBrokenAnswer(1, broken('a log line'));
    await receive({ id: 1, result: RESULT });
    await host.clock.pass(WRONG_ID_MS);
    expect(await opened).toMatchObject({ version: '2025-11-25' });
  });

  test('as an answer with a method does, which is not an echo', async () => {
    const { host, opened, receive } = begin();
    await receive({ id: 1, method: 'initialize', result: RESULT });
    await host.clock.pass(WRONG_ID_MS);
    expect(await failure(opened)).toMatchObject({
      code: 'answer-broken',
      message: 'The server’s answer to initialize has a `method`, so it is not a response.',
    });
  });

  test('only where requests end on a wrong id', async () => {
    const { host, engine, opened } = begin('2025-11-25', { endsOnWrongId: undefined });
    engine.onBrokenAnswer(1, broken('a text'));
    await host.clock.pass(WRONG_ID_MS);
    expect(await peek(opened)).toBe('waiting');
  });
});
