import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoCommand, expect, hostileCommand, test } from './bin';
import { copiedBy } from './clipboard';
import { Workbench } from './workbench';

test('yesterday’s server is one click away', async ({ start, page }, { outputDir }) => {
  const file = join(outputDir, 'home/servers.json');
  const bin = await start(['--', ...demoCommand()]);
  await expect.poll(() => existsSync(file)).toBe(true);
  bin.kill('SIGTERM');
  await bin.ended;
  expect(statSync(file).mode & 0o777).toBe(0o600);

  await page.goto((await start([])).link);
  const bench = new Workbench(page);
  const recent = bench.region('Recent');
  await expect(recent.getByRole('listitem')).toHaveCount(1);
  await expect(recent).toContainText('now');
  await recent.getByRole('button', { name: /^Connect / }).click();
  await bench.connected();
  await bench.tool('echo');
});

test('secrets are not kept: they are asked for, and a changed server replaces its entry', async ({
  open,
  start,
  page,
}, { outputDir }) => {
  const [command, ...args] = hostileCommand('environ');
  const { bin } = await open([]);
  const bench = new Workbench(page);
  const box = page.getByRole('textbox', { name: /^Command line/ });
  await box.fill(`${command} "${args[0]}" environ --api-key sesame-4711-opens`);
  await bench.options();
  await bench.button('Add variable').click();
  await bench.field('Name of new variable').fill('API_TOKEN');
  await page.getByLabel('Value of API_TOKEN').fill('sesame-4712-opens');
  await bench.button('Connect').click();
  await bench.connected();
  bin.kill('SIGTERM');
  await bin.ended;
  const file = join(outputDir, 'home/servers.json');
  expect(readFileSync(file, 'utf8')).toContain('API_TOKEN');
  expect(readFileSync(file, 'utf8')).not.toContain('sesame');

  await page.goto((await start([])).link);
  const row = bench.region('Recent').getByRole('button', { name: /^Connect / });
  await row.click();
  const questions = page.getByRole('form', { name: /^Inputs of / });
  await expect(questions.getByLabel('api-key')).toBeFocused();
  await questions.getByLabel('api-key').fill('typed-1');
  await questions.getByLabel('API_TOKEN').fill('typed-2');
  await questions.getByLabel('API_TOKEN').press('Enter');
  await bench.connected();

  // In the same run nothing is asked again, even if the list from before the answers is still shown.
  let send = () => {};
  const listed = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route('**/api/servers', async (route) => {
    await listed;
    await route.continue();
  });
  await bench.addServer();
  await row.click();
  send();
  await expect((await bench.servers()).getByRole('listitem')).toHaveCount(2);
  await bench.connected();

  await bench.addServer();
  const name = (await row.getAttribute('aria-label'))!.slice('Connect '.length);
  await bench.ofServer(name, 'Edit…');
  await expect(page.getByRole('heading', { name: `Edit ${name}` })).toBeVisible();
  await bench.button('Remove API_TOKEN').click();
  await bench.button('Save').click();
  await expect(page.getByRole('heading', { name: `Edit ${name}` })).toBeHidden();
  await expect(bench.region('Recent').getByRole('listitem')).toHaveCount(1);
  expect(readFileSync(file, 'utf8')).not.toContain('API_TOKEN');
});

test('servers can be renamed, pinned, duplicated, copied, exported and deleted', async ({ open, page }, {
  outputDir,
}) => {
  const home = join(outputDir, 'home');
  mkdirSync(home, { recursive: true });
  const kept = ['alpha', 'beta'].map((name, index) => ({
    id: `kept-0000000${index}`,
    target: { transport: 'stdio', name, command: 'node', args: [`${name}.js`] },
    names: ['API_KEY'],
    policy: 'allowlist',
    protocol: 'auto',
    lastUsed: `2026-01-0${index + 1}T00:00:00.000Z`,
  }));
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ version: 1, servers: kept }));
  await open([]);
  const bench = new Workbench(page);
  const names = () =>
    bench
      .region('Recent')
      .getByRole('button', { name: /^Connect / })
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')?.slice('Connect '.length)));
  await expect.poll(names).toEqual(['beta', 'alpha']);

  await bench.ofServer('alpha', 'Pin');
  await expect.poll(names).toEqual(['alpha', 'beta']);
  await bench.ofServer('beta', 'Rename');
  await bench.field('Name of the server').fill('gam');
  await page.reload();
  await bench.field('Name of the server').press('End');
  await page.keyboard.type('ma');
  await bench.field('Name of the server').press('Enter');
  await expect.poll(names).toEqual(['alpha', 'gamma']);
  await bench.ofServer('gamma', 'Duplicate');
  await expect.poll(async () => (await names()).sort()).toEqual(['alpha', 'gamma', 'gamma copy']);

  const copied = await copiedBy(page, () => bench.ofServer('gamma', 'Copy as mcpServers JSON'));
  expect(JSON.parse(copied)).toEqual({
    mcpServers: {
      gamma: { command: 'node', args: ['beta.js'], env: { API_KEY: '${API_KEY}' } },
    },
  });
  await bench.button('More actions for recent servers').click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export all as mcpServers JSON' }).click();
  const exported = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  expect(Object.keys(exported.mcpServers).sort()).toEqual(['alpha', 'gamma', 'gamma copy']);

  await bench.ofServer('alpha', 'Delete');
  await expect.poll(async () => (await names()).sort()).toEqual(['gamma', 'gamma copy']);

  // The arrow keys move between rows of all sections; Enter connects.
  await bench.button('Connect demo').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await expect(bench.button('Connect demo')).toBeFocused();
  await page.keyboard.press('Enter');
  await bench.connected();
});

