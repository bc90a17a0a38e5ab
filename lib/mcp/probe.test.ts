import { describe, expect, test } from 'vitest';
import type { Outcome } from './outcome';
import { classifyProbe } from './probe';

const result = (value: unknown): Outcome => ({ kind: 'result', result: value });
const error = (code: number, data?: unknown): Outcome => ({ kind: 'error', error: { code, message: 'no', data } });
const legacy = { era: 'legacy', respawn: false };
const modern = { era: 'modern', version: '2026-07-28' };

const TABLE: readonly [name: string, outcome: Outcome, verdict: object][] = [
  ['a DiscoverResult', result({ supportedVersions: ['2026-07-28'], capabilities: {} }), modern],
  [
    'a DiscoverResult of more versions',
    result({ supportedVersions: ['2099-01-01', '2026-07-28', '2025-11-25'] }),
    modern,
  ],
  ['a DiscoverResult with junk in the list', result({ supportedVersions: [null, {}, 7, '2026-07-28'] }), modern],
  ['only versions of the future', result({ supportedVersions: ['2099-01-01'] }), legacy],
  ['only legacy versions', result({ supportedVersions: ['2025-11-25'] }), legacy],
  ['no versions', result({ supportedVersions: [] }), legacy],
  ['a list that is text', result({ supportedVersions: '2026-07-28' }), legacy],
  ['a server that answers anything with {}', result({}), legacy],
  ['an inherited list', result(JSON.parse('{"__proto__":{"supportedVersions":["2026-07-28"]}}')), legacy],
  ['a null result', result(null), legacy],
  ['an array result', result([['2026-07-28']]), legacy],
  ['an absent result', result(undefined), legacy],
  ['-32022 that lists a modern version', error(-32022, { supported: ['2026-07-28'], requested: '2026-07-28' }), modern],
  ['-32022 that lists both eras', error(-32022, { supported: ['2025-11-25', '2026-07-28'] }), modern],
  ['-32022 that lists legacy only', error(-32022, { supported: ['2025-11-25'] }), legacy],
  ['-32022 that lists the future only', error(-32022, { supported: ['2099-01-01'] }), legacy],
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
  ['the user had enough', { kind: 'cancelled' }, legacy],
  ['the exit of the process', { kind: 'lost' }, { era: 'legacy', respawn: true }],
];

describe('classifyProbe', () => {
  test.each(TABLE)('%s', (_name, outcome, verdict) => {
    expect(classifyProbe(outcome)).toMatchObject(verdict);
  });

  test('every verdict has a reason that is a sentence', () => {
    for (const [, outcome] of TABLE) expect(classifyProbe(outcome).reason).toMatch(/^(The|A) .*\.$/);
  });

  test('the DiscoverResult is handed on, so that the handshake needs no second one', () => {
    const discovered = { supportedVersions: ['2026-07-28'] };
    expect(classifyProbe(result(discovered))).toMatchObject({ discovered });
  });
});
