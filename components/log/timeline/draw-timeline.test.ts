import { expect, test } from 'vitest';
import { panRange, zoomRange } from './draw-timeline';

const END = 1_000_000;
const all = { from: 0, to: END };

test('zooms around the pointer, and out to the whole log', () => {
  expect(zoomRange(all, 250_000, -240, END)).toEqual({ from: 125_000, to: 625_000 });
  expect(zoomRange({ from: 125_000, to: 625_000 }, 250_000, 240, END)).toBeUndefined();
  // Never beyond an end, and never closer than the shortest range.
  expect(zoomRange({ from: 800_000, to: END }, 800_000, 240, END)).toEqual({ from: 600_000, to: END });
  const near = zoomRange(all, END / 2, -100_000, END)!;
  expect(near.to - near.from).toBeCloseTo(1000);
});

test('pans to the ends and no further', () => {
  expect(panRange(all, 100, END)).toBeUndefined();
  expect(panRange({ from: 100_000, to: 200_000 }, 500, END)).toEqual({ from: 150_000, to: 250_000 });
  expect(panRange({ from: 100_000, to: 200_000 }, -5000, END)).toEqual({ from: 0, to: 100_000 });
  expect(panRange({ from: 800_000, to: 900_000 }, 5000, END)).toEqual({ from: 900_000, to: END });
});
