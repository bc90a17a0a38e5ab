import { expect, test } from 'vitest';
import type { Channel, Direction } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { Log } from '../log';
import { rowLabel } from '../rows/row-text';
import { timeSpanOf } from '../rows/time-span';

const encoder = new TextEncoder();

function logOf(...frames: readonly (LifecycleEvent | object | readonly [Channel, Direction, object])[]): Log {
  const log = new Log('c1');
  log.append(
    frames.map((frame, index) => {
      const [channel, direction, body] = Array.isArray(frame) ? frame : ['lifecycle', 'to-client', frame];
      return { seq: index + 1, time: index, channel, direction, flags: 0, bytes: encoder.encode(JSON.stringify(body)) };
    }),
  );
  return log;
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } };
const result = { jsonrpc: '2.0', id: 1, result: {} };
const about = { rule: 'r', direction: 'to-server', kind: 'request', method: 'tools/call', id: 1 } as const;

test('links a changed request with its original', () => {
  const log = logOf(
    { event: 'held', ...about, hold: 1, bytes: 10 },
    { event: 'intercepted', ...about, did: 'replace', hold: 1, delivered: 1, original: true },
    ['intercept' as Channel, 'to-server', call],
    ['protocol' as Channel, 'to-server', { ...call, params: {} }],
    ['protocol' as Channel, 'to-client', result],
  );
  const expected = { seq: 2, heldSeq: 1, original: 3, delivered: [4], made: undefined };
  for (const seq of [1, 2, 3, 4]) expect(log.interceptions.of(seq)).toMatchObject(expected);
  expect(log.interceptions.of(5)).toBeUndefined();
  expect(log.row(4)).toMatchObject({ status: 'ok', peer: 4 });
  expect(rowLabel(log.row(2)).what).toBe('as sent:');
});

const answer = { ...about, direction: 'to-client', kind: 'response' } as const;

test('a delay by a rule stands for a slow server, so it counts', () => {
  const log = logOf(
    ['protocol' as Channel, 'to-server', call],
    { event: 'held', ...answer, hold: 1, bytes: 10, ms: 50 },
    { event: 'intercepted', ...answer, did: 'delay', hold: 1, delivered: 1 },
    ['protocol' as Channel, 'to-client', result],
  );
  expect([log.row(0).durationUs, log.heldUs(log.exchange(1)!)]).toEqual([3, 0]);
});

test('the time in which a response was held is apart from that of the server', () => {
  const log = logOf(
    ['protocol' as Channel, 'to-server', call],
    { event: 'held', ...answer, hold: 1, bytes: 10 },
    { event: 'intercepted', ...answer, did: 'replace', hold: 1, delivered: 1, original: true },
    ['intercept' as Channel, 'to-client', result],
    ['protocol' as Channel, 'to-client', result],
  );
  const exchange = log.exchange(1)!;
  expect([exchange.durationUs, log.heldUs(exchange)]).toEqual([1, 3]);
  expect([log.row(0).durationUs, log.row(4).durationUs]).toEqual([1, 1]);
  expect(log.latencies.calls.singles).toEqual([1]);
  // The bar in the waterfall ends where the row of the response is.
  expect(timeSpanOf(log, log.row(0)).parts).toMatchObject([{ from: 0, to: 4 }]);
  expect(timeSpanOf(log, log.row(4)).whole).toEqual({ from: 0, to: 4 });
});

test('the progress of a hold is a row of events and one of notifications', () => {
  const held = { ...about, direction: 'to-client', kind: 'response' } as const;
  const progress = (value: number) => [
    { event: 'intercepted', ...held, did: 'progress', hold: 1, delivered: 0, made: true },
    [
      'protocol' as Channel,
      'to-client',
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: value } },
    ],
  ];
  const log = logOf(
    { event: 'held', ...held, hold: 1, bytes: 10 },
    ...progress(1),
    ['protocol' as Channel, 'to-server', { ...call, id: 2 }],
    ...progress(2),
    ...progress(3),
  );
  expect(log.foldOf(8)?.lines).toEqual([3, 6, 8]);
  expect(log.row(1).equals).toEqual({ first: 2, count: 3 });
  expect(log.state.folded).toBe(4);
});

