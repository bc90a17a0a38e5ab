import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { ParsedFrames } from './parsed-frames';

test('what is held is parsed once', () => {
  const frames = new ParsedFrames();
  let asked = 0;
  const text = () => {
    asked++;
    return '[1]';
  };
  expect(frames.get(0, text)).toBe(frames.get(0, text));
  expect(frames.get(1, () => 'junk')).toBeUndefined();
  expect(asked).toBe(1);
});

test('the oldest goes when there are too many', () => {
  const frames = new ParsedFrames();
  for (let index = 0; index <= LIMITS.parsedMessages; index++) frames.get(index, () => '{}');
  const parsedAgain: number[] = [];
  for (const index of [1, 0]) {
    frames.get(index, () => {
      parsedAgain.push(index);
      return '{}';
    });
  }
  expect(parsedAgain).toEqual([0]);
});

test('a large one pushes the others out and is held itself', () => {
  const frames = new ParsedFrames();
  const large = JSON.stringify('x'.repeat(LIMITS.parsedCharacters));
  const small = frames.get(0, () => '{}');
  const held = frames.get(1, () => large);
  expect(frames.get(1, () => '{}')).toBe(held);
  expect(frames.get(0, () => '{}')).not.toBe(small);
});
