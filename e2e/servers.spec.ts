import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, hostileCommand, runBin, test } from './bin';
import { Workbench } from './workbench';

const EVERYTHING = join(
  import.meta.dirname,
  'servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

/** Writes files below a home folder, and returns the options to run with it. */
function homeWith(folder: string, files: Readonly<Record<string, object>>) {
  const home = join(folder, 'user');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(content), { mode: 0o600 });
  }
  return { cwd: home, env: { HOME: home, XDG_CONFIG_HOME: '' } };
}

const CLAUDE = '.config/Claude/claude_desktop_config.json';

test('a server in the config of Claude Desktop is listed, and connects by its name', async ({ open }, {
  outputDir,
}) => {
  test.skip(!existsSync(EVERYTHING), 'needs the real servers: run `npm ci` in e2e/servers');
  const env = { SESAME: 'sesame-4731' };
  const args = [EVERYTHING, '--api-key', 'sesame-4732-in-arguments'];
  const options = homeWith(outputDir, {
    [CLAUDE]: {
      mcpServers: { everything: { command: process.execPath, args: [EVERYTHING], env }, other: { command: 'x', args } },
    },
  });

  const json = await runBin(['servers', '--json'], options);
  expect(json).toMatchObject({ ended: 0, stderr: '' });
  expect(JSON.parse(json.stdout)).toMatchObject([
    { name: 'everything', host: 'claude-desktop', path: join(options.cwd, CLAUDE), env: ['SESAME'], problem: null },
    { name: 'other', args: [EVERYTHING, '--api-key', '${input:api-key}'] },
  ]);
  const listed = await runBin(['servers'], options);
  expect(listed.stdout).toContain('2 servers in 1 config, 0 tapped.');
  expect(json.stdout + listed.stdout).not.toContain('sesame');

  const called = await runBin(['call', 'get-env', '--server', 'everything'], options);
  expect(called).toMatchObject({ ended: 0, stdout: expect.stringContaining('sesame-4731') });
  expect(called.stderr).toContain('Using `everything` of Claude Desktop, from `');

  const { bin, page } = await open(['--server', 'claude-desktop/everything'], options);
  await new Workbench(page).connected();
  expect(bin.stderr()).toContain('Using `everything` of Claude Desktop');
});

test('a name that two hosts have, a near miss, and an answer to an input', async ({ start: _ }, { outputDir }) => {
  const [command, ...args] = hostileCommand('environ');
  const asking = { command, args, env: { API_KEY: '${input:api-key}' } };
  const options = homeWith(outputDir, {
    '.cursor/mcp.json': { mcpServers: { twice: { command, args }, asks: asking } },
    '.warp/.mcp.json': { mcpServers: { twice: { command, args } } },
  });
  const call = (...more: string[]) => runBin(['call', 'echo', ...more], options);
  const twice = await call('--server', 'twice');
  expect(twice).toMatchObject({ ended: 2, stderr: expect.stringContaining('`cursor/twice`, `warp/twice`') });
  expect(await call('--server', 'warp/twice')).toMatchObject({ ended: 0 });
  expect(await call('--server', 'twize')).toMatchObject({ ended: 2, stderr: expect.stringContaining('mean `twice`?') });
  const answered = await call('--server', 'asks', '--input', 'api-key=sesame-4733');
  expect(answered).toMatchObject({ ended: 0, stdout: expect.stringContaining('sesame-4733') });
});

test('a pipe and a config that others can write are one line each, and nothing hangs', async ({ start: _ }, {
  outputDir,
}) => {
  const options = homeWith(outputDir, { '.warp/.mcp.json': {}, '.cursor/mcp.json': { mcpServers: {} } });
  execFileSync('mkfifo', [join(options.cwd, '.mcp.json')]);
  execFileSync('chmod', ['666', join(options.cwd, '.cursor/mcp.json')]);
  const { ended, stdout } = await runBin(['servers'], options);
  expect(ended).toBe(0);
  expect(stdout.split('\n').filter((line) => line.startsWith(options.cwd))).toEqual([
    `${join(options.cwd, '.mcp.json')} (mcp-json): It is not a file, but a pipe or a device.`,
    `${join(options.cwd, '.cursor/mcp.json')} (cursor): Other users can change it. Run \`chmod go-w\` on it.`,
  ]);
});
