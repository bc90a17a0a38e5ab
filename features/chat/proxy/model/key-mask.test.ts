import { expect, test } from 'vitest';
import { KeyMask } from './key-mask';

test('masks a key however the text is cut', () => {
  const text = 'aab aabaabaac, aabaac and aab';
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      const mask = new KeyMask('aabaac');
      const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
      const said = pieces.map((piece) => mask.push(piece)).join('') + mask.end();
      expect(said).toBe('aab aab•••, ••• and aab');
    }
  }
});

test('holds nothing back that can’t be a key', () => {
  const mask = new KeyMask('secret');
  expect([mask.push('sec'), mask.push('ond'), mask.push('x')]).toEqual(['', 'second', 'x']);
  expect(new KeyMask('').push('secret')).toBe('secret');
});
