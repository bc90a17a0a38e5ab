import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import type { ClientHandler } from './client-handler';
import { open, peek, settled } from './test-host';

const GONE = new ConnectionError({ code: 'exited', message: 'The server exited.', advice: 'Restart it.' });

describe('answers', () => {
  test.each([
    [
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"bad","data":[1]}}',
      { code: -32602, message: 'bad', data: [1] },
    ],
    ['{"id":2,"error":{"code":"x","message":7}}', { code: 0, message: '' }],
    ['{"id":2,"error":"text"}', { code: 0, message: 'text' }],
    ['{"id":2,"error":null}', { code: 0, message: '' }],
    ['{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":5,"message":"both"}}', { code: 5, message: 'both' }],
    ['{"id":2,"error":{"__proto__":{"code":9},"constructor":1}}', { code: 0, message: '' }],
  ])('%s is an error', async (text, error) => {
    const { engine } = await open();
    const { outcome } = engine.request('ping');
    engine.receive(text);
    expect(await outcome).toEqual({ kind: 'error', error });
  });

  test.each([
    ['{"jsonrpc":"2.0","id":2,"result":null}', null],
    ['{"jsonrpc":"1.0","id":2,"result":[1]}', [1]],
    ['{"id":2,"result":{"a":1},"error":null}', { a: 1 }],
    ['{"id":2,"result":"text"}', 'text'],
  ])('%s is a result', async (text, result) => {
    const { engine } = await open();
    const { outcome } = engine.request('ping');
    engine.receive(text);
    expect(await outcome).toEqual({ kind: 'result', result });
  });

  test('__proto__ in a result stays a name', async () => {
    const { engine } = await open();
    const { outcome } = engine.request('ping');
    engine.receive('{"__proto__":{"method":"ping"},"id":2,"result":{"__proto__":{"polluted":true}}}');
    expect(await outcome).toMatchObject({ kind: 'result' });
    expect(({} as any).polluted).toBeUndefined();
  });

  test('an envelope with neither result nor error settles nothing', async () => {
    const { engine } = await open();
    const { outcome } = engine.request('ping');
    for (const text of ['{"jsonrpc":"2.0","id":2}', '{"__proto__":{"result":1},"id":2}']) engine.receive(text);
    expect(await peek(outcome)).toBe('waiting');
  });

  test('a batch answers each of its requests', async () => {
    const { host, engine } = await open('2025-03-26');
    const first = engine.request('ping');
    const second = engine.request('ping');
    engine.receive('[{"id":3,"result":3},7,[],null,{"id":"a","method":"ping"},{"id":2,"result":2}]');
    expect([await first.outcome, await second.outcome]).toEqual([
      { kind: 'result', result: 2 },
      { kind: 'result', result: 3 },
    ]);
    expect(host.texts.at(-1)).toBe('{"jsonrpc":"2.0","id":"a","result":{}}');
  });
});

