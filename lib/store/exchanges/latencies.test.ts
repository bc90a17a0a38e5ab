import { describe, expect, test } from 'vitest';
import { PROBE_ID } from '@/lib/mcp/probe-id';
import { answered, asked, type FrameSeed, framesOf, got, happened, logOf, sent } from '../test-frames';
import { DurationHistogram, LATENCY_METHODS, Latencies } from './latencies';

test('counts requests, errors and durations by method', () => {
  const latencies = new Latencies();
  for (let ms = 1; ms <= 100; ms++) latencies.addRequest('tools/call', ms > 98 ? 'tool-error' : 'ok', ms * 1000);
  latencies.addRequest('tools/call', 'timeout', undefined);
  latencies.addRequest('ping', 'cancelled', undefined);
  const [calls, pings] = latencies.table();
  expect(calls).toMatchObject({ method: 'tools/call', count: 101, errors: 3, max: 100_000 });
  expect(calls!.p50! / 50_000).toBeCloseTo(1, 1);
  expect(calls!.p95! / 95_000).toBeCloseTo(1, 1);
  const none = { p50: undefined, p95: undefined, max: undefined, singles: undefined };
  expect(pings).toEqual({ method: 'ping', count: 1, errors: 0, ...none });
});

test('the figures of calls leave out the handshake, lists and pings', () => {
  const latencies = new Latencies();
  latencies.addRequest('initialize', 'ok', 5_000_000);
  latencies.addRequest('tools/list', 'ok', 700_000);
  latencies.addRequest('ping', 'ok', 1);
  expect([latencies.calls.quantile(0.5), latencies.calls.singles]).toEqual([undefined, undefined]);
  latencies.addRequest('tools/call', 'ok', 3000);
  latencies.addRequest('resources/read', 'ok', 1000);
  latencies.addRequest('prompts/get', 'error', 2000);
  latencies.addRequest('tools/call', 'timeout', undefined);
  expect(latencies.calls.singles).toEqual([3000, 1000, 2000]);
  latencies.addRequest('tools/call', 'ok', 4000);
  latencies.addRequest('tools/call', 'ok', 5000);
  expect(latencies.calls.singles).toBeUndefined();
  expect(latencies.calls.quantile(0.5)! / 3000).toBeCloseTo(1, 1);
});

test('puts methods beyond the limit in one entry', () => {
  const latencies = new Latencies();
  for (let n = 0; n < 1000; n++) latencies.addRequest(`made/up${n}`, 'ok', 1);
  const table = latencies.table();
  expect(table).toHaveLength(LATENCY_METHODS + 1);
  expect(table.at(-1)).toMatchObject({ method: undefined, count: 1000 - LATENCY_METHODS });
});

