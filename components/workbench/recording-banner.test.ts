import { expect, test } from 'vitest';
import type { RecordingFacts } from '@/lib/wire/recording-facts';
import { recordingNotices, redactionNotice } from './recording-banner';

const WHOLE: RecordingFacts = {
  file: 'a.mcpr.jsonl',
  by: 'mcp-inspect/1',
  report: {
    frames: 4,
    last: 4,
    damaged: { count: 0, lines: [] },
    missing: 0,
    unknown: 0,
    withoutBlob: 0,
    changed: false,
    masked: 0,
    torn: false,
    ended: true,
    complete: true,
  },
};
const report = WHOLE.report!;

test.each<[string, RecordingFacts, readonly string[]]>([
  ['a whole one has nothing special', WHOLE, []],
  [
    'a part of one',
    { ...WHOLE, selection: { of: 1200, from: 10, to: 1100, without: ['stderr', 'http'] } },
    ['It is a part of a recording of 1,200 frames: 10 to 1,100 without stderr and http, numbered anew.'],
  ],
  [
    'a part with what it needs',
    { ...WHOLE, selection: { of: 20, from: 10, to: 12, without: [], also: 3 } },
    [
      'It is a part of a recording of 20 frames: 10 to 12, numbered anew, and 3 frames besides that the handshake, lists and exchanges need to be whole.',
    ],
  ],
  [
    'one of very many secrets',
    { ...WHOLE, report: { ...report, forgotten: 12 } },
    [
      'More than 1,000 different secrets were taken out. The oldest 12 of them were not looked for to the end: look for them before you give it away.',
    ],
  ],
  [
    'one of which very much is missing',
    { ...WHOLE, report: { ...report, complete: false, missing: 1e9, renumberedFrom: 13 } },
    [
      '1,000,000,000 frames are missing.',
      'Too many frames are missing to show each one. From frame 13 on, numbers are lower than in the file.',
    ],
  ],
  ['one being read', { file: 'a', by: '' }, ['It is still being read.']],
  [
    'one opened by its index',
    { file: 'a', by: '', checking: true },
    ['Its lines are still being checked against its index.'],
  ],
  [
    'one whose index was wrong',
    { ...WHOLE, indexIgnored: true },
    ['Its index does not say what its lines say, so it was read line by line.'],
  ],
  [
    'one that was cut off',
    { ...WHOLE, report: { ...report, ended: false, complete: false, torn: true } },
    ['It is incomplete: its last line was cut off.'],
  ],
  [
    'one with damage before its end, which is there',
    { ...WHOLE, report: { ...report, complete: false, damaged: { count: 1, lines: [3] } } },
    ['Line 3 is damaged and left out.'],
  ],
  [
    'one whose end counts otherwise',
    { ...WHOLE, report: { ...report, complete: false } },
    ['Its end tells of another number of frames than there are.'],
  ],
  [
    'one that has no end, and may be written still',
    { ...WHOLE, report: { ...report, ended: false, complete: false } },
    ['It has no end: it was still being written when it was opened, or whoever wrote it was ended before.'],
  ],
  [
    'one made from an incomplete one',
    { ...WHOLE, lacks: { end: true, damaged: 2, missing: 1 } },
    ['It was made from an incomplete recording: its end was missing, 2 lines were damaged, 1 frame was missing.'],
  ],
  [
    'one with damage',
    { ...WHOLE, report: { ...report, damaged: { count: 1, lines: [7] }, unknown: 1 } },
    ['Line 7 is damaged and left out.', 'One line is of a kind that is not known here.'],
  ],
  [
    'one that was changed',
    { ...WHOLE, report: { ...report, changed: true } },
    [
      'This file was changed after it was written: its checksum does not match. Compare it with the original before you rely on it.',
    ],
  ],
  [
    'one that lost long strings',
    { ...WHOLE, report: { ...report, damaged: { count: 3, lines: [4, 5, 6] }, withoutBlob: 2 } },
    ['3 lines are damaged and left out: 4, 5, 6.', '2 lines refer to long strings that are not in the file.'],
  ],
  [
    'one with more damage than is told',
    { ...WHOLE, report: { ...report, damaged: { count: 1234, lines: [7, 8] }, missing: 2 } },
    ['1,234 lines are damaged and left out: 7, 8 ….', '2 frames are missing.'],
  ],
])('%s', (_what, facts, words) => {
  expect(recordingNotices(facts)).toEqual(words);
});

test('notes that are not in the file say how to have them in one', () => {
  const unsaved = { ...WHOLE, unsaved: 'A disk is full. Notes are lost when you close the recording.' };
  expect(recordingNotices(unsaved)).toEqual([
    'Your notes are not in the file. A disk is full. Notes are lost when you close the recording.',
  ]);
  expect(recordingNotices(unsaved, true)).toEqual([
    'Your notes are not in the file. Save recording makes one that has them.',
  ]);
});

test('a newer one says so first', () => {
  expect(recordingNotices({ ...WHOLE, newer: 9 })[0]).toContain('version 9');
});

test.each<[string, number, string | undefined]>([
  ['share/1', 4, 'Secrets were taken out before it was shared: 4 places are masked.'],
  ['capture/2', 1, 'Secrets were taken out while it was recorded: one place is masked.'],
  ['capture/2', 0, undefined],
])('by %s, %i masked places', (policy, masked, words) => {
  const facts = { ...WHOLE, policy, report: { ...report, masked } };
  expect(redactionNotice(facts)).toBe(words);
  expect(recordingNotices(facts)).toEqual([]);
});