describe('server requests', () => {
  test('ping is answered at once, the rest is not found, ids come back as they were written', async () => {
    const { host, engine } = await open();
    engine.receive('{"jsonrpc":"2.0","id":0,"method":"ping"}');
    engine.receive('{"jsonrpc":"2.0","id":"x\\u0022","method":"roots/list"}');
    engine.receive('{"id":1,"jsonrpc":"2.0", "id" : 12345678901234567890 ,"method":"ping"}');
    engine.receive('{"jsonrpc":"2.0","id":1e999,"method":"constructor"}');
    expect(host.texts).toEqual([
      '{"jsonrpc":"2.0","id":0,"result":{}}',
      '{"jsonrpc":"2.0","id":"x\\"","error":{"code":-32601,"message":"Method not found"}}',
      '{"jsonrpc":"2.0","id":12345678901234567890,"result":{}}',
      '{"jsonrpc":"2.0","id":1e999,"error":{"code":-32601,"message":"Method not found"}}',
    ]);
  });

  test('with the id of one of our requests is theirs, and ours waits on', async () => {
    const { host, engine } = await open();
    const { outcome } = engine.request('tools/call', '{"name":"ask"}');
    engine.receive('{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{}}');
    expect(host.last).toMatchObject({ id: 2, error: { code: -32601 } });
    expect(await peek(outcome)).toBe('waiting');
  });

  test('without a usable id get no answer', async () => {
    const { host, engine } = await open();
    for (const id of ['null', '{}', '[1]', 'true']) engine.receive(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    engine.receive('{"jsonrpc":"2.0","method":"ping"}');
    expect(host.texts).toEqual([]);
  });

  test('are never answered in the modern era', async () => {
    const { host, engine } = await open('2026-07-28');
    engine.receive('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    engine.receive('[{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}]');
    expect(host.texts).toEqual([]);
  });

  test('from a server that has just gone are no crash', async () => {
    const { host, engine } = await open();
    host.gone = GONE;
    engine.receive('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(host.texts).toEqual([]);
  });
});

describe('anything at all', () => {
  test.each([
    '',
    ' ',
    'null',
    '7',
    '"x"',
    '{}',
    '[]',
    '[[]]',
    '\u0000',
    '\ufeff{}',
    'Listening on stdio',
    '\u001b[31mred\u001b[0m',
    '{"jsonrpc":"2.0"',
    '{"method":null,"id":2}',
    '{"method":{"toString":null}}',
    '{"method":"__proto__"}',
    '{"method":"notifications/progress","params":{"progressToken":{"toString":1}}}',
    `{"id":${'['.repeat(200_000)}${']'.repeat(200_000)},"result":1}`,
    `{"id":1,"method":"ping","params":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`,
  ])('%.40j does not throw', async (text) => {
    const { engine } = await open();
    const { outcome } = engine.request('ping');
    expect(() => engine.receive(text)).not.toThrow();
    expect(await peek(outcome)).toBe('waiting');
  });

  test('no JSON and no text throws', async () => {
    const { engine } = await open();
    const envelope = fc.record(
      {
        id: fc.oneof(fc.jsonValue(), fc.constant(2)),
        method: fc.oneof(fc.jsonValue(), fc.constantFrom('ping', 'notifications/progress')),
        params: fc.jsonValue(),
        result: fc.jsonValue(),
        error: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.oneof(envelope, fc.array(envelope)).map((value) => JSON.stringify(value)),
    );
    fc.assert(fc.property(line, (text) => engine.receive(text)));
  });
});

describe('what a handler answers', () => {
  const handlers = new Map<string, ClientHandler>([
    ['roots/list', async (params) => `{"roots":[${JSON.stringify(params)}]}`],
    ['elicitation/create', () => Promise.reject(new Error('nobody is there'))],
  ]);

  test('goes out under the id as it was written; a failure is an internal error', async () => {
    const { engine, host } = await open('2025-11-25', handlers);
    engine.receive('{"jsonrpc":"2.0","id":12345678901234567890,"method":"roots/list","params":{"a":1}}');
    engine.receive('{"jsonrpc":"2.0","id":"e","method":"elicitation/create"}');
    engine.receive('{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}');
    await settled();
    expect(host.texts.toSorted()).toEqual([
      '{"jsonrpc":"2.0","id":"e","error":{"code":-32603,"message":"Error: nobody is there"}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}',
      '{"jsonrpc":"2.0","id":12345678901234567890,"result":{"roots":[{"a":1}]}}',
    ]);
  });

  test('in the modern era servers ask nothing on their own', async () => {
    const { engine, host } = await open('2026-07-28', handlers);
    engine.receive('{"jsonrpc":"2.0","id":1,"method":"roots/list"}');
    await settled();
    expect(host.texts).toEqual([]);
  });
});

test('a server may call off a subscription, and nothing else of ours', async () => {
  const { engine } = await open('2026-07-28');
  const stream = engine.request('subscriptions/listen', '{"notifications":{}}');
  const call = engine.request('tools/call', '{"name":"t"}');
  for (const id of [stream.id, call.id, 'x', null, {}]) {
    engine.receive(JSON.stringify({ method: 'notifications/cancelled', params: { requestId: id } }));
  }
  expect(await stream.outcome).toEqual({ kind: 'cancelled' });
  expect(await peek(call.outcome)).toBe('waiting');
});
