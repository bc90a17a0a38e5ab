import type { RetentionSettings } from '@/lib/wire/api';

const DAY_MS = 24 * 60 * 60_000;

/** What is known of a recording that may be deleted. */
interface Deletable {
  readonly bytes: number;
  /** When it was last written to, in ms since 1970. */
  readonly changedAt: number;
}

/**
 * Which of them are not kept any longer, each with the reason: too old, or too large for what the newer ones leave of the size. The
 * newest never goes for its size. Is that alone larger than what is kept, then nothing goes for it, since that would not help.
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
