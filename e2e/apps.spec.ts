import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, runBin } from './bin';
import { watchForAttacks } from './crawl';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string;
};
const SERVERS = join(import.meta.dirname, 'servers');

/** A server that no app may reach, and the requests that reached it. */
async function startCanary() {
  const reached: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    reached.push(url);
    if (url === '/widget.js') {
      response.setHeader('content-type', 'text/javascript').end("root.textContent = 'The widget ran'");
      return;
    }
    response.setHeader('access-control-allow-origin', '*').end('reached');
  });
  server.on('upgrade', ({ url = '' }, socket) => {
    reached.push(url);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Fails if anything has reached the server. A request of our own comes after everything that is on its way. */
  const expectUnreached = async (): Promise<void> => {
    await fetch(`${origin}/control`);
    expect(reached).toEqual(['/control']);
    reached.length = 0;
  };
  return { origin, expectUnreached, close: () => server.close() };
}

async function startApp(page: Page, tool: string) {
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool(tool);
  await page.getByRole('group', { name: 'View of the result' }).getByRole('button', { name: 'App' }).click();
  await bench.button('Load app').click();
  await bench.button('Start app').click();
  return { bench, app: page.frameLocator(`iframe[title="App of ${tool}"]`) };
}

test('an app gets its tool’s call and the host’s context, calls tools, and asks for a link and a message', async ({
  visit,
}) => {
  const { page } = await visit(['--', process.execPath, join(SERVERS, 'apps-server.mjs')]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('show-good');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');

  // The app is a tab of its tool's result.
  await page.getByRole('group', { name: 'View of the result' }).getByRole('button', { name: 'App' }).click();
  await bench.button('Load app').click();
  await bench.button('Start app').click();
  const app = page.frameLocator('iframe[title="App of show-good"]');
  await expect(app.getByText(`host mcp-inspect ${version}`)).toBeVisible();
  await expect(app.getByText('result {"name":"show-good"')).toBeVisible();
  await page.getByLabel('Theme', { exact: true }).selectOption('dark');
  await expect(app.getByText('theme dark')).toBeVisible();

  await app.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(app.getByText('add-from-app')).toBeVisible();
  await app.getByRole('button', { name: 'Call hidden' }).click();
  await expect(app.getByText('error The tool only-model is not visible to apps.')).toBeVisible();
  for (const [answer, said] of [
    ['Refuse', 'error The user refused the call.'],
    ['Allow', '"name":"wipe"'],
  ] as const) {
    await app.getByRole('button', { name: 'Wipe' }).click();
    await page.getByRole('alert').getByRole('button', { name: answer }).click();
    await expect(app.getByText(said)).toBeVisible();
  }
  const wishes = page.getByRole('region', { name: 'What the app asked for' });
  await app.getByRole('button', { name: 'Link' }).click();
  await expect(page.getByRole('alert').getByRole('link', { name: 'Open', exact: true })).toBeVisible();
  await page.getByRole('alert').getByRole('button', { name: 'Refuse' }).click();
  await expect(app.getByText('{"isError":true}')).toBeVisible();
  await expect(wishes.getByRole('link', { name: /https:\/\/example\.com\/from-app/ })).toBeVisible();
  await app.getByRole('button', { name: 'Message' }).click();
  await page.getByRole('alert').getByRole('button', { name: 'Accept' }).click();
  await expect(app.getByText('{}', { exact: true })).toBeVisible();
  await expect(wishes).toContainText('hello chat');

  // Its messages are frames, and its call is an exchange.
  await bench.filter('add-from-app');
  await expect(bench.rows.filter({ hasText: 'app → hosttools/call add-from-app' })).toBeVisible();
  await expect(bench.rows.filter({ hasText: 'tools/calladd-from-app' })).toBeVisible();
});

const BLOCKED = ['page', 'token', 'own storage', 'cookies', 'location', 'port', 'proxy', 'socket', 'beacon', 'popup'];

test('a hostile app reaches nothing: not the page, not its storage, no address, no popup, form, worker or eval', async ({
  open,
}) => {
  const canary = await startCanary();
  try {
    const { page } = await open(['--', process.execPath, join(SERVERS, 'apps-server.mjs'), canary.origin]);
    const { bench, app } = await startApp(page, 'show-hostile');
    await expect(
      page.getByText('It may be on this machine or network.').or(page.getByText('It is an address')).first(),
    ).toBeVisible();
    await expect(app.getByText('Reported')).toBeVisible();
    await bench.panel('Tools');
    await bench.tool('report');
    const reported = page.getByRole('region', { name: 'Result' });
    for (const name of [...BLOCKED, 'form', 'worker', 'top', 'eval'])
      await expect(reported).toContainText(`${name}: "blocked"`);
    await expect(reported).not.toContainText('GOT');
    await canary.expectUnreached();
    expect(new URL(page.url()).hostname).toBe('127.0.0.1');
  } finally {
    canary.close();
  }
});

test('an app that floods its host is stopped, and one that leaves its page reaches nothing', async ({ open }) => {
  const canary = await startCanary();
  try {
    const { page } = await open(['--', process.execPath, join(SERVERS, 'apps-server.mjs'), canary.origin]);
    const { app } = await startApp(page, 'show-hostile');
    await expect(app.getByText('Reported')).toBeVisible();
    await page.getByLabel('Locale').fill('leave');
    await expect(app.getByText('Reported')).toBeHidden();
    await canary.expectUnreached();

    await page.getByRole('button', { name: 'Stop app' }).click();
    await page.getByRole('button', { name: 'Start app' }).click();
    await expect(app.getByText('Reported')).toBeVisible();
    await page.getByLabel('Theme', { exact: true }).selectOption('dark');
    await expect(page.getByText('The app posted too many messages')).toBeVisible();
  } finally {
    canary.close();
  }
});

test('an app with wrong messages, sizes, links and questions without end leaves the page usable', async ({
  visit,
  sharedPage,
}) => {
  const watched = await watchForAttacks(sharedPage.page);
  const { page } = await visit(['--', process.execPath, join(SERVERS, 'apps-server.mjs')]);
  const { bench, app } = await startApp(page, 'show-rude');
  await expect(app.getByText('Rude done')).toBeVisible();
  const frame = page.locator('iframe[title="App of show-rude"]');
  expect((await frame.boundingBox())!.height).toBeLessThanOrEqual(4000);
  // The link that could be opened waits as one of ten questions.
  const asked = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Refuse' }) });
  await expect(asked).toHaveCount(10);
  for (let left = 10; left > 0; left--) {
    await asked.first().getByRole('button', { name: 'Refuse' }).click();
    await expect(asked).toHaveCount(left - 1);
  }
  const wishes = page.getByRole('region', { name: 'What the app asked for' });
  await expect(wishes).toContainText('javascript:parent.ran=1');
  const links = await wishes
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol));
  expect(links).toEqual(['https:']);
  await page.getByLabel('Theme', { exact: true }).selectOption('dark');
  await expect(page.getByText('The app posted a message over 4 MiB')).toBeVisible();
  await bench.tool('report');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  const seen = await page.evaluate(() => ({ ran: globalThis.ran, foreign: [...globalThis.foreign!] }));
  expect([seen, watched]).toEqual([
    { ran: undefined, foreign: [] },
    { outside: [], alarms: [] },
  ]);
});

