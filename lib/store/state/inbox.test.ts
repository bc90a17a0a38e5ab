import { describe, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { Log } from '../log';
import { answered, asked, type FrameSeed, framesOf, got, happened, logOf, sent } from '../test-frames';
import { QUESTIONS_KEPT } from './inbox';

const CALL = asked(7, 'tools/call', { name: 't' });
const asks = (id: unknown, params: object = {}) =>
  got({ jsonrpc: '2.0', id, method: 'elicitation/create', params: { message: 'Sure?', ...params } });
const input = (step: object) => happened({ event: 'input', id: 7, method: 'tools/call', ...step } as never);
const MODERN = happened({ event: 'open', era: 'modern', version: '2026-07-28' });
const ROUND = answered(7, {
  resultType: 'input_required',
  inputRequests: { a: { method: 'elicitation/create', params: {} }, b: { method: 'sampling/createMessage' } },
});

const inboxOf = (...seeds: FrameSeed[]) => logOf(...seeds).state.inbox;

describe('a request from the server', () => {
  test("waits for the client's response, with the call in flight", () => {
    const log = logOf(CALL, asks(7));
    expect(log.state.inbox).toMatchObject({
      waiting: [{ key: 'q1', seq: 2, id: 7, calls: [1], message: 'Sure?' }],
      closed: [],
    });
    log.append([{ ...framesOf([sent({ jsonrpc: '2.0', id: 7, result: {} })])[0]!, seq: 3 }]);
    expect(log.state.inbox).toMatchObject({ waiting: [], closed: [{ key: 'q1', status: 'answered', endSeq: 3 }] });
  });

  test.each<[string, FrameSeed]>([
    ['refused', sent({ jsonrpc: '2.0', id: 'a', error: { code: -1, message: 'no' } })],
    ['withdrawn', got({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } })],
    ['lost', happened({ event: 'closed' })],
    ['lost', happened({ event: 'session-lost' })],
  ])('%s', (status, end) => {
    expect(inboxOf(asks('a'), end)).toMatchObject({ waiting: [], closed: [{ status, endSeq: 2 }] });
  });

  test('is named by the last message of a sampling request', () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Hi' } }];
    const last = (content: unknown) => [...messages, { role: 'user', content }];
    const named = (content: unknown) =>
      inboxOf(got({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: { messages: last(content) } }))
        .waiting[0]?.message;
    expect(named({ type: 'text', text: 'Summarize' })).toBe('Summarize');
    expect(named([{ type: 'text', text: 'Both' }])).toBe('Both');
    expect([named({ type: 'image' }), named(null), named('x')]).toEqual([undefined, undefined, undefined]);
  });

  test('tells that a standing answer was used', () => {
    const used = happened({ event: 'standing-answer', id: 'a', method: 'elicitation/create' });
    const answer = sent({ jsonrpc: '2.0', id: 'a', result: {} });
    expect(inboxOf(asks('a'), used, answer).closed).toMatchObject([{ status: 'answered', standingSeq: 2, endSeq: 3 }]);
    expect(inboxOf(asks('b'), used, answer).waiting[0]).not.toHaveProperty('standingSeq');
  });

  test('may be in a batch; ids 1 and "1" differ', () => {
    const batch = got([
      { jsonrpc: '2.0', id: 1, method: 'roots/list' },
      { jsonrpc: '2.0', id: '1', method: 'roots/list' },
    ]);
    const { waiting, closed } = inboxOf(batch, sent({ jsonrpc: '2.0', id: '1', result: {} }));
    expect([waiting, closed]).toMatchObject([[{ key: 'q1', id: 1 }], [{ key: 'q2', id: '1' }]]);
  });

  test('is ignored in the modern era, without an id or with another method', () => {
    expect(inboxOf(MODERN, asks(1)).waiting).toEqual([]);
    expect(inboxOf(asks(null), asks({}), got({ jsonrpc: '2.0', id: 1, method: 'ping' })).waiting).toEqual([]);
  });

  test('stays open when a later request reuses its id and is answered first', () => {
    const refused = sent({ jsonrpc: '2.0', id: 'a', error: { code: -32600, message: 'no' } });
    const ping = got({ jsonrpc: '2.0', id: 'a', method: 'ping' });
    const result = sent({ jsonrpc: '2.0', id: 'a', result: {} });
    const twice = [asks('a', { message: 'First' }), asks('a'), refused, ping, result];
    expect(inboxOf(...twice)).toMatchObject({ waiting: [{ key: 'q1', message: 'First' }], closed: [] });
    expect(inboxOf(...twice, result).closed).toMatchObject([{ key: 'q1', status: 'answered', endSeq: 6 }]);
  });

  test('stays open when the server cancels another request', () => {
    const calledOff = [null, {}, [1], { toString: 1, valueOf: 1 }, 'b', '1'].map((requestId) =>
      got({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
    );
    expect(inboxOf(asks(1), ...calledOff).waiting).toHaveLength(1);
  });

  test('by URL can be completed by the server', () => {
    const done = got({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId: 'e' } });
    expect(inboxOf(asks(1, { elicitationId: 'e' }), asks(2, { elicitationId: 'f' }), done).waiting).toMatchObject([
      { id: 1, completeSeq: 3 },
      { id: 2, elicitation: 'f' },
    ]);
  });

  test('is forgotten once too many later ones have closed', () => {
    const many = QUESTIONS_KEPT + 50;
    const flood = Array.from({ length: many }, (_, id) => [asks(id), sent({ jsonrpc: '2.0', id, result: {} })]);
    const { waiting, closed } = inboxOf(asks('kept'), ...flood.flat());
    expect(waiting).toMatchObject([{ id: 'kept' }]);
    expect(closed).toHaveLength(QUESTIONS_KEPT - 1);
    expect(closed[0]).toMatchObject({ id: many - 1 });
  });

  test('attack: of a flood that comes before its refusals, those that a person can answer are kept', () => {
    const flood = Array.from({ length: 1000 }, (_, id) => asks(id));
    const refused = flood
      .slice(LIMITS.waitingQuestions)
      .map((_, at) => sent({ jsonrpc: '2.0', id: at + LIMITS.waitingQuestions, error: { code: -1, message: 'no' } }));
    const { waiting } = inboxOf(...flood, ...refused);
    expect(waiting.map(({ id }) => id)).toEqual(Array.from({ length: LIMITS.waitingQuestions }, (_, id) => id));
  });
});

