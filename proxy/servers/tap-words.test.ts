import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { discoverServers, findServers } from './discovery';
import { readTapWords } from './tap-line';
import { missingFile, type OwnProgram, readTap, tapWords } from './tap-words';
import { contextIn, testHome } from './test-home';

const LINUX: OwnProgram = { home: '/opt/mcp-inspect/dist', version: '1.2.3', node: '/usr/bin/node', platform: 'linux' };
const SERVER = { host: 'zed', name: 'a', server: ['npx', '-y', 'x'] };
const TAP = ['tap', '--host', 'zed', '--name', 'a', '--'];

test.each([
  [{}, ['/usr/bin/node', '/opt/mcp-inspect/dist/cli.js', ...TAP]],
  [{ home: '/u/.npm/_npx/1f/node_modules/mcp-inspect/dist' }, ['npx', '-y', 'mcp-inspect@1.2.3', ...TAP]],
  [{ home: '/u/.cache/pnpm/dlx/1f/node_modules/mcp-inspect/dist' }, ['npx', '-y', 'mcp-inspect@1.2.3', ...TAP]],
  [
    { home: 'C:\\n\\mcp-inspect\\dist', node: 'C:\\n\\node.exe', platform: 'win32' },
    ['C:\\n\\node.exe', 'C:\\n\\mcp-inspect\\dist\\cli.js', ...TAP],
  ],
  [
    { home: 'C:\\n\\_npx\\1f\\node_modules\\mcp-inspect\\dist', platform: 'win32' },
    ['cmd', '/c', 'npx', '-y', 'mcp-inspect@1.2.3', ...TAP],
  ],
] as const)('words for %j, which are read again', (program, words) => {
  expect(tapWords({ ...LINUX, ...program }, SERVER)).toEqual({ words });
  expect(readTap([...words, ...SERVER.server])).toEqual({ ours: words, server: SERVER.server });
});

test('words for any name are read again, and the tap accepts them', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('', '-', '--', '--name', '--host=x', 'tap'),
  );
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 1, maxLength: 4 }), (name, server) => {
      const { words } = tapWords(LINUX, { host: 'zed', name, server }) as { readonly words: readonly string[] };
      expect(readTap([...words, ...server])).toEqual({ ours: words, server });
      const { name: given } = readTapWords([...words.slice(3), ...server])!;
      expect(given).toBe(name === '' || name.includes('\0') ? undefined : name);
    }),
    { examples: ['--', '-', '', '\0', 'a b', '"\'', '--name=x'].map((name) => [name, ['x', '--', 'y']]) },
  );
});

test('a clone with any name is known by its package.json, or by the note of its install', () => {
  const home = testHome({ 'ours/package.json': { name: 'mcp-inspect' }, 'other/package.json': { name: 'other' } });
  const words = (folder: string) => [process.execPath, join(home, folder, 'dist/cli.js'), ...TAP];
  expect(readTap([...words('ours'), 'x'])).toEqual({ ours: words('ours'), server: ['x'] });
  expect(readTap([...words('other'), 'x'])).toBeUndefined();
  expect(readTap([...words('gone'), 'x'], words('gone'))).toEqual({ ours: words('gone'), server: ['x'] });
});

test('attack: a program of another name with a tap command is connected to as it is', async () => {
  const entry = { command: 'node', args: ['/opt/other/cli.js', 'tap', '--host', '0.0.0.0', '--', 'run'] };
  const { presets } = await discoverServers(contextIn(testHome({ '.cursor/mcp.json': { mcpServers: { a: entry } } })));
  expect(presets[0]!.shown).not.toHaveProperty('tap');
  expect(await presets[0]!.complete!(new Map())).toMatchObject({ filled: entry });
});

test('attack: with npx on Windows, words that cmd would change are refused', () => {
  const program = { ...LINUX, home: 'C:\\_npx\\1\\dist', platform: 'win32' } as const;
  for (const word of ['a&calc', '%PATH%', 'a"b', '^', 'a|b', 'a>b', '!x!']) {
    expect(tapWords(program, { ...SERVER, server: ['x', word] }), word).toHaveProperty('wrong');
    expect(tapWords(program, { ...SERVER, name: word }), word).toHaveProperty('wrong');
  }
});

