import { KEYS } from './keys/registry';

/** What may be written besides keys: the text, and what it means. */
const SYNTAX: readonly (readonly [text: string, meaning: string])[] = [
  ['word', 'The row shows it, or its frame has it somewhere, in upper or lower case'],
  [
    '"two words"',
    'The same for a text with spaces, or one that means something here; `\\"` and `\\\\` stand for `"` and `\\`',
  ],
  ['key:value', 'Something about the row is so. In a word, `*` is any number of characters; in quotes it is itself'],
  ['a b', 'Both; `and` may be written between them'],
  ['a or b', 'One of them; what stands side by side binds closer'],
  ['(a or b) c', 'Parentheses hold together'],
  ['-a', 'Not that: right before a word, a key or a parenthesis. Two hyphens begin a word: `--verbose`'],
];

/** How numbers are written, for keys that take them. */
const NUMBERS: readonly (readonly [text: string, meaning: string])[] = [
  ['>5kb >=5kb <5kb <=5kb', 'More, at least, less, at most'],
  ['5kb..10kb', 'From the one to the other, both in it; either may be left out: `5kb..`, `..10kb`'],
  ['5kb', 'All that begins so, up to the next value of the last digit: from 5 to under 6 kB'],
  ['b kb mb gb', 'Sizes, powers of 1000 as they are shown; a bare number is bytes'],
  ['us ms s m h', 'Times, which need a unit; several may follow one another: `1m30s`'],
];

/** The description of the filter language, as Markdown. */
export function filterDocument(): string {
  const keys = [...KEYS.values()];
  const valued = keys.filter(({ suggestions }) => suggestions.some(({ note }) => note !== undefined));
  return [
    '# The filter',
    '',
    '<!-- Written by a test from lib/filter: see filter-document.test.ts. -->',
    '',
    'What is typed above the message log says which rows are shown. `/` goes there, and the text is in the page’s address, so a view can be',
    'kept as a bookmark. While a text has a fault, the rows of the one before it stay.',
    '',
    ...table(
      ['text', 'shows'],
      SYNTAX.map(([text, meaning]) => [code(text), meaning]),
    ),
    '',
    'Frames are searched as they came: in JSON, `"` may be written `\\"` and letters `\\u00e4`. What only tells how messages travelled over',
    'HTTP is hidden until *HTTP* is pressed or the filter names it: `kind:http`, `exchange:7`, `stream:7`.',
    '',
    '## Keys',
    '',
    ...table(
      ['key', 'rows that fit', 'such as'],
      keys.map(({ name, meaning, examples }) => [
        code(`${name}:`),
        meaning,
        examples
          .slice(0, 4)
          .map((value) => code(`${name}:${value}`))
          .join(' '),
      ]),
    ),
    '',
    'A row that has no such thing, a request without an answer for `duration:`, never fits, and so fits after a `-`.',
    '',
    '## Numbers',
    '',
    ...table(
      ['value', 'means'],
      NUMBERS.map(([text, meaning]) => [text.split(' ').map(code).join(' '), meaning]),
    ),
    '',
    ...valued.flatMap(({ name, suggestions }) => [
      `## ${name}:`,
      '',
      ...table(
        ['value', 'rows'],
        suggestions.map(({ value, note }) => [code(value), note ?? '']),
      ),
      '',
    ]),
  ].join('\n');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function code(text: string): string {
  return `\`${text}\``;
}
