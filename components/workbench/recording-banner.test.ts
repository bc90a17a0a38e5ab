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
  ['nothing for a complete recording', WHOLE, []],
  [
    'part of a recording',
    { ...WHOLE, selection: { of: 1200, from: 10, to: 1100, without: ['stderr', 'http'] } },
    ['This is part of a recording of 1,200 frames: frames 10 to 1,100 without stderr and http, renumbered.'],
  ],
  [
    'part of a recording, with frames that complete it',
    { ...WHOLE, selection: { of: 20, from: 10, to: 12, without: [], also: 3 } },
    [
      'This is part of a recording of 20 frames: frames 10 to 12, renumbered. 3 other frames were kept to complete the handshake, lists and exchanges.',
    ],
  ],
  [
    'very many secrets',
    { ...WHOLE, report: { ...report, forgotten: 12 } },
    [
      'There were more than 1,000 secrets, so later repeats of the oldest 12 may not be masked. Review the recording before sharing it.',
    ],
  ],
  [
    'very many missing frames',
    { ...WHOLE, report: { ...report, complete: false, missing: 1e9, renumberedFrom: 13 } },
    [
      '1,000,000,000 frames are missing.',
      'Too many frames are missing to show each one. From frame 13 on, numbers are lower than in the file.',
    ],
  ],
  ['nothing while it is being read', { file: 'a', by: '', reading: { done: 1, of: 2 } }, []],
  ['opened by its index', { file: 'a', by: '', checking: true }, ['Checking the recording against its index…']],
  [
    'read in parts from a host, which refuses the last part',
    { file: 'a', by: '', from: 'a.example', inParts: true, unfetched: 'a.example refused. Ask.', unsaved: 'No file.' },
    ['a.example refused. Ask.', 'Your notes are not in the file. No file.'],
  ],
  [
    'a wrong index',
    { ...WHOLE, indexIgnored: true },
    ['The recording’s index does not match its lines, so it was read line by line.'],
  ],
  [
    'a last line that is cut off',
    { ...WHOLE, report: { ...report, ended: false, complete: false, torn: true } },
    ['The recording is incomplete: its last line is cut off.'],
  ],
  [
    'a damaged line before the end line',
    { ...WHOLE, report: { ...report, complete: false, damaged: { count: 1, lines: [3] } } },
    ['Line 3 is damaged and was skipped.'],
  ],
  [
    'an end line with another count',
    { ...WHOLE, report: { ...report, complete: false } },
    ['The end line declares a different number of frames.'],
  ],
  [
    'no end line',
    { ...WHOLE, report: { ...report, ended: false, complete: false } },
    ['The end line is missing: the recording was still being written, or its writer was stopped.'],
  ],
  [
    'a tap that has stopped recording',
    { ...WHOLE, report: { ...report, ended: false, complete: false, torn: true }, tap: { unrecorded: true } },
    [
      'The tap has stopped recording, and the session goes on: what passes now is in no recording. The stderr of the tap, usually in the host’s log, says why.',
    ],
  ],
  [
    'made from an incomplete recording',
    { ...WHOLE, lacks: { end: true, damaged: 2, missing: 1 } },
    ['It was made from an incomplete recording: its end was missing, 2 lines were damaged, 1 frame was missing.'],
  ],
  [
    'a damaged line and an unknown one',
    { ...WHOLE, report: { ...report, damaged: { count: 1, lines: [7] }, unknown: 1 } },
    ['Line 7 is damaged and was skipped.', '1 line has an unknown kind.'],
  ],
  [
    'changed after it was written',
    { ...WHOLE, report: { ...report, changed: true } },
    [
      'This file was changed after it was written: its checksum does not match. Compare it with the original before you rely on it.',
    ],
  ],
  [
    'lines with lost long strings',
    { ...WHOLE, report: { ...report, damaged: { count: 3, lines: [4, 5, 6] }, withoutBlob: 2 } },
    ['3 lines are damaged and were skipped: 4, 5, 6.', '2 lines refer to long strings that are not in the file.'],
  ],
  [
    'more damaged lines than are listed',
    { ...WHOLE, report: { ...report, damaged: { count: 1234, lines: [7, 8] }, missing: 2 } },
    ['1,234 lines are damaged and were skipped: 7, 8 ….', '2 frames are missing.'],
  ],
])('notices: %s', (_what, facts, words) => {
  expect(recordingNotices(facts)).toEqual(words);
});

test('says how to save notes that are not in the file', () => {
  const unsaved = { ...WHOLE, unsaved: 'A disk is full. Notes are lost when you close the recording.' };
  expect(recordingNotices(unsaved)).toEqual([
    'Your notes are not in the file. A disk is full. Notes are lost when you close the recording.',
  ]);
  expect(recordingNotices(unsaved, true)).toEqual([
    'Your notes are not in the file. Press Save recording to get a file that has them.',
  ]);
});

test.each<[string, number, string | undefined]>([
  ['share/1', 4, 'secrets masked in 4 places before sharing'],
  ['capture/2', 1, 'secrets masked in 1 place while recording'],
  ['capture/2', 0, undefined],
])('redaction policy %s with %i masked places', (policy, masked, words) => {
  const facts = { ...WHOLE, policy, report: { ...report, masked } };
  expect(redactionNotice(facts)).toBe(words);
  expect(recordingNotices(facts)).toEqual([]);
});
