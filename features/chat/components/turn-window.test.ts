import { expect, test } from 'vitest';
import { turnWindow } from './turn-window';

const even = () => 100;

test('a short chat is drawn whole', () => {
  expect(turnWindow(5, even, { top: 0, height: 600 })).toEqual({ first: 0, last: 5, above: 0, below: 0 });
});

test('of 10,000 turns only those near the view are drawn, and all room is kept', () => {
  const { first, last, above, below } = turnWindow(10_000, even, { top: 500_000, height: 600 });
  expect([first, last]).toEqual([4991, 5014]);
  expect(above + (last - first) * 100 + below).toBe(1_000_000);
});

test('at the end the last turns are drawn, also beyond the height that was known', () => {
  expect(turnWindow(1000, even, { top: 99_400, height: 600 })).toMatchObject({ last: 1000, below: 0 });
  const endless = turnWindow(1000, even, { top: Number.POSITIVE_INFINITY, height: 600 });
  expect(endless).toEqual({ first: 985, last: 1000, above: 98_500, below: 0 });
});

test('a turn that is higher than the view is drawn while any of it is in view', () => {
  const heights = [100, 50_000, 100];
  const { first, last } = turnWindow(3, (index) => heights[index]!, { top: 25_000, height: 600 });
  expect([first, last]).toEqual([1, 2]);
});
