import { describe, expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import { INITIALIZE_MS, PROBE_MS, PROBE_QUIET_MS } from './handshake';
import { begin, failure, settled } from './test-engine';

const EXITED = new ConnectionError({
  code: 'exited',
  message: 'The server exited with code 1.',
  advice: 'Look at stderr.',
});
const PROBE = 'mcp-inspect-probe';

describe('auto', () => {
  test('probes with a string id and modern _meta, and needs only the answer', async () => {
    const { host, engine, opened, answer } = begin('auto');
    expect(host.last).toMatchObject({
      id: PROBE,
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1', title: 'Test' },
          'io.modelcontextprotocol/clientCapabilities': { roots: {} },
        },
      },
    });
    await answer(PROBE, { result: { supportedVersions: ['2026-07-28'], capabilities: { prompts: {} } } });
    expect(await opened).toMatchObject({ era: 'modern', version: '2026-07-28', capabilities: { prompts: {} } });
    expect(host.methods).toEqual(['server/discover']);
    expect(host.events).toMatchObject([
      { event: 'probe', era: 'modern', respawn: false },
      { event: 'open', era: 'modern' },
    ]);
    engine.sendRequest('tools/list');
    expect(host.last.params).toHaveProperty('_meta');
  });

  test('asks again after a version error that lists a modern version, without initialize', async () => {
    const { host, opened, answer } = begin('auto');
    await answer(PROBE, { error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } } });
    expect(host.last).toMatchObject({ id: 1, method: 'server/discover' });
    await answer(1, { error: { code: -32601, message: 'no' } });
    expect(await opened).toEqual({
      era: 'modern',
      version: '2026-07-28',
      capabilities: {},
      serverInfo: undefined,
      instructions: undefined,
    });
    expect(host.methods).not.toContain('initialize');
  });

  test.each([
    ['result', { result: { supportedVersions: ['2099-01-01'], capabilities: {} } }],
    ['error', { error: { code: -32022, message: 'no', data: { supported: ['2098-01-01', '2099-01-01'] } } }],
  ])('says that mcp-inspect is too old for a server of a newer version (%s)', async (_, reply) => {
    const { opened, answer } = begin('auto');
    await answer(PROBE, reply);
    await answer(1, { error: { code: -32601, message: 'no' } });
    expect(await failure(opened)).toMatchObject({
      code: 'version-unknown',
      message: 'The server speaks protocol version 2099-01-01, and refused older ones.',
      advice: expect.stringContaining('`npx mcp-inspect@latest` runs the newest release.'),
    });
  });

  test('opens with initialize if a server of a newer version takes that', async () => {
    const { opened, answer } = begin('auto');
    await answer(PROBE, { result: { supportedVersions: ['2099-01-01'], capabilities: {} } });
    await answer(1, { result: { protocolVersion: '2025-11-25', capabilities: {} } });
    expect(await opened).toMatchObject({ era: 'legacy', version: '2025-11-25' });
  });

  test('fails when the server exits on the second server/discover', async () => {
    const { host, engine, opened, answer } = begin('auto');
    host.respawn = () => expect.fail('respawned');
    await answer(PROBE, { error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } } });
    expect(engine.end(EXITED)).toBe(false);
    expect(await failure(opened)).toBe(EXITED);
  });

  test.each([
    ['method not found', { error: { code: -32601, message: 'Method not found' } }],
    ['not initialized', { error: { code: -32000, message: 'Bad Request: Server not initialized' } }],
    ['an empty result', { result: {} }],
  ])('%s: initializes the same process', async (_name, body) => {
    const { host, opened, answer } = begin('auto');
    await answer(PROBE, body);
    expect(host.last).toMatchObject({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    await answer(1, { result: { protocolVersion: '2025-06-18' } });
    expect(await opened).toMatchObject({ era: 'legacy', version: '2025-06-18' });
    expect(host.events).toMatchObject([
      { event: 'probe', era: 'legacy', respawn: false },
      { event: 'open', era: 'legacy', version: '2025-06-18' },
    ]);
  });

  test('continues with initialize when the probe is cancelled, without a cancellation message', async () => {
    const { host, engine } = begin('auto');
    expect(engine.cancel(PROBE)).toBe(true);
    await settled();
    expect(host.methods).toEqual(['server/discover', 'initialize']);
  });

  test('answers ping and unknown requests during the probe', () => {
    const { host, engine } = begin('auto');
    engine.receive('{"jsonrpc":"2.0","id":0,"method":"ping"}');
    engine.receive('{"jsonrpc":"2.0","id":1,"method":"roots/list"}');
    expect(host.sent.slice(1)).toMatchObject([
      { id: 0, result: {} },
      { id: 1, error: { code: -32601 } },
    ]);
  });

  test('respawns once after an exit during the probe, and keeps counting ids', async () => {
    const { host, engine, opened, answer } = begin('auto');
    const user = engine.sendRequest('tools/list');
    let respawned = () => {};
    host.respawn = () => new Promise((resolve) => (respawned = resolve));
    expect(engine.end(EXITED)).toBe(true);
    expect(await user.outcome).toEqual({ kind: 'lost' });
    await settled();
    expect(host.events).toMatchObject([{ event: 'probe', era: 'legacy', respawn: true }]);
    expect(host.methods).toEqual(['server/discover', 'tools/list']);
    respawned();
    await settled();
    expect(host.last).toMatchObject({ id: 2, method: 'initialize' });
    await answer(2, { result: { protocolVersion: '2025-11-25' } });
    expect(await opened).toMatchObject({ era: 'legacy' });
    expect(engine.end(EXITED)).toBe(false);
  });

  test('fails when the server exits after the respawn', async () => {
    const { host, engine, opened } = begin('auto');
    host.respawn = () => Promise.resolve();
    engine.end(EXITED);
    await settled();
    const again = new ConnectionError({ code: 'exited', message: 'Again.', advice: 'Look at stderr.' });
    expect(engine.end(again)).toBe(false);
    expect(await failure(opened)).toBe(again);
  });

  test('fails when the server dies during the respawn', async () => {
    const { host, engine, opened } = begin('auto');
    host.respawn = async () => {
      engine.end(EXITED);
    };
    expect(engine.end(EXITED)).toBe(true);
    expect(await failure(opened)).toBe(EXITED);
  });

  test('rejects with the reason of a failed respawn', async () => {
    const { host, engine, opened } = begin('auto');
    host.respawn = () => Promise.reject(EXITED);
    engine.end(new ConnectionError({ code: 'x', message: 'x', advice: 'x' }));
    expect(await failure(opened)).toBe(EXITED);
  });

  test.each(['the user disconnects', 'the host cannot'])('does not respawn if %s', async (why) => {
    const { host, engine, opened } = begin('auto');
    if (why === 'the user disconnects') host.respawn = () => expect.fail('respawned');
    expect(engine.end(EXITED, why === 'the user disconnects')).toBe(false);
    expect(await failure(opened)).toBe(EXITED);
    expect(host.events).toEqual([]);
  });

  test('uses an answer that arrives just before an exit, and does not respawn', async () => {
    const { host, engine, opened } = begin('auto');
    host.respawn = () => expect.fail('respawned');
    engine.receive(`{"jsonrpc":"2.0","id":"${PROBE}","error":{"code":-32601,"message":"no"}}`);
    expect(engine.end(EXITED)).toBe(false);
    expect(await failure(opened)).toBe(EXITED);
  });
});

