import { join } from 'node:path';
import { expect, test } from 'vitest';
import { discoverServers } from '../servers/discovery';
import { contextIn, testHome } from '../servers/test-home';
import { serversJson, serversText } from './servers';

const files = {
  '.cursor/mcp.json': {
    mcpServers: {
      files: { command: 'npx', args: ['-y', 'my files'], env: { KEY: 's3cret' } },
      off: { command: 'x', args: ['${NOPE}'], disabled: true },
      'odd\u001b[31m\u202e\u0085\nname': { command: 'a\u0007' },
    },
  },
  '.warp/.mcp.json': { mcpServers: { web: { type: 'http', url: 'https://h/mcp', headers: { 'X-Key': 's3cret' } } } },
  '.codex/config.toml': 'mcp_servers = s3cret',
};

const discover = (given: Parameters<typeof testHome>[0]) => {
  const home = testHome(given);
  return discoverServers(contextIn(home)).then((discovered) => ({ home, discovered }));
};

test('lists servers in a table, then their problems and the configs that were not read', async () => {
  const { home, discovered } = await discover(files);
  expect(
    serversText(discovered, undefined).replaceAll(home, '~'),
  ).toBe(`HOST    NAME             TRANSPORT  COMMAND OR URL     PROBLEM
cursor  files            stdio      npx -y 'my files'
cursor  off (disabled)   stdio      x '\${NOPE}'        yes, see below
cursor  odd�[31m�� name  stdio      'a�'
warp    web              http       https://h/mcp

cursor/off: The config asks for \${NOPE}, which this shell doesn’t have. Set it before starting, or give \`--env NAME=VALUE\`.

4 servers in 2 configs. To connect: mcp-inspect --server NAME, or HOST/NAME

Not read, or only in part:
~/.codex/config.toml (codex): It is not valid TOML. Line 1, column 15: invalid value.`);
});

test('prints an array with the names of variables and headers, and no control characters', async () => {
  const { home, discovered } = await discover(files);
  const text = serversJson(discovered);
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}]|s3cret/u);
  expect(JSON.parse(text)).toEqual([
    {
      name: 'files',
      host: 'cursor',
      path: join(home, '.cursor/mcp.json'),
      transport: 'stdio',
      command: 'npx',
      args: ['-y', 'my files'],
      url: null,
      env: ['KEY'],
      headers: [],
      problem: null,
    },
    expect.objectContaining({ name: 'off', problem: expect.stringContaining('${NOPE}'), disabled: true }),
    expect.objectContaining({ name: 'odd\u001b[31m\u202e\u0085\nname', command: 'a\u0007' }),
    {
      name: 'web',
      host: 'warp',
      path: join(home, '.warp/.mcp.json'),
      transport: 'http',
      command: null,
      args: null,
      url: 'https://h/mcp',
      env: [],
      headers: ['X-Key'],
      problem: null,
    },
  ]);
});

test('says where it looked if there are none', async () => {
  const { discovered } = await discover({});
  expect(serversText(discovered, undefined)).toMatch(
    /^No servers found\. mcp-inspect reads the configs of .*Cursor, VS Code/,
  );
  expect(serversJson(discovered)).toBe('[]');
});
