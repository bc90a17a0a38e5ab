import { expect, test } from 'vitest';
import type { PlayStep } from '@/lib/replay/compare/recorded-client';
import type { RecordedCall } from '@/lib/replay/traffic/recorded-traffic';
import { fewestMessages, type Oracle, smallestArguments } from './minimise';

/** A call of a tool. `answer`: text of its result. */
function call(seq: number, name: string, given: object, answer = '{}'): PlayStep {
  const params = JSON.stringify({ name, arguments: given });
  const recorded = { kind: 'call', seq, method: 'tools/call', name, params, answer: { kind: 'result', text: answer } };
  return { kind: 'call', call: recorded as unknown as RecordedCall, params };
}

const textOf = (step: PlayStep): string => ('params' in step && step.params) || '';

/** Plays on a server that fails as soon as `fails` is true for the messages so far, and counts its starts. */
function server(fails: (texts: readonly string[]) => boolean): Oracle & { starts: number } {
  return {
    starts: 0,
    namesMessage: true,
    async play(steps) {
      this.starts++;
      const texts = steps.map(textOf);
      for (let count = 0; count <= texts.length; count++) if (fails(texts.slice(0, count))) return count;
      return undefined;
    },
  };
}

const names = (steps: readonly PlayStep[]) => steps.map((step) => JSON.parse(textOf(step)).name);

test('finds a cause by the value that it returned', async () => {
  const steps = Array.from({ length: 500 }, (_, at) => call(at, 'other', { at }));
  steps[200] = call(200, 'open', {}, '{"handle":"h-12345"}');
  steps.push(call(500, 'close', { handle: 'h-12345' }));
  const oracle = server((texts) => texts.some((text) => text.includes('open')) && texts.at(-1)!.includes('close'));
  expect(names(await fewestMessages(steps, oracle, 2, () => {}))).toEqual(['open', 'close']);
  expect(oracle.starts).toBeLessThan(10);
});

test('says so with no message if the handshake fails', async () => {
  const steps = [call(1, 'a', {}), call(2, 'b', {})];
  expect(
    await fewestMessages(
      steps,
      server(() => true),
      2,
      () => {},
    ),
  ).toEqual([]);
});

test('tries many values on one server', async () => {
  const given = { a: 1, list: [{ x: 1 }, { bad: [1, 2] }, { y: 2 }], z: 'long text' };
  const oracle = server((texts) => texts.some((text) => text.includes('"bad"')));
  const [found] = await smallestArguments([call(1, 'a', given)], oracle, 2, () => {});
  expect(JSON.parse(textOf(found!)).arguments).toEqual({ list: [{ bad: [] }] });
  expect(oracle.starts).toBeLessThan(16);
});

test('is not misled by values that fail only after others', async () => {
  // Fails at the second message, whatever it is, and at one that is bad.
  const oracle = server((texts) => texts.length >= 2 || texts.some((text) => text.includes('"bad"')));
  const [found] = await smallestArguments([call(1, 'a', { good: 1, bad: 2, more: 3 })], oracle, 2, () => {});
  expect(JSON.parse(textOf(found!)).arguments).toEqual({ bad: 2 });
});

test('makes the arguments of each message smaller', async () => {
  const steps = [call(1, 'a', { one: 'first', other: 1 }), call(2, 'b', { two: 'second', other: 2 })];
  const oracle = server((texts) => texts[0]?.includes('"one"') === true && texts[1]?.includes('"two"') === true);
  const found = await smallestArguments(steps, oracle, 2, () => {});
  expect(found.map((step) => JSON.parse(textOf(step)).arguments)).toEqual([{ one: '' }, { two: '' }]);
});