const DISCOVERED = { result: { supportedVersions: ['2026-07-28'], capabilities: {} } };
const INITIALIZED = { result: { protocolVersion: '2025-11-25', serverInfo: { name: 's', version: '1' } } };
const REFUSED = { error: { code: -32601, message: 'Method not found' } };

describe('auto, when the probe is not answered at once', () => {
  /** A handshake whose probe is unanswered for so long that `initialize` was sent as well. */
  async function silent() {
    const begun = begin('auto');
    begun.host.clock.advance(PROBE_QUIET_MS - 1);
    await settled();
    expect(begun.host.methods).toEqual(['server/discover']);
    begun.host.clock.advance(1);
    await settled();
    expect(begun.host.methods).toEqual(['server/discover', 'initialize']);
    expect(begun.host.events).toEqual([{ event: 'probe-silent', afterMs: PROBE_QUIET_MS }]);
    begun.host.events.length = 0;
    return begun;
  }

  test('sends and logs nothing more if the connection is being closed', async () => {
    const { host, opened } = begin('auto');
    host.isClosing = () => true;
    host.clock.advance(PROBE_QUIET_MS);
    expect(await failure(opened)).toMatchObject({ code: 'not-connected' });
    expect(host.methods).toEqual(['server/discover']);
    expect(host.events).toEqual([]);
  });

  test('takes an answer to initialize as legacy, and ignores a late one to the probe', async () => {
    const { host, engine, opened, answer } = await silent();
    await answer(1, INITIALIZED);
    await answer(PROBE, DISCOVERED);
    expect(await opened).toMatchObject({ era: 'legacy', version: '2025-11-25' });
    expect(host.methods).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    expect(host.events).toMatchObject([{ event: 'probe', era: 'legacy', respawn: false }, { event: 'open' }]);
    expect(engine.awaits(PROBE)).toBe(false);
  });

  test('keeps the pending initialize when the probe is refused', async () => {
    const { host, opened, answer } = await silent();
    await answer(PROBE, REFUSED);
    expect(host.events).toMatchObject([{ event: 'probe', era: 'legacy' }]);
    await answer(1, INITIALIZED);
    expect(await opened).toMatchObject({ era: 'legacy' });
    expect(host.methods).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
  });

  test.each(['before', 'after'])('accepts a slow modern server that refuses initialize %s the probe', async (when) => {
    const { host, engine, opened, answer } = await silent();
    if (when === 'before') await answer(1, REFUSED);
    await answer(PROBE, DISCOVERED);
    if (when === 'after') await answer(1, REFUSED);
    expect(await opened).toMatchObject({ era: 'modern', version: '2026-07-28' });
    expect(host.methods).toEqual(['server/discover', 'initialize']);
    expect(host.events).toMatchObject([{ event: 'probe', era: 'modern', respawn: false }, { event: 'open' }]);
    expect(engine.awaits(1)).toBe(false);
  });

  test('accepts a modern server that does not answer initialize', async () => {
    const { host, opened, answer } = await silent();
    await answer(PROBE, DISCOVERED);
    host.clock.advance(PROBE_QUIET_MS);
    expect(await opened).toMatchObject({ era: 'modern' });
  });

  test('restarts a server that answers both, because initialize opened a legacy session', async () => {
    const { host, opened, answer } = await silent();
    let respawns = 0;
    host.respawn = async () => void respawns++;
    await answer(PROBE, DISCOVERED);
    await answer(1, INITIALIZED);
    expect(respawns).toBe(1);
    expect(host.events).toMatchObject([{ event: 'probe', era: 'modern', respawn: true }]);
    expect(host.last).toMatchObject({ id: 2, method: 'server/discover' });
    await answer(2, DISCOVERED);
    expect(await opened).toMatchObject({ era: 'modern' });
  });

  test('restarts a modern server that exits on initialize', async () => {
    const { host, engine, opened, answer } = await silent();
    let respawns = 0;
    host.respawn = async () => void respawns++;
    await answer(PROBE, DISCOVERED);
    engine.end(EXITED);
    await settled();
    expect(respawns).toBe(1);
    expect(host.events).toMatchObject([{ event: 'probe', era: 'modern', respawn: true }]);
    await answer(2, DISCOVERED);
    expect(await opened).toMatchObject({ era: 'modern' });
  });

  test('fails on a refused initialize only after the probe has had its time', async () => {
    const { host, opened, answer } = await silent();
    await answer(1, REFUSED);
    expect(host.events).toEqual([]);
    host.clock.advance(PROBE_QUIET_MS);
    expect(await failure(opened)).toMatchObject({ code: 'handshake-refused' });
  });

  test('fails after the initialize timeout when neither is answered', async () => {
    const { host, opened } = await silent();
    host.clock.advance(INITIALIZE_MS);
    expect(await failure(opened)).toMatchObject({ code: 'handshake-timeout' });
  });

  test('respawns after an exit and sends only initialize', async () => {
    const { host, engine, opened, answer } = await silent();
    host.respawn = async () => {};
    expect(engine.end(EXITED)).toBe(true);
    await settled();
    expect(host.methods).toEqual(['server/discover', 'initialize', 'initialize']);
    await answer(2, INITIALIZED);
    expect(await opened).toMatchObject({ era: 'legacy' });
  });
});

