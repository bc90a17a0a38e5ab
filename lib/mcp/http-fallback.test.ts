import { describe, expect, test } from 'vitest';
import { statusFailure } from '@/lib/transports/http-failures';
import type { Unanswered } from '@/lib/transports/transport';
import { classifyHttpProbe, httpRefusal, mayBeSse } from './http-fallback';
import type { Outcome } from './outcome';

const network: Unanswered = { code: 'connection-refused', message: 'Nothing listens there.', advice: 'Start it.' };

/** The server refused the request with this status; `code` is that of a JSON-RPC error in the body. */
function http(status: number, code?: number, data?: unknown): Outcome {
  const error = code === undefined ? undefined : { code, message: 'no', ...(data !== undefined && { data }) };
  const refusal = statusFailure(status, error);
  return error === undefined ? { kind: 'lost', http: refusal } : { kind: 'error', error, http: refusal };
}

/** It answered 200 with a JSON-RPC error. */
function inBand(code: number, data?: unknown): Outcome {
  return { kind: 'error', error: { code, message: 'no', ...(data !== undefined && { data }) } };
}

function unanswered(code: string, status: number): Outcome {
  return { kind: 'lost', http: { code, message: 'm', advice: 'a', status } };
}

const discovered = { supportedVersions: ['2026-07-28'], capabilities: {} };

describe('what follows the probe over HTTP', () => {
  test.each<[string, Outcome, 'modern' | 'legacy' | 'unknown']>([
    ['a DiscoverResult', { kind: 'result', result: discovered }, 'modern'],
    [
      'a result with versions not known here',
      { kind: 'result', result: { supportedVersions: ['2099-01-01'] } },
      'legacy',
    ],
    ['some other result', { kind: 'result', result: {} }, 'legacy'],
    ['400 with a version to speak', http(400, -32022, { supported: ['2026-07-28'] }), 'modern'],
    ['200 with a version to speak', inBand(-32022, { supported: ['2026-07-28'] }), 'modern'],
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
      'a page that may not send what only modern requests have',
      { kind: 'lost', http: { ...network, code: 'cors-modern' } },
      'legacy',
    ],
    ['a page that may send nothing', { kind: 'lost', http: { ...network, code: 'cors-origin' } }, 'unknown'],
    ['406', http(406), 'legacy'],
    ['410', http(410), 'legacy'],
    ['415', http(415), 'legacy'],
    ['422', http(422), 'legacy'],
    ['202 and nothing more', unanswered('no-answer', 202), 'legacy'],
    ['a stream that ends without an answer', unanswered('no-answer', 200), 'legacy'],
    ['200 with HTML', unanswered('not-mcp', 200), 'unknown'],
    ['401', http(401), 'unknown'],
    ['401 with a JSON-RPC error', http(401, -32001), 'unknown'],
    ['403', http(403), 'unknown'],
    ['403 with a JSON-RPC error', http(403, -32000), 'unknown'],
    ['429', http(429), 'unknown'],
    ['500', http(500), 'legacy'],
    ['500 with a JSON-RPC error', http(500, -32603), 'legacy'],
    ['500 with a version to speak', http(500, -32022, { supported: ['2026-07-28'] }), 'legacy'],
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

  test('only the DiscoverResult is kept', () => {
    expect(classifyHttpProbe({ kind: 'result', result: discovered })).toMatchObject({ discovered });
    expect(classifyHttpProbe(http(400, -32020))).toMatchObject({ discovered: undefined });
  });
});

describe('what follows a refused initialize', () => {
  test.each<[string, Outcome, boolean]>([
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

  test.each<[string, Outcome, string | undefined]>([
    ['401', http(401), 'http-unauthorized'],
    ['401 with a JSON-RPC error', http(401, -32001), 'http-unauthorized'],
    ['404 in HTML', http(404), 'http-not-found'],
    ['a network error', { kind: 'lost', http: network }, 'connection-refused'],
    // There the server itself says what is wrong.
    ['400 with a JSON-RPC error', http(400, -32022), undefined],
    ['200 with a JSON-RPC error', inBand(-32602), undefined],
    ['a process that went', { kind: 'lost' }, undefined],
    ['silence', { kind: 'timeout' }, undefined],
  ])('%s is told as %s', (_what, outcome, code) => expect(httpRefusal(outcome)?.code).toBe(code));
});
