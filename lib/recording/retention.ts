import { isObject, own } from '@/lib/json/value';
import type { RetentionSettings } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';

export const DAY_MS = 24 * 60 * 60_000;

/** Facts that decide whether a recording is deleted. */
interface Deletable {
  readonly bytes: number;
  /** Time of the last write, in Unix ms. */
  readonly changedAt: number;
}

/**
 * Returns the recordings to delete: those that are too old, and those that do not fit in the space that newer ones
 * leave. The newest is never deleted for its size. If it alone exceeds the limit, nothing is deleted for size, since
 * that would not help.
 */
export function recordingsToDelete<One extends Deletable>(
  those: readonly One[],
  { days, bytes }: RetentionSettings,
  now: number,
): readonly { readonly one: One; readonly for: 'age' | 'size' }[] {
  const newestFirst = those.toSorted((a, b) => b.changedAt - a.changedAt);
  let room = bytes;
  return newestFirst.flatMap((one, place) => {
    if (now - one.changedAt > days * DAY_MS) return { one, for: 'age' as const };
    if (place > 0 && room >= 0 && one.bytes > room) return { one, for: 'size' as const };
    room -= one.bytes;
    return [];
  });
}

/** Returns true for whole days and bytes within bounds. */
export function isRetention(value: unknown): value is RetentionSettings {
  if (!isObject(value)) return false;
  const within = (number: unknown, most: number) =>
    Number.isSafeInteger(number) && (number as number) >= 1 && (number as number) <= most;
  return within(own(value, 'days'), LIMITS.keepDaysMost) && within(own(value, 'bytes'), LIMITS.keepBytesMost);
}