describe('input requested by a response', () => {
  test('waits from the `input` event on, as one question per key', () => {
    expect(inboxOf(MODERN, CALL, ROUND).waiting).toEqual([]);
    const { waiting, closed } = inboxOf(
      MODERN,
      CALL,
      ROUND,
      input({ phase: 'asked' }),
      input({ phase: 'given', key: 'b' }),
    );
    expect(waiting).toMatchObject([{ seq: 3, id: 7, input: 'a', calls: [2] }]);
    expect(closed).toMatchObject([{ input: 'b', status: 'answered', endSeq: 5 }]);
  });

  test('may have a method of a wrong type', () => {
    const inputRequests = { a: { method: { toString: 1, valueOf: 1 } } };
    const { waiting } = inboxOf(
      CALL,
      answered(7, { resultType: 'input_required', inputRequests }),
      input({ phase: 'asked' }),
    );
    expect(waiting).toMatchObject([{ method: '{"toString":1,"valueOf":1}' }]);
  });

  test('is withdrawn when the call is given up', () => {
    const end = input({ phase: 'given-up', reason: 'no' });
    expect(inboxOf(MODERN, CALL, ROUND, input({ phase: 'asked' }), end).closed).toMatchObject([
      { input: 'b', status: 'withdrawn' },
      { input: 'a', status: 'withdrawn' },
    ]);
  });
});

test('the inbox does not depend on the portions in which the log arrives', () => {
  const frames = framesOf([MODERN, CALL, ROUND, input({ phase: 'asked' }), input({ phase: 'given', key: 'a' })]);
  const log = new Log('c1');
  for (const frame of frames) {
    log.append([frame]);
    expect(log.state.inbox.waiting.length).toBeLessThanOrEqual(2);
  }
  expect(log.state.inbox).toEqual(
    inboxOf(MODERN, CALL, ROUND, input({ phase: 'asked' }), input({ phase: 'given', key: 'a' })),
  );
});