test('leave out the probe, but not a server/discover that a person sends', () => {
  const refusal = (id: unknown) => got({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
  const log = logOf(
    asked(PROBE_ID, 'server/discover'),
    refusal(PROBE_ID),
    happened({ event: 'probe', era: 'legacy', reason: '', respawn: false }),
  );
  expect(log.latencies.table()).toEqual([]);
  log.append(framesOf([asked(1, 'server/discover'), refusal(1)]).map((frame) => ({ ...frame, seq: frame.seq + 3 })));
  expect(log.latencies.table()).toMatchObject([{ method: 'server/discover', count: 1, errors: 1 }]);
});

describe('leave out the time that people take to answer the server', () => {
  const ask = (id: number, method: string) => got({ jsonrpc: '2.0', id, method });
  const reply = (id: number) => sent({ jsonrpc: '2.0', id, result: {} });
  // One millisecond between frames.
  const longest = (...seeds: FrameSeed[]) =>
    logOf(asked(1, 'tools/call'), ...seeds, answered(1, {})).latencies.table()[0]?.max;

  test.each<[string, number, ...FrameSeed[]]>([
    ['no question', 1000],
    ['a question', 2000, ask(1, 'sampling/createMessage'), reply(1)],
    ['two in turn', 3000, ask(1, 'sampling/createMessage'), reply(1), ask(2, 'elicitation/create'), reply(2)],
    ['two at once', 2000, ask(1, 'elicitation/create'), ask(2, 'elicitation/create'), reply(1), reply(2)],
    ['a question that mcp-inspect answers', 3000, ask(1, 'roots/list'), reply(1)],
    ['a question without an answer', 2000, ask(1, 'elicitation/create')],
    [
      'a question that the server withdraws',
      2000,
      ask(1, 'elicitation/create'),
      got({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
    ],
  ])('%s: %i µs', (_case, us, ...seeds) => {
    expect(longest(...seeds)).toBe(us);
  });

  // A millisecond passes from frame to frame.
  const needed = happened({
    event: 'authorization',
    phase: 'needed',
    issuer: 'i',
    scopes: [],
    url: 'https://a.example',
  });
  const granted = happened({ event: 'authorization', phase: 'granted', issuer: 'i', scopes: [], by: 'sign-in' });
  const callback = happened({ event: 'auth-callback', parameters: [] });
  const heldAnswer = (did: 'pass' | 'delay') => {
    const about = { rule: 'r', hold: 1, direction: 'to-client', kind: 'response', id: 1 } as const;
    return [
      happened({ event: 'held', ...about, bytes: 1 }),
      happened({ event: 'intercepted', ...about, did, delivered: 1 }),
    ] as const;
  };
  const failure = { code: 'c', message: 'No.', advice: 'Try again.' };

  test.each<[string, number, ...FrameSeed[]]>([
    ['a sign-in', 2000, needed, callback],
    ['a sign-in, and the time after its callback', 3000, needed, callback, granted],
    ['a sign-in that failed', 2000, needed, happened({ event: 'authorization', phase: 'refused', ...failure })],
    ['a response that a person held', 1000, ...heldAnswer('pass')],
    ['a response that a rule delayed', 3000, ...heldAnswer('delay')],
  ])('%s: %i µs', (_case, us, ...seeds) => {
    expect(longest(...seeds)).toBe(us);
  });

  test('a question that several calls may wait for', () => {
    const log = logOf(
      asked(1, 'tools/call'),
      asked(2, 'tools/call'),
      asked(3, 'tools/call'),
      ask(1, 'elicitation/create'),
      answered(1, {}),
      reply(1),
      answered(2, {}),
      asked(4, 'tools/call'),
      answered(3, {}),
      answered(4, {}),
    );
    // The first call was answered before the question.
    const [calls] = log.latencies.table();
    expect(calls).toMatchObject({ count: 4, max: 4000 });
    expect(calls!.p50).toBeCloseTo(3000, -2);
  });
});

test('count each client request once, and expected refusals not as errors', () => {
  const log = logOf(
    asked(1, 'server/discover'),
    got({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } }),
    happened({ event: 'probe', era: 'legacy', reason: '', respawn: false }),
    asked(2, 'tools/call'),
    sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }),
    answered(2, {}),
    got({ jsonrpc: '2.0', id: 1, method: 'roots/list' }),
    sent({ jsonrpc: '2.0', id: 1, result: {} }),
  );
  expect(log.latencies.table().map(({ method, count, errors }) => [method, count, errors])).toEqual([
    ['server/discover', 1, 0],
    ['tools/call', 1, 0],
  ]);
});

test('a histogram is empty at first', () => {
  expect(new DurationHistogram().quantile(0.5)).toBeUndefined();
});

test('a histogram is exact for one duration', () => {
  const durations = new DurationHistogram();
  durations.add(1234.5);
  expect([0, 0.5, 0.95, 1].map((share) => durations.quantile(share))).toEqual([1234.5, 1234.5, 1234.5, 1234.5]);
});

test('a histogram is within 1.1 % for many durations', () => {
  const durations = new DurationHistogram();
  for (let us = 10_000; us >= 1; us--) durations.add(us);
  for (const share of [0.01, 0.5, 0.95, 0.99]) {
    expect(Math.abs(durations.quantile(share)! / (share * 10_000) - 1)).toBeLessThan(0.0115);
  }
  expect(durations.quantile(1)).toBe(10_000);
});

test('one slow request does not move the median', () => {
  const durations = new DurationHistogram();
  for (let i = 0; i < 99; i++) durations.add(500);
  durations.add(60_000_000);
  expect(durations.quantile(0.5)).toBeCloseTo(500, -1);
  expect(durations.quantile(1)).toBe(60_000_000);
});