test('a held request does not count, because its time begins when it is passed on', () => {
  const log = logOf(
    { event: 'held', ...about, hold: 1, bytes: 10 },
    { event: 'intercepted', ...about, did: 'error', hold: 1, delivered: 1, withheld: true, made: true },
    ['protocol' as Channel, 'to-server', call],
    ['protocol' as Channel, 'to-client', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } }],
  );
  expect(log.heldUs(log.exchange(3)!)).toBe(0);
});

test('pairs a request that was not passed on with the answer that mcp-inspect made', () => {
  const log = logOf(
    { event: 'intercepted', ...about, did: 'error', delivered: 1, withheld: true, made: true },
    ['protocol' as Channel, 'to-server', call],
    ['protocol' as Channel, 'to-client', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } }],
  );
  expect(log.interceptions.of(3)).toMatchObject({ delivered: [2], made: 3 });
  expect(log.row(1)).toMatchObject({ status: 'error', peer: 3 });
});

test('shows a dropped response as not passed on, and its request as unanswered', () => {
  const log = logOf(
    ['protocol' as Channel, 'to-server', call],
    {
      event: 'intercepted',
      ...about,
      direction: 'to-client',
      did: 'drop',
      delivered: 0,
      withheld: true,
      original: true,
    },
    ['intercept' as Channel, 'to-client', result],
  );
  expect(log.row(0)).toMatchObject({ status: 'pending' });
  expect(rowLabel(log.row(2)).what).toBe('not passed on:');
});

test('lists the messages that wait, until they are decided on or the connection ends', () => {
  const held = { event: 'held', ...about, hold: 1, bytes: 10 } as const;
  expect(logOf(held, { ...held, hold: 2 }, { ...held, ms: 50 }).interceptions.waiting).toMatchObject([
    { hold: 1, seq: 1, ms: 50 },
    { hold: 2, seq: 2 },
  ]);
  const progress = { event: 'intercepted', ...about, did: 'progress', hold: 1, delivered: 0, made: true } as const;
  expect(logOf(held, progress).interceptions.waiting).toHaveLength(1);
  const released = { event: 'intercepted', ...about, did: 'release', hold: 1, delivered: 1 } as const;
  expect(logOf(held, released).interceptions.waiting).toEqual([]);
  expect(logOf(held, { event: 'closed' }).interceptions.waiting).toEqual([]);
});

test('keeps the HTTP exchange of a message that waited', () => {
  const log = logOf(
    ['protocol' as Channel, 'to-server', call],
    ['http' as Channel, 'to-client', { kind: 'sse', exchange: 7, event: 'message' }],
    { event: 'held', ...about, direction: 'to-client', hold: 1, bytes: 10 },
    ['http' as Channel, 'to-client', { kind: 'end', exchange: 7, by: 'server' }],
    { event: 'intercepted', ...about, direction: 'to-client', did: 'replace', hold: 1, delivered: 1, original: true },
    ['intercept' as Channel, 'to-client', result],
    ['protocol' as Channel, 'to-client', result],
  );
  expect(log.row(5).exchange).toBe(7);
  expect(log.row(6).exchange).toBe(7);
});

test('ignores events of a recording that promise frames which do not follow', () => {
  const log = logOf(
    { event: 'intercepted', ...about, did: 'drop', delivered: 1e9, made: true, original: true },
    ['protocol' as Channel, 'to-client', result],
    ['intercept' as Channel, 'to-client', result],
    ['intercept' as Channel, 'to-client', result],
  );
  expect(log.interceptions.of(4)).toBeUndefined();
  expect(rowLabel(log.row(3)).what).toBe('intercept');
});
