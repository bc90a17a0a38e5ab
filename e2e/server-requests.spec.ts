// Requests to the server as a whole: ping, discover, complete and listen.
import { join } from 'node:path';
import { expect, runBin } from './bin';
import { serversInstalled, test } from './http-servers';
import { Workbench } from './workbench';

const SERVERS = join(import.meta.dirname, 'servers');
const everything = [
  '--',
  process.execPath,
  join(SERVERS, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
];
const modern = ['--', process.execPath, join(SERVERS, 'modern-server.mjs'), 'dual'];

test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

test('a legacy server is pinged by a button and a command; what it has not is disabled', async ({ visit }) => {
  const { page } = await visit(everything);
  const bench = new Workbench(page);
  await bench.connected();
  const requests = bench.region('Requests');
  const pings = bench.rows.filter({ hasText: 'to server' }).filter({ hasText: /ping/ });
  await bench.panel('Server');
  await requests.getByRole('button', { name: 'Ping' }).click();
  await expect(requests.getByRole('status').first()).toContainText(/ok\s*[\d.]+ [mµ]s/);
  await bench.filter('method:ping kind:request');
  await expect(pings).toHaveCount(1);
  await bench.panel('Tools');
  await bench.command('Ping the server');
  await expect(requests.getByRole('button', { name: 'Ping' })).toBeFocused();
  await expect(pings).toHaveCount(2);
  await expect(requests.getByRole('button', { name: 'Discover' })).toBeDisabled();
  await expect(requests.getByRole('button', { name: 'Listen…' })).toBeDisabled();
  await expect(requests).toContainText('Not in MCP 2025-11-25');
});

test('an argument is completed with the values of others', async ({ open }) => {
  const { page } = await open(everything);
  const bench = new Workbench(page);
  await bench.connected();
  await expect(bench.entryGroup('Prompts')).toContainText(/\d/);
  await bench.command('Complete an argument');
  const requests = bench.region('Requests');
  await requests.getByRole('combobox', { name: 'Of' }).selectOption('prompt completable-prompt');
  await requests.getByRole('combobox', { name: 'Argument' }).fill('name');
  await requests.getByRole('textbox', { name: 'Value' }).fill('');
  await requests.getByRole('textbox', { name: 'Other arguments, as JSON' }).fill('{"department": "Engineering"}');
  await page.keyboard.press('Enter');
  await expect(requests.getByRole('list', { name: 'Values' }).getByRole('listitem')).not.toHaveCount(0);
  await bench.filter('method:completion/complete kind:request');
  await expect(bench.rows).toHaveCount(1);
  await bench.rows.first().click();
  expect(await bench.raw()).toContain('"context":{"arguments":{"department":"Engineering"}}');
});

for (const transport of ['stdio', 'http'] as const) {
  test(`a modern server is discovered, and streams are opened and closed over ${transport}`, async ({
    visit,
    serve,
  }) => {
    const { page } = await visit(transport === 'http' ? [(await serve('modern-dual')).url] : modern);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.filter('method:server/discover kind:request');
    // The handshake has one, or two if the process started so slowly that it was replaced.
    await expect(bench.rows.filter({ hasNotText: 'server/discover' })).toHaveCount(0);
    await expect(bench.rows).not.toHaveCount(0);
    const asked = await bench.rows.count();
    await bench.command('Discover the server');
    const requests = bench.region('Requests');
    await expect(bench.rows).toHaveCount(asked + 1);
    await expect(requests.getByRole('status').first()).toContainText('ok');
    await bench.filter('');
    await page.keyboard.press('Escape');
    await requests.getByRole('button', { name: 'Listen…' }).click();
    await requests.getByRole('checkbox', { name: 'List of prompts' }).uncheck();
    await requests.getByRole('checkbox', { name: 'List of resources' }).uncheck();
    await requests.getByRole('button', { name: 'Open stream' }).click();
    const stream = requests.getByRole('list', { name: 'Streams' }).getByRole('listitem');
    await expect(stream).toContainText('open');
    await expect(stream).toContainText('granted list of tools');
    await stream.getByRole('button', { name: 'Close stream' }).click();
    await expect(stream).toContainText('cancelled');
    await expect(requests.getByRole('button', { name: 'Ping' })).toBeDisabled();
  });
}

test('in a terminal: doctor, --complete and --follow', async ({ serve }) => {
  const { url } = await serve('modern-dual');
  const legacy = await runBin(['doctor', ...everything]);
  expect([legacy.ended, legacy.stdout]).toEqual([0, expect.stringMatching(/^Round trip: [\d.]+ [mµ]s \(ping\)$/m)]);
  for (const server of [modern, [url]]) {
    const doctor = await runBin(['doctor', '--json', ...server]);
    expect(doctor.ended).toBe(0);
    expect(JSON.parse(doctor.stdout).versions).toContain('2026-07-28');
    const follow = await runBin(['list', '--follow', '--timeout', '3', ...server]);
    expect(follow.ended).toBe(0);
    expect(JSON.parse(follow.stdout.split('\n')[0]!)).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true } },
    });
  }
  const complete = await runBin(['prompt', 'completable-prompt', '--complete', 'department=E', ...everything]);
  expect([complete.ended, complete.stdout]).toEqual([0, 'Engineering\n']);
});
