import { describe, expect, test } from 'vitest';
import type { EntryPlace } from '@/features/entry-check';
import type { ConfigEntry } from '@/lib/wire/server-config';
import { ENTRY_FACTS, entryObstacles } from './entry-facts';
import { leftPlaceholders } from './left-placeholders';

const entry = (more: Partial<ConfigEntry> = {}): ConfigEntry => ({
  name: 'files',
  target: { transport: 'stdio', command: 'npx', args: ['-y', 'files'] },
  placeholders: [],
  ...more,
});
const url = (more: Partial<ConfigEntry> = {}) =>
  entry({ target: { transport: 'auto', url: 'https://example.com/mcp' }, ...more });
const command = (path: string) => entry({ target: { transport: 'stdio', command: path, args: [] } });

const run = (line: string, more: Partial<ConfigEntry> = {}) => {
  const [first = '', ...args] = line.split(' ');
  return entry({ target: { transport: 'stdio', command: first, args }, ...more });
};
const docker = (...args: readonly string[]) => run(['docker', ...args].join(' '));
const withEnv = (value: string) =>
  entry({ target: { transport: 'stdio', command: 'npx', args: [], env: { API_KEY: value } } });

const PLACE: EntryPlace = { host: 'zed', platform: 'linux', oddities: [], missing: [], program: '/usr/bin/npx' };
type Case = readonly [entry: ConfigEntry, place?: Partial<EntryPlace>];

/** For each fact an entry that breaks it, and one that comes close. */
const PAIRS: Readonly<Record<string, readonly [Case, Case]>> = {
  'desktop-no-remote-config': [[url()], [entry()]],
  'desktop-env': [[command('./bin/server')], [command('/usr/bin/server')]],
  'desktop-path': [
    [entry(), { program: '/home/me/.nvm/versions/node/v22/bin/npx' }],
    [entry(), { program: '/home/me/nvm-notes/npx' }],
  ],
  'desktop-bom': [
    [entry(), { oddities: ['byte-order-mark'] }],
    [entry(), { oddities: ['utf-16'] }],
  ],
  'desktop-comments': [
    [entry(), { oddities: ['relaxed'] }],
    [entry(), { oddities: ['byte-order-mark'] }],
  ],
  'cc-comments': [[entry(), { oddities: ['relaxed'] }], [entry()]],
  'cc-url-type': [[url()], [{ ...url(), target: { transport: 'http', url: 'https://a.example/mcp' } }]],
  'cc-reserved': [[entry({ name: 'workspace' })], [entry({ name: 'workspaces' })]],
  'codex-server-name': [[entry({ name: 'my files' })], [entry({ name: 'my-files_2' })]],
  'gemini-server-underscore': [[entry({ name: 'my_files' })], [entry({ name: 'my-files' })]],
  'cursor-env-file': [[url({ envFile: '.env' })], [entry({ envFile: '.env' })]],
  'config-utf16': [
    [entry(), { oddities: ['utf-16'] }],
    [entry(), { oddities: ['byte-order-mark'] }],
  ],
  'docker-stdin': [[docker('run', '--rm', 'image', '-i')], [docker('run', '--rm', '-i', 'image')]],
  'dead-path': [[entry(), { missing: ['/gone/server.js'] }], [command('/usr/bin/server')]],
  'placeholder-left': [[withEnv('<your-key>')], [withEnv('your keyboard < mine')]],
};

const found = ([one, place]: Case, host: string) =>
  entryObstacles(one, { ...PLACE, host, ...place }).map(({ fact }) => fact);

test.each(ENTRY_FACTS.map((fact) => [fact.id, fact] as const))('%s', (id, { host = '' }) => {
  const [breaks, keeps] = PAIRS[id]!;
  expect(found(breaks, host)).toContain(id);
  expect(found(keeps, host)).not.toContain(id);
  expect(found(breaks, 'zed').includes(id)).toBe(host === '');
  expect(found([{ ...breaks[0], disabled: true }, breaks[1]], host)).toEqual([]);
});

