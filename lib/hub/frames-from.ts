import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { Segment } from './segment';

/** The frames of a segment from a seq on, a portion of them. */
export function framesFrom(segment: Segment, seq: number): readonly Frame[] {
  const from = seq - segment.first;
  const to = Math.min(segment.count, from + LIMITS.recordedAtOnce);
  return Array.from({ length: to - from }, (_, index) => segment.frame(from + index));
}
