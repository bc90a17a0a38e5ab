import { describe, expect, test } from 'vitest';
import { statusFailure } from '@/lib/transports/http-failures';
import { ConnectionError, type HttpFailure } from '@/lib/transports/transport';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { Engine } from './engine';
import {
  classifyHttpProbe,
  classifyProbe,
  httpRefusal,
  INITIALIZE_MS,
  INITIALIZED_MAX_MS,
  INITIALIZED_MIN_MS,
  INITIALIZED_TIMES,
  mayBeSse,
} from './handshake';
import type { RequestOutcome } from './requests';
import { begin, FakeHost, failure } from './test-engine';
import { eraOf } from './versions';

const EXITED = new ConnectionError({
  code: 'exited',
  message: 'The server exited with code 1.',
  advice: 'Look at stderr.',
});
const LEGACY_VERSIONS = PROTOCOL_VERSIONS.filter((version) => eraOf(version) === 'legacy');

test.each(['auto', '2025-11-25', '2026-07-28'] as const)(
  '%s: recognises a program that returns its input',
  async (choice) => {
    const { engine, host, opened } = begin(choice);
    engine.receive(host.texts[0]!);
    expect(await failure(opened)).toMatchObject({ code: 'echo' });
    expect(host.texts).toHaveLength(1);
  },
);

