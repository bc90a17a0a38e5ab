import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import type { ClientHandler } from './answering';
import { open, peek, settled } from './test-engine';

describe('engine', () => {
  const GONE = new ConnectionError({ code: 'exited', message: 'The server exited.', advice: 'Restart it.' });

  describe('ids', () => {
    test('count up, are never used twice, and are matched with their JSON type', async () => {
      const { host, engine } = await open();
      const first = engine.request('ping');
      const second = engine.request('ping');
      expect([first.id, second.id, first.seq, second.seq]).toEqual([2, 3, 1, 2]);
      for (const id of ['"2"', 'null', '2.5', '[2]', '{"toString":2}', '{}', 'true', '-2', '1', '99']) {
        engine.receive(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
        engine.receive(`{"jsonrpc":"2.0","id":${id},"error":{"code":1,"message":""}}`);
      }
      expect(await peek(first.outcome)).toBe('waiting');
      engine.receive('{"jsonrpc":"2.0","id":3,"result":{"n":3}}');
      engine.receive('{"jsonrpc":"2.0","id":2,"result":{"n":2}}');
      expect(await first.outcome).toEqual({ kind: 'result', result: { n: 2 } });
      expect(await second.outcome).toEqual({ kind: 'result', result: { n: 3 } });
      expect(engine.request('ping').id).toBe(4);
      expect(host.texts[0]).toBe('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    });

    test('the first answer counts, duplicates are ignored', async () => {
      const { engine } = await open();
      const { outcome } = engine.request('ping');
      engine.receive('{"jsonrpc":"2.0","id":2,"result":{"n":1}}');
      engine.receive('{"jsonrpc":"2.0","id":2,"result":{"n":2}}');
      engine.receive('{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"late"}}');
      expect(await outcome).toEqual({ kind: 'result', result: { n: 1 } });
    });

    test('ids and tokens that the user sent by hand are stepped over, in batches too', async () => {
      const { engine } = await open();
      engine.reserveSentIds('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":3}}}');
      engine.reserveSentIds('[{"id":4,"method":"a"},{"id":"5","method":"b"},7,null]');
      engine.reserveSentIds('not json {"id":5');
      const request = engine.request('ping');
      expect(request.id).toBe(5);
      engine.receive('{"jsonrpc":"2.0","id":2,"result":{}}');
      engine.receive('{"jsonrpc":"2.0","id":4,"result":{}}');
      expect(await peek(request.outcome)).toBe('waiting');
    });
  });

  describe('_meta', () => {
    test('legacy: a progress token for what may take long, and nothing else', async () => {
      const { host, engine } = await open();
      engine.request('tools/call', '{"name":"a"}');
      engine.request('tools/list', '{"cursor":""}');
      engine.request('made/up');
      expect(host.texts).toEqual([
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":2}}}',
        '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":""}}',
        '{"jsonrpc":"2.0","id":4,"method":"made/up"}',
      ]);
    });

    test('modern: version, client and capabilities on every request, not on notifications', async () => {
      const { host, engine } = await open('2026-07-28');
      engine.request('made/up');
      engine.request(
        'tools/call',
        '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","x":1},"name":"a"}',
      );
      engine.sendNotification('notifications/made/up', '{"a":1}');
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      expect(host.sent[0]!.params).toEqual({ _meta: meta });
      expect(host.sent[1]!.params).toEqual({
        _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01', x: 1, progressToken: 3 },
        name: 'a',
      });
      expect(host.sent[2]).toEqual({ jsonrpc: '2.0', method: 'notifications/made/up', params: { a: 1 } });
    });

    test('params that are no JSON are refused before anything is sent', async () => {
      const { host, engine } = await open();
      expect(() => engine.request('tools/call', '{')).toThrow(expect.objectContaining({ code: 'params-not-json' }));
      expect(() => engine.sendNotification('n', '{')).toThrow(expect.objectContaining({ code: 'params-not-json' }));
      expect(host.texts).toEqual([]);
      expect(host.clock.waiting).toBe(0);
    });
  });

  describe('cancel', () => {
    test.each(['2025-11-25', '2026-07-28'] as const)(
      '%s: tells the server; a late answer does nothing',
      async (version) => {
        const { host, engine } = await open(version);
        const { id, outcome } = engine.request('tools/call', '{}');
        expect(engine.cancel(id)).toBe(true);
        expect(host.last).toEqual({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: id, reason: 'Cancelled by the user' },
        });
        engine.receive(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
        expect(await outcome).toEqual({ kind: 'cancelled' });
        expect(engine.cancel(id)).toBe(false);
        expect(engine.cancel('2')).toBe(false);
        expect(host.texts).toHaveLength(2);
        expect(host.clock.waiting).toBe(0);
      },
    );

    test('counts even if the answer comes while the server is being told', async () => {
      const { host, engine } = await open();
      const { outcome } = engine.request('ping');
      host.send = () => {
        engine.receive('{"jsonrpc":"2.0","id":2,"result":{}}');
        return 9;
      };
      engine.cancel(2);
      expect(await outcome).toEqual({ kind: 'cancelled' });
    });

    test('never initialize', async () => {
      const { host, engine } = await open();
      const { id, outcome } = engine.request('initialize', '{}');
      expect(engine.cancel(id)).toBe(false);
      host.clock.advance(LIMITS.requestMs);
      expect(await outcome).toEqual({ kind: 'timeout' });
      expect(host.sent.map(({ method }) => method)).toEqual(['initialize']);
    });
  });

  describe('the end', () => {
    test('settles all as lost, and nothing can be sent any more', async () => {
      const { host, engine } = await open();
      const outcomes = [engine.request('ping').outcome, engine.request('tools/call', '{}').outcome];
      expect(engine.end(GONE)).toBe(false);
      expect(await Promise.all(outcomes)).toEqual([{ kind: 'lost' }, { kind: 'lost' }]);
      expect(() => engine.request('ping')).toThrow(GONE);
      expect(() => engine.sendNotification('n')).toThrow(GONE);
      expect(host.clock.waiting).toBe(0);
      expect(host.texts).toHaveLength(2);
    });

    test('a request that cannot be sent leaves nothing behind', async () => {
      const { host, engine } = await open();
      host.gone = GONE;
      expect(() => engine.request('ping')).toThrow(GONE);
      expect(host.clock.waiting).toBe(0);
    });
  });

  test('listeners get the notifications of their method only', async () => {
    const { engine } = await open();
    const heard: unknown[] = [];
    engine.onNotification('notifications/message', (params) => heard.push(params));
    engine.receive('{"jsonrpc":"2.0","method":"notifications/message","params":{"n":1}}');
    engine.receive('{"jsonrpc":"2.0","method":"notifications/other","params":{"n":2}}');
    engine.receive('{"jsonrpc":"2.0","id":5,"method":"notifications/message","params":{"n":3}}');
    expect(heard).toEqual([{ n: 1 }]);
  });
});

describe('inbound', () => {
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
});
