import { expect, test } from 'vitest';
import { NUMBER_HELP, SYNTAX_HELP } from './complete';
import { FILTER_KEYS } from './keys/registry';
import { parseFilter } from './parse';
import { writtenValue } from './print';
import { REGEX_MS, REGEX_SKIPS } from './regex-search';

test('docs/filter.md describes every key (vitest --update rewrites it)', async () => {
  await expect(filterDocument()).toMatchFileSnapshot('../../docs/filter.md');
});

test('every example and suggested value of a key is a valid filter', () => {
  for (const { name, examples, suggestions } of FILTER_KEYS.values()) {
    for (const value of [...examples, ...suggestions.map((suggestion) => suggestion.value)]) {
      const written = writtenValue(name, value);
      expect(parseFilter(written), written).toMatchObject({ ok: true });
    }
  }
});

/** Returns the description of the filter language as Markdown. */
function filterDocument(): string {
  const keys = [...FILTER_KEYS.values()];
  const described = keys.filter(({ suggestions }) => suggestions.some(({ note }) => note !== undefined));
  return [
    '# The filter',
    '',
    '<!-- Written by lib/filter/filter-document.test.ts. -->',
    '',
    'The filter above the message log selects which rows are shown. Press `/` to focus it. The text is part of the page’s address, so a',
    'filtered view can be bookmarked. While the text has an error, the previous filter stays active.',
    '',
    ...table(
      ['text', 'matches'],
      SYNTAX_HELP.map(([text, meaning]) => [code(text), meaning]),
    ),
    '',
    'Frames are searched as they were sent: JSON may contain `\\"` for `"` and `\\u00e4` for `ä`. HTTP details are hidden unless *HTTP* is on',
    'or the filter names them: `kind:http`, `status:404`, `exchange:7`, `stream:7`.',
    '',
    `Regular expressions run in a worker. A frame that takes longer than ${REGEX_MS} ms is skipped, and the page says so. After`,
    `${REGEX_SKIPS} skipped frames the search stops. Avoid nested repeats such as \`(a+)+\`.`,
    '',
    'A search that takes longer shows how many frames it has searched. Esc in the box, or *Cancel*, stops it and keeps the text and the rows',
    'found so far.',
    '',
    '## Keys',
    '',
    ...table(
      ['key', 'matches', 'examples'],
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
    'A row without the property never matches, and always matches after a `-`. For example, a request without a response has no duration.',
    '',
    '## Numbers',
    '',
    ...table(
      ['value', 'meaning'],
      NUMBER_HELP.map(([text, meaning]) => [text.split(' ').map(code).join(' '), meaning]),
    ),
    '',
    ...described.flatMap(({ name, suggestions }) => [
      `## ${name}:`,
      '',
      ...table(
        ['value', 'matches'],
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
