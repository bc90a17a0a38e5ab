import { describe, expect, test } from 'vitest';
import { scrollTopFor as scrollTop, rowWindow as windowOf } from './virtual-rows';

const ROW_HEIGHT = 22;
const VIEWPORT = 440;
const rowWindow = (count: number, top: number, viewport: number) =>
  windowOf({ count, rowHeight: ROW_HEIGHT }, top, viewport);
const scrollTopFor = (index: number, count: number, top: number, viewport: number) =>
  scrollTop(index, { count, rowHeight: ROW_HEIGHT }, top, viewport);

describe('rowWindow', () => {
  test('renders nothing for an empty list', () => {
    expect(rowWindow(0, 0, VIEWPORT)).toMatchObject({
      first: 0,
      last: 0,
      firstInView: 0,
      lastInView: 0,
      top: 0,
      height: 0,
    });
  });

  test('renders a short list completely', () => {
    const height = 5 * ROW_HEIGHT;
    expect(rowWindow(5, 0, VIEWPORT)).toMatchObject({
      first: 0,
      last: 5,
      firstInView: 0,
      lastInView: 5,
      top: 0,
      height,
    });
  });

  test('in the middle, renders only the visible rows and a few more', () => {
    const { first, last, firstInView, lastInView, top, height } = rowWindow(10_000, 50_000, VIEWPORT);
    expect([firstInView, lastInView]).toEqual([2272, 2293]);
    expect(height).toBe(10_000 * ROW_HEIGHT);
    expect(top).toBe(first * ROW_HEIGHT);
    expect(top).toBeLessThanOrEqual(50_000);
    expect(top + (last - first) * ROW_HEIGHT).toBeGreaterThanOrEqual(50_000 + VIEWPORT);
    expect(last - first).toBeLessThan(40);
  });

  test.each([1_000_000, 5_000_000])('%d rows stay below the height limit, and both ends are reachable', (count) => {
    const start = rowWindow(count, 0, VIEWPORT);
    expect(start.first).toBe(0);
    expect(start.height).toBeLessThanOrEqual(15_000_000);
    const bottom = start.height - VIEWPORT;
    const end = rowWindow(count, bottom, VIEWPORT);
    expect(end.last).toBe(count);
    // The last row ends at the end of the content.
    expect(end.top + (end.last - end.first) * ROW_HEIGHT).toBeCloseTo(end.height, 3);
  });

  test('a scaled list covers the viewport at any position', () => {
    for (let scrollTop = 0; scrollTop < 14_999_560; scrollTop += 333_333) {
      const { first, last, top } = rowWindow(3_000_000, scrollTop, VIEWPORT);
      expect(top).toBeLessThanOrEqual(scrollTop);
      expect(top + (last - first) * ROW_HEIGHT).toBeGreaterThanOrEqual(scrollTop + VIEWPORT);
    }
  });

  test('a position past the end shows the end', () => {
    expect(rowWindow(100, 99_999, VIEWPORT).last).toBe(100);
    expect(rowWindow(5, 300, VIEWPORT)).toMatchObject({ first: 0, top: 0 });
  });
});

describe('scrollTopFor', () => {
  test('does not move for a visible row', () => expect(scrollTopFor(10, 1000, 100, VIEWPORT)).toBe(100));
  test('moves a row above to the top', () => expect(scrollTopFor(2, 1000, 100, VIEWPORT)).toBe(44));
  test('moves a row below to the bottom', () => expect(scrollTopFor(100, 1000, 0, VIEWPORT)).toBe(2222 - VIEWPORT));
  test.each([0, 1_234_567, 2_999_999])('row %d of a scaled list becomes visible', (index) => {
    const count = 3_000_000;
    const { first, last } = rowWindow(count, scrollTopFor(index, count, 7_000_000, VIEWPORT), VIEWPORT);
    expect(first).toBeLessThanOrEqual(index);
    expect(last).toBeGreaterThan(index);
  });
});
