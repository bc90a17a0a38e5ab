import { describe, expect, test } from 'vitest';
import type { DirectoryFile } from '@/features/host-judge';
import { HOST_FACTS } from './facts';
import { judgeFile } from './judge-hosts';

const NOW = new Date('2026-11-30');
const PNG = '\x89PNG\r\n\x1a\n0000IHDR';

const PACKAGE = {
  registryType: 'npm',
  identifier: '@example/weather',
  version: '1.0.0',
  transport: { type: 'stdio' },
};
const SERVER = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'io.github.example/weather',
  description: 'Weather and forecasts.',
  version: '1.0.0',
  packages: [PACKAGE],
};
const MANIFEST = {
  manifest_version: '0.3',
  name: 'weather',
  version: '1.0.0',
  description: 'Weather and forecasts.',
  author: { name: 'Example' },
  icon: 'icon.png',
  privacy_policies: ['https://example.com/privacy'],
  server: {
    type: 'node',
    entry_point: 'server/index.js',
    mcp_config: { command: 'node', args: ['${__dirname}/server/index.js', '--data', '${__dirname}/data'] },
  },
  user_config: { key: { type: 'string', title: 'Key', description: 'Your key.', sensitive: true } },
};

type Change = Readonly<Record<string, unknown>>;

const serverJson = (change: Change = {}): DirectoryFile => ({
  kind: 'server.json',
  value: { ...SERVER, ...change },
  start: () => undefined,
});
const packaged = (change: Change) => serverJson({ packages: [{ ...PACKAGE, ...change }] });
const remote = (url: string, change: Change = {}) =>
  serverJson({ remotes: [{ type: 'streamable-http', url, ...change }] });

const FILES: Readonly<Record<string, string>> = { 'server/index.js': 'import', 'icon.png': PNG, 'icon.svg': '<svg/>' };
const bundle = (change: Change = {}): DirectoryFile => ({
  kind: 'bundle',
  value: { ...MANIFEST, ...change },
  start: (path) => FILES[path],
});
const started = (change: Change) => bundle({ server: { ...MANIFEST.server, ...change } });
const HASH = 'a'.repeat(64);
const RELEASE = 'https://github.com/example/weather-mcp/releases/download/v1/weather.mcpb';

