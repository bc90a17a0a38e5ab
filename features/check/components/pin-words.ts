import type { PinStatus } from '@/features/check/lib/pins/pin-results';
import type { PinEntry } from '@/features/check/lib/pins/pins-api';
import { formatDuration } from '@/lib/wire/format';
import type { PinOutcome } from '@/lib/wire/pins';

/** How a pinned call stands, as shown. */
interface StatusWords {
  readonly glyph: string;
  readonly word: string;
  readonly tone: 'ok' | 'warn' | 'error' | 'muted';
  /** Its meaning. */
  readonly about: string;
}

export const STATUS_WORDS: Readonly<Record<PinStatus, StatusWords>> = {
  same: { glyph: '✓', word: 'same', tone: 'ok', about: 'The answer is the accepted one' },
  changed: { glyph: '≠', word: 'changed', tone: 'warn', about: 'The answer differs from the accepted one' },
  broken: { glyph: '×', word: 'broken', tone: 'error', about: 'There is no result where one was accepted' },
  new: { glyph: '+', word: 'new', tone: 'muted', about: 'Nothing is accepted yet' },
  skipped: { glyph: '–', word: 'skipped', tone: 'warn', about: 'A value that it uses is missing' },
  outdated: {
    glyph: '↻',
    word: 'run again',
    tone: 'muted',
    about: 'The accepted answer has changed since it was played',
  },
  unplayed: { glyph: '·', word: 'not run', tone: 'muted', about: 'Not played on this connection yet' },
};

/** Returns what a call is called without a name: `tools/call add`. */
export function plainName({ method, target }: Pick<PinEntry, 'method' | 'target'>): string {
  return target === undefined ? method : `${method} ${target}`;
}

/** True if somebody named the call. */
export function isNamed(pin: PinEntry): boolean {
  return pin.name !== plainName(pin);
}

/** Share of the last time below which a difference is noise. */
const NOISE = 0.1;

/** Returns the time of a call, and how it compares with the last one: "12 ms, was 40 ms". */
export function timeText({ ms, msBefore }: Pick<PinOutcome, 'ms' | 'msBefore'>): string {
  const now = formatDuration(ms * 1000);
  if (msBefore === undefined) return now;
  const before = formatDuration(msBefore * 1000);
  return before === now || Math.abs(ms - msBefore) < msBefore * NOISE ? `${now}, as before` : `${now}, was ${before}`;
}