test('an app whose script is blocked says what to change, and loads it from a server that the person names', async ({
  visit,
}) => {
  const canary = await startCanary();
  try {
    const { page } = await visit(['--', process.execPath, join(SERVERS, 'apps-server.mjs'), canary.origin]);
    const { bench, app } = await startApp(page, 'show-blocked');
    const failed = page.getByRole('status', { name: 'What failed in the app' });
    await expect(failed).toContainText(`Blocked by script-src-elem: ${canary.origin}/widget.js`);
    await expect(failed).toContainText(
      `The tool declares ${canary.origin}, but hosts read what the resource declares: move it to`,
    );
    await expect(failed).toContainText('Error of its script: Uncaught TypeError: no widget');
    await expect(bench.rows.filter({ hasText: `mcp-inspect/blocked ${canary.origin}/widget.js` })).toBeVisible();
    await canary.expectUnreached();

    await bench.button('Stop app').click();
    await bench.field('Files of a local server').fill(canary.origin);
    await expect(page.getByText('are allowed in this tab. No host allows that.')).toBeVisible();
    await bench.button('Start app').click();
    await expect(app.getByText('The widget ran')).toBeVisible();
  } finally {
    canary.close();
  }
});

const REAL = [
  ['get-budget-data', 'server-budget-allocator', 'Budget Allocator'],
  ['get-time', 'server-basic-vanillajs', 'Get Server Time'],
  ['get-system-info', 'server-system-monitor', 'System Monitor'],
] as const;
for (const [tool, name, words] of REAL) {
  const server = join(SERVERS, 'node_modules', '@modelcontextprotocol', name, 'dist', 'index.js');
  test(`a real app runs: ${name}`, async ({ visit }) => {
    test.skip(!existsSync(server), 'needs the servers: run `npm ci` in e2e/servers');
    const { page } = await visit(['--', process.execPath, server, '--stdio']);
    const { app } = await startApp(page, tool);
    await expect(page.getByText('The app is ready')).toBeVisible();
    await expect(app.getByText(words).first()).toBeVisible();
  });
}

test('list apps: lists what each app declares and what is refused, and runs none', async () => {
  const run = await runBin(['list', 'apps', '--json', '--', process.execPath, join(SERVERS, 'apps-server.mjs')]);
  expect(run.ended).toBe(1);
  const [good, hostile] = JSON.parse(run.stdout);
  expect(good).toMatchObject({ tool: 'show-good', uri: 'ui://apps/good', origins: [], problems: [] });
  expect(hostile.permissions).toEqual(['camera']);
  expect(hostile.origins).toContainEqual({ kind: 'connect', source: 'https://api.example.com' });
  expect(hostile.problems).toContain('https://192.168.1.1 is refused. It is an address, not a name.');
  expect(run.stderr).toContain('show-hostile: http://127.0.0.1:9 is refused. It is not encrypted.');
});
