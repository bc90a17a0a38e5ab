import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { runCommand } from '@/proxy/commands/test-command-line';
import { testHome } from '@/proxy/servers/test-home';

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

const run = (...argv: string[]) => runCommand([...argv, '--config', file], home);
const read = () => readFileSync(file, 'utf8');
const states = async () =>
  Object.fromEntries(
    JSON.parse((await run('servers', 'cursor', '--json')).stdout).map((row: Record<string, string>) => [
      row.name,
      row.tap,
    ]),
  );

test('a dry run shows the change and writes nothing', async () => {
  const { stdout } = await run('tap', 'add', 'cursor', 'files', 'bare', '--dry-run');
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
  const installed = await run('tap', 'add', 'cursor', '--all');
  expect(installed.stdout).toBe(`Tapped \`files\` in ${file}\nTapped \`bare\` in ${file}`);
  expect(installed.notes).toEqual([
    expect.stringMatching(/`web` in .*: It is at a URL/),
    expect.stringMatching(/^The config as it was is in .*config-backups/),
    'Restart the host, or reload its servers, so that it reads the config again.',
    expect.stringMatching(/^MCP_INSPECT_HOME is .*data here, which hosts don’t know/),
    expect.stringContaining('Add it to `env` of the entry'),
  ]);
  expect(await states()).toEqual({ files: 'yes', bare: 'yes', web: 'no' });
  expect((await run('tap', 'add', 'cursor', 'files')).notes).toEqual([
    expect.stringContaining('It is tapped already.'),
  ]);
  expect((await run('tap', 'remove', 'cursor', '--all')).stdout).toBe(
    `Restored \`files\` in ${file}\nRestored \`bare\` in ${file}`,
  );
  expect(read()).toBe(CONFIG);
});

test('prints the changes as JSON', async () => {
  const planned = JSON.parse((await run('tap', 'add', 'cursor', 'bare', '--dry-run', '--json')).stdout);
  expect(planned).toEqual({
    written: false,
    configs: [{ path: file, servers: [{ name: 'bare', diff: expect.arrayContaining(['- "command": "server"']) }] }],
  });
  const added = JSON.parse((await run('mcp', 'add', 'cursor', '--json')).stdout);
  expect(added).toMatchObject({ written: true, configs: [{ path: file, servers: [{ name: 'mcp-inspect' }] }] });
});

test('puts mcp-inspect itself into a config, and takes it out to the byte', async () => {
  const planned = await run('mcp', 'add', 'cursor', '--dry-run');
  expect(planned.stdout).toMatch(/^ {2}\+ "mcp-inspect": \{ "command": .*"mcp"\] \}$/m);
  expect(read()).toBe(CONFIG);
  expect((await run('mcp', 'add', 'cursor')).stdout).toBe(`Added mcp-inspect to ${file}`);
  expect(await states()).toMatchObject({ files: 'no', 'mcp-inspect': 'no' });
  expect((await run('servers', '--json')).stdout).toContain('"agents":true');
  expect((await run('mcp', 'add', 'cursor')).notes).toEqual([`\`${file}\`: mcp-inspect is already in this config.`]);
  expect((await run('mcp', 'remove', 'cursor')).stdout).toBe(`Removed mcp-inspect from ${file}`);
  expect(read()).toBe(CONFIG);
});

test.each([
  [['mcp', 'add', 'cursor', 'files'], /is one word too many/],
  [['mcp', 'remove', 'cursor'], /has no server called `mcp-inspect`/],
  [['tap', 'add', 'curser'], /Unknown host `curser`: did you mean `cursor`\?/],
  [['tap', 'add', 'cursor'], /^Name the servers to tap, or write `--all`\. You can tap `files`, `bare`\.$/],
  [['tap', 'add', 'cursor', 'file'], /has no such server `file`: did you mean `files`\?/],
  [
    ['tap', 'add', 'cursor', 'files', 'web'],
    /^Can’t tap 1 server, so nothing was changed\. `web`: It is at a URL, .*`mcp-inspect tap --http URL`/,
  ],
  [['tap', 'add', 'cursor', 'files', '--all'], /exclude each other/],
  [['tap', 'remove', 'cursor', '--all'], /^There is no server to untap in the configs of Cursor/],
])('%j is refused in one sentence', async (argv, sentence) => {
  await expect(run(...argv)).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(sentence) });
  expect(read()).toBe(CONFIG);
});

test('the servers of a file are listed once each, with the host that a tap names', async () => {
  await run('tap', 'add', 'cursor', 'files');
  const rows = JSON.parse((await run('servers', '--json')).stdout);
  expect(rows.map(({ host, name, tap }: Record<string, string>) => [host, name, tap])).toEqual([
    ['cursor', 'files', 'yes'],
    ['', 'bare', 'no'],
    ['', 'web', 'no'],
  ]);
});

test('another program of our name stays in its config', async () => {
  writeFileSync(file, '{"mcpServers":{"mcp-inspect":{"command":"other"}}}');
  await expect(run('mcp', 'add', 'cursor')).rejects.toMatchObject({
    message: expect.stringMatching(/starts something else or another version/),
  });
});
