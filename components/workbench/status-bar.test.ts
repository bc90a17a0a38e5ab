import { expect, test } from 'vitest';
import { behindLabel, type RecordingStatusFacts, recordingStatus } from './status-bar';

test('shows how far a live log is behind, and how much of a recording is read', () => {
  expect(behindLabel(7151, 140_000, false)).toBe('7,151 frames behind');
  expect(behindLabel(7151, 140_000, true)).toBe('Reading: 94 %');
  expect(behindLabel(1, 140_000, true)).toBe('Reading: 99 %');
});

const LIVE: RecordingStatusFacts = {
  isRecorded: true,
  isLive: true,
  file: '/kept/a.mcpr.jsonl',
  unwritten: undefined,
  failure: undefined,
};

test.each<[Partial<RecordingStatusFacts>, ReturnType<typeof recordingStatus>]>([
  [{}, { tone: 'calm', isWritten: true, words: 'recording', why: 'Recording in /kept/a.mcpr.jsonl.' }],
  [{ file: undefined }, { tone: 'calm', isWritten: true, words: 'recording', why: 'Recording.' }],
  ...[true, false].map((isLive): [Partial<RecordingStatusFacts>, ReturnType<typeof recordingStatus>] => [
    { isLive, unwritten: 40_000 },
    {
      tone: 'calm',
      isWritten: true,
      words: 'recording, 40,000 frames to write',
      why: 'Recording in /kept/a.mcpr.jsonl. About 40,000 frames are not on disk yet, because messages come faster than they are written.',
    },
  ]),
  [{ isLive: false }, { tone: 'calm', isWritten: false, words: 'recorded', why: 'Recorded in /kept/a.mcpr.jsonl.' }],
  [
    { isRecorded: false },
    { tone: 'calm', isWritten: false, words: 'not recorded', why: 'This connection is not recorded.' },
  ],
  [
    { failure: 'The disk is full.' },
    { tone: 'warn', isWritten: false, words: 'recording failed', why: 'The disk is full.' },
  ],
  [
    { isRecorded: false, failure: 'No room.' },
    { tone: 'warn', isWritten: false, words: 'not recorded', why: 'No room.' },
  ],
])('%j', (facts, words) => expect(recordingStatus({ ...LIVE, ...facts })).toEqual(words));
