import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { testHome } from '../../servers/test-home';
import { runCommand } from '../test-command-line';
import { statusText } from './status';

const CONFIG = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["files"], "env": { "KEY": "s3cret" } },
    "bare": { "command": "server" },
    "web": { "url": "https://h/mcp" } // by URL
  }
}
`;

let file: string;
let home: string;
beforeEach(() => {
  const folder = testHome({ 'c.json': CONFIG, 'mcp-inspect/dist/cli.js': '' });
  home = join(folder, 'mcp-inspect/dist');
  file = join(folder, 'c.json');
  vi.stubEnv('MCP_INSPECT_HOME', join(folder, 'data'));
});

const run = (...argv: string[]) => runCommand([...argv, '--file', file], home);
const read = () => readFileSync(file, 'utf8');
const states = async () =>
  Object.fromEntries(
    JSON.parse((await run('status', 'cursor', '--json')).stdout).map((row: Record<string, string>) => [
      row.server,
      row.state,
    ]),
  );

test('a dry run shows the change and writes nothing', async () => {
  const { stdout } = await run('install', 'cursor', 'files', 'bare', '--dry-run');
  expect(stdout.split('\n')).toEqual([
    file,
    '  files',
    '    - "command": "npx"',
    `    + "command": ${JSON.stringify(process.execPath)}`,
    '    - "args": ["files"]',
    expect.stringMatching(
      /^ {4}\+ "args": \[".*cli\.js", "tap", "--host", "cursor", "--name", "files", "--", "npx", "files"\]$/,
    ),
    '  bare',
    '    - "command": "server"',
    expect.stringContaining('+ "command"'),
    expect.stringContaining('+ "args"'),
  ]);
  expect(read()).toBe(CONFIG);
});

test('installs all, lists them, and restores the bytes', async () => {
  const installed = await run('install', 'cursor', '--all');
  expect(installed.stdout).toBe(`Tapped \`files\` in ${file}\nTapped \`bare\` in ${file}`);
  expect(installed.notes).toEqual([
    expect.stringMatching(/`web` in .*: It is at a URL/),
    expect.stringMatching(/^The config as it was is in .*config-backups/),
    'Restart the host, or reload its servers, so that it reads the config again.',
    expect.stringMatching(/^MCP_INSPECT_HOME is .*data here, which hosts don’t know/),
    expect.stringContaining('Add it to `env` of the entry'),
  ]);
  expect(await states()).toEqual({ files: 'tapped', bare: 'tapped', web: 'url' });
  expect((await run('install', 'cursor', 'files')).notes).toEqual([expect.stringContaining('It is tapped already.')]);
  expect((await run('uninstall', 'cursor', '--all')).stdout).toBe(
    `Restored \`files\` in ${file}\nRestored \`bare\` in ${file}`,
  );
  expect(read()).toBe(CONFIG);
});

test('puts mcp-inspect itself into a config, and takes it out to the byte', async () => {
  const planned = await run('install', 'cursor', '--mcp', '--dry-run');
  expect(planned.stdout).toMatch(/^ {2}\+ "mcp-inspect": \{ "command": .*"mcp"\] \}$/m);
  expect(read()).toBe(CONFIG);
  expect((await run('install', 'cursor', '--mcp')).stdout).toBe(`Added mcp-inspect to ${file}`);
  expect(await states()).toMatchObject({ files: 'plain', 'mcp-inspect': 'agents' });
  expect((await run('install', 'cursor', '--mcp')).notes).toEqual([
    `\`${file}\`: mcp-inspect is already in this config.`,
  ]);
  expect((await run('uninstall', 'cursor', '--mcp')).stdout).toBe(`Removed mcp-inspect from ${file}`);
  expect(read()).toBe(CONFIG);
});

test.each([
  [['install', 'cursor', 'files', '--mcp'], /leave out names of servers/],
  [['uninstall', 'cursor', '--mcp'], /has no server called `mcp-inspect`/],
  [['install', 'curser'], /Unknown host `curser`: did you mean `cursor`\?/],
  [['install', 'cursor'], /^Name the servers to tap, or write `--all`\. There are `files`, `bare`\.$/],
  [['install', 'cursor', 'file'], /has no such server `file`: did you mean `files`\?/],
  [
    ['install', 'cursor', 'files', 'web'],
    /^Can’t tap 1 server, so nothing was changed\. `web`: It is at a URL, .*`mcp-inspect tap --http URL`/,
  ],
  [['install', 'cursor', 'files', '--all'], /exclude each other/],
  [['uninstall', 'cursor', '--all'], /^There is no server to untap in the configs of Cursor/],
])('%j is refused in one sentence', async (argv, sentence) => {
  await expect(run(...argv)).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(sentence) });
  expect(read()).toBe(CONFIG);
});

test('the status of a file has each of its servers once', async () => {
  await run('install', 'cursor', 'files');
  const rows = JSON.parse((await run('status', '--json')).stdout);
  expect(rows.map(({ host, server, state }: Record<string, string>) => [host, server, state])).toEqual([
    ['cursor', 'files', 'tapped'],
    ['', 'bare', 'plain'],
    ['', 'web', 'url'],
  ]);
});

test('another program of our name stays in its config', async () => {
  writeFileSync(file, '{"mcpServers":{"mcp-inspect":{"command":"other"}}}');
  await expect(run('install', 'cursor', '--mcp')).rejects.toMatchObject({
    message: expect.stringMatching(/starts something else or another version/),
  });
});

test('the table of status names taps that can’t start', () => {
  const text = statusText(
    [
      { host: 'zed', server: 'my files', path: '/c', state: 'broken', missing: '/gone/node' },
      { host: 'zed', server: 'b', path: '/c', state: 'plain' },
    ],
    undefined,
  );
  expect(text).toBe(`HOST  SERVER    STATE           CONFIG
zed   my files  tapped, broken  /c
zed   b         not tapped      /c

zed/my files can’t start, because /gone/node is gone. To repair it: mcp-inspect install zed 'my files'
1 of 2 servers tapped. To tap one: mcp-inspect install HOST SERVER`);
});
