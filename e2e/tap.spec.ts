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
  const sessions = page.getByRole('region', { name: 'Tapped sessions' });
  await expect(sessions).toContainText(/claude-desktop ·\s*open/);
  await sessions.getByRole('button').first().click();
  await expect(
    page.getByText('Live session of claude-desktop, which sends the requests. You can intercept and change messages.'),
  ).toBeVisible();
  await expect(bench.rows.filter({ hasText: 'claude-ai' })).toHaveCount(1);

  say({ id: 2, method: 'ping' });
  await expect(bench.rows.filter({ hasText: 'ping' }).first()).toBeVisible();
  await bench.panel('Raw');
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