test.each([
  [['npx', '-y', 'x', 'tap', '--', 'y']],
  [['node', '/x/cli.js', 'tap', 'water']],
  [['tap', '--', 'mcp-inspect']],
  [['mcp-inspect', 'replay', 'tap', '--', 'x']],
  [['/tmp/evil', '/opt/mcp-inspect/dist/cli.js', 'tap', '--host', 'zed', '--', 'npx', 'nice']],
  [['node', '/tmp/evil.js', 'mcp-inspect', 'tap', '--', 'npx', 'nice']],
  [['npx', '-y', 'evil', 'mcp-inspect', 'tap', '--', 'npx', 'nice']],
  [['node', '/opt/other/cli.js', 'tap', '--host', '0.0.0.0', '--', 'run']],
  [['node', '/opt/other/dist/cli.js', 'tap', '--host', 'zed', '--name', 'a', '--', 'run']],
  [['node', '/opt/mcp-inspect/dist/cli.js', 'tap', 'water', '--', 'run']],
  [['node', '/opt/mcp-inspect/dist/cli.js', 'tap', '--name', '--', '--', 'run']],
  [['npx', '@evil/mcp-inspect', 'tap', '--', 'npx', 'nice']],
  [['npx', 'mcp-inspect@npm:evil', 'tap', '--', 'npx', 'nice']],
  [['node', 'mcp-inspect', 'tap', '--', 'npx', 'nice']],
  [['mcp-inspect', 'tap', '--http', 'https://h/mcp']],
])('attack: %j does not pass for a tap', (words) => {
  expect(readTap(words)).toBeUndefined();
});

test.each([
  [['mcp-inspect', 'tap', '--', 'x'], ['x']],
  [
    ['npx', 'mcp-inspect', 'tap', '--rotate', 'size=10MB', '--', 'x', '--', 'y'],
    ['x', '--', 'y'],
  ],
  [['C:\\bin\\mcp-inspect.cmd', 'tap', '--', 'x'], ['x']],
  [['pnpm', 'dlx', 'mcp-inspect', 'tap', '--', 'x'], ['x']],
])('%j is one that a person wrote', (words, server) => {
  expect(readTap(words)?.server).toEqual(server);
});

test('lists a tapped server with its own command, and connects without the tap', async () => {
  const home = testHome({ 'opt/mcp-inspect/dist/cli.js': '' });
  const cli = join(home, 'opt/mcp-inspect/dist/cli.js');
  const entry = { command: process.execPath, args: [cli, ...TAP, 'npx', '-y', 'x'], env: { KEY: 'v' } };
  const gone = { command: 'node', args: ['/gone/mcp-inspect/dist/cli.js', ...TAP, 'y'] };
  const files = { '.cursor/mcp.json': { mcpServers: { a: entry, b: gone, c: { command: 'z' } } } };
  const context = contextIn(testHome(files));
  const { presets } = await discoverServers(context);
  const [a, b, c] = presets.map(({ shown }) => shown);
  expect(a).toMatchObject({ target: { command: 'npx', args: ['-y', 'x'] }, envNames: ['KEY'], tap: {} });
  expect(b).toMatchObject({ target: { command: 'y', args: [] }, tap: { missing: '/gone/mcp-inspect/dist/cli.js' } });
  expect(c).not.toHaveProperty('tap');
  expect(await presets[0]!.complete!(new Map())).toMatchObject({
    filled: { command: 'npx', args: ['-y', 'x'] },
    env: { KEY: 'v' },
  });
  const { servers } = await findServers(context);
  expect(servers[0]!.entry.target).toMatchObject({ command: process.execPath });
});

test('a file that a tap needs is missing only if its path is absolute', () => {
  const words = (command: string, cli: string) => readTap([command, cli, ...TAP, 'x'])!;
  expect(missingFile(words(process.execPath, '/gone/mcp-inspect/dist/cli.js'))).toBe('/gone/mcp-inspect/dist/cli.js');
  expect(missingFile(words('/gone/node', '/gone/mcp-inspect/dist/cli.js'))).toBe('/gone/node');
  expect(missingFile(readTap(['cmd', '/c', 'npx', '-y', 'mcp-inspect@1', 'tap', '--', 'x'])!)).toBeUndefined();
});
