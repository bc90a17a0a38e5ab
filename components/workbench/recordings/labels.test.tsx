import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { RecordingEntry } from '@/lib/wire/api';
import { deletedNotice, matchesSearch, otherRecordingNames, recordingMarks, recordingName } from './labels';
import { UsedSpace } from './retention';

const ENTRY: RecordingEntry = {
  id: 'a.mcpr.jsonl',
  name: 'server.mjs',
  at: '2026-01-01T00:00:00.000Z',
  bytes: 1,
  live: false,
};
const report = {
  frames: 1,
  last: 1,
  missing: 0,
  unknown: 0,
  withoutBlob: 0,
  changed: false,
  masked: 0,
  torn: false,
  ended: true,
  complete: true,
};
const checked = (damaged: number, more: object = {}) => ({
  problems: 0,
  frames: 1,
  durationUs: 0,
  report: { ...report, damaged: { count: damaged, lines: [] }, ...more },
});

test.each<[string, Partial<RecordingEntry>, ReturnType<typeof checked> | undefined, string[]]>([
  ['a complete one', { incomplete: false }, undefined, []],
  ['one in a newer format', { newer: 9 }, undefined, ['newer format']],
  ['an imported one', { id: '20260101T000000Z-x-imported-0123abcd.mcpr.gz' }, undefined, ['imported']],
  ['one of a server named "imported"', { id: '20260101T000000Z-x-imported-p12-0123abcd.mcpr.jsonl' }, undefined, []],
  ['one being written', { live: true, incomplete: true }, undefined, ['being recorded']],
  ['one without an end line', { incomplete: true }, undefined, ['incomplete']],
  ['one without an end line, found by reading', {}, checked(0, { ended: false }), ['incomplete']],
  ['one with damage found by reading', { incomplete: false }, checked(1), ['1 damaged line']],
  [
    'one with more damage',
    { incomplete: false },
    checked(1234, { missing: 2 }),
    ['1,234 damaged lines', '2 missing frames'],
  ],
  ['one that was changed', {}, checked(0, { changed: true }), ['changed']],
  ['an unreadable file', { unreadable: true }, undefined, ['not a recording']],
])('badges of %s', (_what, entry, found, words) => {
  expect(recordingMarks({ ...ENTRY, ...entry }, found).map(({ word }) => word)).toEqual(words);
});

test('explains damaged lines', () => {
  const [mark] = recordingMarks(ENTRY, checked(3, { withoutBlob: 2 }));
  expect(mark?.why).toBe('Damaged lines are skipped. 2 lines refer to long strings that are not in the file.');
});

test('a person’s name comes first, then the server’s, each once', () => {
  expect(recordingName(ENTRY)).toBe('server.mjs');
  const own = { ...ENTRY, server: 'Lighthouse' };
  expect([recordingName(own), otherRecordingNames(own)]).toEqual(['Lighthouse', 'server.mjs']);
  const named = { ...own, about: { name: 'Before the fix', text: 'It lists twice' } };
  expect([recordingName(named), otherRecordingNames(named)]).toEqual(['Before the fix', 'Lighthouse · server.mjs']);
  expect(otherRecordingNames({ ...ENTRY, server: 'server.mjs', about: { name: '', text: '' } })).toBe('');
});

test('searches names, note, id and time', () => {
  const entry = { ...ENTRY, server: 'Lighthouse', about: { name: '', text: 'It lists twice' } };
  for (const words of ['', 'light', 'TWICE server', '2026-01', 'a.mcpr'])
    expect(matchesSearch(entry, words)).toBe(true);
  expect(matchesSearch(entry, 'light dark')).toBe(false);
});

const MB = 1_000_000;
const KEEP = { days: 30, bytes: 50 * MB };

test.each([
  [
    { old: 0, large: 3 },
    'Deleted automatically: 3 recordings (2.0 MB), most recently noon. Reason: over the limit of 50.0 MB.',
  ],
  [
    { old: 1, large: 0 },
    'Deleted automatically: 1 recording (2.0 MB), most recently noon. Reason: older than 30 days.',
  ],
  [
    { old: 1, large: 2 },
    'Deleted automatically: 3 recordings (2.0 MB), most recently noon. Reason: 1 older than 30 days, 2 over the limit of 50.0 MB.',
  ],
])('says what was deleted and why: %j', (counts, words) => {
  expect(deletedNotice({ at: '', keep: KEEP, bytes: 2 * MB, ...counts }, 'noon')).toBe(words);
});

test('shows when the limit is exceeded, and counts exempt recordings apart', () => {
  const entry = (bytes: number, more: Partial<RecordingEntry>): RecordingEntry => {
    return { id: 'a', name: 'a', at: '', bytes, live: false, ...more };
  };
  const drawn = (...recordings: RecordingEntry[]) =>
    renderToStaticMarkup(<UsedSpace keep={KEEP} recordings={recordings} />).replace(/<[^>]*>/g, '');
  expect(drawn(entry(10 * MB, {}), entry(99 * MB, { stays: true }))).toBe(
    '1 recording, 10.0 MB of 50.0 MB used; 1 exempt, 99.0 MB',
  );
  expect(drawn(entry(122 * MB, {}))).toBe('1 recording, 122 MB of 50.0 MB used72.0 MB over the limit');
});
