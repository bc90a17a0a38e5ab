import { expect, test } from 'vitest';
import { InterceptionReader } from './interception-state';

const held = (hold: number) => ({ event: 'held', hold, rule: 'r', direction: 'to-server', method: 'ping', bytes: 9 });
const over = (hold: number, did = 'release') => ({
  event: 'intercepted',
  hold,
  rule: 'r',
  did,
  direction: 'to-server',
  method: 'ping',
  delivered: 1,
});

function read(...events: readonly object[]): InterceptionReader {
  const reader = new InterceptionReader();
  for (const [index, event] of events.entries()) reader.readEvent(index + 1, index * 10, JSON.stringify(event));
  return reader;
}

test('a message waits from `held` to `intercepted`', () => {
  const { state } = read(held(1), held(2), over(1));
  expect(state.waiting).toMatchObject([{ hold: 2, seq: 2, since: 10 }]);
  expect(state.done).toMatchObject([{ hold: 1, did: 'release', seq: 3, held: { seq: 1 } }]);
  expect(state.taken.get('r')).toBe(1);
});

test('progress keeps a message waiting', () => {
  const { state } = read(held(1), over(1, 'progress'));
  expect(state.waiting).toMatchObject([{ hold: 1, progressSeq: 2 }]);
  expect(state.count).toBe(0);
});

test('a message whose request was cancelled stays, and is marked until its end', () => {
  const givenUp = { event: 'given-up', hold: 1, direction: 'to-server', reason: 'Timed out' };
  const { state } = read(held(1), givenUp, { ...held(1), ms: 5 }, { ...givenUp, hold: 7 });
  const mark = { seq: 2, since: 10, reason: 'Timed out' };
  expect(state.waiting).toMatchObject([{ hold: 1, ms: 5, givenUp: mark }]);
  expect(read(held(1), givenUp, over(1)).state.done).toMatchObject([{ hold: 1, held: { givenUp: mark } }]);
});

test('the end of the connection ends holds and rules', () => {
  const rules = { event: 'rules', rules: [{ name: 'r', do: 'hold' }] };
  expect(read(rules, held(1)).state.rules).toHaveLength(1);
  const { state } = read(rules, held(1), { event: 'closed' });
  expect(state).toMatchObject({ waiting: [], rules: [], done: [{ hold: 1, lost: 'connection' }] });
});

test('the end of a recording does not say what became of a message that waits', () => {
  const { state } = read(held(1), { event: 'recording-ends' });
  expect(state.done).toMatchObject([{ hold: 1, lost: 'recording' }]);
});

test('the state is the same object until there is another event', () => {
  const reader = read(held(1));
  const { state } = reader;
  reader.readEvent(2, 10, '{"event":"pins","phase":"ended"}');
  expect(reader.state).toBe(state);
  reader.readEvent(3, 20, JSON.stringify(over(1)));
  expect(reader.state).not.toBe(state);
});

test.each([
  '{"event":"held"',
  '{"event":"held","hold":"x"}',
  '{"event":"rules","rules":[1]}',
  '[]',
  '{"event":"closed"]',
])('an event that somebody made up is ignored: %s', (text) => {
  const reader = new InterceptionReader();
  reader.readEvent(1, 0, text);
  expect(reader.state).toMatchObject({ waiting: [], done: [], rules: [] });
});

test('any number of holds is bounded', () => {
  const state = read(...Array.from({ length: 3000 }, (_, at) => held(at))).state;
  expect(state.waiting).toHaveLength(2000);
  expect(state.waiting.at(-1)?.hold).toBe(2999);
  const many = read(...Array.from({ length: 3000 }, (_, at) => over(at))).state;
  expect(many.done).toHaveLength(500);
  expect(many.count).toBe(3000);
  expect(many.done[0]?.hold).toBe(2999);
});
