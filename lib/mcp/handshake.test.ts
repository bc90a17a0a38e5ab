import { describe, expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { Engine } from './engine';
import { begin, FakeHost, failure } from './test-host';
import { eraOf } from './versions';

const EXITED = new ConnectionError({
  code: 'exited',
  message: 'The server exited with code 1.',
  advice: 'Look at stderr.',
});
const LEGACY_VERSIONS = PROTOCOL_VERSIONS.filter((version) => eraOf(version) === 'legacy');

describe('a pinned legacy version', () => {
  test.each(LEGACY_VERSIONS)('%s: initialize and initialized, to the byte, and no probe', async (version) => {
    const { host, opened, answer } = begin(version);
    const title = version >= '2025-06-18' ? ',"title":"Test"' : '';
    expect(host.texts).toEqual([
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"${version}","capabilities":{"roots":{}},"clientInfo":{"name":"test","version":"1"${title}}}}`,
    ]);
    const result = {
      protocolVersion: version,
      capabilities: { tools: {} },
      serverInfo: { name: 's' },
      instructions: 'Hi',
    };
    await answer(1, { result });
    expect(await opened).toEqual({
      era: 'legacy',
      version,
      capabilities: { tools: {} },
      serverInfo: { name: 's' },
      instructions: 'Hi',
    });
    expect(host.texts.slice(1)).toEqual(['{"jsonrpc":"2.0","method":"notifications/initialized"}']);
    expect(host.events).toEqual([{ event: 'open', era: 'legacy', version }]);
  });

  test.each(['2024-10-07', ...LEGACY_VERSIONS])('takes %s for an answer', async (version) => {
    const { opened, answer } = begin('2025-06-18');
    await answer(1, { result: { protocolVersion: version } });
    expect(await opened).toMatchObject({ era: 'legacy', version });
  });

  test.each(['2023-01-01', '2099-01-01', '2026-07-28', '', 'latest'])('refuses %j for an answer', async (version) => {
    const { host, opened, answer } = begin('2025-11-25');
    await answer(1, { result: { protocolVersion: version } });
    const error = await failure(opened);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'version-unknown', message: expect.stringContaining(version) });
    expect(host.methods).toEqual(['initialize']);
    expect(host.events).toEqual([]);
  });

  test.each([{}, null, [], 'ok', { protocolVersion: 7, capabilities: [], serverInfo: 'me', instructions: {} }])(
    'opens with the careless result %j',
    async (result) => {
      const { opened, answer } = begin('2025-03-26');
      await answer(1, { result });
      expect(await opened).toEqual({
        era: 'legacy',
        version: '2025-03-26',
        capabilities: {},
        serverInfo: undefined,
        instructions: undefined,
      });
    },
  );

  test('a refusal carries code and message, and a modern-only server is named', async () => {
    const plain = begin('2025-11-25');
    await plain.answer(1, { error: { code: -32603, message: 'out of order' } });
    const error = await failure(plain.opened);
    expect(error.code).toBe('handshake-refused');
    expect(error.message).toContain('-32603');
    expect(error.message).toContain('out of order');

    const modern = begin('2025-11-25');
    await modern.answer(1, { error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } } });
    expect((await failure(modern.opened)).advice).toContain('Choose 2026-07-28');
  });

  test('silence ends it after LIMITS.initializeMs, without a cancellation', async () => {
    const { host, opened } = begin('2025-11-25');
    host.clock.advance(LIMITS.initializeMs);
    expect(await failure(opened)).toMatchObject({ code: 'handshake-timeout' });
    expect(host.methods).toEqual(['initialize']);
    expect(host.events).toMatchObject([{ event: 'timeout', id: 1, method: 'initialize' }]);
  });

  test('an exit rejects with its reason and respawns nothing', async () => {
    const { host, engine, opened } = begin('2025-11-25');
    host.respawn = () => expect.fail('respawned');
    expect(engine.end(EXITED)).toBe(false);
    expect(await failure(opened)).toBe(EXITED);
  });

  test('ping is answered before initialize is', async () => {
    const { host, engine } = begin('2025-11-25');
    engine.receive('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(host.texts[1]).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
  });

  test('a server that cannot be written to rejects', async () => {
    const host = new FakeHost();
    host.gone = EXITED;
    const clientInfo = { name: 'test', version: '1' };
    const engine = new Engine(host, { protocol: '2025-11-25', clientInfo, capabilities: () => ({}) });
    expect(await failure(engine.handshake())).toBe(EXITED);
  });
});

describe('how long the server may take to know its client', () => {
  test.each([
    ['at once', 0, LIMITS.introductionFirstMs],
    ['in a while', 300, 300 * LIMITS.introductionTimes],
    ['late, as on a machine under load', 8000, LIMITS.introductionLastMs],
  ])('when it answered %s', async (_when, tookMs, expected) => {
    const { host, opened, answer } = begin('2025-06-18');
    const waited: number[] = [];
    host.introduced = async (withinMs) => void waited.push(withinMs);
    host.clock.advance(tookMs);
    await answer(1, { result: { protocolVersion: '2025-06-18' } });
    await opened;
    expect(waited).toEqual([expected]);
  });
});

describe('the pinned modern version', () => {
  test('is one discover, whatever it says', async () => {
    const { host, opened, answer } = begin('2026-07-28');
    expect(host.last).toMatchObject({
      id: 1,
      method: 'server/discover',
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
    });
    const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 's' } };
    await answer(1, {
      result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, instructions: 'Hi', _meta },
    });
    expect(await opened).toEqual({
      era: 'modern',
      version: '2026-07-28',
      capabilities: { tools: {} },
      serverInfo: { name: 's' },
      instructions: 'Hi',
    });
    expect(host.methods).toEqual(['server/discover']);
    expect(host.events).toEqual([{ event: 'open', era: 'modern', version: '2026-07-28' }]);
  });

  test('opens with a careless result', async () => {
    const { opened, answer } = begin('2026-07-28');
    await answer(1, { result: null });
    expect(await opened).toMatchObject({ era: 'modern', capabilities: {}, serverInfo: undefined });
  });

  test('a refusal that offers the very version is asked once more, and no more than that', async () => {
    const { host, opened, answer } = begin('2026-07-28');
    const error = { code: -32022, message: 'not yet', data: { supported: ['2026-07-28'] } };
    await answer(1, { error });
    expect(host.methods).toEqual(['server/discover', 'server/discover']);
    await answer(2, { error });
    expect(host.methods).toHaveLength(2);
    expect(await failure(opened)).toMatchObject({ code: 'handshake-refused' });
  });

  test('is refused by a legacy server', async () => {
    const { opened, answer } = begin('2026-07-28');
    await answer(1, { error: { code: -32601, message: 'Method not found' } });
    expect(await failure(opened)).toMatchObject({ code: 'handshake-refused', advice: expect.stringContaining('auto') });
  });

  test('can be cancelled while it waits', async () => {
    const { engine, opened } = begin('2026-07-28');
    expect(engine.cancel(1)).toBe(true);
    expect(await failure(opened)).toMatchObject({ code: 'handshake-cancelled' });
  });
});
