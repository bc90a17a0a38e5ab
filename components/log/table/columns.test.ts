import { expect, test } from 'vitest';
import { COLUMNS, type LogColumn, nextLogSort, savedColumns, sortOf } from './columns';

const column = (id: LogColumn['id']) => COLUMNS.find((each) => each.id === id)!;

test('cycles through both directions and unsorted, the more useful direction first', () => {
  const first = nextLogSort(undefined, column('duration'));
  expect(first).toEqual({ column: 'duration', descending: true });
  const second = nextLogSort(first, column('duration'));
  expect(second).toEqual({ column: 'duration', descending: false });
  expect(nextLogSort(second, column('duration'))).toBeUndefined();
  expect(nextLogSort(second, column('message'))).toEqual({ column: 'message', descending: false });
  expect(nextLogSort(second, column('id'))).toBe(second);
});

test('sorts time columns like the log', () => {
  expect(sortOf(undefined)).toBeUndefined();
  expect(sortOf({ column: 'waterfall', descending: true })).toEqual({ field: 'seq', descending: true });
  expect(sortOf({ column: 'size', descending: true })).toEqual({ field: 'size', descending: true });
});

test('shows few columns at first, and keeps a choice that was saved before', () => {
  const shown = (saved: string) => COLUMNS.map(({ id }) => id).filter((id) => !savedColumns(saved).hidden.includes(id));
  expect(shown('{}')).toEqual(['seq', 'time', 'message', 'duration', 'waterfall']);
  expect(shown('{"hidden":"x","widths":{"size":90}}')).toEqual(shown('{}'));
  const without = COLUMNS.map(({ id }) => id).filter((id) => id !== 'size');
  expect(shown('{"hidden":["size","unknown"],"widths":{}}')).toEqual(without);
  expect(shown('{"hidden":[],"widths":{}}')).toHaveLength(COLUMNS.length);
});
