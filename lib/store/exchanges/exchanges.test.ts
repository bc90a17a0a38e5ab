import { describe, expect, test } from 'vitest';
import { lastExchange } from '../log';
import { answered, asked, got, happened, logOf, sent } from '../test-frames';

const cancel = (requestId: unknown) =>
  sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const progress = (progressToken: unknown, value: unknown, more = {}) =>
  got({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: value, ...more } });
const withToken = (id: unknown, progressToken: unknown) =>
  asked(id, 'tools/call', { name: 'slow', _meta: { progressToken } });
const exit = happened({ event: 'exit', code: 1, signal: null });

describe('pairing', () => {
  test('pairs a response with its request on both rows', () => {
    const log = logOf(asked(1, 'tools/call', { name: 'echo' }), answered(1, {}));
    expect(log.exchange(1)).toMatchObject({
      status: 'ok',
      responseSeq: 2,
      durationUs: 1000,
      sentAt: 1000,
      name: 'echo',
    });
    expect(log.row(0)).toMatchObject({ kind: 'request', status: 'ok', peer: 2, durationUs: 1000 });
    expect(log.row(1)).toMatchObject({
      kind: 'response',
      status: 'ok',
      peer: 1,
      durationUs: 1000,
      name: 'echo',
      method: 'tools/call',
    });
  });

  test('pairs responses in any order', () => {
    const log = logOf(asked(1, 'a'), asked(2, 'b'), answered(2, {}), answered(1, {}));
    expect([log.exchange(1)?.responseSeq, log.exchange(2)?.responseSeq]).toEqual([4, 3]);
  });

  test('treats the same id in both directions as two exchanges', () => {
    const log = logOf(
      asked(0, 'tools/call'),
      got({ jsonrpc: '2.0', id: 0, method: 'roots/list' }),
      sent({ jsonrpc: '2.0', id: 0, result: { roots: [] } }),
      answered(0, {}),
    );
    expect(log.exchange(1)).toMatchObject({ direction: 'to-server', responseSeq: 4 });
    expect(log.exchange(2)).toMatchObject({ direction: 'to-client', responseSeq: 3 });
  });

  test('does not pair id "1" with id 1', () => {
    const log = logOf(asked(1, 'a'), answered('1', {}));
    expect(log.exchange(1)?.status).toBe('pending');
    expect(log.row(1)).toMatchObject({ peer: undefined, method: undefined, durationUs: undefined, status: undefined });
  });

  test('counts the first of two responses and links the second', () => {
    const log = logOf(asked(1, 'a'), answered(1, { isError: true }), answered(1, {}));
    expect(log.exchange(1)).toMatchObject({ status: 'tool-error', responseSeq: 2 });
    expect(log.row(1)).toMatchObject({ peer: 1, isSecondAnswer: false });
    expect(log.row(2)).toMatchObject({ peer: 1, isSecondAnswer: true, method: 'a', status: undefined });
    expect(log.row(0).peer).toBe(2);
  });

  test('does not pair a response before its request', () => {
    const log = logOf(answered(1, {}), asked(1, 'a'));
    expect(log.exchange(2)?.status).toBe('pending');
    expect(log.row(0).peer).toBeUndefined();
  });

  test('does not pair null and invalid ids', () => {
    const log = logOf(asked(null, 'a'), answered(null, {}), asked({}, 'b'), answered({}, {}));
    expect([1, 2, 3, 4].map((seq) => log.row(seq - 1).peer)).toEqual([undefined, undefined, undefined, undefined]);
    expect(log.row(0)).toMatchObject({ id: null, status: undefined });
  });

  test('pairs a reused id with the oldest request first', () => {
    const log = logOf(asked(1, 'a'), asked(1, 'b'), answered(1, {}), answered(1, {}));
    expect([log.exchange(1)?.responseSeq, log.exchange(2)?.responseSeq]).toEqual([3, 4]);
  });

  test('gives exchanges to requests only', () => {
    const log = logOf(asked(1, 'a'), answered(1, {}));
    expect([log.exchange(0), log.exchange(2), log.exchange(3), log.exchange(Number.NaN)]).toEqual(
      Array(4).fill(undefined),
    );
  });
});

