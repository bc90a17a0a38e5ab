import { expect, test } from 'vitest';
import { type PlayStep, playPlan } from '@/lib/replay/compare/recorded-client';
import { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import { Search } from './search';

const callOf = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

/** The steps of a client that sent these messages. */
function stepsOf(...messages: readonly object[]): readonly PlayStep[] {
  const reader = new TrafficReader();
  for (const [at, message] of messages.entries()) {
    const bytes = new TextEncoder().encode(JSON.stringify(message));
    reader.addFrame({ seq: at + 1, time: at, channel: 'protocol', direction: 'to-server', flags: 0, bytes });
  }
  return playPlan(reader.traffic(), new Map(), true);
}

const namesOf = (steps: readonly PlayStep[]) => steps.map((step) => (step.kind === 'call' ? step.call.name : ''));

test.each(['a', 'b', 'c'])('tells the messages of a batch apart: only %s is needed', async (needed) => {
  const steps = stepsOf([callOf(1, 'a'), callOf(2, 'b'), callOf(3, 'c')], callOf(4, 'fails'));
  const trials = {
    count: 0,
    stop: () => {},
    play: async (some: readonly PlayStep[]) => {
      const names = namesOf(some);
      const fails = names.includes(needed) && names.at(-1) === 'fails';
      return fails ? { count: some.length, isAtEnd: false } : undefined;
    },
  };
  const search = new Search(trials, 1, () => {});
  expect(namesOf(await search.run(steps))).toEqual([needed, 'fails']);
});