test('all servers of a config connect together, and a list that can’t be read is an error and stays', async ({
  open,
  page,
}, { outputDir }) => {
  mkdirSync(join(outputDir, 'home'), { recursive: true });
  const file = join(outputDir, 'home/servers.json');
  writeFileSync(file, '{"version":1,');
  const [command, ...args] = demoCommand();
  const mcpServers = {
    one: { command, args },
    two: { command, args: [...args, 'two'] },
    off: { command, args, disabled: true },
    lost: { args: [] },
  };
  writeFileSync(join(outputDir, 'c.json'), JSON.stringify({ mcpServers }));
  await open(['--config', join(outputDir, 'c.json')]);
  const bench = new Workbench(page);
  await bench.button('Connect all servers of Config file').click();
  await expect((await bench.servers()).getByRole('listitem')).toHaveCount(2);
  await bench.connected();

  await bench.addServer();
  await expect(bench.region('Recent')).toContainText('Could not read the list of servers');
  expect(readFileSync(file, 'utf8')).toBe('{"version":1,');
});

test('servers of Claude Desktop are shown on demand; a broken config says where it is broken', async ({
  open,
  start,
  page,
}, { outputDir }) => {
  const home = join(outputDir, 'user');
  const [command, ...args] = hostileCommand('environ');
  const mcpServers = {
    one: { command, args, env: { ONE: 'sesame-4721-opens' } },
    two: { command, args: [...args, '--api-key', 'sesame-4722-opens'] },
  };
  mkdirSync(join(home, '.config/Claude'), { recursive: true });
  mkdirSync(join(home, '.cursor'));
  writeFileSync(join(home, '.config/Claude/claude_desktop_config.json'), JSON.stringify({ mcpServers }), {
    mode: 0o600,
  });
  writeFileSync(join(home, '.cursor/mcp.json'), '{\n  "mcpServers": {', { mode: 0o600 });
  const options = { cwd: home, env: { HOME: home, XDG_CONFIG_HOME: '' } };
  const listed = page.waitForResponse((response) => response.url().endsWith('/api/servers'));
  const { bin } = await open([], options);
  expect(await (await listed).text()).not.toContain('sesame');
  const bench = new Workbench(page);
  const found = bench.region('Found on this machine');
  await expect(found).toContainText(/mcp\.json \(Cursor\): It is not valid JSON\. Line 2/);
  await expect(found).toContainText('2 servers of Claude Desktop. Show them');
  await bench.found();
  // One click starts one server of a host.
  await expect(found.getByRole('button', { name: /^Connect all/ })).toHaveCount(0);
  await bench.button('Connect one').click();
  await bench.connected();
  await bench.addServer();
  await bench.button('Connect two').click();
  await expect((await bench.servers()).getByRole('listitem')).toHaveCount(2);
  await bench.connected();
  bin.kill('SIGTERM');
  await bin.ended;
  expect(readFileSync(join(outputDir, 'home/servers.json'), 'utf8')).not.toContain('sesame');

  // Each is listed once, in its config. The values come from there again, so nothing is asked.
  await page.goto((await start([], options)).link);
  await bench.found();
  await expect(page.getByRole('button', { name: 'Connect two' })).toHaveCount(1);
  await found.getByRole('button', { name: 'Connect two' }).click();
  await bench.connected();
  await bench.tool('echo');
  await bench.call();
  await bench.result.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(bench.result.locator('pre')).toContainText('sesame-4722-opens');
});

test('a server of a host is tapped and untapped, after a look at the change', async ({ open, page }, { outputDir }) => {
  const home = join(outputDir, 'user');
  const config = '{"mcpServers": {"one": {"command": "npx", "args": ["--api-key", "sesame-4723-opens"]}}} // mine\n';
  mkdirSync(join(home, '.cursor'), { recursive: true });
  const file = join(home, '.cursor/mcp.json');
  writeFileSync(file, config, { mode: 0o600 });
  await open([], { cwd: home, env: { HOME: home, XDG_CONFIG_HOME: '' } });
  const bench = new Workbench(page);
  const found = await bench.found();
  for (const [item, state] of [
    ['Tap', 'tapped'],
    ['Untap', ''],
  ] as const) {
    await found.getByRole('button', { name: 'More actions for one' }).click();
    await page.getByRole('menuitem', { name: `${item}…` }).click();
    const change = bench.region(`${item} one`);
    await expect(change.getByRole('list', { name: 'Changed lines' })).toContainText('--api-key", "[redacted]"');
    await expect(change).not.toContainText('sesame');
    await change.getByRole('button', { name: 'Write to config' }).click();
    await expect(change.getByRole('status')).toHaveText('Written. Restart the host, or reload its servers.');
    await expect(found.getByRole('button', { name: 'Connect one' })).toContainText(state);
    // The list has the change by now, and the section is still named for what was done.
    await expect(change).toBeFocused();
    await change.getByRole('button', { name: 'Close' }).click();
    await expect(found.getByRole('button', { name: 'Connect one' })).toBeFocused();
    expect(readFileSync(file, 'utf8').includes('"tap"')).toBe(state === 'tapped');
  }
  expect(readFileSync(file, 'utf8')).toBe(config);

  await found.getByRole('button', { name: 'More actions for one' }).click();
  await page.getByRole('menuitem', { name: 'Tap…' }).click();
  const change = bench.region('Tap one');
  await expect(change.getByRole('list', { name: 'Changed lines' })).toBeVisible();
  writeFileSync(file, '{"mcpServers": {"one": ');
  await change.getByRole('button', { name: 'Write to config' }).click();
  await expect(change.getByRole('alert')).toBeVisible();
  // A change that can't be made any more is not offered.
  await expect(change.getByRole('button', { name: 'Write to config' })).toBeHidden();
  expect(readFileSync(file, 'utf8')).toBe('{"mcpServers": {"one": ');
});