describe('after a fallback to HTTP+SSE that failed', () => {
  const fault = (code: string) => ({ code, message: `${code}.`, advice: '' });

  test.each<[number, string, boolean, string]>([
    [405, 'no-endpoint', false, 'no-endpoint'],
    [405, 'get-unanswered', true, 'get-unanswered'],
    [404, 'no-endpoint', false, 'no-endpoint'],
    [404, 'no-endpoint', true, 'handshake-refused'],
    [400, 'no-endpoint', false, 'http-refused'],
    [405, 'not-mcp', false, 'http-refused'],
  ])('%i and %s (with a JSON-RPC error: %s) fails with %s', async (status, code, hasError, expected) => {
    const { host, engine, opened } = begin('2025-11-25');
    host.fallBack = () => Promise.reject(new ConnectionError(fault(code)));
    const error = { code: -32000, message: 'no' };
    engine.onUnanswered(1, { ...fault('http-refused'), status, ...(hasError && { error }) });
    expect((await failure(opened)).code).toBe(expected);
  });
});

describe('auto with a remembered era', () => {
  const at = '2026-09-30T10:00:00.000Z';

  test('legacy: sends no probe', async () => {
    const { host, opened, answer } = begin('auto', { era: 'legacy', server: 's 1', at });
    await answer(1, INITIALIZED);
    expect(await opened).toMatchObject({ era: 'legacy' });
    expect(host.methods).toEqual(['initialize', 'notifications/initialized']);
    expect(host.events).toMatchObject([{ event: 'era-remembered', era: 'legacy', at }, { event: 'open' }]);
  });

  test('probes a server that refuses initialize', async () => {
    const { host, opened, answer } = begin('auto', { era: 'legacy', server: 's 1', at });
    await answer(1, REFUSED);
    expect(host.events).toMatchObject([{ event: 'era-remembered' }, { event: 'era-forgotten' }]);
    await answer(PROBE, DISCOVERED);
    expect(await opened).toMatchObject({ era: 'modern' });
  });

  test('modern: waits for a slow start without sending initialize', async () => {
    const { host, opened, answer } = begin('auto', { era: 'modern', server: 's 1', at });
    host.clock.advance(PROBE_MS - 1);
    await settled();
    expect(host.methods).toEqual(['server/discover']);
    await answer(PROBE, DISCOVERED);
    expect(await opened).toMatchObject({ era: 'modern' });
  });

  test.each(['refuses', 'ignores'])('initializes a server that became legacy and %s the probe', async (what) => {
    const { host, opened, answer } = begin('auto', { era: 'modern', server: 's 1', at });
    if (what === 'refuses') await answer(PROBE, REFUSED);
    else host.clock.advance(PROBE_MS);
    await settled();
    await answer(1, INITIALIZED);
    expect(await opened).toMatchObject({ era: 'legacy' });
  });

  test('ignores the remembered era for a pinned version', () => {
    expect(begin('2026-07-28', { era: 'legacy', server: 's 1', at }).host.methods).toEqual(['server/discover']);
  });
});

describe('without a handshake', () => {
  test('is open at once and sends nothing, neither answers nor cancellations', async () => {
    const { host, engine, opened } = begin('none');
    expect(await opened).toBeUndefined();
    engine.receive('{"jsonrpc":"2.0","id":0,"method":"ping"}');
    expect(host.events).toEqual([{ event: 'open' }]);
    expect(host.texts).toEqual([]);
    const { outcome } = engine.sendRequest('tools/list');
    host.clock.advance(LIMITS.requestMs);
    expect(await outcome).toEqual({ kind: 'timeout' });
    expect(host.texts).toEqual(['{"jsonrpc":"2.0","id":1,"method":"tools/list"}']);
  });
});
