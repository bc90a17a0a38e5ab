import { describe, expect, test } from 'vitest';
import type { HandlerContext } from '@/lib/mcp/answering';
import { SUPPORTED_CAPABILITIES } from '@/lib/wire/client-capabilities';
import { Inbox } from './inbox';

function inbox() {
  const sizes: number[] = [];
  const made: Inbox = new Inbox(() => sizes.push(made.size));
  const handlers = made.handlersFor(SUPPORTED_CAPABILITIES);
  const stop = new AbortController();
  const ask = async (asking: Partial<HandlerContext> = {}) =>
    handlers.get('elicitation/create')!(undefined, {
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

test('distinguishes ids of different types, and different keys', async () => {
  const { made, ask } = inbox();
  const answers = [ask(), ask({ id: '1' }), ask({ key: '' }), ask({ key: 'b' })];
  for (const [id, key, result] of [[1, 'b'], [1, ''], ['1'], [1]].map(([...of], n) => [of[0], of[1], `${n}`])) {
    made.answer(id as number, key as string, { result: result as string });
  }
  expect(await Promise.all(answers)).toEqual(['3', '2', '1', '0']);
});

test('an error refuses the question', async () => {
  const { made, ask } = inbox();
  const answer = ask();
  made.answer(1, undefined, { error: { code: -1, message: 'no' } });
  await expect(answer).rejects.toMatchObject({ code: -1, message: 'no' });
});

describe('an invalid answer', () => {
  test('is refused when no question is open', async () => {
    const { made, stop, ask } = inbox();
    expect(() => made.answer(1, undefined, { result: '{}' })).toThrow('no longer open');
    const answer = ask();
    stop.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    expect(made.size).toBe(0);
    expect(() => made.answer(1, undefined, { result: '{}' })).toThrow('no longer open');
  });

  test('is refused when the question was cancelled first', async () => {
    const { made, sizes, stop, ask } = inbox();
    stop.abort(new Error('gone'));
    await expect(ask()).rejects.toThrow('gone');
    expect([made.size, sizes]).toEqual([0, []]);
  });

  test('leaves the question open if it is not JSON', () => {
    const { made, ask } = inbox();
    void ask();
    expect(() => made.answer(1, undefined, { result: '{"a":' })).toThrow('not JSON');
    expect(made.size).toBe(1);
  });
});

test('the end of the connection withdraws every open question', async () => {
  const { made, sizes, ask } = inbox();
  const answers = [ask(), ask({ id: 2 })];
  made.close();
  for (const answer of answers) await expect(answer).rejects.toThrow('ended');
  expect(sizes.at(-1)).toBe(0);
});

test('handles only allowed questions', () => {
  const { made } = inbox();
  expect([...made.handlersFor({}).keys()]).toEqual([]);
  expect([...made.handlersFor({ elicitation: { url: {} } }).keys()]).toEqual(['elicitation/create']);
});

test('answers `roots/list` with the present roots', async () => {
  const { made } = inbox();
  const roots = () => made.handlersFor({ roots: {} }).get('roots/list')!(undefined, {} as HandlerContext);
  expect(roots()).toBe('{"roots":[]}');
  made.setRoots([{ uri: 'file:///a', name: 'A' }]);
  expect(roots()).toBe('{"roots":[{"uri":"file:///a","name":"A"}]}');
});
