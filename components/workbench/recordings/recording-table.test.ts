import { expect, test } from 'vitest';
import type { RecordingEntry } from '@/lib/wire/api';
import { NEWEST_FIRST, nextRecordingSort, type SortedBy, sorted } from './recording-table';

const looked = (id: string, entry: Partial<RecordingEntry>, problems?: number) => ({
  entry: { id, name: id, at: '', bytes: 0, live: false, ...entry },
  checked: problems === undefined ? undefined : ({ frames: 0, durationUs: 0, problems } as never),
});
const order = (by: SortedBy, descending: boolean, ...all: ReturnType<typeof looked>[]) =>
  sorted(all, { by, descending })
    .map(({ entry }) => entry.id)
    .join('');

test('sorts names, times and numbers', () => {
  const [a, b, c] = [
    looked('a', { server: 'Zebra', at: '2026-01-02T00:00:00Z', bytes: 10, frames: 9 }),
    looked('b', { about: { name: 'ärger', text: '' }, at: '2026-01-01T00:00:00Z', bytes: 9, frames: 10 }),
    looked('c', { server: 'Bee', at: '2026-01-03T00:00:00Z', bytes: 100, frames: 1 }),
  ];
  expect(order('server', false, a, b, c)).toBe('bca');
  expect(order('when', true, a, b, c)).toBe('cab');
  expect(order('size', true, a, b, c)).toBe('cab');
  expect(order('frames', false, a, b, c)).toBe('cab');
});

test('unknown values sort last in both orders', () => {
  const all = [looked('a', {}), looked('b', {}, 3), looked('c', {}, 0)];
  expect(order('problems', true, ...all)).toBe('bca');
  expect(order('problems', false, ...all)).toBe('cba');
});

test('the first click sorts descending, but names ascending', () => {
  expect(nextRecordingSort(NEWEST_FIRST, 'size')).toEqual({ by: 'size', descending: true });
  expect(nextRecordingSort(NEWEST_FIRST, 'server')).toEqual({ by: 'server', descending: false });
  expect(nextRecordingSort(NEWEST_FIRST, 'when')).toEqual({ by: 'when', descending: false });
});
