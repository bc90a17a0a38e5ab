import { describe, expect, test } from 'vitest';
import { ROW_HEIGHT, rowWindow, scaledContent, scrollTopFor } from './virtual-rows';

test('both ends of what is too tall for a browser are reached', () => {
  const natural = 18 * 4_000_000;
  expect(scaledContent(natural, 0, 500).position).toBe(0);
  const { height } = scaledContent(natural, 0, 500);
  expect(height).toBeLessThan(17_900_000);
  const { position, shift } = scaledContent(natural, height - 500, 500);
  expect(position).toBeCloseTo(natural - 500, 3);
  expect(position + shift).toBeCloseTo(height - 500, 3);
});

test('anything else is as it is', () => {
  expect(scaledContent(10_000, 300, 500)).toEqual({ height: 10_000, position: 300, shift: 0 });
  expect(scaledContent(100, 300, 500)).toEqual({ height: 100, position: 0, shift: 0 });
});

const VIEWPORT = 440;

describe('rowWindow', () => {
  test('an empty list renders nothing', () => {
    expect(rowWindow(0, 0, VIEWPORT)).toMatchObject({
      first: 0,
      last: 0,
      firstInView: 0,
      lastInView: 0,
      top: 0,
      height: 0,
    });
  });

  test('a short list is rendered whole', () => {
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

  test('in the middle, what is visible is covered and the rest is not rendered', () => {
    const { first, last, firstInView, lastInView, top, height } = rowWindow(10_000, 50_000, VIEWPORT);
    expect([firstInView, lastInView]).toEqual([2272, 2293]);
    expect(height).toBe(10_000 * ROW_HEIGHT);
    expect(top).toBe(first * ROW_HEIGHT);
    expect(top).toBeLessThanOrEqual(50_000);
    expect(top + (last - first) * ROW_HEIGHT).toBeGreaterThanOrEqual(50_000 + VIEWPORT);
    expect(last - first).toBeLessThan(40);
  });

  test.each([1_000_000, 5_000_000])('%d rows stay under the tallest element, and both ends are reached', (count) => {
    const start = rowWindow(count, 0, VIEWPORT);
    expect(start.first).toBe(0);
    expect(start.height).toBeLessThanOrEqual(15_000_000);
    const bottom = start.height - VIEWPORT;
    const end = rowWindow(count, bottom, VIEWPORT);
    expect(end.last).toBe(count);
    // The last row ends where the element does.
    expect(end.top + (end.last - end.first) * ROW_HEIGHT).toBeCloseTo(end.height, 3);
  });

  test('a scaled list covers the viewport at any position', () => {
    for (let scrollTop = 0; scrollTop < 14_999_560; scrollTop += 333_333) {
      const { first, last, top } = rowWindow(3_000_000, scrollTop, VIEWPORT);
      expect(top).toBeLessThanOrEqual(scrollTop);
      expect(top + (last - first) * ROW_HEIGHT).toBeGreaterThanOrEqual(scrollTop + VIEWPORT);
    }
  });

  test('a position past the end is the end', () => {
    expect(rowWindow(100, 99_999, VIEWPORT).last).toBe(100);
  });
});

describe('scrollTopFor', () => {
  test('a visible row moves nothing', () => expect(scrollTopFor(10, 1000, 100, VIEWPORT)).toBe(100));
  test('a row above comes to the top', () => expect(scrollTopFor(2, 1000, 100, VIEWPORT)).toBe(44));
  test('a row below comes to the bottom', () => expect(scrollTopFor(100, 1000, 0, VIEWPORT)).toBe(2222 - VIEWPORT));
  test.each([0, 1_234_567, 2_999_999])('row %d of a scaled list becomes visible', (index) => {
    const count = 3_000_000;
    const { first, last } = rowWindow(count, scrollTopFor(index, count, 7_000_000, VIEWPORT), VIEWPORT);
    expect(first).toBeLessThanOrEqual(index);
    expect(last).toBeGreaterThan(index);
  });
});
