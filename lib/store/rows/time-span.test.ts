import { describe, expect, test } from 'vitest';
import { answered, asked, complained, framesOf, got, happened, logOf, sent } from '../test-frames';
import { timeSpanOf } from './time-span';

/** Frames are a millisecond apart, starting at 1 ms. */
const spanAt = (log: ReturnType<typeof logOf>, seq: number) => timeSpanOf(log, log.row(seq - 1));
const ms = (from: number, to?: number) => ({ from: from * 1000, to: to === undefined ? undefined : to * 1000 });
const progress = (token: unknown, value = 1) =>
  got({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: value } });
const call = (id: number, params: object = {}) => asked(id, 'tools/call', { name: 'echo', ...params });
const question = (id: number, params?: object) =>
  got({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: params ?? {} });

describe('a call', () => {
  test('spans request to response, with progress as ticks', () => {
    const log = logOf(call(1, { _meta: { progressToken: 'p' } }), progress('p'), progress('q'), answered(1, {}));
    expect(spanAt(log, 1)).toMatchObject({ parts: [{ ...ms(1, 4), status: 'ok' }], ticks: [2000], whole: undefined });
    expect(spanAt(log, 2)).toMatchObject({ whole: ms(1, 4), at: 2000, parts: [] });
    expect(spanAt(log, 3)).toMatchObject({ whole: undefined, at: 3000 });
    expect(spanAt(log, 4)).toMatchObject({ whole: ms(1, 4), at: 4000, parts: [] });
  });

  test('is open until it is answered or given up', () => {
    expect(spanAt(logOf(call(1)), 1).parts).toEqual([{ ...ms(1), status: 'pending' }]);
    const cancel = sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(spanAt(logOf(call(1), complained('…'), cancel), 1).parts).toEqual([{ ...ms(1, 3), status: 'cancelled' }]);
    const timeout = happened({ event: 'timeout', id: 1, method: 'tools/call', afterMs: 1 });
    expect(spanAt(logOf(call(1), timeout), 1).parts).toEqual([{ ...ms(1, 2), status: 'timeout' }]);
    expect(spanAt(logOf(call(1), happened({ event: 'closed' })), 1).parts).toEqual([{ ...ms(1, 2), status: 'lost' }]);
    // Without an id, no response can be paired with it.
    expect(spanAt(logOf(asked(null, 'tools/call')), 1).parts).toEqual([{ ...ms(1, 1), status: undefined }]);
  });

  test('includes server requests that can only belong to it', () => {
    const answer = sent({ jsonrpc: '2.0', id: 7, result: {} });
    const log = logOf(asked(9, 'tools/list'), call(1), question(7), answer, answered(1, {}), question(8));
    expect(spanAt(log, 2).asked).toEqual([{ ...ms(3, 4), status: 'ok' }]);
    expect(spanAt(log, 3)).toMatchObject({ whole: ms(2, 5), parts: [ms(3, 4)] });
    expect(spanAt(log, 6).whole).toBeUndefined();
    expect(spanAt(logOf(call(1), call(2), question(7)), 3).whole).toBeUndefined();
  });
});

describe('a call in several requests', () => {
  const wantsInput = (id: number, requestState?: string) =>
    answered(id, { resultType: 'input_required', requestState });
  const both = { whole: ms(1, 5), parts: [ms(1, 2), ms(4, 5)] };

  test('is one span with retries that the engine announces', () => {
    const retry = happened({ event: 'retry', id: 1, method: 'tools/call', reason: 'with the input' });
    const log = logOf(call(1), wantsInput(1), retry, call(2), answered(2, {}));
    expect(spanAt(log, 1)).toMatchObject(both);
    expect(spanAt(log, 4)).toMatchObject({ whole: ms(1, 5), parts: [ms(4, 5)] });
  });

  test('is one span with retries found by requestState', () => {
    const log = logOf(
      call(1),
      wantsInput(1, 'a'),
      call(2, { requestState: 'b' }),
      call(3, { requestState: 'a', inputResponses: {} }),
      answered(3, {}),
    );
    expect(spanAt(log, 1)).toMatchObject(both);
    expect(spanAt(log, 3).whole).toBeUndefined();
  });

  test('is one span with three retries', () => {
    const again = (id: number) => happened({ event: 'retry', id, method: 'tools/call', reason: '' });
    const log = logOf(call(1), wantsInput(1), again(1), call(2), wantsInput(2), again(2), call(3), answered(3, {}));
    expect(spanAt(log, 1)).toMatchObject({ whole: ms(1, 8), parts: [ms(1, 2), ms(4, 5), ms(7, 8)] });
  });

  test('ends with a final response', () => {
    const retry = happened({ event: 'retry', id: 1, method: 'tools/call', reason: '' });
    expect(spanAt(logOf(call(1), answered(1, {}), retry, call(2)), 4).whole).toBeUndefined();
  });

  test.each([{ task: { taskId: 't', status: 'working' } }, { resultType: 'task', taskId: 't', status: 'working' }])(
    'is one span with the polls of a task: %j',
    (result) => {
      const log = logOf(
        call(1),
        answered(1, result),
        asked(2, 'tasks/get', { taskId: 'other' }),
        asked(3, 'tasks/get', { taskId: 't' }),
        answered(3, {}),
        got({ jsonrpc: '2.0', method: 'notifications/tasks/status', params: { taskId: 't' } }),
      );
      // The task goes on, so its span has no end.
      expect(spanAt(log, 1)).toMatchObject({ ...both, whole: { from: 1000, to: undefined }, ticks: [6000] });
      expect(spanAt(log, 3).whole).toBeUndefined();
      const ended = { taskId: 't', status: 'cancelled' };
      log.append([
        {
          ...framesOf([got({ jsonrpc: '2.0', method: 'notifications/tasks/status', params: ended })])[0]!,
          seq: 7,
          time: 7000,
        },
      ]);
      expect(spanAt(log, 1).whole).toEqual({ from: 1000, to: 7000 });
    },
  );

  test('includes server requests that name its task', () => {
    const meta = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } };
    const log = logOf(call(1), answered(1, { task: { taskId: 't' } }), question(7, meta));
    expect(log.relations.ownerOf(3)).toBe(1);
  });
});

test('a log message belongs to the only call in flight, and to none of several', () => {
  const said = got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } });
  const one = logOf(call(1), said, answered(1, {}), said);
  expect([2, 4].map((seq) => one.relations.ownerOf(seq))).toEqual([1, undefined]);
  expect(logOf(call(1), call(2), said).relations.ownerOf(3)).toBeUndefined();
});

test('an HTTP exchange identifies the call of a server request', () => {
  const http = (kind: string, exchange: number) => ({
    ...happened({ event: 'closed' }),
    channel: 'http' as const,
    bytes: new TextEncoder().encode(
      JSON.stringify({ kind, exchange, method: 'POST', url: 'http://x', headers: [], bytes: 2 }),
    ),
  });
  const log = logOf(http('request', 1), call(1), http('request', 2), call(2), http('sse', 2), question(7));
  expect(log.relations.ownerOf(6)).toBe(4);
});
