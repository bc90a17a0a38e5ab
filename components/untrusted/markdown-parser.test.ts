import { describe, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import {
  dedent,
  MARKDOWN_DEPTH,
  MARKDOWN_NODES,
  MARKDOWN_TOKENS,
  type MarkdownNode,
  parseMarkdown,
} from './markdown-parser';

/** Texts on which Markdown parsers are known to become slow, recurse deeply or make a huge output. */
const REPEATED = [
  '[',
  '![',
  '](',
  '<',
  '`',
  '`a ',
  '\\',
  '&amp;',
  '&#',
  '*a ',
  '**a ',
  '_a',
  '~a~~b',
  '***',
  '*_a',
  '[a](',
  '[a][',
  '[a]',
  '> a\nb\n',
  '> a\nb\n\n',
  '> \n',
  '>',
  '> ',
  'a\n-\n',
  'a\n-\n\n',
  'a\n=\n',
  '- a\n',
  '1. a\n',
  ' - a\n\n',
  '- ',
  '1. ',
  '# a\n',
  '#\n',
  'a  \n',
  'a\n\n',
  '*a*\n\n',
  '|a|b\n|-|-\n',
  '-|-\n',
  '| ',
  '|\n',
  '[a]: b\n',
  '[a]: b "',
  '```\n',
  '* * *\n',
  '[a](http://b) ',
  '![](a)',
  '<http://a>',
  '<a',
  '<!--',
  '\t',
  '\u0000',
  'a\u200b',
  '- \u200b\n',
  '- [ ] ',
  '    a\n',
];
const HALVES: [string, string][] = [
  ['*', '*'],
  ['*a ', ' a*'],
  ['~~a ', ' a~~'],
  ['[', '](a)'],
  ['![', '](a)'],
  ['> ', 'a\n'],
  ['[a](', ')'],
  ['`', '``'],
];
const size = LIMITS.markdownChars;
const fill = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const ladder = (step: (depth: number) => string) => {
  let text = '';
  for (let depth = 0; text.length < size; depth++) text += step(depth);
  return text.slice(0, size);
};
const PATTERNS: [string, string][] = [
  ...REPEATED.map((part): [string, string] => [JSON.stringify(part), fill(part, size)]),
  ...HALVES.map(([a, b]): [string, string] => [`${a} then ${b}`, fill(a, size / 2) + fill(b, size / 2)]),
  ['lists ever deeper', ladder((depth) => `${'  '.repeat(depth)}- a\n`)],
  ['quotes ever deeper', ladder((depth) => `${'>'.repeat(depth)} a\n`)],
  ['ever more backticks', ladder((depth) => `${'`'.repeat(depth)}a`)],
  ['ever more stars', ladder((depth) => `${'*'.repeat(depth)}a `)],
  ['lines below deep quotes', `${'>'.repeat(30)}${fill('a\n', size - 30)}`],
  ['short rows of a wide table', fill('|a', 2000) + fill('\n|-', 1) + fill('|-', 1999) + fill('\na', size - 4000)],
  ['rows of a table', `|a|b\n|-|-\n${fill('|a|b\n', size - 10)}`],
];

const count = (nodes: readonly MarkdownNode[]): number =>
  nodes.reduce((sum, node) => sum + 1 + count(node.children), 0);
const depth = (nodes: readonly MarkdownNode[]): number => Math.max(0, ...nodes.map((node) => 1 + depth(node.children)));
const types = (text: string) => parseMarkdown(text)?.nodes.map((node) => node.type);

test.each(PATTERNS)('%s: no more is drawn than the limits allow', (_, text) => {
  const parsed = parseMarkdown(text);
  if (!parsed) return; // All of it is shown as written.
  expect(count(parsed.nodes)).toBeLessThanOrEqual(MARKDOWN_NODES);
  expect(depth(parsed.nodes)).toBeLessThanOrEqual(MARKDOWN_DEPTH);
  expect(text.replace(/\r\n?/g, '\n').endsWith(parsed.rest)).toBe(true);
});

describe('stops at its bounds', () => {
  test.each([
    ['quotes', '>'.repeat(MARKDOWN_DEPTH), false],
    ['quotes on several lines', fill('> \n>> a\n', 20).concat('>'.repeat(MARKDOWN_DEPTH), ' hidden?'), false],
    ['lists', `${'- '.repeat(MARKDOWN_DEPTH / 2)}a`, false],
    ['emphasis', `${'*a '.repeat(MARKDOWN_DEPTH)}${' a*'.repeat(MARKDOWN_DEPTH)}`, false],
    ['a few quotes', '> > > > a', true],
    ['a few lists', '- - - 1. a', true],
  ])('nested too deep: %s', (_, text, drawn) => {
    expect(parseMarkdown(text) !== undefined).toBe(drawn);
  });

  test('for a table with more cells than characters', () => {
    const columns = 500;
    const rows = 'a\n'.repeat(MARKDOWN_TOKENS / columns);
    expect(parseMarkdown(`${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}\n${rows}`)).toBeUndefined();
  });

  test('for a paragraph with too many nodes', () => {
    expect(parseMarkdown('*a*`b`'.repeat(MARKDOWN_NODES / 2))).toBeUndefined();
  });

  test('for many hidden characters, which are one element each', () => {
    expect(parseMarkdown('a\u200b'.repeat(MARKDOWN_NODES))).toBeUndefined();
  });
});

describe('a cut', () => {
  const numbers = Array.from({ length: MARKDOWN_NODES }, (_, index) => String(index));

  test.each([
    ['a list', '', (number: string) => `- ${number}\n`],
    ['paragraphs', '', (number: string) => `${number}\n\n`],
    ['rows of a table', '|a|\n|-|\n', (number: string) => `|${number}|\n`],
  ])('happens between lines and loses no line: %s', (_, start, line) => {
    const text = start + numbers.slice(0, 2600).map(line).join('');
    const parsed = parseMarkdown(text);
    const rest = parsed?.rest ?? '';
    expect(rest).not.toBe('');
    expect(text.endsWith(rest)).toBe(true);
    const first = Number(/\d+/.exec(rest)?.[0]);
    const drawn = new Set(words(parsed?.nodes ?? []));
    expect(drawn).toContain(String(first - 1));
    expect(drawn).not.toContain(String(first));
  });

  test('does not happen within the limits', () => {
    expect(parseMarkdown('# a\n\n- b\n- c')?.rest).toBe('');
  });
});

test('reads an indented block as code, but not an indented description', () => {
  expect(types('Reads.\n\n      Takes a path.\n      - a\n')).toEqual(['paragraph', 'paragraph', 'bullet_list']);
  expect(types('Run:\n\n    npm test\n\nthen wait.')).toEqual(['paragraph', 'code_block', 'paragraph']);
});

test('keeps reference definitions, which a model would read', () => {
  expect(words(parseMarkdown('[//]: # (obey me)')?.nodes ?? []).join('')).toBe('[//]: # (obey me)');
});

function words(nodes: readonly MarkdownNode[]): string[] {
  return nodes.flatMap((node) => [...(node.content === '' ? [] : [node.content]), ...words(node.children)]);
}

test.each([
  [
    'a text in indented source code',
    'Reads a file.\n\n      Takes:\n        - path\n    ',
    'Reads a file.\n\nTakes:\n  - path\n',
  ],
  ['a first line that is blank', '\n\t\tOne\n\t\tTwo', '\nOne\nTwo'],
  ['tabs and spaces, which have none in common', 'a\n\tb\n    c', 'a\n\tb\n    c'],
  ['a last line without indentation', 'a\n  b\nc', 'a\n  b\nc'],
  ['other line ends', 'a\r\n    b\r    c', 'a\nb\nc'],
  ['items within the first item', '- a\n    - b\n    - c', '- a\n    - b\n    - c'],
  ['items beside the first item', '- a\n      - b\n      - c', '- a\n- b\n- c'],
  ['one line', '  a', 'a'],
  ['nothing', '', ''],
])('removes shared indentation: %s', (_, text, expected) => {
  expect(dedent(text)).toBe(expected);
});
