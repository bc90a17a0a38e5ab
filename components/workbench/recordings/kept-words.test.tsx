import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { RecordingEntry } from '@/lib/wire/api';
import { deletedWords, mib } from './kept-words';
import { UsedSpace } from './used-space';

const MIB = 1024 ** 2;
const KEEP = { days: 30, bytes: 50 * MIB };

test.each([
  [0, 'less than 0.1 MiB'],
  [50 * MIB, '50 MiB'],
  [12.34 * MIB, '12.3 MiB'],
])('%d bytes are %s', (bytes, words) => {
  expect(mib(bytes)).toBe(words);
});

test.each([
  [{ old: 0, large: 3 }, '3 recordings, 2 MiB, were deleted by noon: to keep no more than 50 MiB.'],
  [{ old: 1, large: 0 }, '1 recording, 2 MiB, was deleted by noon: older than 30 days.'],
  [
    { old: 1, large: 2 },
    '3 recordings, 2 MiB, were deleted by noon: 1 older than 30 days, 2 to keep no more than 50 MiB.',
  ],
])('what went is told with the reason: %j', (counts, words) => {
  expect(deletedWords({ at: '', keep: KEEP, bytes: 2 * MIB, ...counts }, 'noon')).toBe(words);
});

test('what is used says when it is too much, and counts nothing that stays', () => {
  const entry = (bytes: number, more: Partial<RecordingEntry>): RecordingEntry => {
    return { id: 'a', name: 'a', at: '', bytes, live: false, ...more };
  };
  const drawn = (...recordings: RecordingEntry[]) =>
    renderToStaticMarkup(<UsedSpace keep={KEEP} recordings={recordings} />).replace(/<[^>]*>/g, '');
  expect(drawn(entry(10 * MIB, {}), entry(99 * MIB, { stays: true }))).toBe(
    '1 recording, 10 MiB of 50 MiB used; besides, 1 that stays, 99 MiB',
  );
  expect(drawn(entry(122 * MIB, {}))).toBe('1 recording, 122 MiB of 50 MiB used72 MiB too much');
});
