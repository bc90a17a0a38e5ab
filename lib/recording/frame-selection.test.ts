import { expect, test } from 'vitest';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { type FrameSelection, isSelected } from './frame-selection';
import { bytesOfEvent } from './lifecycle-event';

const RANGE: FrameSelection = { from: 5, to: 9, without: ['stderr'], also: new Set([2]) };
const event = (seq: number, said: LifecycleEvent) =>
  ({ seq, channel: 'lifecycle', bytes: bytesOfEvent(said) }) as const;
const message = (seq: number, channel: 'protocol' | 'stderr' = 'protocol') => ({
  seq,
  channel,
  bytes: new Uint8Array(2),
});

test('a range has what is in it, what that needs, and what happened to the connection', () => {
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

test('what a reader put in is nothing that happened: of it only what is missing in the range goes on', () => {
  const missing = { event: 'missing', frames: 1 } as const;
  const frames = [event(4, missing), event(5, missing), event(9, { event: 'missing' }), event(10, missing)];
  expect(frames.filter((frame) => isSelected(RANGE, frame)).map(({ seq }) => seq)).toEqual([5, 9]);
  expect(isSelected({ without: [] }, event(7, { event: 'recording-ends' }))).toBe(false);
});
