import { expect, test } from 'vitest';
import type { JsonOutline } from './json-outline';
import { readOutline } from './outline-reader';
import { stringBytes, stringText } from './string-bytes';
import { finish, outlineOf } from './test-outline';

const read = (text: string) => new TextDecoder().decode(finish(stringBytes(outlineOf(text), 0)));

test('a long string is what it stands for, wherever it is cut', () => {
  for (let shift = 0; shift < 13; shift++) {
    const text = `"${'x'.repeat(shift)}${'\\ud83d\\ude00é\\n'.repeat(8000)}"`;
    expect(read(text)).toBe(JSON.parse(text));
    expect(finish(stringText(outlineOf(text), 0))).toBe(JSON.parse(text));
  }
});

test('a short one, and none at all', () => {
  expect(read('"[1,\\"a\\"]"')).toBe('[1,"a"]');
  expect(read('""')).toBe('');
});

test('a string of megabytes is read in many short steps', () => {
  const steps = stringText(outlineOf(`"${'\\u00e9'.repeat(400_000)}"`), 0);
  let count = 0;
  while (!steps.next().done) count++;
  expect(count).toBeGreaterThan(30);
});

test('half a character at the end stays one', () => {
  expect(read('"a\\ud83d"')).toBe('a\ufffd');
  expect(finish(stringText(outlineOf('"a\\ud83d"'), 0))).toBe('a\ud83d');
});

test('what is no UTF-8 splits no escape either', () => {
  const noise = Array.from({ length: 30_000 }, () => [0xc3, 0x5c, 0x22]).flat();
  for (const shift of [[], [0x61], [0x61, 0x61]]) {
    const outline = finish(readOutline(Uint8Array.from([0x22, ...shift, ...noise, 0x22]))) as JsonOutline;
    const text = new TextDecoder().decode(finish(stringBytes(outline, 0)));
    expect(text).toBe(`${'a'.repeat(shift.length)}${'\ufffd"'.repeat(30_000)}`);
  }
});
