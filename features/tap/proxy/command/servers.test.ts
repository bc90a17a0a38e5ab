import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runCommand } from '@/proxy/commands/test-command-line';
import { testHome } from '@/proxy/servers/test-home';
import { serversText } from './servers';

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

/** Runs `servers` in a home with these files. */
const list = async (given: Parameters<typeof testHome>[0], ...words: string[]) => {
  const home = testHome(given);
  vi.stubEnv('HOME', home);
  vi.stubEnv('MCP_INSPECT_HOME', join(home, 'data'));
  vi.spyOn(process, 'cwd').mockReturnValue(home);
  const { stdout } = await runCommand(['servers', ...words]);
  return { home, text: stdout };
};

test('lists servers in a table, then their problems and the configs that were not read', async () => {
  const { home, text } = await list(files);
  expect(text.replaceAll(home, '~')).toBe(`HOST    NAME             TAP  TRANSPORT  COMMAND OR URL     PROBLEMS
cursor  files            no   stdio      npx -y 'my files'
cursor  off (disabled)   no   stdio      x '\${NOPE}'        1
cursor  odd�[31m�� name  no   stdio      'a�'
warp    web              no   http       https://h/mcp

cursor/off: The config asks for \${NOPE}, which this shell doesn’t have. Set it before starting, or give \`--env NAME=VALUE\`.

4 servers in 2 configs, 0 tapped.
To connect: mcp-inspect --server NAME, or HOST/NAME. To tap one: mcp-inspect tap add HOST NAME

Not read, or only in part:
~/.codex/config.toml (codex): It is not valid TOML. Line 1, column 15: invalid value. Codex can’t read it either.`);
});

test('prints an array with the names of variables and headers, and no control characters', async () => {
  const { home, text } = await list(files, '--json');
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
      tap: 'no',
      sessions: [],
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
      tap: 'no',
      sessions: [],
    },
  ]);
});

test('says what hosts stumble over, with source and date, and quotes no value', async () => {
  const servers = {
    gone: { command: '{home}/gone/server', args: [] },
    key: { command: 'node', args: ['{home}/gone.js'], env: { API_KEY: '<your-s3cret-key>' } },
    box: { command: 'docker', args: ['run', '--rm', 'image'], disabled: true },
  };
  const { home, text } = await list({
    '.config/Claude/claude_desktop_config.json': `\uFEFF// mine\n${JSON.stringify({ mcpServers: servers })}`,
  });
  const lines = text.replaceAll(home, '~').split('\n');
  expect(text).not.toContain('s3cret');
  expect(lines.filter((line) => /^claude-desktop\/gone[:,]/.test(line))).toEqual([
    expect.stringMatching(
      /^claude-desktop\/gone, claude-desktop\/key: The file begins with a byte order mark\. .*, 2026-07-28, reported by users\)$/,
    ),
    expect.stringMatching(
      /^claude-desktop\/gone, claude-desktop\/key: The file has comments or trailing commas\. .*reported by users\)$/,
    ),
    'claude-desktop/gone: `~/gone/server` is not on this machine. A host that does not find it can’t start the server. Correct the path, or install it.',
  ]);
  expect(lines).toContainEqual(expect.stringContaining('claude-desktop/key: `~/gone.js` is not on this machine.'));
  expect(lines).toContainEqual(
    expect.stringContaining('claude-desktop/key: `API_KEY` in `env` still has the placeholder'),
  );
  expect(text).not.toContain('claude-desktop/box:');
});

test.each([
  ['.cursor/mcp.json', 'cursor'],
  ['.gemini/settings.json', 'gemini'],
  ['.mcp.json', 'claude-code'],
  ['a/claude_desktop_config.json', 'claude-desktop'],
  ['a/mcp.json', ''],
  ['mcp/mcp.json', ''],
  ['config/settings.json', ''],
])('a config named %s is that of the host %j', async (path, host) => {
  const home = testHome({ [path]: { mcpServers: { one: { command: 'node' } } } });
  const { stdout } = await runCommand(['servers', '--json', '--config', join(home, path)]);
  expect(JSON.parse(stdout)).toMatchObject([{ name: 'one', host }]);
});

test.each([
  ['gone.json', 'does not exist'],
  ['broken.json', /is not valid JSON\..*\. Hosts can’t read it either\.$/],
  ['empty.json', 'has no servers'],
])('a config without servers is an invalid command line: %s %s', async (path, why) => {
  const home = testHome({ 'broken.json': '{', 'empty.json': { mcpServers: {} } });
  await expect(runCommand(['servers', '--config', join(home, path)])).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(why),
  });
});

test('a path in `--config` is looked up from the folder of the file', async () => {
  const args = ['${workspaceFolder}/server.js'];
  const home = testHome({ 'a/mcp.json': { mcpServers: { one: { command: 'node', args } } }, 'a/server.js': '' });
  expect((await list({}, '--config', join(home, 'a/mcp.json'))).text).not.toContain('is not on this machine');
});

test('says where it looked if there are none', async () => {
  expect((await list({})).text).toMatch(/^No servers found\. mcp-inspect reads the configs of .*Cursor, VS Code/);
  expect((await list({}, '--json')).text).toBe('[]');
});

test('lists one host', async () => {
  const { text } = await list(files, 'warp', '--json');
  expect(JSON.parse(text).map(({ name }: { name: string }) => name)).toEqual(['web']);
  await expect(list(files, 'wrap')).rejects.toThrow('Unknown host `wrap`: did you mean `warp`?');
});

test('names broken taps and running ones, also those that no config has', () => {
  const sessions = [{ pid: 7, started: '2026-01-01T00:00:00Z', file: '/r/a.mcpr.jsonl' }];
  const text = serversText(
    {
      servers: [
        { host: 'zed', name: 'my files', tap: 'broken', missing: '/gone/node', sessions: [] },
        { host: '', name: 'b', tap: 'running', sessions },
      ],
      skipped: [],
    },
    undefined,
  );
  expect(text).toContain(
    "zed/my files can’t start, because /gone/node is gone. To repair it: mcp-inspect tap add zed 'my files'",
  );
  expect(text).toMatch(/^– +b +running +\(no config has it\)$/m);
  expect(text).toMatch(/Running taps:\nHOST {2}SERVER {2}PID {2}STARTED +RECORDING\n– +b +7 .* \/r\/a\.mcpr\.jsonl$/m);
});
