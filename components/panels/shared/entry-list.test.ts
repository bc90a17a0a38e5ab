import { describe, expect, test } from 'vitest';
import { isOpenKey, searchItems, stepSelection } from './entry-list';

const items = [
  { key: 'a', name: 'get-sum', detail: 'Sum', searchText: 'Adds two numbers' },
  { key: 'b', name: 'echo', searchText: 'Returns what it gets' },
];
const found = (search: string) => searchItems(items, search).map((item) => item.key);

describe('searchItems', () => {
  test.each([
    ['', ['a', 'b']],
    ['GET', ['a', 'b']],
    ['get numbers', ['a']],
    ['sum', ['a']],
    ['nothing', []],
  ])('%j finds %j', (search, keys) => {
    expect(found(search)).toEqual(keys);
  });
});

test('moves the selection within the list', () => {
  expect(stepSelection('ArrowDown', -1, 2)).toBe(0);
  expect(stepSelection('ArrowDown', 1, 2)).toBe(1);
  expect(stepSelection('ArrowUp', -1, 2)).toBe(0);
  expect(stepSelection('PageDown', 0, 100)).toBe(10);
  expect(stepSelection('Home', 5, 9)).toBe(0);
  expect(stepSelection('End', 0, 9)).toBe(8);
  expect(stepSelection('x', 0, 2)).toBeUndefined();
  expect(stepSelection('ArrowDown', 0, 0)).toBeUndefined();
});

test('Enter opens an entry, but not together with ⌘ or Ctrl', () => {
  const enter = { key: 'Enter', metaKey: false, ctrlKey: false };
  expect(isOpenKey(enter)).toBe(true);
  expect(isOpenKey({ ...enter, ctrlKey: true })).toBe(false);
  expect(isOpenKey({ ...enter, metaKey: true })).toBe(false);
  expect(isOpenKey({ ...enter, key: 'ArrowDown' })).toBe(false);
});
