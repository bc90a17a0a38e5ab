import { describe, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { open, peek } from './test-engine';

describe('timeouts', () => {
  test('a silent request is logged as timed out and cancelled, and its late answer ignored', async () => {
    const { host, engine } = await open();
    const { id, outcome } = engine.sendRequest('tools/call', '{"name":"slow"}', { timeoutMs: 500 });
    host.clock.advance(499);
    expect(await peek(outcome)).toBe('waiting');
    host.clock.advance(1);
    expect(await outcome).toEqual({ kind: 'timeout' });
    expect(host.events).toEqual([{ event: 'timeout', id, method: 'tools/call', afterMs: 500 }]);
    expect(host.last).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
    expect(host.last.id).toBeUndefined();
    engine.receive(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    engine.receive(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id}}}`);
    expect(await outcome).toEqual({ kind: 'timeout' });
    expect(host.clock.waiting).toBe(0);
  });

  test('default to LIMITS.requestMs', async () => {
    const { host, engine } = await open();
    const { outcome } = engine.sendRequest('ping');
    host.clock.advance(LIMITS.requestMs - 1);
    expect(await peek(outcome)).toBe('waiting');
    host.clock.advance(1);
    expect(await outcome).toEqual({ kind: 'timeout' });
  });

  test('are restarted by progress, up to the maximum', async () => {
    const { host, engine } = await open();
    const heard: unknown[] = [];
    const { id, outcome } = engine.sendRequest('tools/call', '{}', {
      timeoutMs: 100,
      maxMs: 1000,
      onProgress: (params) => heard.push(params.progress),
    });
    for (let n = 0; n < 11; n++) {
      host.clock.advance(90);
      engine.receive(`{"method":"notifications/progress","params":{"progressToken":${id},"progress":${10 - n}}}`);
    }
    expect(await peek(outcome)).toBe('waiting');
    expect(heard).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    host.clock.advance(10);
    expect(await outcome).toEqual({ kind: 'timeout' });
    expect(host.events).toMatchObject([{ afterMs: 1000 }]);
  });

  test('stop while a person answers a question', async () => {
    const { host, engine } = await open();
    const first = engine.sendRequest('ping', undefined, { timeoutMs: 500 });
    host.clock.advance(400);
    engine.holdTimeouts('question', true);
    const second = engine.sendRequest('ping', undefined, { timeoutMs: 500 });
    host.clock.advance(10 * LIMITS.requestMaxMs);
    engine.holdTimeouts('question', false);
    expect(await peek(first.outcome)).toBe('waiting');
    host.clock.advance(100);
    expect(await first.outcome).toEqual({ kind: 'timeout' });
    expect(host.events).toMatchObject([{ afterMs: 500 }]);
    host.clock.advance(399);
    expect(await peek(second.outcome)).toBe('waiting');
    host.clock.advance(1);
    expect(await second.outcome).toEqual({ kind: 'timeout' });
    expect(host.clock.waiting).toBe(0);
  });

  test('are not restarted by progress if resetOnProgress is false', async () => {
    const { host, engine } = await open();
    const { id, outcome } = engine.sendRequest('tools/call', '{}', { timeoutMs: 100, resetOnProgress: false });
    host.clock.advance(90);
    engine.receive(`{"method":"notifications/progress","params":{"progressToken":${id}}}`);
    host.clock.advance(10);
    expect(await outcome).toEqual({ kind: 'timeout' });
  });

  test('need no timers in a flood of progress', async () => {
    const { host, engine } = await open();
    const { id } = engine.sendRequest('tools/call', '{}');
    for (let n = 0; n < 1000; n++)
      engine.receive(`{"method":"notifications/progress","params":{"progressToken":${id}}}`);
    expect(host.clock.waiting).toBe(1);
  });

  test('match progress by token and JSON type; the token of the user wins', async () => {
    const { engine } = await open();
    const heard: unknown[] = [];
    const listen = (name: string) => ({ onProgress: () => heard.push(name) });
    engine.sendRequest('tools/call', '{}', listen('ours'));
    engine.sendRequest('tools/list', '{"_meta":{"progressToken":"4"}}', listen('theirs'));
    const taken = engine.sendRequest('tools/list', '{"_meta":{"progressToken":5}}', listen('number'));
    expect(engine.sendRequest('tools/call', '{}', listen('after')).id).toBe(6);
    for (const token of ['"2"', 'null', '{}', '77', '3', '4', String(taken.id)]) {
      engine.receive(`{"method":"notifications/progress","params":{"progressToken":${token}}}`);
    }
    for (const params of ['null', '[]', '7', '{}', '{"__proto__":{"progressToken":2}}']) {
      engine.receive(`{"method":"notifications/progress","params":${params}}`);
    }
    expect(heard).toEqual([]);
    for (const token of ['2', '"4"', '5', '6']) {
      engine.receive(`{"method":"notifications/progress","params":{"progressToken":${token}}}`);
    }
    expect(heard).toEqual(['ours', 'theirs', 'number', 'after']);
  });

  test('do not apply to a subscription', async () => {
    const { host, engine } = await open('2026-07-28');
    const { outcome } = engine.sendRequest('subscriptions/listen', '{"notifications":{}}', { timeoutMs: undefined });
    host.clock.advance(100 * LIMITS.requestMaxMs);
    expect(await peek(outcome)).toBe('waiting');
    const bounded = engine.sendRequest('subscriptions/listen', '{}', { timeoutMs: 10 });
    host.clock.advance(10);
    expect(await bounded.outcome).toEqual({ kind: 'timeout' });
  });
});
