import { expect, test } from 'vitest';
import { stringBytes } from './string-bytes';
import { finish, outlineOf } from './test-outline';

const read = (text: string) => new TextDecoder().decode(finish(stringBytes(outlineOf(text), 0)));

test('a long string is what it stands for, wherever it is cut', () => {
  for (let shift = 0; shift < 13; shift++) {
    const text = `"${'x'.repeat(shift)}${'\\ud83d\\ude00é\\n'.repeat(8000)}"`;
    expect(read(text)).toBe(JSON.parse(text));
  }
});

test('a short one, and none at all', () => {
  expect(read('"[1,\\"a\\"]"')).toBe('[1,"a"]');
  expect(read('""')).toBe('');
});
