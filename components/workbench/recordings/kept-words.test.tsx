import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { RecordingEntry } from '@/lib/wire/api';
import { deletedWords } from './kept-words';
import { UsedSpace } from './used-space';

const MB = 1_000_000;
const KEEP = { days: 30, bytes: 50 * MB };

test.each([
  [{ old: 0, large: 3 }, '3 recordings, 2.0 MB, were deleted by noon: to keep no more than 50.0 MB.'],
  [{ old: 1, large: 0 }, '1 recording, 2.0 MB, was deleted by noon: older than 30 days.'],
  [
    { old: 1, large: 2 },
    '3 recordings, 2.0 MB, were deleted by noon: 1 older than 30 days, 2 to keep no more than 50.0 MB.',
  ],
])('what went is told with the reason: %j', (counts, words) => {
  expect(deletedWords({ at: '', keep: KEEP, bytes: 2 * MB, ...counts }, 'noon')).toBe(words);
});

test('what is used says when it is too much, and counts nothing that stays', () => {
  const entry = (bytes: number, more: Partial<RecordingEntry>): RecordingEntry => {
    return { id: 'a', name: 'a', at: '', bytes, live: false, ...more };
  };
  const drawn = (...recordings: RecordingEntry[]) =>
    renderToStaticMarkup(<UsedSpace keep={KEEP} recordings={recordings} />).replace(/<[^>]*>/g, '');
  expect(drawn(entry(10 * MB, {}), entry(99 * MB, { stays: true }))).toBe(
    '1 recording, 10.0 MB of 50.0 MB used; besides, 1 that stays, 99.0 MB',
  );
  expect(drawn(entry(122 * MB, {}))).toBe('1 recording, 122 MB of 50.0 MB used72.0 MB too much');
});
