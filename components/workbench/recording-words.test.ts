import { expect, test } from 'vitest';
import type { RecordingFacts } from '@/lib/wire/recording-facts';
import { recordingWords } from './recording-words';

const WHOLE: RecordingFacts = {
  file: 'a.mcpr.jsonl',
  by: 'mcp-inspect/1',
  report: { frames: 4, damaged: { count: 0, lines: [] }, missing: 0, unknown: 0, torn: false, complete: true },
};
const report = WHOLE.report!;

test.each<[string, RecordingFacts, readonly string[]]>([
  ['a whole one has nothing special', WHOLE, []],
  [
    'a part of one',
    { ...WHOLE, selection: { of: 1200, from: 10, to: 1100, without: ['stderr', 'http'] } },
    ['It is a part of a recording of 1,200 frames: 10 to 1,100 without stderr and http, numbered anew.'],
  ],
  ['one being read', { file: 'a', by: '' }, ['It is still being read.']],
  [
    'one that was cut off',
    { ...WHOLE, report: { ...report, complete: false, torn: true } },
    ['It is incomplete: its last line was cut off.'],
  ],
  [
    'one with damage',
    { ...WHOLE, report: { ...report, damaged: { count: 1, lines: [7] }, unknown: 1 } },
    ['Line 7 is damaged and left out.', 'One line is of a kind that is not known here.'],
  ],
  [
    'one with more damage than is told',
    { ...WHOLE, report: { ...report, damaged: { count: 1234, lines: [7, 8] }, missing: 2 } },
    ['1,234 lines are damaged and left out: 7, 8 ….', '2 frames are missing.'],
  ],
])('%s', (_what, facts, words) => {
  expect(recordingWords(facts)).toEqual(words);
});

test('a newer one says so first', () => {
  expect(recordingWords({ ...WHOLE, newer: 9 })[0]).toContain('version 9');
});
