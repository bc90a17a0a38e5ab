import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOSTS } from '@/proxy/servers/hosts';
import { testHome } from '@/proxy/servers/test-home';
import { Installer } from './installer';

const KEYS: Readonly<Record<string, readonly string[]>> = {
  cursor: ['mcpServers'],
  'claude-code': ['mcpServers'],
  vscode: ['mcp', 'servers'],
  zed: ['context_servers'],
  opencode: ['mcp'],
  codex: ['mcp_servers'],
};

/** A config of a host in a new home, and an installer that works on it. */
function fixture(host: keyof typeof KEYS, text: string) {
  const name = host === 'codex' ? 'config.toml' : 'config.json';
  const home = testHome({ [name]: text, 'opt/mcp-inspect/dist/cli.js': '' });
  const program = {
    home: join(home, 'opt/mcp-inspect/dist'),
    version: '1',
    node: process.execPath,
    platform: process.platform,
  };
  const installer = new Installer({ folder: join(home, 'data/recordings'), program, uid: process.getuid?.() });
  const path = join(home, name);
  const place = { host: HOSTS.find(({ id }) => id === host)!, path, key: KEYS[host]! };
  return { installer, place, read: () => readFileSync(path, 'utf8'), cli: join(program.home, 'cli.js') };
}

const CONFIGS: readonly (readonly [host: string, what: string, text: string])[] = [
  ['cursor', 'a server', '{\n  "mcpServers": {\n    "files": { "command": "npx" }\n  }\n}\n'],
  [
    'cursor',
    'comments, tabs, CRLF and a BOM',
    '\uFEFF{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"a": {"url": "https://h"}, // last\r\n\t},\r\n}',
  ],
  ['cursor', 'no servers', '{"mcpServers": { }}'],
  ['cursor', 'nothing', '{}'],
  ['claude-code', 'other settings', '{"theme":"dark","n":1.0}'],
  ['vscode', 'other settings', '{\n    "editor.tabSize": 2,\n}\n'],
  ['vscode', 'a dotted key', '{ "mcp.servers": {"a": {"command": "b"}} }'],
  ['zed', 'other settings', '// zed\n{\n  "context_servers": {},\n  "vim_mode": true\n}\n'],
  ['opencode', 'a server', '{"mcp":{"a":{"type":"local","command":["b"]}}}'],
  ['codex', 'a server', 'model = "x"\n\n[mcp_servers.a]\ncommand = "b" # mine\n'],
  ['codex', 'CRLF and no last line end', 'model = "x"\r\n[mcp_servers."a b"]\r\ncommand = "b"'],
  ['codex', 'nothing', ''],
];

describe.for(CONFIGS)('%s with %s', ([host, , text]) => {
  test('gets the entry, and loses it to the byte', async () => {
    const { installer, place, read, cli } = fixture(host, text);
    const added = await installer.changeOwn(place, 'add');
    expect(added.why).toBeUndefined();
    expect(readFileSync(added.backup!, 'utf8')).toBe(text);
    expect(read()).toContain(JSON.stringify(cli));
    expect(added.diff.map(({ sign }) => sign)).not.toContain('-');
    expect(await installer.changeOwn(place, 'add')).toMatchObject({
      why: expect.stringMatching(/already in/),
      isDone: true,
    });
    await installer.changeOwn(place, 'remove');
    expect(read()).toBe(text);
    expect(await installer.installs()).toEqual([]);
    expect((await installer.planOwn(place, 'remove')).why).toMatch(/has no server/);
  });
});

test('what the host wrote meanwhile stays', async () => {
  const { installer, place, read } = fixture('cursor', '{"mcpServers": {"a": {"command": "b"}}}');
  await installer.changeOwn(place, 'add');
  const { writeFileSync } = await import('node:fs');
  const laidOut = JSON.stringify({ ...JSON.parse(read()), theme: 'dark' }, undefined, 2);
  writeFileSync(place.path, laidOut);
  await installer.changeOwn(place, 'remove');
  expect(JSON.parse(read())).toEqual({ mcpServers: { a: { command: 'b' } }, theme: 'dark' });
});

test('a config that is not an object, or where the key is a list, is left alone', async () => {
  for (const text of ['[]', '{"mcpServers": []}', '"x"']) {
    const { installer, place, read } = fixture('cursor', text);
    expect((await installer.planOwn(place, 'add')).why).toMatch(/can’t edit safely/);
    expect(read()).toBe(text);
  }
});

test('the entry is not tapped', async () => {
  const { installer, place, read } = fixture('cursor', '{"mcpServers": {}}');
  await installer.changeOwn(place, 'add');
  const before = read();
  const { findServersIn } = await import('@/proxy/servers/discovery');
  const { contextIn } = await import('@/proxy/servers/test-home');
  const { servers } = await findServersIn(place.path, place.host, contextIn(join(place.path, '..')));
  expect((await installer.plan(servers, 'tap')).unchanged.map(({ why }) => why)).toEqual(['It is mcp-inspect itself.']);
  expect(read()).toBe(before);
});