describe('the status of a request', () => {
  test.each([
    [{ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } }, 'error'],
    [{ jsonrpc: '2.0', id: 1, result: { isError: true } }, 'tool-error'],
    [{ jsonrpc: '2.0', id: 1, result: { isError: 'true' } }, 'ok'],
    [{ jsonrpc: '2.0', id: 1, result: 'text' }, 'ok'],
  ])('after %j is %s', (answer, status) => {
    expect(logOf(asked(1, 'tools/call'), got(answer)).exchange(1)?.status).toBe(status);
  });

  test('stays cancelled, and a late response is linked', () => {
    const log = logOf(asked(1, 'a'), cancel(1), answered(1, {}));
    expect(log.exchange(1)).toMatchObject({ status: 'cancelled', responseSeq: 3 });
    expect(log.row(1)).toMatchObject({ kind: 'notification', peer: 1, durationUs: undefined });
  });

  test('does not change when id "1" or an answered request is cancelled', () => {
    expect(logOf(asked(1, 'a'), cancel('1')).exchange(1)?.status).toBe('pending');
    expect(logOf(asked(1, 'a'), answered(1, {}), cancel(1)).exchange(1)?.status).toBe('ok');
  });

  test('stays timed out, and a late response is linked', () => {
    const timeout = happened({ event: 'timeout', id: 1, method: 'a', afterMs: 5 });
    const log = logOf(asked(1, 'a'), timeout, cancel(1), answered(1, {}));
    expect(log.exchange(1)).toMatchObject({ status: 'timeout', responseSeq: 4 });
  });

  test('is lost when the server exits, unless a response still arrives', () => {
    const log = logOf(asked(1, 'a'), asked(2, 'b'), asked(3, 'c'), cancel(3), exit, answered(2, {}));
    expect([1, 2, 3].map((seq) => log.exchange(seq)?.status)).toEqual(['lost', 'ok', 'cancelled']);
  });

  test('for a subscription is cancelled when the client closes the connection, and lost when the server dies', () => {
    const listen = asked(1, 'subscriptions/listen');
    const ended = logOf(listen, asked(2, 'a'), happened({ event: 'closing', reason: 'user' }), exit);
    expect([1, 2].map((seq) => ended.exchange(seq)?.status)).toEqual(['cancelled', 'lost']);
    expect(logOf(listen, exit).exchange(1)?.status).toBe('lost');
  });

  test('does not change when a respawned server answers the same id', () => {
    const log = logOf(asked(1, 'server/discover'), exit, asked(1, 'initialize'), answered(1, {}));
    expect([log.exchange(1)?.status, log.exchange(3)?.status]).toEqual(['lost', 'ok']);
  });
});

describe('progress', () => {
  test('is found by a string or number token; the newest counts', () => {
    const log = logOf(
      withToken(1, 'one'),
      withToken(2, 1),
      progress('one', 5),
      progress(1, 1),
      progress(1, 2, { total: 4, message: 'half' }),
    );
    expect(log.exchange(1)?.progress).toMatchObject({ seq: 3, progress: 5, count: 1 });
    expect(log.exchange(2)?.progress).toEqual({
      first: { seq: 4, progress: 1 },
      seq: 5,
      progress: 2,
      total: 4,
      message: 'half',
      count: 2,
    });
    expect(log.row(4).peer).toBe(2);
  });

  test('is ignored with an unknown token or after the response', () => {
    const log = logOf(
      withToken(1, 1),
      progress('1', 1),
      progress(2, 1),
      progress({}, 1),
      answered(1, {}),
      progress(1, 9),
    );
    expect(log.exchange(1)?.progress).toBeUndefined();
    expect(log.row(5).peer).toBeUndefined();
  });

  test('keeps the last value if the new one is not a number', () => {
    const log = logOf(withToken(1, 1), progress(1, 3), progress(1, 'much'));
    expect(log.exchange(1)?.progress).toMatchObject({ progress: 3, count: 2 });
  });
});

describe('batches', () => {
  test('answer single requests', () => {
    const log = logOf(
      asked(1, 'a'),
      asked(2, 'b'),
      got([
        { id: 2, result: {} },
        { id: 1, error: {} },
      ]),
    );
    expect([log.exchange(1)?.status, log.exchange(2)?.status]).toEqual(['error', 'ok']);
    expect(log.row(2)).toMatchObject({ kind: 'batch', name: '2 messages', peer: 2 });
  });

  test('are pending until the last response, and have the worst status', () => {
    const batch = sent([
      { id: 1, method: 'a' },
      { id: 2, method: 'b' },
    ]);
    expect(logOf(batch, answered(1, {})).row(0).status).toBe('pending');
    const failed = got({ jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } });
    expect(logOf(batch, failed, answered(2, {})).row(0)).toMatchObject({ status: 'error', peer: 2 });
  });
});

test('an exchange is the same object until it changes', () => {
  const log = logOf(withToken(1, 1));
  const before = log.exchange(1);
  expect(log.exchange(1)).toBe(before);
  log.append([{ ...progress(1, 1), seq: 2, time: 2000 }]);
  const between = log.exchange(1);
  expect(between).not.toBe(before);
  log.append([{ ...answered(1, {}), seq: 3, time: 3000 }]);
  expect(log.exchange(1)).not.toBe(between);
  expect(before?.status).toBe('pending');
});

test('lastExchange returns the newest client request by method and name', () => {
  const call = (id: number, name: string) => asked(id, 'tools/call', { name });
  const log = logOf(call(1, 'a'), call(2, 'b'), call(3, '__proto__'), got({ jsonrpc: '2.0', id: 9, method: 'ping' }));
  expect(lastExchange(log, 'tools/call')?.requestSeq).toBe(3);
  expect(lastExchange(log, 'tools/call', 'a')?.requestSeq).toBe(1);
  expect(lastExchange(log, 'tools/call', '__proto__')?.requestSeq).toBe(3);
  expect(lastExchange(log, 'tools/call', 'constructor')).toBeUndefined();
  expect(lastExchange(log, 'ping')).toBeUndefined();
});

test('lists the requests that ended in order, with the frames that ended them, and a late response again', () => {
  const log = logOf(asked(1, 'a'), asked(2, 'b'), answered(2, {}), cancel(1), answered(1, {}), asked(3, 'c'), exit);
  const ends: [number, number][] = [];
  const add = (request: number, frame: number) => void ends.push([request, frame]);
  expect(log.settled.read(0, 4, add)).toBe(2);
  expect(ends).toEqual([
    [2, 3],
    [1, 4],
  ]);
  expect(log.settled.read(2, log.size, add)).toBe(4);
  expect(ends.slice(2)).toEqual([
    [1, 5],
    [6, 7],
  ]);
});
