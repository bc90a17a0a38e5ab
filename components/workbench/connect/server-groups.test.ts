import { describe, expect, test } from 'vitest';
import type { ConfiguredServer } from '@/lib/wire/api';
import { readServers } from '@/lib/wire/server-config';
import { formatAgo, groupServers, isReady, shortCommand, shownName, tellingParts } from './server-groups';
import { serversConfig } from './server-json';

function server(name: string, more: Partial<ConfiguredServer> = {}): ConfiguredServer {
  return {
    id: name,
    origin: 'kept',
    source: '',
    target: { transport: 'stdio', name, command: 'node', args: [`${name}.js`] },
    envNames: [],
    policy: 'allowlist',
    placeholders: [],
    protocol: 'auto',
    ...more,
  };
}

const found = (name: string, host: string, source: string) => server(name, { origin: 'found', host, source });

const hosts = { 'claude-desktop': 'Claude Desktop', cursor: 'Cursor' };

describe('groups of servers', () => {
  test('recent ones: pinned first, then by last use', () => {
    const servers = [
      server('old', { lastUsed: '2026-01-01T00:00:00.000Z' }),
      server('pinned', { lastUsed: '2025-01-01T00:00:00.000Z', pinned: true }),
      server('new', { lastUsed: '2026-02-01T00:00:00.000Z' }),
    ];
    expect(groupServers({ servers, hosts }, '').recent.map(shownName)).toEqual(['pinned', 'new', 'old']);
  });

  test('found ones: a group for each config', () => {
    const servers = [
      found('a', 'cursor', '/one/mcp.json'),
      found('b', 'claude-desktop', '/c.json'),
      found('c', 'cursor', '/one/mcp.json'),
      found('d', 'cursor', '/two/mcp.json'),
      server('demo', { origin: 'demo' }),
    ];
    const groups = groupServers({ servers, hosts }, '').found.map(({ title, path, servers: members }) => [
      title,
      path,
      members.map(shownName).join(),
    ]);
    expect(groups).toEqual([
      ['Cursor', '/one/mcp.json', 'a,c'],
      ['Claude Desktop', '/c.json', 'b'],
      ['Cursor', '/two/mcp.json', 'd'],
    ]);
  });

  test('a server of a config is listed once, with its last use; pinned, it is at the top', () => {
    const lastUsed = '2026-01-01T00:00:00.000Z';
    const used = server('files', { id: 'kept-1', source: '/c.json', lastUsed, unopened: true });
    const other = server('web', { source: '/c.json', target: { ...used.target, name: 'web' } });
    const inConfig = found('files', 'cursor', '/c.json');
    const once = groupServers({ servers: [used, other, inConfig], hosts }, '');
    expect(once.recent.map(shownName)).toEqual(['web']);
    expect(once.found[0]?.servers).toEqual([{ ...inConfig, keptId: 'kept-1', lastUsed, unopened: true }]);
    const profile = { capabilities: {} };
    const withSettings = groupServers(
      { servers: [{ ...used, target: { ...used.target, profile } }, inConfig], hosts },
      '',
    );
    expect(withSettings.found[0]?.servers[0]?.target.profile).toEqual(profile);
    const pinned = groupServers({ servers: [{ ...used, pinned: true }, inConfig], hosts }, '');
    expect(pinned.recent.map(shownName)).toEqual(['files']);
    expect(pinned.found).toEqual([]);
  });

  test('the server of the command line is listed once, unless the kept one has other settings', () => {
    const given = server('files', { id: 'argv', origin: 'command-line' });
    const kept = server('files', { id: 'kept-1', lastUsed: '2026-01-01T00:00:00.000Z' });
    const counts = (...servers: readonly ConfiguredServer[]) => {
      const { given: groups, recent } = groupServers({ servers, hosts }, '');
      return [groups.flatMap((group) => group.servers).length, recent.length];
    };
    expect(counts(given, kept)).toEqual([1, 0]);
    expect(counts(given, { ...kept, envNames: ['KEY'] })).toEqual([1, 1]);
    expect(counts(given, { ...kept, target: { ...kept.target, profile: { capabilities: {} } } })).toEqual([1, 1]);
  });

  test('that match every word of a search in name, command, path or host', () => {
    const servers = [found('files', 'claude-desktop', '/c.json'), found('web', 'cursor', '/c.json'), server('files')];
    const named = (search: string) => {
      const { recent, found: groups } = groupServers({ servers, hosts }, search);
      return [...recent, ...groups.flatMap((group) => group.servers)].map(shownName);
    };
    expect(named('FILES.js')).toEqual(['files', 'files']);
    expect(named('claude c.json')).toEqual(['files']);
    expect(named('nothing')).toEqual([]);
  });
});

