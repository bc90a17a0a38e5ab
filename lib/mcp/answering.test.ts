import { describe, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { type ClientHandler, ErrorResponse, type HandlerContext } from './answering';
import { Engine } from './engine';
import { INITIALIZE_MS } from './handshake';
import { FakeHost, failure, open, peek, settled } from './test-engine';

const ELICIT = 'elicitation/create';

/** Opens an engine whose handler answers when the test says so. */
async function withPerson() {
  const asked: (HandlerContext & { answer(text: string): void; refuse(error: Error): void })[] = [];
  const person: ClientHandler = (_params, asking) =>
    new Promise((answer, refuse) => asked.push({ ...asking, answer, refuse }));
  const { engine, host } = await open('2025-11-25', new Map([[ELICIT, person]]));
  const ask = async (id: unknown) => {
    engine.receive(JSON.stringify({ jsonrpc: '2.0', id, method: ELICIT, params: {} }));
    await settled();
  };
  return { engine, host, asked, ask, replies: () => host.texts.filter((text) => !text.includes('"method"')) };
}

test('sends answers as written, and ErrorResponse as an error', async () => {
  const { asked, ask, replies } = await withPerson();
  await ask('a');
  await ask(1);
  asked[1]!.refuse(new ErrorResponse(-1, 'no'));
  asked[0]!.answer('{"n":12345678901234567890,"n":1e400}');
  await settled();
  expect(replies()).toEqual([
    '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}',
    '{"jsonrpc":"2.0","id":"a","result":{"n":12345678901234567890,"n":1e400}}',
  ]);
});

test('refuses a request whose id is already waiting', async () => {
  const { asked, ask, replies } = await withPerson();
  await ask('a');
  await ask('a');
  expect(replies()).toEqual([expect.stringContaining('"id":"a","error":{"code":-32600')]);
  expect(asked).toHaveLength(1);
  asked[0]!.answer('{}');
  await settled();
  await ask('a');
  expect(asked).toHaveLength(2);
});

describe('refuses a request that is too large to be read', () => {
  const deep = '['.repeat(400) + ']'.repeat(400);
  const asks = (id: string) => `{"jsonrpc":"2.0","method":"${ELICIT}","params":{"x":${deep}},"id":${id}}`;

  test.each(['"a"', '12345678901234567890'])('with the id %s', async (id) => {
    const { engine, asked, replies } = await withPerson();
    engine.receive(asks(id));
    await settled();
    expect(asked).toEqual([]);
    expect(replies()).toEqual([
      `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"The request is too large: nested deeper than 256"}}`,
    ]);
  });

  test('in a batch, whose other messages are read', async () => {
    const { engine, asked, replies } = await withPerson();
    engine.receive(`[${asks('7')},{"jsonrpc":"2.0","id":"b","method":"${ELICIT}","params":{}}]`);
    await settled();
    expect(replies()).toEqual([expect.stringContaining('"id":7,"error":{"code":-32600')]);
    expect(asked).toMatchObject([{ id: 'b' }]);
  });

  test.each([
    `{"jsonrpc":"2.0","id":1,"result":${deep}}`,
    `{"jsonrpc":"2.0","method":"${ELICIT}","params":${deep}}`,
    asks('null'),
    asks('"open'),
    deep,
  ])('and replies to nothing else: %#', async (text) => {
    const { engine, replies } = await withPerson();
    engine.receive(text);
    await settled();
    expect(replies()).toEqual([]);
  });
});

test('stops the timeouts of calls while a handler works', async () => {
  const { engine, host, asked, ask } = await withPerson();
  const call = engine.sendRequest('tools/call', '{"name":"t"}', { timeoutMs: 100 });
  await ask('a');
  host.clock.advance(LIMITS.requestMaxMs * 2);
  expect(await peek(call.outcome)).toBe('waiting');
  asked[0]!.answer('{}');
  await settled();
  host.clock.advance(100);
  expect(await call.outcome).toEqual({ kind: 'timeout' });
});

test('calls no handler during the handshake, which can still time out', async () => {
  const host = new FakeHost();
  const engine = new Engine(host, {
    protocol: '2025-11-25',
    clientInfo: { name: 'test', version: '1' },
    capabilities: () => ({}),
    handlers: new Map([[ELICIT, () => new Promise<string>(() => {})]]),
  });
  const opened = failure(engine.handshake());
  engine.receive(`{"jsonrpc":"2.0","id":"a","method":"${ELICIT}"}`);
  expect(host.last).toMatchObject({ id: 'a', error: { code: -32601 } });
  host.clock.advance(INITIALIZE_MS);
  expect(await opened).toMatchObject({ code: 'handshake-timeout' });
});

describe('does not answer a request that', () => {
  test('the server cancelled', async () => {
    const { engine, asked, ask, replies } = await withPerson();
    await ask('a');
    engine.receive('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}');
    expect(asked[0]!.signal.aborted).toBe(true);
    asked[0]!.answer('{}');
    await settled();
    expect(replies()).toEqual([]);
  });

  test('the user answered as raw text', async () => {
    const { engine, host, asked, ask, replies } = await withPerson();
    const call = engine.sendRequest('tools/call', '{"name":"t"}', { timeoutMs: 100 });
    await ask('a');
    engine.reserveSentIds('{"jsonrpc":"2.0","id":"a","result":{}}');
    expect(asked[0]!.signal.aborted).toBe(true);
    asked[0]!.answer('{}');
    await settled();
    expect(replies()).toEqual([]);
    host.clock.advance(100);
    expect(await call.outcome).toEqual({ kind: 'timeout' });
  });

  test('belongs to a lost session', async () => {
    const { engine, asked, ask, replies } = await withPerson();
    await ask('a');
    engine.onSessionLost();
    asked[0]!.answer('{}');
    await settled();
    expect(replies()).toEqual([]);
  });
});

describe('when the call that caused a question', () => {
  const GIVEN_UP = '{"jsonrpc":"2.0","id":"a","error":{"code":-32603,';

  test('is given up: refuses the question', async () => {
    const { engine, asked, ask, replies } = await withPerson();
    const call = engine.sendRequest('tools/call', '{"name":"t"}');
    await ask('a');
    engine.cancel(call.id);
    expect(asked[0]!.signal.aborted).toBe(true);
    expect(replies()).toEqual([expect.stringContaining(GIVEN_UP)]);
  });

  test('may be one of several: refuses the question only when the last has ended', async () => {
    const { engine, asked, ask, replies } = await withPerson();
    const calls = [engine.sendRequest('tools/call', '{"name":"t"}'), engine.sendRequest('prompts/get', '{"name":"p"}')];
    await ask('a');
    engine.cancel(calls[0]!.id);
    expect(asked[0]!.signal.aborted).toBe(false);
    engine.cancel(calls[1]!.id);
    expect(replies()).toEqual([expect.stringContaining(GIVEN_UP)]);
  });

  test('is answered: the question can still be answered', async () => {
    const { engine, asked, ask, replies } = await withPerson();
    const call = engine.sendRequest('tools/call', '{"name":"t"}');
    await ask('a');
    engine.receive(JSON.stringify({ jsonrpc: '2.0', id: call.id, result: {} }));
    asked[0]!.answer('{}');
    await settled();
    expect(replies()).toEqual(['{"jsonrpc":"2.0","id":"a","result":{}}']);
  });
});

test('refuses requests beyond LIMITS.waitingQuestions', async () => {
  const { asked, ask, replies } = await withPerson();
  for (let n = 0; n < LIMITS.waitingQuestions + 5; n++) await ask(n);
  expect(asked).toHaveLength(LIMITS.waitingQuestions);
  expect(replies()).toHaveLength(5);
  asked[0]!.answer('{}');
  await settled();
  await ask('next');
  expect(asked.at(-1)!.id).toBe('next');
});
