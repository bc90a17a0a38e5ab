import { expect, test } from 'vitest';
import { answered, asked, happened, logOf } from '@/lib/store/test-frames';
import { lastMoment, nextRequest, skipNotes } from './scrubber';

const note = happened({ event: 'note', on: 1, text: 'x', bookmark: false });
const log = logOf(asked(1, 'ping'), note, note, answered(1, {}), asked(2, 'ping'), answered(2, {}), note);

test('the last moment is before trailing notes', () => {
  expect(lastMoment(log, log.size, 3)).toBe(6);
  expect(lastMoment(logOf(note), 1, 1)).toBe(0);
});

test('steps skip notes', () => {
  expect([skipNotes(log, 2, 1), skipNotes(log, 3, -1), skipNotes(log, 5, 1)]).toEqual([4, 1, 5]);
  expect([skipNotes(log, -3, -1), skipNotes(log, 99, 1)]).toEqual([1, 7]);
});

test('goes to the next request, or to the end if there is none', () => {
  expect([1, 4, 5].map((seq) => nextRequest(log, seq, 6, 1))).toEqual([5, 5, 6]);
  expect([6, 5, 1].map((seq) => nextRequest(log, seq, 6, -1))).toEqual([5, 1, 1]);
});