test('a server is ready if one click connects it', () => {
  const inputs = [{ id: 'key', description: '', secret: true }];
  const all = [server('a'), server('b', { inputs }), server('c', { disabled: true }), server('d', { problem: 'x' })];
  expect(all.filter(isReady).map(shownName)).toEqual(['a']);
});

test('times are relative to now', () => {
  const now = new Date(2026, 6, 15, 14, 0);
  const ago = (...parts: [number, number, number, number, number]) => formatAgo(new Date(...parts).toISOString(), now);
  expect([
    ago(2026, 6, 15, 14, 5),
    ago(2026, 6, 15, 13, 57),
    ago(2026, 6, 15, 9, 0),
    ago(2026, 6, 14, 23, 0),
    ago(2026, 6, 12, 14, 0),
    ago(2026, 5, 29, 14, 0),
    ago(2026, 4, 1, 14, 0),
    ago(2024, 4, 1, 14, 0),
  ]).toEqual(['now', '3 min ago', '5 hr ago', 'yesterday', '3 days ago', '2 wk ago', '2 mo ago', '2 yr ago']);
});

test('the exported config has all servers, with placeholders for values', () => {
  const servers = [
    server('a', { envNames: ['API_KEY'] }),
    server('a'),
    server('web', {
      target: { transport: 'sse', name: 'web', url: 'https://h/sse?key=${input:key}' },
      envNames: ['Authorization'],
    }),
  ];
  const { servers: read } = readServers(JSON.parse(serversConfig(servers)));
  expect(read).toMatchObject([
    { name: 'a', target: { command: 'node', args: ['a.js'], env: { API_KEY: '${API_KEY}' } } },
    { name: 'a 2' },
    {
      name: 'web',
      target: { transport: 'sse', headers: { Authorization: '${input:Authorization}' } },
      inputs: [{ id: 'Authorization' }, { id: 'key' }],
    },
  ]);
});

test.each([
  ['node', ['/home/me/app/server.js', '--port', '3000'], 'server.js'],
  ['uv', ['run', 'server.py'], 'server.py'],
  ['uv', ['--directory=/srv', 'run', 'python', '-m', 'my_server'], 'my_server'],
  ['npx', ['-y', '@modelcontextprotocol/server-everything', 'stdio'], '@modelcontextprotocol/server-everything'],
  ['docker', ['run', '-i', '--rm', '-e', 'TOKEN=x', 'ghcr.io/github/github-mcp-server'], 'github-mcp-server'],
  ['C:\\tools\\server.exe', [], 'server.exe'],
  ['node', [], 'node'],
])('the last meaningful part of %s %j', (command, args, part) => {
  expect(shortCommand(server('s', { target: { transport: 'stdio', command, args } }))).toBe(part);
});

test('the meaningful part of a URL', () => {
  expect(shortCommand(server('s', { target: { transport: 'auto', url: 'https://mcp.example.com/mcp/' } }))).toBe(
    'mcp.example.com/mcp',
  );
});

test('servers that look alike get the folders that tell them apart', () => {
  const python = (id: string, path: string, cwd?: string) =>
    server(id, {
      target: { transport: 'stdio', name: 'server.py', command: 'python3', args: [path], ...(cwd && { cwd }) },
    });
  const parts = (...servers: readonly ConfiguredServer[]) => [...tellingParts(servers).values()];
  expect(parts(python('a', '/home/me/shop/server.py'), python('b', '/home/me/bank/server.py'))).toEqual([
    'shop/server.py',
    'bank/server.py',
  ]);
  expect(parts(python('a', '/shop/src/server.py'), python('b', '/bank/src/server.py'))).toEqual([
    'shop/src/server.py',
    'bank/src/server.py',
  ]);
  expect(parts(python('a', 'server.py', '/shop'), python('b', 'server.py', '/bank'))).toEqual([
    'python3 server.py in /shop',
    'python3 server.py in /bank',
  ]);
  // The same server in two configs.
  expect(parts(python('a', '/shop/server.py'), python('b', '/shop/server.py'))).toEqual(['server.py', 'server.py']);
});
