import type { Channel, Frame } from '@/lib/wire/frame';
import type { RecordingSelection } from './format';
import { lifecycleEventOf } from './lifecycle-event';

/** Which frames of a recording go on. */
export interface FrameSelection {
  /** Seqs of the first and the last; absent: from the beginning, to the end. */
  readonly from?: number;
  readonly to?: number;
  /** Channels left out; `lifecycle` never is. */
  readonly without: readonly Channel[];
  /** Seqs outside of it that go on besides, since what is in it needs them. */
  readonly also?: ReadonlySet<number>;
}

/**
 * Whether a frame goes on. Lifecycle frames do: what the connection was, and how it ended, says what all others mean. Of what was put in by
 * who read a recording, its end stays behind, and what stands for a missing frame is chosen as that would be.
 */
export function isSelected(
  selection: FrameSelection,
  { seq, channel, bytes }: Pick<Frame, 'seq' | 'channel' | 'bytes'>,
): boolean {
  const { without, also } = selection;
  if (channel !== 'lifecycle')
    return (isInRange(selection, seq) || also?.has(seq) === true) && !without.includes(channel);
  const event = lifecycleEventOf(bytes)?.event;
  return event === 'missing' ? isInRange(selection, seq) : event !== 'recording-ends';
}

/** Whether a frame is between the first and the last. */
export function isInRange({ from = 1, to = Number.POSITIVE_INFINITY }: FrameSelection, seq: number): boolean {
  return seq >= from && seq <= to;
}

/** What the header says of it; undefined if all of the `of` frames go on. */
export function selectionFacts(selection: FrameSelection, of: number): RecordingSelection | undefined {
  const { from = 1, to = of, without, also } = selection;
  if (from <= 1 && to >= of && without.length === 0) return undefined;
  return { of, from: Math.max(1, from), to: Math.min(to, of), without, ...(also && { also: also.size }) };
}
