import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { Latencies } from './latencies';
import { answered, asked, got, happened, logOf, sent } from './test-frames';

test('a line for each method: how many, how many failed, how long', () => {
  const latencies = new Latencies();
  for (let ms = 1; ms <= 100; ms++) latencies.add('tools/call', ms > 98 ? 'tool-error' : 'ok', ms * 1000);
  latencies.add('tools/call', 'timeout', undefined);
  latencies.add('ping', 'cancelled', undefined);
  const [calls, pings] = latencies.table();
  expect(calls).toMatchObject({ method: 'tools/call', count: 101, errors: 3, max: 100_000 });
  expect(calls!.p50! / 50_000).toBeCloseTo(1, 1);
  expect(calls!.p95! / 95_000).toBeCloseTo(1, 1);
  expect(pings).toEqual({ method: 'ping', count: 1, errors: 0, p50: undefined, p95: undefined, max: undefined });
});

test('made-up methods without end are told apart to a bound', () => {
  const latencies = new Latencies();
  for (let n = 0; n < 1000; n++) latencies.add(`made/up${n}`, 'ok', 1);
  const table = latencies.table();
  expect(table).toHaveLength(LIMITS.latencyMethods + 1);
  expect(table.at(-1)).toMatchObject({ method: undefined, count: 1000 - LIMITS.latencyMethods });
});

test('what a log counts: not the server’s requests, nothing twice, no refusal that was expected', () => {
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
