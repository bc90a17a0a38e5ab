import { expect, test } from 'vitest';
import { type RecordedFacts, recordedWords } from './recorded-words';

const LIVE: RecordedFacts = { isRecorded: true, isLive: true, file: '/kept/a.mcpr.jsonl', failure: undefined };

test.each<[Partial<RecordedFacts>, ReturnType<typeof recordedWords>]>([
  [{}, { tone: 'calm', isWritten: true, words: 'recording', why: 'What is said is kept in /kept/a.mcpr.jsonl.' }],
  [{ file: undefined }, { tone: 'calm', isWritten: true, words: 'recording', why: 'What is said is kept.' }],
  [
    { isLive: false },
    { tone: 'calm', isWritten: false, words: 'recorded', why: 'What was said is kept in /kept/a.mcpr.jsonl.' },
  ],
  [
    { isRecorded: false },
    { tone: 'calm', isWritten: false, words: 'not recorded', why: 'Nothing of this connection is kept.' },
  ],
  [
    { failure: 'The disk is full.' },
    { tone: 'warn', isWritten: false, words: 'recording failed', why: 'The disk is full.' },
  ],
  [
    { isRecorded: false, failure: 'No room.' },
    { tone: 'warn', isWritten: false, words: 'not recorded', why: 'No room.' },
  ],
])('%j', (facts, words) => expect(recordedWords({ ...LIVE, ...facts })).toEqual(words));
