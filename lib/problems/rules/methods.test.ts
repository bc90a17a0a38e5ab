import { describe, expect, test } from 'vitest';
import { answered, asked, type FrameSeed, got, happened, sent } from '@/lib/store/test-frames';
import { ask, legacy, modern, problemsIn } from '../test-sessions';

describe('a cancelled request', () => {
  const cancels = (requestId: unknown, send = sent) =>
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  const problems = (frames: readonly FrameSeed[]) =>
    problemsIn(frames)
      .filter(({ rule }) => rule === 'cancel-unknown')
      .map(({ message }) => message);
  const listen = ask('l', 'subscriptions/listen', { notifications: {} });

  test('of the server: the client can’t cancel it, and the other way round', () => {
    const roots = got({ jsonrpc: '2.0', id: 7, method: 'roots/list' });
    expect(problems([...legacy(), roots, cancels(7, got)])).toEqual([]);
    expect(problems([...legacy(), roots, cancels(7)])).toEqual(['No request from the client has the id 7.']);
    expect(problems([...legacy(), asked(7, 'ping'), cancels(7, got)])).toEqual([
      'No request from the server has the id 7.',
    ]);
  });

  test('a modern server ends only subscriptions', () => {
    expect(problems([...modern(), listen, cancels('l', got)])).toEqual([]);
    expect(problems([...modern(), listen, cancels('m', got)])).toEqual(['No request from the client has the id "m".']);
    expect(problems([...modern(), ask(1, 'tools/list'), cancels(1, got)])).toEqual([
      'The server cancelled "tools/list", but may only end subscriptions.',
    ]);
  });

  test('of a session that was lost is known', () => {
    const lost = [...legacy(), asked(9, 'ping'), happened({ event: 'session-lost' }), ...legacy().slice(1)];
    expect(problemsIn([...lost, cancels(9)])).toEqual([]);
    expect(problemsIn([...lost, answered(9, {})])).toEqual([]);
    expect(problems([...lost, cancels(10)])).toHaveLength(1);
  });

  test('without an id is a task of 2025-11-25', () => {
    expect(problems([...legacy(), sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: {} })])).toEqual(
      [],
    );
  });
});
