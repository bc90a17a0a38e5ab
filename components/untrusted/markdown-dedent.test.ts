import { expect, test } from 'vitest';
import { dedent } from './markdown-dedent';

test.each([
  [
    'what source code indents',
    'Reads a file.\n\n      Takes:\n        - path\n    ',
    'Reads a file.\n\nTakes:\n  - path\n',
  ],
  ['a first line that is blank', '\n\t\tOne\n\t\tTwo', '\nOne\nTwo'],
  ['tabs and spaces share nothing', 'a\n\tb\n    c', 'a\n\tb\n    c'],
  ['only what all lines share', 'a\n  b\nc', 'a\n  b\nc'],
  ['other line ends', 'a\r\n    b\r    c', 'a\nb\nc'],
  ['items within the first item', '- a\n    - b\n    - c', '- a\n    - b\n    - c'],
  ['items beside the first item', '- a\n      - b\n      - c', '- a\n- b\n- c'],
  ['one line', '  a', 'a'],
  ['nothing', '', ''],
])('%s', (_, text, expected) => {
  expect(dedent(text)).toBe(expected);
});
