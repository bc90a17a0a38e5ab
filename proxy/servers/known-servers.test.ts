import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { presetOfFound } from './discovery';
import { findKnownServers } from './known-servers';
import { contextIn, testHome } from './test-home';

const CURSOR = '.cursor/mcp.json';

/** A home folder with servers in Cursor's config and in the list. */
function homeWithBoth() {
  const home = testHome({ [CURSOR]: { mcpServers: { files: { command: 'files' } } } });
  const kept = (name: string, more: object) => ({
    id: `kept-${name.padEnd(8, '0')}`,
    target: { transport: 'stdio', command: 'node', args: [`${name}.js`, '--token', '${input:token}'] },
    names: ['API_KEY'],
    policy: 'shell',
    protocol: '2025-06-18',
    lastUsed: '2026-01-01T00:00:00.000Z',
    ...more,
  });
  const servers = [
    kept('ab', {}),
    kept('cd', { from: { path: join(home, CURSOR), server: 'files' } }),
    kept('typo', { unopened: true }),
  ];
  mkdirSync(join(home, 'data'));
  writeFileSync(join(home, 'data/servers.json'), JSON.stringify({ version: 1, servers }));
  return contextIn(home, { environment: { MCP_INSPECT_HOME: join(home, 'data') } });
}

test('kept servers come after those of configs, unless a config names them', async () => {
  const { servers } = await findKnownServers(homeWithBoth());
  expect(servers.map(({ host, entry }) => `${host.id}/${entry.name}`)).toEqual(['cursor/files', 'mcp-inspect/ab.js']);
});

test('a kept server asks for what is not kept, and has its settings', async () => {
  const { servers } = await findKnownServers(homeWithBoth());
  const make = (inputs: ReadonlyMap<string, string>) =>
    presetOfFound(servers[1]!, { environment: {}, cwd: '/', inputs }, 'auto');
  expect((await make(new Map())).shown).toMatchObject({
    inputs: [{ id: 'token' }, { id: 'API_KEY' }],
    policy: 'shell',
    protocol: '2025-06-18',
  });
  expect(
    await make(
      new Map([
        ['token', 't'],
        ['API_KEY', 'k'],
      ]),
    ),
  ).toMatchObject({ filled: { args: ['ab.js', '--token', 't'] }, env: { API_KEY: 'k' } });
});

test('a list that can’t be read is skipped with a reason', async () => {
  const context = homeWithBoth();
  writeFileSync(join(context.home, 'data/servers.json'), 'x');
  const { servers, skipped } = await findKnownServers(context);
  expect(servers).toHaveLength(1);
  expect(skipped).toMatchObject([{ host: 'mcp-inspect', reason: expect.stringContaining('Could not read') }]);
});
