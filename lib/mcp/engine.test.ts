import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import type { ClientHandler } from './answering';
import { open, peek, settled } from './test-engine';

describe('engine', () => {
  const GONE = new ConnectionError({ code: 'exited', message: 'The server exited.', advice: 'Restart it.' });

  describe('ids', () => {
    test('count up, are unique, and are matched by JSON type', async () => {
      const { host, engine } = await open();
      const first = engine.sendRequest('ping');
      const second = engine.sendRequest('ping');
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
      expect(engine.sendRequest('ping').id).toBe(4);
      expect(host.texts[0]).toBe('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    });

    test('uses the first answer and ignores duplicates', async () => {
      const { engine } = await open();
      const { outcome } = engine.sendRequest('ping');
      engine.receive('{"jsonrpc":"2.0","id":2,"result":{"n":1}}');
      engine.receive('{"jsonrpc":"2.0","id":2,"result":{"n":2}}');
      engine.receive('{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"late"}}');
      expect(await outcome).toEqual({ kind: 'result', result: { n: 1 } });
    });

    test('find the exact text of an answer, alone or in a batch, once', async () => {
      const { engine } = await open();
      const caught: string[] = [];
      const onAnswer = (text: string, method: string) => caught.push(`${method} ${text}`);
      engine.sendRequest('ping', undefined, { onAnswer });
      engine.sendRequest('tools/list', undefined, { onAnswer });
      const lines = [
        'junk',
        'null',
        '{"id":2}',
        '{"id":"2","error":{"code":1,"message":""}}',
        '{"id":2,"result":{"n":9007199254740993}}',
        '{"id":2,"result":"again"}',
        '[{"id":7,"result":0},{"id":3,"result":1}]',
      ];
      for (const line of lines) engine.receive(line);
      expect(caught).toEqual([`ping ${lines[4]}`, `tools/list ${lines[6]}`]);
    });

    test('skip ids and tokens in hand-written messages and batches', async () => {
      const { engine } = await open();
      engine.reserveSentIds('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":3}}}');
      engine.reserveSentIds('[{"id":4,"method":"a"},{"id":"5","method":"b"},7,null]');
      engine.reserveSentIds('not json {"id":5');
      const request = engine.sendRequest('ping');
      expect(request.id).toBe(5);
      engine.receive('{"jsonrpc":"2.0","id":2,"result":{}}');
      engine.receive('{"jsonrpc":"2.0","id":4,"result":{}}');
      expect(await peek(request.outcome)).toBe('waiting');
    });
  });

  describe('_meta', () => {
    test('legacy: holds only a progress token, for requests that may take long', async () => {
      const { host, engine } = await open();
      engine.sendRequest('tools/call', '{"name":"a"}');
      engine.sendRequest('tools/list', '{"cursor":""}');
      engine.sendRequest('made/up');
      expect(host.texts).toEqual([
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":2}}}',
        '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":""}}',
        '{"jsonrpc":"2.0","id":4,"method":"made/up"}',
      ]);
    });

    test('modern: holds version, client and capabilities, on requests only', async () => {
      const { host, engine } = await open('2026-07-28');
      engine.sendRequest('made/up');
      engine.sendRequest(
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

    test('modern: asks for log messages once a level is set, until it is removed', async () => {
      const { host, engine } = await open('2026-07-28');
      const level = () => (host.last.params!._meta as Record<string, unknown>)['io.modelcontextprotocol/logLevel'];
      for (const wanted of ['info', 'error', undefined] as const) {
        engine.setLogLevel(wanted);
        engine.sendRequest('tools/list');
        expect(level()).toBe(wanted);
      }
    });

    test('refuses invalid JSON in params before sending anything', async () => {
      const { host, engine } = await open();
      expect(() => engine.sendRequest('tools/call', '{')).toThrow(expect.objectContaining({ code: 'params-not-json' }));
      expect(() => engine.sendNotification('n', '{')).toThrow(expect.objectContaining({ code: 'params-not-json' }));
      expect(host.texts).toEqual([]);
      expect(host.clock.waiting).toBe(0);
    });
  });

  describe('cancel', () => {
    test.each(['2025-11-25', '2026-07-28'] as const)(
      '%s: notifies the server and ignores a late answer',
      async (version) => {
        const { host, engine } = await open(version);
        const { id, outcome } = engine.sendRequest('tools/call', '{}');
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

    test('wins over an answer that arrives while the server is notified', async () => {
      const { host, engine } = await open();
      const { outcome } = engine.sendRequest('ping');
      host.send = () => {
        engine.receive('{"jsonrpc":"2.0","id":2,"result":{}}');
        return 9;
      };
      engine.cancel(2);
      expect(await outcome).toEqual({ kind: 'cancelled' });
    });

    test('refuses to cancel initialize', async () => {
      const { host, engine } = await open();
      const { id, outcome } = engine.sendRequest('initialize', '{}');
      expect(engine.cancel(id)).toBe(false);
      host.clock.advance(LIMITS.requestMs);
      expect(await outcome).toEqual({ kind: 'timeout' });
      expect(host.sent.map(({ method }) => method)).toEqual(['initialize']);
    });
  });

  describe('the end', () => {
    test('settles all requests as lost, and refuses to send', async () => {
      const { host, engine } = await open();
      const outcomes = [engine.sendRequest('ping').outcome, engine.sendRequest('tools/call', '{}').outcome];
      expect(engine.end(GONE)).toBe(false);
      expect(await Promise.all(outcomes)).toEqual([{ kind: 'lost' }, { kind: 'lost' }]);
      expect(() => engine.sendRequest('ping')).toThrow(GONE);
      expect(() => engine.sendNotification('n')).toThrow(GONE);
      expect(host.clock.waiting).toBe(0);
      expect(host.texts).toHaveLength(2);
    });

    test('forgets a request that could not be sent', async () => {
      const { host, engine } = await open();
      host.gone = GONE;
      expect(() => engine.sendRequest('ping')).toThrow(GONE);
      expect(host.clock.waiting).toBe(0);
    });
  });

  test('calls listeners with notifications of their method only', async () => {
    const { engine } = await open();
    const heard: unknown[] = [];
    engine.onNotification('notifications/message', (params) => heard.push(params));
    engine.receive('{"jsonrpc":"2.0","method":"notifications/message","params":{"n":1}}');
    engine.receive('{"jsonrpc":"2.0","method":"notifications/other","params":{"n":2}}');
    engine.receive('{"jsonrpc":"2.0","id":5,"method":"notifications/message","params":{"n":3}}');
    expect(heard).toEqual([{ n: 1 }]);
  });
});

describe('receive', () => {
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
      const { outcome } = engine.sendRequest('ping');
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
      const { outcome } = engine.sendRequest('ping');
      engine.receive(text);
      expect(await outcome).toEqual({ kind: 'result', result });
    });

    test('keeps __proto__ in a result as a plain key', async () => {
      const { engine } = await open();
      const { outcome } = engine.sendRequest('ping');
      engine.receive('{"__proto__":{"method":"ping"},"id":2,"result":{"__proto__":{"polluted":true}}}');
      expect(await outcome).toMatchObject({ kind: 'result' });
      expect(({} as any).polluted).toBeUndefined();
    });

    test('ignores a response with neither result nor error', async () => {
      const { engine } = await open();
      const { outcome } = engine.sendRequest('ping');
      for (const text of ['{"jsonrpc":"2.0","id":2}', '{"__proto__":{"result":1},"id":2}']) engine.receive(text);
      expect(await peek(outcome)).toBe('waiting');
    });

    test('settles every request that a batch answers', async () => {
      const { host, engine } = await open('2025-03-26');
      const first = engine.sendRequest('ping');
      const second = engine.sendRequest('ping');
      engine.receive('[{"id":3,"result":3},7,[],null,{"id":"a","method":"ping"},{"id":2,"result":2}]');
      expect([await first.outcome, await second.outcome]).toEqual([
        { kind: 'result', result: 2 },
        { kind: 'result', result: 3 },
      ]);
      expect(host.texts.at(-1)).toBe('{"jsonrpc":"2.0","id":"a","result":{}}');
    });
  });

  describe('server requests', () => {
    test('answers ping, refuses other methods, and returns ids as written', async () => {
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

    test('keeps a server request apart from our request with the same id', async () => {
      const { host, engine } = await open();
      const { outcome } = engine.sendRequest('tools/call', '{"name":"ask"}');
      engine.receive('{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{}}');
      expect(host.last).toMatchObject({ id: 2, error: { code: -32601 } });
      expect(await peek(outcome)).toBe('waiting');
    });

    test('does not answer requests without a usable id', async () => {
      const { host, engine } = await open();
      for (const id of ['null', '{}', '[1]', 'true']) engine.receive(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      engine.receive('{"jsonrpc":"2.0","method":"ping"}');
      expect(host.texts).toEqual([]);
    });

    test('does not answer requests in the modern era', async () => {
      const { host, engine } = await open('2026-07-28');
      engine.receive('{"jsonrpc":"2.0","id":1,"method":"ping"}');
      engine.receive('[{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}]');
      expect(host.texts).toEqual([]);
    });

    test('survives a request from a server that has just gone', async () => {
      const { host, engine } = await open();
      host.gone = GONE;
      engine.receive('{"jsonrpc":"2.0","id":1,"method":"ping"}');
      expect(host.texts).toEqual([]);
    });
  });

  describe('arbitrary input', () => {
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
      const { outcome } = engine.sendRequest('ping');
      expect(() => engine.receive(text)).not.toThrow();
      expect(await peek(outcome)).toBe('waiting');
    });

    test('never throws, for random JSON and random text', async () => {
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

  describe('handlers', () => {
    const handlers = new Map<string, ClientHandler>([
      ['roots/list', async (params) => `{"roots":[${JSON.stringify(params)}]}`],
      ['elicitation/create', () => Promise.reject(new Error('nobody is there'))],
    ]);

    test('answer under the id as written; an exception is an internal error', async () => {
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

    test('are not called for requests of a modern server', async () => {
      const { engine, host } = await open('2026-07-28', handlers);
      engine.receive('{"jsonrpc":"2.0","id":1,"method":"roots/list"}');
      await settled();
      expect(host.texts).toEqual([]);
    });
  });

  test('lets a server cancel a subscription, but no other request of ours', async () => {
    const { engine } = await open('2026-07-28');
    const stream = engine.sendRequest('subscriptions/listen', '{"notifications":{}}');
    const call = engine.sendRequest('tools/call', '{"name":"t"}');
    for (const id of [stream.id, call.id, 'x', null, {}]) {
      engine.receive(JSON.stringify({ method: 'notifications/cancelled', params: { requestId: id } }));
    }
    expect(await stream.outcome).toEqual({ kind: 'cancelled' });
    expect(await peek(call.outcome)).toBe('waiting');
  });
});

describe('another client', () => {
  const OTHER = { clientInfo: { name: 'other', version: '2' }, capabilities: () => ({ sampling: {} }) };
  const metaOf = (text: string | undefined) => JSON.parse(text!).params?._meta;

  test('is introduced by the next modern request, with extra `_meta` that never replaces the engine’s own', async () => {
    const { host, engine } = await open('2026-07-28');
    const meta = { 'com.example/a': 1, 'io.modelcontextprotocol/protocolVersion': 'x' };
    engine.setClient({ ...OTHER, meta });
    engine.sendRequest('tools/call', '{"name":"a"}');
    expect(metaOf(host.texts.at(-1))).toMatchObject({
      'com.example/a': 1,
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': OTHER.clientInfo,
      'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
    });
  });

  test('adds `_meta` to legacy requests, except for keys of the request itself', async () => {
    const { host, engine } = await open('2025-11-25');
    engine.setClient({ ...OTHER, meta: { a: 1, b: 2 } });
    engine.sendRequest('tools/list', '{"_meta":{"b":3}}');
    expect(metaOf(host.texts.at(-1))).toMatchObject({ a: 1, b: 3 });
    engine.sendNotification('notifications/x');
    expect(host.texts.at(-1)).not.toContain('_meta');
  });

  test('has timeouts for requests without their own', async () => {
    const { host, engine } = await open('2025-11-25');
    engine.setClient({ ...OTHER, times: { timeoutMs: 40 } });
    const [usual, longer] = [engine.sendRequest('ping'), engine.sendRequest('ping', undefined, { timeoutMs: 1000 })];
    host.clock.advance(50);
    expect(await usual.outcome).toEqual({ kind: 'timeout' });
    expect(await peek(longer.outcome)).toBe('waiting');
  });
});