/** For each fact a file that breaks it, and one that comes close. */
const PAIRS: Readonly<Record<string, readonly [breaks: DirectoryFile, keeps: DirectoryFile]>> = {
  'dir-claude-https443': [remote('https://mcp.example.com:8443/mcp'), remote('https://mcp.example.com/mcp')],
  'dir-claude-https': [remote('http://mcp.example.com/mcp'), remote('https://mcp.example.com:8443/mcp')],
  'dir-chatgpt-public': [remote('https://10.0.0.7/mcp'), remote('https://mcp.example.com:8443/mcp')],
  'dir-mcpb-required': [bundle({ author: {} }), bundle({ manifest_version: undefined, dxt_version: '0.1' })],
  'dir-mcpb-unknown': [
    bundle({ user_config: { key: { ...MANIFEST.user_config.key, secret: true } } }),
    bundle({ manifest_version: '0.9', later: true }),
  ],
  'dir-mcpb-version': [bundle({ version: 'v1.0' }), bundle({ version: '1.0.0-rc.1+7' })],
  'dir-mcpb-privacy': [bundle({ privacy_policies: ['http://example.com/privacy'] }), bundle()],
  'dir-mcpb-entry': [started({ entry_point: 'dist/index.js' }), bundle()],
  'dir-mcpb-userconfig': [
    bundle({ user_config: { key: { type: 'password', title: 'Key', description: 'Your key.' } } }),
    bundle({ user_config: {} }),
  ],
  'dir-mcpb-icon': [bundle({ icon: '${__dirname}/icon.png' }), bundle({ icon: './icon.png' })],
  'registry-required': [serverJson({ $schema: undefined }), serverJson()],
  'registry-name': [serverJson({ name: 'weather' }), serverJson({ name: 'com.example/weather_2.mcp' })],
  'registry-description': [serverJson({ description: 'é'.repeat(101) }), serverJson({ description: '😀'.repeat(100) })],
  'registry-title': [serverJson({ title: 'a'.repeat(101) }), serverJson({ title: 'a'.repeat(100) })],
  'registry-version': [packaged({ version: '^1.0.0' }), serverJson({ version: '2026.11-extra' })],
  'registry-package': [packaged({ transport: undefined }), packaged({ version: undefined })],
  'registry-base-url': [
    packaged({ registryBaseUrl: 'https://npm.example.com' }),
    packaged({ registryBaseUrl: 'https://registry.npmjs.org/' }),
  ],
  'registry-bundle': [
    packaged({ registryType: 'mcpb', identifier: RELEASE }),
    packaged({ registryType: 'mcpb', identifier: RELEASE, fileSha256: HASH }),
  ],
  'registry-transport': [
    packaged({ transport: { type: 'http', url: 'http://localhost:3000/mcp' } }),
    packaged({ transport: { type: 'streamable-http', url: 'http://localhost:{port}/mcp' } }),
  ],
  'registry-type': [
    serverJson({ packages: [{ registryType: 'homebrew', identifier: 'a', transport: { type: 'stdio' } }] }),
    serverJson({ packages: [{ registryType: 'oci', identifier: 'a', transport: { type: 'stdio' } }] }),
  ],
  'registry-remote': [
    remote('https://{tenant}.example.com/mcp'),
    remote('https://{tenant}.example.com/mcp', { variables: { tenant: {} } }),
  ],
  'registry-icon': [
    serverJson({ icons: [{ src: 'http://example.com/icon.png' }] }),
    serverJson({ icons: [{ src: 'https://example.com/icon', mimeType: 'image/webp' }] }),
  ],
};

const FILE_FACTS = HOST_FACTS.filter(({ inFile }) => inFile);

test('each fact about files has a file that breaks it, and each fact is about sessions or files', () => {
  expect(Object.keys(PAIRS).sort()).toEqual(FILE_FACTS.map(({ id }) => id).sort());
  expect(HOST_FACTS.filter(({ look, inFile }) => !look && !inFile)).toEqual([]);
});

test.each(FILE_FACTS.map((fact) => [fact.id, fact] as const))('%s', (id, { inFile }) => {
  const [breaks, keeps] = PAIRS[id]!;
  expect(breaks.kind).toBe(inFile!.kind);
  const [place] = inFile!.find(breaks);
  expect(place).toEqual({ words: expect.stringMatching(/\.$/), path: expect.stringMatching(/^[\w$]/) });
  expect(inFile!.find(keeps)).toEqual([]);
});

const verdictOf = (file: DirectoryFile, host: string) => judgeFile(file, [host], NOW)[0]!;

describe('verdicts', () => {
  test('a good file has no obstacle, and questions that no program answers', () => {
    expect(verdictOf(serverJson(), 'registry')).toMatchObject({ state: 'no-obstacle', obstacles: [], untried: [] });
    expect(verdictOf(serverJson(), 'registry').questions).toHaveLength(3);
    const { state, untried, questions } = verdictOf(bundle(), 'claude-directory');
    expect([state, untried]).toEqual([
      'no-obstacle',
      ['A file shows no tools, results or sign-in: check the server, too.'],
    ]);
    expect(questions.join()).toContain('README');
  });

  test('an obstacle has a path in the file, and no frame', () => {
    const { state, obstacles } = verdictOf(packaged({ version: 'latest' }), 'registry');
    expect(state).toBe('fails');
    expect(obstacles).toMatchObject([{ fact: 'registry-version', loses: 'server', isReported: false }]);
    expect(obstacles[0]!.places).toEqual([{ words: 'The version is `latest`.', path: 'packages[0].version' }]);
  });

  test('a fault of an icon costs only that', () =>
    expect(verdictOf(bundle({ icon: 'icon.svg' }), 'claude-directory')).toMatchObject({
      state: 'loses',
      obstacles: [{ fact: 'dir-mcpb-icon', places: [{ words: '"icon.svg" is not a PNG file.' }] }],
    }));

  test.each([
    [serverJson(), 'chatgpt-directory', 'out-of-reach'],
    [bundle(), 'chatgpt-directory', 'out-of-reach'],
    [remote('https://mcp.example.com/mcp'), 'chatgpt-directory', 'no-obstacle'],
    [serverJson(), 'claude-directory', 'unknown'],
    [bundle(), 'registry', 'unknown'],
    [serverJson(), 'claude-code', 'unknown'],
  ])('a file that a host does not read decides nothing', (file, host, state) =>
    expect(verdictOf(file, host)).toMatchObject({ state, obstacles: [] }),
  );
});