test('a file of nobody knows whom names the host of each fact about files', () => {
  const wordsIn = (host: string) =>
    entryObstacles(entry(), { ...PLACE, host, oddities: ['relaxed'] }).map(({ words }) => words.split('. ')[1]);
  const both = [
    'Claude Desktop can’t read it',
    'Claude Code can’t read it, and may write its own config again without its servers',
  ];
  expect([wordsIn(''), wordsIn('mcp-json')]).toEqual([both, []]);
});

test('a fact about one host has a source, and a report of users says so', () => {
  for (const { id, host, source, on } of ENTRY_FACTS) {
    if (host !== undefined) expect(source, id).toBeDefined();
    if (source !== undefined) expect(on, id).toMatch(/^20\d\d-\d\d-\d\d$/);
  }
  expect(entryObstacles(entry(), { ...PLACE, host: 'claude-code', oddities: ['relaxed'] })).toEqual([
    expect.objectContaining({ fact: 'cc-comments', isReported: true, on: '2026-06-18' }),
  ]);
});

test.each(['npx', 'C:\\tools\\server.exe', '~/bin/server', '${HOME}/bin/server', '\\\\share\\server'])(
  '%s is not a relative path',
  (path) => expect(found([command(path)], 'claude-desktop')).toEqual([]),
);

test.each([
  ['node build/index.js', true],
  ['python3 server.py --port 1', true],
  ['node /srv/index.js', false],
  ['node C:\\srv\\index.js', false],
  ['python -m server', false],
  ['node ${HOME}/index.js', false],
  ['npx server.js', false],
  ['node -e a.js', true],
] as const)('%s: the script is relative: %s', (line, isRelative) => {
  expect(found([run(line)], 'claude-desktop').includes('desktop-env')).toBe(isRelative);
});

describe('placeholders of examples', () => {
  test.each([
    '<your-key>',
    '<API_KEY>',
    'Bearer <token>',
    'YOUR_API_KEY',
    'YOUR_ORG',
    'your-api-key-here',
    'your_github_token',
    'your api key',
    'sk-...',
    'ghp_xxxxxxxxxxxx',
    'xxxx',
    'replace-me',
    'REPLACE_WITH_TOKEN',
    'changeme',
    '/path/to/files',
    'C:\\path\\to\\files',
    '...',
    'https://your-server.example/mcp',
  ])('%s', (text) => expect(leftPlaceholders(withEnv(text))).toEqual(['`API_KEY` in `env`']));

  test.each([
    '${input:key}',
    '${API_KEY}',
    'sk-proj-abc123',
    '/home/me/your-notes',
    '/srv/path/tools',
    'a<b && c>d',
    'yourself',
    'changemetadata',
    'FOUR_SEASONS',
    './...',
    'https://example.com/?q=%3Cyour%3E',
    'monkey',
    'exchange',
    'console.log("<key>x</key>")',
    'https://yourdomains.example',
    '',
  ])('%s is a value', (text) => expect(leftPlaceholders(withEnv(text))).toEqual([]));

  test('name each part, and quote nothing', () => {
    const headers = { 'X-Key': 'YOUR_KEY' };
    const target = { transport: 'http', url: 'https://<your-host>/mcp', headers } as const;
    expect(leftPlaceholders(entry({ target }))).toEqual(['`url`', '`X-Key` in `headers`']);
    expect(leftPlaceholders(run('/path/to/server --key YOUR_KEY'))).toEqual(['`command`', 'Argument 2']);
  });

  test('cost little in long values', () => {
    const before = process.cpuUsage();
    for (const text of ['<your'.repeat(50_000), 'your-'.repeat(50_000), 'your a-'.repeat(50_000), 'x'.repeat(200_000)])
      leftPlaceholders(withEnv(text));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
  });
});
