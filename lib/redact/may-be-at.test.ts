import { describe, expect, test } from 'vitest';
import { mayBeAt } from './may-be-at';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ['as it is', 'abcdefgh', 'abcdefghij'],
  ['a slash escaped', 'abcdef/h', 'abcdef\\/h'],
  ['in JSON in JSON', 'abcd"f/h', 'abcd\\\\\\"f\\\\\\/h'],
  ['a backslash', 'abcd\\fgh', 'abcd\\\\fgh'],
  ['a backslash in JSON in JSON', 'abcd\\fgh', 'abcd\\\\\\\\fgh'],
  ['JSON in JSON', 'abcd\\"gh', 'abcd\\\\\\"gh'],
  ['a line break', 'abcd\nfgh', 'abcd\\nfgh'],
  ['a letter as a number', 'abcdefgh', 'abcde\\u0066gh'],
  ['a line break that does not belong to it', 'abcdefgh', 'abcde\nfgh'],
  ['a colour', 'abcdefgh', 'abcdef\u001b[1mgh'],
  ['percent-encoded twice', 'abcd%20h', 'abcd%2520h'],
])('it may be one: %s', (_, head, text) => {
  expect(mayBeAt(bytes(head), bytes(`x${text}`), 1)).toBe(true);
});

describe('it is none:', () => {
  test.each([
    ['another letter', 'abcdefgh', 'abcdefgx'],
    ['the end', 'abcdefgh', 'abcdefg'],
    ['another letter behind an escape', 'abcd"fgh', 'abcd\\"xgh'],
    ['the end of a string in JSON in JSON', '103,105,', '103,\\"x\\"'],
    ['a line break where none is', 'abcdefgh', 'abcd\\nefgh'],
  ])('%s', (_, head, text) => {
    expect(mayBeAt(bytes(head), bytes(`x${text}`), 1)).toBe(false);
  });
});
