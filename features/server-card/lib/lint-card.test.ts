import { expect, test } from 'vitest';
import type { CardAnswer } from './find-card';
import { lintAnswer } from './lint-card';

const CARD = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: 'com.example/weather',
  description: 'Forecasts.',
  version: '1.0.0',
};
const HEADERS = [
  ['Content-Type', 'application/mcp-server-card+json; charset=utf-8'],
  ['Access-Control-Allow-Origin', '*'],
  ['Cache-Control', 'max-age=60'],
] as const;

const answer = (card: unknown, rest: Partial<CardAnswer> = {}): CardAnswer => ({
  seqs: [1, 2],
  url: 'https://a.example/mcp/server-card',
  status: 200,
  headers: HEADERS,
  text: typeof card === 'string' ? card : JSON.stringify(card),
  isCut: false,
  isOver: true,
  ...rest,
});
const lint = (card: unknown, rest?: Partial<CardAnswer>) =>
  lintAnswer(answer(card, rest)).map(({ severity, at, message }) => `${severity} ${at} ${message}`);

test('a card of the schema is fine, with all of its members', () => {
  const full = {
    ...CARD,
    title: 'Weather',
    websiteUrl: 'https://a.example',
    icons: [{ src: 'https://a.example/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }],
    repository: { url: 'https://a.example/git', source: 'github' },
    remotes: [
      {
        type: 'streamable-http',
        url: '{base}/mcp',
        variables: { base: { isRequired: true, choices: ['a', 'b'], format: 'string' } },
        headers: [{ name: 'X-Key', isSecret: true }],
        supportedProtocolVersions: ['2025-11-25'],
      },
    ],
    _meta: {},
    somethingNew: 1,
  };
  expect(lint(full)).toEqual([]);
});

test.each<[string, object, string]>([
  ['a missing member', { description: undefined }, 'error description is missing.'],
  ['another schema', { $schema: 'x' }, `error $schema is not ${CARD.$schema}.`],
  ['a name without a slash', { name: 'weather' }, 'error name is not a reverse-DNS name'],
  ['a long description', { description: 'x'.repeat(101) }, 'error description is longer than 100 characters.'],
  ['a range of versions', { version: '>=1' }, 'error version is a range, expected one version.'],
  ['x as a version', { version: '1.x' }, 'error version is a range'],
  ['a relative website', { websiteUrl: '/a' }, 'error websiteUrl is not an absolute URI.'],
  ['an object of remotes', { remotes: {} }, 'error remotes is not a list.'],
  ['a number as a remote', { remotes: [1] }, 'error remotes[0] is not an object.'],
  [
    'a remote of another transport',
    { remotes: [{ type: 'ws', url: 'https://a' }] },
    'error remotes[0].type is not one of',
  ],
  ['a remote at another scheme', { remotes: [{ type: 'sse', url: 'ftp://a' }] }, 'error remotes[0].url is not an http'],
  [
    'a header without a name',
    { remotes: [{ type: 'sse', url: 'https://a', headers: [{}] }] },
    'error remotes[0].headers[0].name is missing.',
  ],
  [
    'a number as a variable',
    { remotes: [{ type: 'sse', url: 'https://a', variables: { v: 1 } }] },
    'error remotes[0].variables.v is not an object.',
  ],
  ['an icon without its source', { icons: [{}] }, 'error icons[0].src is missing.'],
  [
    'a theme that does not exist',
    { icons: [{ src: 'https://a', theme: 'blue' }] },
    'error icons[0].theme is not one of dark, light.',
  ],
  ['a repository without its source', { repository: { url: 'https://a' } }, 'error repository.source is missing.'],
  ['tools', { tools: [] }, 'warning tools is not part of a card'],
])('%s', (_, change, expected) => {
  const found = lint({ ...CARD, ...change });
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(expected);
});

test('headers: the type, CORS and caching', () => {
  expect(lint(CARD, { headers: [] })).toEqual([
    'warning Content-Type is missing, expected application/mcp-server-card+json.',
    'error Access-Control-Allow-Origin is not *, so pages can’t read the card.',
    'warning Cache-Control is missing, so clients ask again each time.',
  ]);
});

test('other text, and a card that is cut, has one finding', () => {
  for (const text of ['', 'a card', '[]', 'null', '1'])
    expect(lint(text)).toEqual(['error card is not a JSON object.']);
  expect(lint(CARD, { isCut: true })).toEqual(['error card is longer than 64 KB, so it was not checked.']);
});

test('attack: a card with very many wrong items is checked in part', () => {
  const icons = Array.from({ length: 10_000 }, () => ({}));
  expect(lint({ ...CARD, icons })).toHaveLength(100);
});
