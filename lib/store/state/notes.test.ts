import { describe, expect, test } from 'vitest';
import { seqsFor } from '@/lib/filter/test-filter';
import type { FrameNote } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { TimelineBins } from '../rows/timeline-bins';
import { answered, asked, happened, logOf } from '../test-frames';
import { NOTED_FRAMES, nextBookmark } from './notes';

const note = (on: number, text: string, bookmark = false) => happened({ event: 'note', on, text, bookmark });
const session = [asked(1, 'tools/list'), answered(1, { tools: [] }), asked(2, 'ping'), answered(2, {})];

describe('notes', () => {
  test('replace earlier ones on the same frame, and an empty one removes them', () => {
    const log = logOf(...session, note(1, 'a'), note(2, 'b', true), note(1, 'c'), note(2, ''), note(4, '', true));
    expect([...log.state.notes.notes]).toEqual([
      [1, { text: 'c', bookmark: false }],
      [4, { text: '', bookmark: true }],
    ]);
    expect(log.state.notes.frames).toBe(5);
  });

  test('do not affect pairs, durations, problems or the timeline', () => {
    const plain = logOf(...session);
    const log = logOf(...session, note(1, 'a'));
    for (const index of session.keys()) expect(log.row(index)).toEqual(plain.row(index));
    const { notes: _, ...state } = log.state;
    const { notes: __, ...before } = plain.state;
    expect(state).toEqual(before);
    const counts = [plain, log].map((one) => {
      const bins = new TimelineBins(one);
      bins.update();
      return bins.counts(0, 10_000, 4);
    });
    expect(counts[1]).toEqual(counts[0]);
  });

  test('are rows only if the filter names them', () => {
    const log = logOf(...session, note(1, 'Here it goes wrong'), note(3, '', true));
    expect(seqsFor(log, '')).toEqual([1, 2, 3, 4]);
    expect(seqsFor(log, 'has:note')).toEqual([1]);
    expect(seqsFor(log, 'has:bookmark')).toEqual([3]);
    expect(seqsFor(log, 'kind:note')).toEqual([5, 6]);
    expect(log.row(4).name).toBe('note: #1 Here it goes wrong');
  });

  test('mark the rows of their frames as changed', () => {
    const log = logOf(...session);
    const { changes } = log.columns;
    log.append([{ ...note(2, 'x'), seq: 5, time: 9 }]);
    expect(log.columns.changedRow(changes)).toBe(1);
  });

  test('are limited in number, and only on existing frames', () => {
    const odd = [-1, 0, 1.5, 99, Number.MAX_VALUE].map((on) => note(on, 'x'));
    const long = note(1, 'y'.repeat(3 * LIMITS.noteChars));
    const many = Array.from({ length: NOTED_FRAMES + 10 }, (_, at) => note(at + 1, 'z'));
    const strange = happened({ event: 'note', on: '1', text: 7 } as unknown as FrameNote & { event: 'note' });
    const log = logOf(...session, ...odd, long, strange);
    expect(log.notes.noteOn(1)?.text).toHaveLength(LIMITS.noteChars);
    expect(logOf(...many).state.notes.notes.size).toBe(NOTED_FRAMES);
  });

  test('do not include gaps, which are one row each; missing frames do not count', () => {
    const first = happened({ event: 'missing', frames: 3, lines: 1, line: 9 });
    const more = happened({ event: 'missing' });
    const log = logOf(...session, first, more, more, asked(3, 'ping'), happened({ event: 'missing', frames: 1 }));
    expect([log.size, log.frames, log.size - log.state.notes.frames]).toEqual([9, 5, 7]);
    const shown = Array.from({ length: log.size }, (_, index) => index).filter((index) => !log.isNote(index));
    expect(shown).toEqual([0, 1, 2, 3, 4, 7, 8]);
    expect(log.row(4)).toMatchObject({
      kind: 'lifecycle',
      severity: 'warn',
      name: 'Line 9 is damaged. 3 frames are missing here.',
    });
    expect(log.exchange(8)).toMatchObject({ method: 'ping', status: 'pending' });
    const odd = { event: 'missing', frames: 'x' } as unknown as { event: 'missing' };
    expect(logOf(happened(odd)).row(0).kind).toBe('lifecycle');
  });

  test('may name the recording', () => {
    const log = logOf(...session, happened({ event: 'about', name: 'n'.repeat(999), text: 't' }));
    expect(log.state.notes.about).toEqual({ name: 'n'.repeat(LIMITS.recordingNameChars), text: 't' });
  });
});

test('nextBookmark finds bookmarks in both directions', () => {
  const { notes } = logOf(...session, note(1, '', true), note(2, 'no bookmark'), note(3, '', true)).state;
  expect([0, 1, 2, 3].map((seq) => nextBookmark(notes, seq, 1))).toEqual([1, 3, 3, undefined]);
  expect([1, 2, 3, 9].map((seq) => nextBookmark(notes, seq, -1))).toEqual([undefined, 1, 1, 3]);
});
