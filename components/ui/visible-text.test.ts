import { describe, expect, test } from 'vitest';
import { textRuns, visibleText } from './visible-text';

describe('escapes hidden characters', () => {
  test.each([
    ['a\u0000b\u001b[31m', 'a\\x00b\\x1b[31m'],
    ['x\u202egnp.exe', 'x\\u202egnp.exe'],
    ['\ufefftext', '\\ufefftext'],
    ['lone \ud800 half', 'lone \\ud800 half'],
    ['hi\u{e0041}\u{e0042}', 'hi\\u{e0041}\\u{e0042}'],
    ['tab\tline\n', 'tab\tline\n'],
    ['שלום 👩‍👩‍👧 ü', 'שלום 👩‍👩‍👧 ü'],
    ['carriage\r', 'carriage\\x0d'],
    ['a\u{e0148}b', 'a\\u{e0148}b'],
    ['a\u3164\u115f\u034fb', 'a\\u3164\\u115f\\u034fb'],
    ['❤\ufe0f', '❤\ufe0f'],
  ])('%j', (text, shown) => expect(visibleText(text)).toBe(shown));
});

test('separates text from escapes and joins neighbouring escapes', () => {
  expect(textRuns('a\u0000\u0001b\u0002')).toEqual([
    { text: 'a', escaped: false },
    { text: '\\x00\\x01', escaped: true },
    { text: 'b', escaped: false },
    { text: '\\x02', escaped: true },
  ]);
  expect(textRuns('')).toEqual([]);
});
