import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import { Engine } from './engine';
import { LIST_CHANGED_MS, ServerLists } from './listing';
import { FakeHost, settled } from './test-engine';

const TOOLS_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

function start(capabilities: JsonObject, invalidCapabilities?: unknown) {
  const host = new FakeHost();
  const engine = new Engine(host, {
    protocol: '2025-11-25',
    clientInfo: { name: 'test', version: '1' },
    capabilities: () => ({}),
  });
  const inventory = new ServerLists(engine, host.clock);
  inventory.start({ capabilities, invalidCapabilities, era: 'legacy' });
  return { host, engine, inventory };
}

/** Answers the last request. */
async function answer(host: FakeHost, engine: Engine, body: object) {
  engine.receive(JSON.stringify({ jsonrpc: '2.0', id: host.last.id, ...body }));
  await settled();
}

describe('reads', () => {
  test('every declared list', () => {
    expect(start({ tools: {}, prompts: { listChanged: true }, resources: {}, logging: {} }).host.methods).toEqual([
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ]);
    expect(start({ resources: {} }).host.methods).toEqual(['resources/list', 'resources/templates/list']);
  });

  test('a list that is declared by something other than an object', () => {
    expect(start({ tools: [], prompts: true }).host.methods).toEqual(['tools/list', 'prompts/list']);
    expect(start({ tools: null }).host.methods).toEqual(['tools/list']);
  });

  test('every list if the capabilities are not an object', () => {
    expect(start({}, []).host.methods).toEqual([
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ]);
  });

  test('no undeclared list', () => {
    expect(start({}).host.methods).toEqual([]);
    expect(start({ prompts: false }).host.methods).toEqual([]);
    expect(start(JSON.parse('{"__proto__":{"tools":{}}}')).host.methods).toEqual([]);
  });
});

describe('pages', () => {
  test('continue while there is a cursor; the empty string is one', async () => {
    const { host, engine } = start({ tools: {} });
    for (const nextCursor of ['a', '', '\ud800"', undefined])
      await answer(host, engine, { result: { tools: [], nextCursor } });
    expect(host.sent.map(({ params }) => params?.cursor)).toEqual([undefined, 'a', '', '\ud800"']);
  });

  test.each([null, 7, {}, [], true])('%j is not a cursor', async (nextCursor) => {
    const { host, engine } = start({ tools: {} });
    await answer(host, engine, { result: { nextCursor } });
    expect(host.texts).toHaveLength(1);
  });

  test('stop at a repeated cursor', async () => {
    const { host, engine } = start({ tools: {} });
    for (const nextCursor of ['a', 'b', 'a']) await answer(host, engine, { result: { nextCursor } });
    expect(host.texts).toHaveLength(3);
  });

  test('stop after LIMITS.listPages', async () => {
    const { host, engine } = start({ tools: {} });
    for (let n = 0; n < LIMITS.listPages + 5; n++) {
      engine.receive(`{"id":${n + 1},"result":{"nextCursor":"${n}"}}`);
      for (let tick = 0; tick < 10; tick++) await null;
    }
    expect(host.texts).toHaveLength(LIMITS.listPages);
  });

  test.each([{ error: { code: -32601, message: 'no' } }, { result: null }, { result: [] }, { result: 'x' }])(
    '%j ends only this listing',
    async (body) => {
      const { host, engine } = start({ tools: {}, prompts: {} });
      engine.receive(JSON.stringify({ id: 1, ...body }));
      engine.receive('{"id":2,"result":{"nextCursor":"a"}}');
      await settled();
      expect(host.methods).toEqual(['tools/list', 'prompts/list', 'prompts/list']);
    },
  );
});

describe('changes', () => {
  test('cause one reading after a storm of notifications', async () => {
    const { host, engine } = start({ tools: {} });
    await answer(host, engine, { result: {} });
    for (let n = 0; n < 5; n++) {
      engine.receive(TOOLS_CHANGED);
      host.clock.advance(LIST_CHANGED_MS - 1);
    }
    expect(host.texts).toHaveLength(1);
    expect(host.clock.waiting).toBe(1);
    host.clock.advance(1);
    expect(host.methods).toEqual(['tools/list', 'tools/list']);
    host.clock.advance(10 * LIST_CHANGED_MS);
    expect(host.texts).toHaveLength(2);
  });

  test('during a reading cause one more after it', async () => {
    const { host, engine } = start({ tools: {} });
    engine.receive(TOOLS_CHANGED);
    host.clock.advance(LIST_CHANGED_MS);
    engine.receive(TOOLS_CHANGED);
    host.clock.advance(LIST_CHANGED_MS);
    expect(host.texts).toHaveLength(1);
    await answer(host, engine, { result: { nextCursor: 'a' } });
    expect(host.last.params).toEqual({ cursor: 'a' });
    await answer(host, engine, { result: {} });
    expect(host.sent.map(({ params }) => params)).toEqual([undefined, { cursor: 'a' }, undefined]);
    await answer(host, engine, { result: {} });
    expect(host.texts).toHaveLength(3);
  });

  test('of resources also re-read the templates', async () => {
    const { host, engine } = start({ resources: {} });
    engine.receive('{"id":1,"result":{}}');
    engine.receive('{"id":2,"result":{}}');
    await settled();
    engine.receive('{"method":"notifications/resources/list_changed"}');
    engine.receive('{"method":"notifications/prompts/list_changed"}');
    host.clock.advance(LIST_CHANGED_MS);
    expect(host.methods.slice(2)).toEqual(['resources/list', 'resources/templates/list']);
  });
});

describe('stop', () => {
  test('leaves no request and no timer', async () => {
    const { host, engine, inventory } = start({ tools: {} });
    engine.receive(TOOLS_CHANGED);
    inventory.stop();
    // The pending request keeps its timeout.
    expect(host.clock.waiting).toBe(1);
    await answer(host, engine, { result: { nextCursor: 'a' } });
    engine.receive(TOOLS_CHANGED);
    host.clock.advance(LIST_CHANGED_MS);
    expect(host.texts).toHaveLength(1);
    expect(host.clock.waiting).toBe(0);
  });

  test('survives if the server is gone when a list should be read again', async () => {
    const { host, engine } = start({ tools: {} });
    await answer(host, engine, { result: {} });
    engine.receive(TOOLS_CHANGED);
    engine.end(new ConnectionError({ code: 'exited', message: 'Gone.', advice: 'Restart.' }));
    host.clock.advance(LIST_CHANGED_MS);
    await settled();
    expect(host.texts).toHaveLength(1);
  });
});
