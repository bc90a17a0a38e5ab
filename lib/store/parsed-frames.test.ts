import { expect, test } from 'vitest';
import { JsonSource } from '@/lib/wire/json-source';
import { LIMITS } from '@/lib/wire/limits';
import { ParsedFrames } from './parsed-frames';

const reading = (text: string) => () => JsonSource.parse(text);

test('what is held is parsed once', () => {
  const frames = new ParsedFrames();
  let asked = 0;
  const read = () => {
    asked++;
    return JsonSource.parse('[1]');
  };
  expect(frames.get(0, read)).toBe(frames.get(0, read));
  expect(frames.get(1, reading('junk'))).toBeUndefined();
  expect(asked).toBe(1);
});

test('the oldest goes when there are too many', () => {
  const frames = new ParsedFrames();
  for (let index = 0; index <= LIMITS.parsedMessages; index++) frames.get(index, reading('{}'));
  const parsedAgain: number[] = [];
  for (const index of [1, 0]) {
    frames.get(index, () => {
      parsedAgain.push(index);
      return JsonSource.parse('{}');
    });
  }
  expect(parsedAgain).toEqual([0]);
});

test('a large one pushes the others out and is held itself', () => {
  const frames = new ParsedFrames();
  const large = JSON.stringify('x'.repeat(LIMITS.parsedCharacters));
  const small = frames.get(0, reading('{}'));
  const held = frames.get(1, reading(large));
  expect(frames.get(1, reading('{}'))).toBe(held);
  expect(frames.get(0, reading('{}'))).not.toBe(small);
});
