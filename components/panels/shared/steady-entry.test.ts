import { expect, test } from 'vitest';
import { steadyEntry } from './steady-entry';

const [a, b, c] = [{ key: 'a' }, { key: 'b' }, { key: 'c' }];

test('shows the wanted entry, or else the first', () => {
  expect(steadyEntry([a, b], 'b', a)).toEqual({ entry: b, isGone: false });
  expect(steadyEntry([a, b], undefined, undefined)).toEqual({ entry: a, isGone: false });
  expect(steadyEntry([a, b], 'x', a)).toEqual({ entry: undefined, isGone: false });
  expect(steadyEntry([], undefined, undefined)).toEqual({ entry: undefined, isGone: false });
});

test('no entry takes the place of the one in view when the list changes', () => {
  expect(steadyEntry([c, a, b], undefined, a)).toEqual({ entry: a, isGone: false });
});

test('an entry that the list no longer has stays in view', () => {
  expect(steadyEntry([b], undefined, a)).toEqual({ entry: a, isGone: true });
  expect(steadyEntry([b], 'a', a)).toEqual({ entry: a, isGone: true });
  expect(steadyEntry([], 'a', a)).toEqual({ entry: a, isGone: true });
});

test('an entry of another connection is not shown, but the same one of this connection is', () => {
  expect(steadyEntry([], undefined, a, true)).toEqual({ entry: undefined, isGone: false });
  expect(steadyEntry([], 'a', a, true)).toEqual({ entry: undefined, isGone: false });
  expect(steadyEntry([b, a], undefined, a, true)).toEqual({ entry: a, isGone: false });
});

test('the newest definition of an entry is shown', () => {
  const newer = { key: 'a', version: 2 };
  expect(steadyEntry([newer], 'a', { key: 'a', version: 1 }).entry).toBe(newer);
});
