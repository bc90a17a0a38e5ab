import { expect, test } from 'vitest';
import { readPace } from './pace';

test.each<[string, number | undefined]>([
  ['instant', 0],
  ['real', 1],
  ['x4', 0.25],
  ['×0.5', 2],
  ['x0', undefined],
  ['4', undefined],
  ['x', undefined],
  ['fast', undefined],
])('%s is %s', (text, pace) => expect(readPace(text)).toBe(pace));
