import { expect, test } from 'vitest';
import type { InterceptRule } from '@/lib/wire/intercept';
import { HOLD_EVERYTHING, PageRulesInForce } from './page-rules';

const RULES: readonly InterceptRule[] = ['a', 'b'].map((name) => ({ name, action: { do: 'drop' } }));
const only = (...names: string[]) => ({ on: new Set(names), everything: false });
const FAILURE = { code: 'no', message: 'No.', advice: 'Stop.' };
const refuse = () => Promise.reject(FAILURE);

test('sends the rules that are on, in their order, after the one that holds everything', async () => {
  const sent: (readonly InterceptRule[])[] = [];
  const inForce = new PageRulesInForce();
  const send = async (rules: readonly InterceptRule[]) => void sent.push(rules);
  await inForce.apply('c1', { on: new Set(['b', 'a']), everything: true }, RULES, send);
  await inForce.apply('c1', only('b'), RULES, send);
  expect(sent).toEqual([[HOLD_EVERYTHING, ...RULES], [RULES[1]]]);
  expect(inForce.of('c1')).toEqual(only('b'));
  expect(inForce.of('c2')).toEqual(only());
});

test('after a failure, the rules before it are in force', async () => {
  const inForce = new PageRulesInForce();
  await inForce.apply('c1', only('a'), RULES, async () => {});
  await inForce.apply('c1', only('a', 'b'), RULES, refuse);
  expect(inForce.of('c1')).toEqual({ ...only('a'), failure: FAILURE });
  await inForce.apply('c1', only(), RULES, async () => {});
  expect(inForce.of('c1')).toEqual(only());
});

test('a failure does not undo a later change', async () => {
  const inForce = new PageRulesInForce();
  const first = inForce.apply('c1', only('a'), RULES, refuse);
  const second = inForce.apply('c1', only('b'), RULES, async () => {});
  await Promise.all([first, second]);
  expect(inForce.of('c1')).toEqual(only('b'));
});

test('another socket has no rules', async () => {
  const inForce = new PageRulesInForce();
  await inForce.apply('c1', { ...only(), everything: true }, RULES, async () => {});
  expect(inForce.holdingEverything).toEqual(['c1']);
  inForce.socketReplaced();
  expect(inForce.of('c1')).toEqual({ ...only(), lost: true });
  expect(inForce.holdingEverything).toEqual([]);
  expect(inForce.of('c2')).toEqual(only());
});

test('the next run of a server has the rules of the run before', async () => {
  const inForce = new PageRulesInForce();
  inForce.connectionChanged({ id: 'c1' });
  inForce.connectionChanged({ id: 'c2' });
  await inForce.apply('c1', { ...only('a'), everything: true }, RULES, async () => {});
  inForce.connectionChanged({ id: 'c1' });
  inForce.connectionChanged({ id: 'c3', entry: 'c1' });
  expect(inForce.of('c3')).toEqual({ ...only('a'), everything: true });
  expect(inForce.of('c1')).toEqual(only());
  expect(inForce.of('c2')).toEqual(only());
  expect(inForce.holdingEverything).toEqual(['c3']);
  inForce.connectionChanged({ id: 'c3', entry: 'c1' });
  expect(inForce.holdingEverything).toEqual(['c3']);
});
