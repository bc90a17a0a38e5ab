import { describe, expect, test } from 'vitest';
import type { HandlerContext } from '@/lib/mcp/answering';
import { CLIENT_FEATURES } from '@/lib/wire/connection-settings';
import { Inbox } from './inbox';

function inbox() {
  const sizes: number[] = [];
  const made: Inbox = new Inbox(CLIENT_FEATURES, () => sizes.push(made.size));
  const stop = new AbortController();
  const ask = async (asking: Partial<HandlerContext> = {}) =>
    made.handlers.get('elicitation/create')!(undefined, {
      method: 'elicitation/create',
      id: 1,
      signal: stop.signal,
      ...asking,
    });
  return { made, sizes, stop, ask };
}

test('a question waits for its answer, which is put on one line', async () => {
  const { made, sizes, ask } = inbox();
  const answer = ask();
  made.answer(1, undefined, { result: '{\n "n": 1e400\r\n}' });
  expect(await answer).toBe('{  "n": 1e400  }');
  expect(sizes).toEqual([1, 0]);
});

test('ids, their types and names are told apart', async () => {
  const { made, ask } = inbox();
  const answers = [ask(), ask({ id: '1' }), ask({ key: '' }), ask({ key: 'b' })];
  for (const [id, key, result] of [[1, 'b'], [1, ''], ['1'], [1]].map(([...of], n) => [of[0], of[1], `${n}`])) {
    made.answer(id as number, key as string, { result: result as string });
  }
  expect(await Promise.all(answers)).toEqual(['3', '2', '1', '0']);
});

test('an error is a refusal', async () => {
  const { made, ask } = inbox();
  const answer = ask();
  made.answer(1, undefined, { error: { code: -1, message: 'no' } });
  await expect(answer).rejects.toMatchObject({ code: -1, message: 'no' });
});

describe('what can not be answered', () => {
  test('nothing waits, or not any more', async () => {
    const { made, stop, ask } = inbox();
    expect(() => made.answer(1, undefined, { result: '{}' })).toThrow('Nobody waits');
    const answer = ask();
    stop.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    expect(made.size).toBe(0);
    expect(() => made.answer(1, undefined, { result: '{}' })).toThrow('Nobody waits');
  });

  test('what was called off before anybody was asked', async () => {
    const { made, sizes, stop, ask } = inbox();
    stop.abort(new Error('gone'));
    await expect(ask()).rejects.toThrow('gone');
    expect([made.size, sizes]).toEqual([0, []]);
  });

  test('what is no JSON leaves the question waiting', () => {
    const { made, ask } = inbox();
    void ask();
    expect(() => made.answer(1, undefined, { result: '{"a":' })).toThrow('not JSON');
    expect(made.size).toBe(1);
  });
});

test('only what is allowed is answered at all', () => {
  expect([...new Inbox([], () => {}).handlers.keys()]).toEqual([]);
  expect([...new Inbox(['elicitation-url'], () => {}).handlers.keys()]).toEqual(['elicitation/create']);
});

test('roots are told as they are kept', async () => {
  const { made } = inbox();
  const roots = () => made.handlers.get('roots/list')!(undefined, {} as HandlerContext);
  expect(roots()).toBe('{"roots":[]}');
  made.setRoots([{ uri: 'file:///a', name: 'A' }]);
  expect(roots()).toBe('{"roots":[{"uri":"file:///a","name":"A"}]}');
});
