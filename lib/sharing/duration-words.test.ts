import { expect, test } from 'vitest';
import { formatDuration } from '@/components/ui/format';
import { durationWords } from './duration-words';

test.each([0, 412, 999.4, 999.5, 2400, 99_940, 99_950, 999_400, 2_010_000, 33_730_000, 59_995_000, 185_000_000])(
  '%d µs is the same here and in the log',
  (us) => {
    expect(durationWords(us)).toBe(formatDuration(us));
  },
);
