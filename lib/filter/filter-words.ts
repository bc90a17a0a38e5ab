/** What may be written besides keys: the text, and what it means. */
export const SYNTAX: readonly (readonly [text: string, meaning: string])[] = [
  ['word', 'The row says it in its message or status, or its frame has it somewhere, in upper or lower case'],
  [
    '"two words"',
    'The same for a text with spaces, or one that means something here; `\\"` and `\\\\` stand for `"` and `\\`',
  ],
  ['/regex/i', 'The frame’s text has what the expression finds, as in JavaScript; flags i, m, s, u'],
  ['key:value', 'Something about the row is so. In a word, `*` is any number of characters; in quotes it is itself'],
  ['a b', 'Both; `and` may be written between them'],
  ['a or b', 'One of them; what stands side by side binds closer'],
  ['(a or b) c', 'Parentheses hold together'],
  ['-a', 'Not that: right before a word, a key or a parenthesis. Two hyphens begin a word: `--verbose`'],
  ['not a', 'The same; to look for the word, quote it'],
];

/** How numbers are written, for keys that take them. */
export const NUMBERS: readonly (readonly [text: string, meaning: string])[] = [
  ['>5kb >=5kb <5kb <=5kb', 'More, at least, less, at most'],
  ['5kb..10kb', 'From the one to the other, both in it; either may be left out: `5kb..`, `..10kb`'],
  ['5kb', 'All that begins so, up to the next value of the last digit: from 5 to under 6 kB'],
  ['b kb mb gb', 'Sizes, powers of 1000 as they are shown; a bare number is bytes'],
  ['us ms s m h', 'Times, which need a unit; several may follow one another: `1m30s`'],
];
