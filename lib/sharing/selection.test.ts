import { expect, test } from 'vitest';
import { encodeEvent } from '@/lib/recording/lifecycle-event';
import { readFrame } from '@/lib/store/classify';
import { answered, asked, type FrameSeed, framesOf, got, sent } from '@/lib/store/test-frames';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { type FrameSelection, isSelected, SelectionCompleter } from './selection';

const RANGE: FrameSelection = { from: 5, to: 9, without: ['stderr'], also: new Set([2]) };
const event = (seq: number, said: LifecycleEvent) => ({ seq, channel: 'lifecycle', bytes: encodeEvent(said) }) as const;
const message = (seq: number, channel: 'protocol' | 'stderr' = 'protocol') => ({
  seq,
  channel,
  bytes: new Uint8Array(2),
});

test('selects a range, the frames that explain it, and lifecycle frames', () => {
  const frames = [
    message(2),
    message(4),
    message(5),
    message(6, 'stderr'),
    message(10),
    event(11, { event: 'closed' }),
  ];
  expect(frames.filter((frame) => isSelected(RANGE, frame)).map(({ seq }) => seq)).toEqual([2, 5, 11]);
});

test('selects placeholders in the range, but no other frames that a reader added', () => {
  const missing = { event: 'missing', frames: 1 } as const;
  const frames = [event(4, missing), event(5, missing), event(9, { event: 'missing' }), event(10, missing)];
  expect(frames.filter((frame) => isSelected(RANGE, frame)).map(({ seq }) => seq)).toEqual([5, 9]);
  expect(isSelected({ without: [] }, event(7, { event: 'recording-ends' }))).toBe(false);
});

function alsoOf(seeds: readonly FrameSeed[], from: number, to?: number): readonly number[] {
  const exchanges = new SelectionCompleter({ from, ...(to !== undefined && { to }), without: [] });
  for (const frame of framesOf(seeds)) exchanges.addFrame(frame, () => readFrame(frame).value);
  return [...(exchanges.selection().also ?? [])].sort((one, other) => one - other);
}

const call = (id: number) => [asked(id, 'tools/call', { name: 'add' }), answered(id, { content: [] })];
const page = (id: number, cursor?: string) => [
  asked(id, 'tools/list', cursor === undefined ? undefined : { cursor }),
  answered(id, { tools: [] }),
];

test('includes the newest list before the end of a range, with all pages', () => {
  // 1–2: an old list, 3–6: the newest one, 7–8: the range, 9–10: later.
  const seeds = [...page(1), ...page(2), ...page(3, 'b'), ...call(4), ...page(5)];
  expect(alsoOf(seeds, 7, 8)).toEqual([3, 4, 5, 6]);
  expect(alsoOf(seeds, 9)).toEqual([]);
});

test('includes each list with its HTTP exchange', () => {
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

test('ignores a list without a response in the range', () => {
  const seeds = [...page(1), asked(2, 'tools/list'), ...call(3), answered(2, { tools: [] })];
  expect(alsoOf(seeds, 4, 5)).toEqual([1, 2]);
});
