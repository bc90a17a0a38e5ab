import { LIMITS } from '@/lib/wire/limits';
import { NUMBER_HELP, SYNTAX_HELP } from './complete';
import { KEYS } from './keys/registry';
import { writtenValue } from './print';

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
      SYNTAX_HELP.map(([text, meaning]) => [code(text), meaning]),
    ),
    '',
    'Frames are searched as they came: in JSON, `"` may be written `\\"` and letters `\\u00e4`. What only tells how messages travelled over',
    'HTTP is hidden until *HTTP* is pressed or the filter names it: `kind:http`, `status:404`, `exchange:7`, `stream:7`.',
    '',
    `Expressions run in a worker. Where one takes longer than ${LIMITS.regexMs} ms on a frame, the frame is skipped, which the page says, and`,
    `after ${LIMITS.regexSkips} of those the search is stopped: an expression without repeats within repeats, \`(a+)+\`, does not hang.`,
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
      NUMBER_HELP.map(([text, meaning]) => [text.split(' ').map(code).join(' '), meaning]),
    ),
    '',
    ...valued.flatMap(({ name, suggestions }) => [
      `## ${name}:`,
      '',
      ...table(
        ['value', 'rows'],
        suggestions.map(({ value, note }) => [code(writtenValue(name, value).slice(name.length + 1)), note ?? '']),
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
