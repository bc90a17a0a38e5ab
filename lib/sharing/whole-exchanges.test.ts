import { expect, test } from 'vitest';
import { answered, asked, type FrameSeed, framesOf, got, sent } from '@/lib/store/test-frames';
import { WholeExchanges } from './whole-exchanges';

function alsoOf(seeds: readonly FrameSeed[], from: number, to?: number): readonly number[] {
  const exchanges = new WholeExchanges({ from, ...(to !== undefined && { to }), without: [] });
  for (const frame of framesOf(seeds)) exchanges.add(frame);
  return [...(exchanges.selection().also ?? [])].sort((one, other) => one - other);
}

const call = (id: number) => [asked(id, 'tools/call', { name: 'add' }), answered(id, { content: [] })];
const page = (id: number, cursor?: string) => [
  asked(id, 'tools/list', cursor === undefined ? undefined : { cursor }),
  answered(id, { tools: [] }),
];

test('the newest reading of a list before the end of a range goes along, with all of its pages', () => {
  // 1–2 an old reading, 3–6 the newest one, 7–8 the range, 9–10 came later.
  const seeds = [...page(1), ...page(2), ...page(3, 'b'), ...call(4), ...page(5)];
  expect(alsoOf(seeds, 7, 8)).toEqual([3, 4, 5, 6]);
  expect(alsoOf(seeds, 9)).toEqual([]);
});

test('each list goes along, with the HTTP exchange that carried it', () => {
  const http = (kind: string, direction: 'to-server' | 'to-client'): FrameSeed => ({
    ...(direction === 'to-server' ? sent({ kind, exchange: 1 }) : got({ kind, exchange: 1 })),
    channel: 'http',
  });
  const seeds = [
    http('request', 'to-server'),
    asked(1, 'prompts/list'),
    http('body', 'to-client'),
    answered(1, { prompts: [] }),
    http('end', 'to-client'),
    ...page(2),
    ...call(3),
  ];
  expect(alsoOf(seeds, 8, 9)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a list that was not answered by the end of the range is not taken for what was known then', () => {
  const seeds = [...page(1), asked(2, 'tools/list'), ...call(3), answered(2, { tools: [] })];
  expect(alsoOf(seeds, 4, 5)).toEqual([1, 2]);
});
