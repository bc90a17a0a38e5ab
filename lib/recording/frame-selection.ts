import type { Channel } from '@/lib/wire/frame';
import type { RecordingSelection } from './format';

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
 * Whether a frame goes on. Lifecycle frames always do: what the connection was, and how it ended, says what all others mean.
 */
export function isSelected(
  { from = 1, to = Number.POSITIVE_INFINITY, without, also }: FrameSelection,
  seq: number,
  channel: Channel,
): boolean {
  if (channel === 'lifecycle') return true;
  return ((seq >= from && seq <= to) || also?.has(seq) === true) && !without.includes(channel);
}

/** What the header says of it; undefined if all of the `of` frames go on. */
export function selectionFacts(selection: FrameSelection, of: number): RecordingSelection | undefined {
  const { from = 1, to = of, without, also } = selection;
  if (from <= 1 && to >= of && without.length === 0) return undefined;
  return { of, from: Math.max(1, from), to: Math.min(to, of), without, ...(also && { also: also.size }) };
}