describe('a pinned legacy version', () => {
  test.each(LEGACY_VERSIONS)('%s: sends exactly initialize and initialized, without a probe', async (version) => {
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

  test.each(['2024-10-07', ...LEGACY_VERSIONS])('accepts %s as the answer', async (version) => {
    const { opened, answer } = begin('2025-06-18');
    await answer(1, { result: { protocolVersion: version } });
    expect(await opened).toMatchObject({ era: 'legacy', version });
  });

  test.each(['2023-01-01', '2099-01-01', '2026-07-28', '', 'latest'])('refuses %j as the answer', async (version) => {
    const { host, opened, answer } = begin('2025-11-25');
    await answer(1, { result: { protocolVersion: version } });
    const error = await failure(opened);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'version-unknown', message: expect.stringContaining(version) });
    const { advice } = error as ConnectionError;
    expect(advice.includes('npx mcp-inspect@latest')).toBe(version === '2099-01-01');
    expect(host.methods).toEqual(['initialize']);
    expect(host.events).toEqual([]);
  });

  test.each([{}, null, [], 'ok', { protocolVersion: 7, serverInfo: 'me', instructions: {} }])(
    'opens with the incomplete result %j',
    async (result) => {
      const { opened, answer } = begin('2025-03-26');
      await answer(1, { result });
      expect(await opened).toEqual({
        era: 'legacy',
        version: '2025-03-26',
        capabilities: {},
        serverInfo: undefined,
        instructions: undefined,
        versionFault: expect.stringMatching(
          /^The result of initialize (has .*`protocolVersion`|is .+, expected an object)/,
        ),
      });
    },
  );

  test.each([[[]], [['tools']], [null], [true]])('keeps capabilities %j, which are not an object', async (invalid) => {
    const { opened, answer } = begin('2025-03-26');
    await answer(1, { result: { protocolVersion: '2025-03-26', capabilities: invalid } });
    expect(await opened).toMatchObject({ capabilities: {}, invalidCapabilities: invalid });
  });

  test('reports code and message of a refusal, and recognises a modern-only server', async () => {
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

  test('times out after INITIALIZE_MS, without a cancellation', async () => {
    const { host, opened } = begin('2025-11-25');
    host.clock.advance(INITIALIZE_MS);
    expect(await failure(opened)).toMatchObject({ code: 'handshake-timeout' });
    expect(host.methods).toEqual(['initialize']);
    expect(host.events).toMatchObject([{ event: 'timeout', id: 1, method: 'initialize' }]);
  });

  test('rejects with the reason when the server exits, without a respawn', async () => {
    const { host, engine, opened } = begin('2025-11-25');
    host.respawn = () => expect.fail('respawned');
    expect(engine.end(EXITED)).toBe(false);
    expect(await failure(opened)).toBe(EXITED);
  });

  test('answers ping before initialize is answered', async () => {
    const { host, engine } = begin('2025-11-25');
    engine.receive('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(host.texts[1]).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
  });

  test('rejects when the server cannot be written to', async () => {
    const host = new FakeHost();
    host.gone = EXITED;
    const clientInfo = { name: 'test', version: '1' };
    const engine = new Engine(host, { protocol: '2025-11-25', clientInfo, capabilities: () => ({}) });
    expect(await failure(engine.handshake())).toBe(EXITED);
  });
});

describe('time allowed to process notifications/initialized', () => {
  test.each([
    ['at once', 0, INITIALIZED_MIN_MS],
    ['in a while', 300, 300 * INITIALIZED_TIMES],
    ['late, as on a machine under load', 8000, INITIALIZED_MAX_MS],
  ])('after an initialize that was answered %s', async (_when, tookMs, expected) => {
    const { host, opened, answer } = begin('2025-06-18');
    const waited: number[] = [];
    host.whenInitialized = async (withinMs) => void waited.push(withinMs);
    host.clock.advance(tookMs);
    await answer(1, { result: { protocolVersion: '2025-06-18' } });
    await opened;
    expect(waited).toEqual([expected]);
  });
});

describe('the pinned modern version', () => {
  test('sends one server/discover', async () => {
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

  test('opens when the result omits optional fields', async () => {
    const { opened, answer } = begin('2026-07-28');
    await answer(1, { result: null });
    expect(await opened).toMatchObject({ era: 'modern', capabilities: {}, serverInfo: undefined });
  });

  test('asks once more when the refusal offers the same version', async () => {
    const { host, opened, answer } = begin('2026-07-28');
    const error = { code: -32022, message: 'not yet', data: { supported: ['2026-07-28'] } };
    await answer(1, { error });
    expect(host.methods).toEqual(['server/discover', 'server/discover']);
    await answer(2, { error });
    expect(host.methods).toHaveLength(2);
    expect(await failure(opened)).toMatchObject({ code: 'handshake-refused' });
  });

  test('fails with a legacy server', async () => {
    const { opened, answer } = begin('2026-07-28');
    await answer(1, { error: { code: -32601, message: 'Method not found' } });
    expect(await failure(opened)).toMatchObject({ code: 'handshake-refused', advice: expect.stringContaining('auto') });
  });

  test('can be cancelled while waiting', async () => {
    const { engine, opened } = begin('2026-07-28');
    expect(engine.cancel(1)).toBe(true);
    expect(await failure(opened)).toMatchObject({ code: 'handshake-cancelled' });
  });
});

const result = (value: unknown): RequestOutcome => ({ kind: 'result', result: value });
const error = (code: number, data?: unknown): RequestOutcome => ({
  kind: 'error',
  error: { code, message: 'no', data },
});
const legacy = { era: 'legacy', respawn: false };
const modern = { era: 'modern', version: '2026-07-28' };

const TABLE: readonly [name: string, outcome: RequestOutcome, verdict: object][] = [
  ['a DiscoverResult', result({ supportedVersions: ['2026-07-28'], capabilities: {} }), modern],
  [
    'a DiscoverResult of more versions',
    result({ supportedVersions: ['2099-01-01', '2026-07-28', '2025-11-25'] }),
    modern,
  ],
  ['a DiscoverResult with junk in the list', result({ supportedVersions: [null, {}, 7, '2026-07-28'] }), modern],
  ['only unknown versions', result({ supportedVersions: ['2099-01-01'] }), legacy],
  ['only legacy versions', result({ supportedVersions: ['2025-11-25'] }), legacy],
  ['no versions', result({ supportedVersions: [] }), legacy],
  ['a string instead of a list', result({ supportedVersions: '2026-07-28' }), legacy],
  ['a server that answers anything with {}', result({}), legacy],
  ['an inherited list', result(JSON.parse('{"__proto__":{"supportedVersions":["2026-07-28"]}}')), legacy],
  ['a null result', result(null), legacy],
  ['an array result', result([['2026-07-28']]), legacy],
  ['an absent result', result(undefined), legacy],
  ['-32022 that lists a modern version', error(-32022, { supported: ['2026-07-28'], requested: '2026-07-28' }), modern],
  ['-32022 that lists both eras', error(-32022, { supported: ['2025-11-25', '2026-07-28'] }), modern],
  ['-32022 that lists only legacy versions', error(-32022, { supported: ['2025-11-25'] }), legacy],
  ['-32022 that lists only unknown versions', error(-32022, { supported: ['2099-01-01'] }), legacy],
  ['-32022 without data', error(-32022), legacy],
  ['-32022 with useless data', error(-32022, 'supported'), legacy],
  ['-32022 with a useless list', error(-32022, { supported: {} }), legacy],
  ['another code with a good list', error(-32602, { supported: ['2026-07-28'] }), legacy],
  ['method not found', error(-32601), legacy],
  ['invalid request', error(-32600), legacy],
  ['invalid params', error(-32602), legacy],
  ['parse error', error(-32700), legacy],
  ['internal error', error(-32603), legacy],
  ['server not initialized', error(-32000), legacy],
  ['header mismatch', error(-32020), legacy],
  ['missing capability', error(-32021), legacy],
  ['a made-up code', error(0), legacy],
  ['silence', { kind: 'timeout' }, legacy],
  ['cancelled by the user', { kind: 'cancelled' }, legacy],
  ['an exit of the process', { kind: 'lost' }, { era: 'legacy', respawn: true }],
];

describe('classifyProbe', () => {
  test.each(TABLE)('%s', (_name, outcome, verdict) => {
    expect(classifyProbe(outcome)).toMatchObject(verdict);
  });

  test('gives a sentence as the reason of every verdict', () => {
    for (const [, outcome] of TABLE) expect(classifyProbe(outcome).reason).toMatch(/^(The|A) .*\.$/);
  });

  test('passes on the DiscoverResult, so that the handshake needs no second one', () => {
    const discovered = { supportedVersions: ['2026-07-28'] };
    expect(classifyProbe(result(discovered))).toMatchObject({ discovered });
  });
});

const network: HttpFailure = { code: 'connection-refused', message: 'Nothing listens there.', advice: 'Start it.' };

/** A refusal with this HTTP status. `code`: the code of a JSON-RPC error in the body. */
function http(status: number, code?: number, data?: unknown): RequestOutcome {
  const error = code === undefined ? undefined : { code, message: 'no', ...(data !== undefined && { data }) };
  const refusal = statusFailure(status, error);
  return error === undefined ? { kind: 'lost', http: refusal } : { kind: 'error', error, http: refusal };
}

/** An HTTP 200 with a JSON-RPC error. */
function inBand(code: number, data?: unknown): RequestOutcome {
  return { kind: 'error', error: { code, message: 'no', ...(data !== undefined && { data }) } };
}

function unanswered(code: string, status: number): RequestOutcome {
  return { kind: 'lost', http: { code, message: 'm', advice: 'a', status } };
}

const discovered = { supportedVersions: ['2026-07-28'], capabilities: {} };

describe('classifyHttpProbe', () => {
  test.each<[string, RequestOutcome, 'modern' | 'legacy' | 'unknown']>([
    ['a DiscoverResult', { kind: 'result', result: discovered }, 'modern'],
    ['a result with unknown versions', { kind: 'result', result: { supportedVersions: ['2099-01-01'] } }, 'legacy'],
    ['some other result', { kind: 'result', result: {} }, 'legacy'],
    ['400 with a common version', http(400, -32022, { supported: ['2026-07-28'] }), 'modern'],
    ['200 with a common version', inBand(-32022, { supported: ['2026-07-28'] }), 'modern'],
    ['400 with legacy versions only', http(400, -32022, { supported: ['2025-11-25'] }), 'legacy'],
    ['400 with header mismatch', http(400, -32020), 'modern'],
    ['400 with a missing capability', http(400, -32021), 'modern'],
    ['200 with header mismatch', inBand(-32020), 'legacy'],
    ['404 with method not found', http(404, -32601), 'modern'],
    ['200 with method not found', inBand(-32601), 'legacy'],
    ['400 with method not found', http(400, -32601), 'legacy'],
    ['400 server not initialized (v1 SDK)', http(400, -32000), 'legacy'],
    ['400 with session not found', http(400, -32001), 'legacy'],
    ['400 with code 0', http(400, 0), 'legacy'],
    ['400 in plain text', http(400), 'legacy'],
    ['404 in HTML', http(404), 'legacy'],
    ['405', http(405), 'legacy'],
    [
      'a page that may not send the headers of modern requests',
      { kind: 'lost', http: { ...network, code: 'cors-modern' } },
      'legacy',
    ],
    ['a page that may send nothing', { kind: 'lost', http: { ...network, code: 'cors-origin' } }, 'unknown'],
    ['406', http(406), 'legacy'],
    ['410', http(410), 'legacy'],
    ['415', http(415), 'legacy'],
    ['422', http(422), 'legacy'],
    ['202 without an answer', unanswered('no-answer', 202), 'legacy'],
    ['a stream that ends without an answer', unanswered('no-answer', 200), 'legacy'],
    ['200 with HTML', unanswered('not-mcp', 200), 'unknown'],
    ['401', http(401), 'unknown'],
    ['401 with a JSON-RPC error', http(401, -32001), 'unknown'],
    ['403', http(403), 'unknown'],
    ['403 with a JSON-RPC error', http(403, -32000), 'unknown'],
    ['429', http(429), 'unknown'],
    ['500', http(500), 'legacy'],
    ['500 with a JSON-RPC error', http(500, -32603), 'legacy'],
    ['500 with a common version', http(500, -32022, { supported: ['2026-07-28'] }), 'legacy'],
    ['502', http(502), 'legacy'],
    ['503', http(503), 'legacy'],
    ['a network error', { kind: 'lost', http: network }, 'unknown'],
    ['silence', { kind: 'timeout' }, 'unknown'],
  ])('%s: %s', (_what, outcome, era) => {
    const verdict = classifyHttpProbe(outcome);
    expect(verdict.era).toBe(era);
    if (verdict.era === 'modern') expect(verdict.version).toBe('2026-07-28');
    if (verdict.era === 'unknown') expect(verdict.failure.advice).not.toBe('');
    if (verdict.era !== 'unknown') expect(verdict.reason).toMatch(/\.$/);
  });

  test('passes on only the DiscoverResult', () => {
    expect(classifyHttpProbe({ kind: 'result', result: discovered })).toMatchObject({ discovered });
    expect(classifyHttpProbe(http(400, -32020))).toMatchObject({ discovered: undefined });
  });
});

describe('after a refused initialize', () => {
  test.each<[string, RequestOutcome, boolean]>([
    ['400', http(400), true],
    ['404', http(404), true],
    ['405', http(405), true],
    ['404 with a JSON-RPC error', http(404, -32601), true],
    ['401', http(401), false],
    ['403', http(403), false],
    ['406', http(406), false],
    ['500', http(500), false],
    ['200 with HTML', unanswered('not-mcp', 200), false],
    ['200 with a JSON-RPC error', inBand(-32602), false],
    ['a network error', { kind: 'lost', http: network }, false],
    ['silence', { kind: 'timeout' }, false],
    ['a result', { kind: 'result', result: {} }, false],
  ])('%s: HTTP+SSE %s', (_what, outcome, sse) => expect(mayBeSse(outcome)).toBe(sse));

  test.each<[string, RequestOutcome, string | undefined]>([
    ['401', http(401), 'http-unauthorized'],
    ['401 with a JSON-RPC error', http(401, -32001), 'http-unauthorized'],
    ['404 in HTML', http(404), 'http-not-found'],
    ['a network error', { kind: 'lost', http: network }, 'connection-refused'],
    // The server itself says what is wrong.
    ['400 with a JSON-RPC error', http(400, -32022), undefined],
    ['200 with a JSON-RPC error', inBand(-32602), undefined],
    ['a process that exited', { kind: 'lost' }, undefined],
    ['silence', { kind: 'timeout' }, undefined],
  ])('%s is reported as %s', (_what, outcome, code) => expect(httpRefusal(outcome)?.code).toBe(code));
});