test('attack: passwords and keys in URLs are not quoted', () => {
  const url = 'http://me:hunter2@example.com/?token=abc123';
  const file = {
    ...serverJson({ icons: [{ src: url }] }).value,
    remotes: [{ type: 'sse', url }],
    packages: [{ registryType: 'npm', registryBaseUrl: url, identifier: 'a', transport: { type: 'stdio' } }],
  };
  const { obstacles } = verdictOf(serverJson(file), 'registry');
  expect(obstacles.length).toBe(3);
  expect(JSON.stringify(obstacles)).not.toMatch(/hunter2|abc123/);
});

describe('versions', () => {
  test.each([
    'latest',
    '^1.2.3',
    '~1.2.3',
    '>=1.0.0',
    '<2',
    '=1.0.0',
    '1 - 2',
    '1.2.3 - 2.0.0',
    '1.2 || 1.3',
    '1.x',
    '1.2.*',
  ])('%s is not a version', (version) =>
    expect(verdictOf(serverJson({ version }), 'registry').obstacles).toHaveLength(1),
  );
  test.each(['1.0.0', '2.1.0-alpha', '2026.11.30', 'v3', '1.2.0-next.1', '0'])('%s is a version', (version) =>
    expect(verdictOf(serverJson({ version }), 'registry').obstacles).toEqual([]),
  );
});

describe('hostile files', () => {
  const DEEP = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`);
  const odd = [null, 7, 'text', [], {}, [null, 7, [], {}], DEEP, 'x'.repeat(1_000_000)];

  test('members of any type are read', () => {
    for (const value of odd)
      for (const file of [serverJson(), bundle()])
        for (const name of Object.keys(file.value)) {
          const changed = { ...file, value: { ...file.value, [name]: value } };
          for (const host of ['registry', 'claude-directory', 'chatgpt-directory'])
            for (const { places } of verdictOf(changed, host).obstacles)
              for (const { words, path = '' } of places) expect(words.length + path.length).toBeLessThan(1000);
        }
  });

  test('long lists cost little, and are named in part', () => {
    const many = Array.from({ length: 20_000 }, () => ({}));
    const options = Object.fromEntries(many.map((_, at) => [`k${at}`, { secret: 1 }]));
    const before = process.cpuUsage();
    const verdicts = [
      ...judgeFile(serverJson({ packages: many, remotes: many, icons: many }), ['registry'], NOW),
      ...judgeFile(bundle({ user_config: options, icons: many }), ['claude-directory'], NOW),
    ];
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
    for (const { obstacles } of verdicts)
      for (const { places } of obstacles) expect(places.length).toBeLessThanOrEqual(50);
  });

  test('patterns take linear time', () => {
    const before = process.cpuUsage();
    for (const text of [
      'a.'.repeat(100_000),
      '1.'.repeat(100_000),
      '{a'.repeat(100_000),
      `https://${'a/'.repeat(100_000)}`,
    ]) {
      verdictOf(serverJson({ name: `a/${text}`, version: text }), 'registry');
      verdictOf(serverJson({ repository: { source: 'gitlab', url: `https://gitlab.com/${text} ` } }), 'registry');
      verdictOf(remote(text), 'registry');
      verdictOf(bundle({ version: text, icon: text, server: { entry_point: text } }), 'claude-directory');
    }
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  });
});
