import { describe, expect, test } from 'vitest';
import { answered, asked, type FrameSeed, got } from '@/lib/store/test-frames';
import { ask, complete, legacy, modern, problemsIn } from '../test-sessions';

const found = (frames: readonly FrameSeed[]) => problemsIn(frames).map(({ rule, message }) => `${rule}: ${message}`);

describe('a version that a handshake cannot negotiate', () => {
  const [start, initialize] = legacy();
  const chosen = (protocolVersion: string) =>
    answered('i', { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });

  test('is the only problem of an answer to initialize', () => {
    expect(found([start!, initialize!, chosen('2026-07-28')])).toEqual([
      'version-other-era: The server answered initialize with "2026-07-28", which has no handshake.',
    ]);
  });

  test('does not change how later messages are judged', () => {
    const list = [asked(1, 'tools/list'), answered(1, { tools: [] })];
    const rules = problemsIn([start!, initialize!, chosen('2026-07-28'), ...list]).map(({ rule }) => rule);
    expect(rules).toEqual(['version-other-era']);
  });

  test('cites the newest version with a handshake', () => {
    expect(problemsIn([start!, initialize!, chosen('2026-07-28')])).toMatchObject([
      { section: '2025-11-25 basic/lifecycle#version-negotiation' },
    ]);
  });

  test.each(['2027-01-01', 'latest', ''])('%j is unknown instead', (version) => {
    expect(found([start!, initialize!, chosen(version)])).toEqual([
      `version-unknown: The server chose ${JSON.stringify(version)}.`,
    ]);
  });

  test('is asked for by a client', () => {
    const params = { protocolVersion: '2026-07-28', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    expect(found([start!, asked('i', 'initialize', params)])).toEqual([
      'version-other-era: initialize asks for "2026-07-28", which has no handshake.',
    ]);
  });

  test('is named in _meta although it needs a handshake', () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' };
    expect(found([...modern(), ask(1, 'tools/list', {}, meta)])).toEqual([
      'version-other-era: The request names "2025-11-25" in _meta, which is negotiated by initialize.',
    ]);
  });
});

describe('an id that is used again', () => {
  const retry = (id: number) => ask(id, 'tools/call', { name: 'a', requestState: 'x' });
  const interim = got({ jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', requestState: 'x' } });
  const list = [ask(1, 'tools/list'), complete(1, { tools: [] })];

  test('is allowed since 2026-07-28 after the answer', () => {
    expect(found([...modern(), ...list, ...list])).toEqual([]);
    expect(found([...modern(), ask(1, 'tools/list'), ask(1, 'tools/list')])).toEqual([
      'id-reused: "tools/list" reuses the id 1 of "tools/list", which is still unanswered.',
    ]);
  });

  test('is not allowed when a request is repeated with input', () => {
    const call = ask(1, 'tools/call', { name: 'a' });
    expect(found([...modern(), call, interim, retry(2)])).toEqual([]);
    expect(found([...modern(), call, interim, retry(1)])).toEqual([
      'id-reused: "tools/call" reuses the id 1 of "tools/call".',
    ]);
  });
});

test('a refusal names the version that was asked for', () => {
  const refusal = (requested: string) =>
    got({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32022, message: '', data: { requested, supported: ['2027-01-01'] } },
    });
  expect(found([...modern(), ask(1, 'tools/list'), refusal('2026-07-28')])).toEqual([]);
  expect(found([...modern(), ask(1, 'tools/list'), refusal('2025-11-25')])).toEqual([
    'version-refusal: requested is "2025-11-25", but the request was made in "2026-07-28".',
  ]);
});
