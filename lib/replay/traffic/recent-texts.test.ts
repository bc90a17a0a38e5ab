import { expect, test } from 'vitest';
import { RecentTexts } from './recent-texts';

const PART = 64 * 1024;

test('holds the newest texts only, and the newest of any length', () => {
  const texts = new RecentTexts();
  for (let seq = 1; seq <= 100; seq++) texts.addText(seq, `${seq} ${'x'.repeat(PART)}`);
  const held = Array.from({ length: 100 }, (_, at) => texts.textOf(at + 1)).filter((text) => text !== '');
  expect(held.length).toBeGreaterThanOrEqual(4);
  expect(held.length).toBeLessThanOrEqual(8);
  expect(texts.textOf(97)).toMatch(/^97 /);
  const long = 'y'.repeat(40 * PART);
  texts.addText(101, long);
  texts.addText(102, 'z');
  expect(texts.textOf(101)).toBe(long);
});
