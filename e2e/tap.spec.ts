import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { demoCommand, expect, packageFolder, test } from './bin';
import { Workbench } from './workbench';

let tap: ChildProcessWithoutNullStreams;
test.afterEach(() => void tap.kill('SIGKILL'));

test('a session of a host is shown live, and outlives the page', async ({ open }) => {
  const home = test.info().outputPath('home');
  const words = [join(packageFolder(), 'dist/cli.js'), 'tap', '--host', 'claude-desktop', '--', ...demoCommand()];
  tap = spawn(process.execPath, words, { env: { ...process.env, MCP_INSPECT_HOME: home } });
  const say = (message: object) => tap.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'claude-ai', version: '1' };
  say({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  await once(tap.stdout, 'data');
  say({ method: 'notifications/initialized' });
  say({ id: 1, method: 'tools/list' });

  const { bin, page } = await open([]);
  const bench = new Workbench(page);
  await expect(page.getByRole('heading', { name: 'Which server do you want to inspect?' })).toBeVisible();
  const live = bench.region('Live').getByRole('button');
  await expect(live).toHaveText(/tap of claude-desktop · open/);
  await live.click();
  await expect(page).toHaveURL(/connection=/);
  const sessions = await bench.tappedSessions();
  await expect(sessions).toContainText(/claude-desktop ·\s*open/);
  await sessions.getByRole('button').first().click();
  await expect(
    page.getByText('Live session of claude-desktop, which sends the requests. You can intercept and change messages.'),
  ).toBeVisible();
  await expect(bench.rows.filter({ hasText: 'claude-ai' })).toHaveCount(1);

  say({ id: 2, method: 'ping' });
  await expect(bench.rows.filter({ hasText: 'ping' }).first()).toBeVisible();
  await bench.panel('New message');
  await expect(page.getByText('Read-only: nothing can be sent')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Restart' })).toHaveCount(0);

  bin.kill('SIGKILL');
  await bin.ended;
  say({ id: 3, method: 'ping' });
  let answer = '';
  for await (const chunk of tap.stdout) {
    answer += chunk;
    if (answer.includes('"id":3')) break;
  }
  tap.stdin.end();
  await once(tap, 'exit');
  expect(answer).toContain('"id":3');
});

test('a held call that the host has cancelled is marked, and no problem', async ({ open }) => {
  const home = test.info().outputPath('home');
  const words = [join(packageFolder(), 'dist/cli.js'), 'tap', '--host', 'claude-desktop', '--', ...demoCommand()];
  tap = spawn(process.execPath, words, { env: { ...process.env, MCP_INSPECT_HOME: home } });
  const say = (message: object) => tap.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'claude-ai', version: '1' };
  say({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  await once(tap.stdout, 'data');
  say({ method: 'notifications/initialized' });

  const { page } = await open([]);
  const bench = new Workbench(page);
  await (await bench.tappedSessions()).getByRole('button').first().click();
  await bench.panel('Hold');
  await bench.button('Hold every tools/call').click();
  await expect(bench.rows.filter({ hasText: 'interception rules' })).toHaveCount(1);
  say({ id: 7, method: 'tools/call', params: { name: 'echo', arguments: {} } });
  const held = page.getByRole('listbox', { name: 'held messages' }).getByRole('option', { name: /^tools\/call echo/ });
  await held.click();
  say({ method: 'notifications/cancelled', params: { requestId: 7, reason: 'Request timed out' } });
  await expect(held).toContainText('cancelled');
  await expect(bench.region('Held message').getByRole('status').first()).toContainText(
    /The client cancelled this request .* ago: Request timed out/,
  );
  await bench.button('Drop').click();
  await expect(bench.region('Outcome')).toContainText('The request was cancelled while it was held');
  await bench.panel('Problems');
  await expect(page.getByText('cancel-unknown')).toHaveCount(0);
});
