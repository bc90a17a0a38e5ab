import { describe, expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import { open, peek } from './test-host';

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
    engine.noteSent('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":3}}}');
    engine.noteSent('[{"id":4,"method":"a"},{"id":"5","method":"b"},7,null]');
    engine.noteSent('not json {"id":5');
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
    engine.request('tools/call', '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","x":1},"name":"a"}');
    engine.notify('notifications/made/up', '{"a":1}');
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
    expect(() => engine.notify('n', '{')).toThrow(expect.objectContaining({ code: 'params-not-json' }));
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
    expect(() => engine.notify('n')).toThrow(GONE);
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
