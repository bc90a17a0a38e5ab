import { expect, test } from 'vitest';
import { parsePace } from './playback';

test.each<[string, number | undefined]>([
  ['instant', 0],
  ['real', 1],
  ['x4', 0.25],
  ['×0.5', 2],
  ['x0', undefined],
  ['4', undefined],
  ['x', undefined],
  ['fast', undefined],
])('%s is %s', (text, pace) => expect(parsePace(text)).toBe(pace));
