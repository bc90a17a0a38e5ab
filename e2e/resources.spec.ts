import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from './bin';
import { CATALOG } from './servers/catalog.mjs';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const SERVERS = join(import.meta.dirname, 'servers');
test.skip(!existsSync(join(SERVERS, 'node_modules')), 'needs the SDK: run `npm ci` in e2e/servers');

const fixture = ['--', process.execPath, join(SERVERS, 'resources-server.mjs')];

/** Returns the entry of a list whose name starts with these words. */
const entry = (bench: Workbench, name: string) =>
  bench.page.getByRole('listbox').first().getByRole('option').filter({ hasText: name }).first();

async function callTool(bench: Workbench, name: string, values: Record<string, string> = {}) {
  await bench.tool(name);
  for (const [field, value] of Object.entries(values)) await bench.field(field).fill(value);
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
}

async function showResource(bench: Workbench, name: string) {
  await bench.panel('Resources');
  await bench.choose(name);
  await bench.page.getByRole('searchbox', { name: /^Search / }).fill('');
}

test('several subscriptions: marked in the list, counted, read again and compared', async ({ visit }) => {
  for (const version of ['2025-11-25', '2026-07-28'])
    await test.step(version, async () => {
      const { page } = await visit(['--protocol', version, ...fixture]);
      const bench = new Workbench(page);
      await bench.connected();
      const changes = page.getByRole('region', { name: 'Changes since the last read' });
      await showResource(bench, 'list');
      await expect(bench.result).toContainText('three');
      await bench.button('Subscribe').click();
      await expect(entry(bench, 'notes://list')).toContainText('subscribed');
      await showResource(bench, 'blob');
      await bench.button('Subscribe').click();
      await expect(entry(bench, 'notes://blob')).toContainText('subscribed');

      // Read on demand: text.
      await page.getByRole('checkbox', { name: 'Read on each change' }).uncheck();
      await callTool(bench, 'append', { line: 'four' });
      await showResource(bench, 'list');
      await expect(entry(bench, 'notes://list')).toContainText('1 update');
      await expect(page.getByText('! Changed since it was read.')).toBeVisible();
      await bench.button('Read again').click();
      await expect(changes).toContainText('+1 line');
      await expect(changes.locator('.monaco-diff-editor')).toContainText('four');

      // By itself: text without a change, and bytes.
      await page.getByRole('checkbox', { name: 'Read on each change' }).check();
      await callTool(bench, 'touch');
      await showResource(bench, 'list');
      await expect(entry(bench, 'notes://list')).toContainText('2 updates');
      await expect(changes).toContainText('no change');
      await callTool(bench, 'grow');
      await showResource(bench, 'blob');
      await expect(entry(bench, 'notes://blob')).toContainText('2 updates');
      await expect(changes).toContainText('changed, 4 B → 8 B');

      await page.reload();
      await expect(page.getByRole('checkbox', { name: 'Read on each change' })).toBeChecked();
      await bench.button('✓ Subscribed').click();
      await expect(entry(bench, 'notes://blob')).not.toContainText('update');
      await expect(entry(bench, 'notes://list')).toContainText('2 updates');
      await callTool(bench, 'grow');
      await bench.filter('method:notifications/resources/updated');
      await expect.poll(() => bench.count()).toBe(4);
      await bench.panel('Problems');
      const problems = bench.view;
      // The fixture breaks these on purpose.
      await expect(problems.locator('h3 code')).toHaveText(['icon-address', 'icon-form', 'timestamp']);
    });
});

test('subscriptions that are refused, lost, recorded, or looked at in the past', async ({ visit }) => {
  await test.step('a refused subscription, and one that ends with the server, say so', async () => {
    const { page } = await visit(['--protocol', '2025-11-25', ...fixture]);
    const bench = new Workbench(page);
    await bench.connected();
    await showResource(bench, 'forbidden');
    await bench.button('Subscribe').click();
    await expect(page.getByText('× The server did not grant the subscription.')).toBeVisible();
    await expect(entry(bench, 'notes://forbidden')).toContainText('! refused');
    await expect(bench.button('Subscribe')).toBeVisible();
  });

  await test.step('a lost stream says so, and the resource can be subscribed to again', async () => {
    const server = await startDroppingServer();
    try {
      const { page } = await visit(['--protocol', '2026-07-28', server.url]);
      const bench = new Workbench(page);
      await bench.connected();
      await showResource(bench, 'one');
      await bench.button('Subscribe').click();
      await expect(page.getByText('Subscribed. No change reported yet')).toBeVisible();
      server.drop();
      await expect(page.getByText('× The subscription was lost. Subscribe again to get updates.')).toBeVisible();
      await expect(entry(bench, 'one')).toContainText('! lost');
      await bench.button('Subscribe').click();
      await expect(page.getByText('Subscribed. No change reported yet')).toBeVisible();
    } finally {
      server.close();
    }
  });

  await test.step('a recording and a past moment show the same subscriptions', async () => {
    const { page } = await visit(fixture);
    const bench = new Workbench(page);
    await bench.connected();
    await showResource(bench, 'list');
    await bench.button('Subscribe').click();
    await expect(entry(bench, 'notes://list')).toContainText('subscribed');
    await callTool(bench, 'append', { line: 'four' });
    await bench.filter('method:notifications/resources/updated');
    await expect.poll(() => bench.count()).toBe(1);
    const [number] = await bench.cells('#');
    await bench.disconnect();
    await expect(page.getByRole('button', { name: 'Reconnect' }).or(bench.button('Restart')).first()).toBeVisible();
    await bench.panel('Resources');
    // Ended with the connection.
    await expect(entry(bench, 'notes://list')).not.toContainText('update');
    const url = new URL(page.url());
    url.searchParams.set('moment', number!.replaceAll(/\D/g, ''));
    await page.goto(url.href);
    await expect(entry(bench, 'notes://list')).toContainText('1 update');
    await expect(page.getByText('! Changed since it was read.')).toBeVisible();
    await expect(bench.button('Subscribe')).toHaveCount(0);
  });
});

test('icons, annotations, dates, sizes and caching hints', async ({ open }) => {
  const { page } = await open(fixture);
  const bench = new Workbench(page);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await bench.connected();
  await showResource(bench, 'list');
  const panel = bench.view;
  await expect(panel.getByText('audience user, assistant')).toBeVisible();
  await expect(panel.getByText('priority 0.8')).toBeVisible();
  await expect(panel.locator('time')).toHaveText(/^\d+ days ago$/);
  await expect(panel.locator('time')).toHaveAttribute('title', /2026-01-12T15:00:58Z$/);
  await expect(panel.getByText('text/plain 13 B')).toBeVisible();
  await expect(bench.result).toContainText(/read \d+ s ago, may be cached for 5 min, private/);
  await expect(bench.result).not.toContainText('expired');
  expect(await page.locator('img[src^="blob:"]').count()).toBeGreaterThan(1);

  await showResource(bench, 'blob');
  await expect(bench.result).toContainText('may be cached for 1 ms, public · cached copy, expired');
  await showResource(bench, 'forbidden');
  await expect(panel.getByText('! invalid date')).toBeVisible();
  await panel.getByText('icons (2)').click();
  await expect(panel).toContainText('https://icons.example/a.png · not loaded');
  await expect(panel).toContainText('rejected: only https: and data: are allowed');
  await bench.tool('rearrange');
  await expect(page.getByRole('heading', { name: 'rearrange' })).toBeVisible();
  await bench.panel('Server');
  await expect(bench.region('Identity').locator('img')).toBeVisible();
  expect(requests.filter((url) => !/^(?:blob:|data:|https?:\/\/127\.0\.0\.1)/.test(url))).toEqual([]);
  expect(await page.evaluate('globalThis.iconRan')).toBeUndefined();
});

test('lists that change, and directories', async ({ visit }) => {
  await test.step('a changed list says what was added, removed and changed, in its panel and in the log', async () => {
    const { page } = await visit(fixture);
    const bench = new Workbench(page);
    await bench.connected();
    await callTool(bench, 'rearrange');
    const tools = bench.region('Changes of tools');
    await expect(tools.getByRole('status')).toHaveText('+1 ~1 tools');
    await tools.getByText('+1 ~1 tools').click();
    await expect(tools).toContainText('added');
    await expect(tools).toContainText('description "Changes all lists once." → "Has changed all lists."');
    await tools.getByRole('button', { name: 'added' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'added' })).toBeVisible();
    await tools.getByRole('button', { name: 'Dismiss the changes of tools' }).click();
    await expect(tools).toHaveCount(0);

    await bench.panel('Prompts');
    await expect(bench.region('Changes of prompts').getByRole('status')).toHaveText('~1 prompts');
    await bench.panel('Resources');
    await expect(bench.region('Changes of resources').getByRole('status')).toHaveText('+1 −1 resources');
    await bench.filter('result tools/list');
    await expect(bench.rows.last()).toContainText('+1 ~1 · 5 tools');
  });

  await test.step('directories: their children are listed and opened', async () => {
    const { page } = await visit(fixture);
    const bench = new Workbench(page);
    await bench.connected();
    await showResource(bench, 'git');
    await bench.button('Open its directory').click();
    await expect(page.getByRole('heading', { level: 2, name: 'skill://git' })).toBeVisible();
    const children = page.getByRole('list', { name: 'Children' });
    await expect(children.getByRole('listitem')).toHaveText([/^SKILL\.md/, /^notes\.txt/, /^scripts\//]);
    await children.getByRole('button', { name: 'scripts/' }).click();
    await bench.button('Read directory').click();
    await children.getByRole('button', { name: 'undo.sh' }).click();
    await bench.button('Read resource').click();
    await expect(bench.result).toContainText('git reset --soft');
    await bench.button('Open its directory').click();
    await expect(children.getByRole('button', { name: 'undo.sh' })).toBeVisible();
  });
});

test('completions, and server-everything', async ({ visit }) => {
  await test.step('completions: other arguments, totals, late answers, errors, and the keyboard', async () => {
    const { page } = await visit(fixture);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.panel('Prompts');
    await bench.choose('deploy');
    const choices = page.getByRole('listbox', { name: 'Choices' });
    const options = choices.getByRole('option');

    await bench.choice('environment').click();
    await expect(options).toHaveText(['production', 'staging']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(bench.choice('environment')).toHaveValue('production');
    await bench.choice('region').click();
    await expect(options).toHaveText(['eu-west', 'eu-north', 'us-east']);
    await page.keyboard.press('Escape');
    await expect(choices).toHaveCount(0);
    await bench.choice('environment').fill('staging');
    await page.keyboard.press('Escape');
    await bench.choice('region').click();
    await expect(options).toHaveText(['eu-west']);

    await bench.choice('town').click();
    await expect(choices).toContainText('100 of 250. Type to narrow the list');
    await bench.choice('town').fill('town-24');
    await expect(options).toHaveCount(10);

    // The server answers "a" after "ab".
    const word = bench.choice('word');
    await word.fill('a');
    await bench.filter('method:completion/complete dir:to-server word');
    await expect.poll(() => bench.count()).toBe(1);
    await word.focus();
    await word.fill('ab');
    await expect(options).toHaveText(['ab-first', 'ab-second']);
    await bench.filter('"a-first"');
    await expect.poll(() => bench.count()).toBe(1);
    await word.click();
    await expect(options).toHaveText(['ab-first', 'ab-second']);

    const broken = bench.choice('broken');
    await broken.fill('x');
    await expect(choices).toContainText('No completions from the server. See the log');
    await broken.pressSequentially('yz');
    await expect(broken).toHaveValue('xyz');

    await bench.panel('Resources');
    await bench.choose('city://');
    await bench.choice('country').fill('norway');
    await page.keyboard.press('Escape');
    await bench.choice('city').click();
    await expect(options).toHaveText(['bergen', 'oslo']);
  });

  await test.step('everything: subscribes to a resource that changes by a timer, and completes with other arguments', async () => {
    const { command, args } = CATALOG.find(({ name }) => name === 'everything')!;
    const { page } = await visit(['--', command, ...args]);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.panel('Resources');
    const first = page
      .getByRole('listbox', { name: 'resources' })
      .getByRole('option', { name: /demo:\/\/resource\/static/ });
    await first.first().click();
    await bench.button('Subscribe').click();
    await expect(bench.button('✓ Subscribed')).toBeVisible();
    await callTool(bench, 'toggle-subscriber-updates');
    await bench.panel('Resources');
    await expect(page.getByRole('listbox', { name: 'resources' }).getByText(/\d+ updates?/)).toBeVisible({
      timeout: 30_000,
    });
  });
});

/** A modern server over HTTP with one resource, whose subscription streams the test drops. */
async function startDroppingServer() {
  const streams: ServerResponse[] = [];
  const done = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  const RESULTS: Record<string, object> = {
    'server/discover': { ...done, supportedVersions: ['2026-07-28'], capabilities: { resources: { subscribe: true } } },
    'resources/list': { ...done, resources: [{ uri: 'a:1', name: 'one' }] },
    'resources/templates/list': { ...done, resourceTemplates: [] },
    'resources/read': { ...done, contents: [{ uri: 'a:1', text: 'text' }] },
  };
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.method !== 'POST') return void outgoing.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(incoming));
    if (method !== 'subscriptions/listen') {
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] }));
      return;
    }
    const acknowledged = { ...params, _meta: { 'io.modelcontextprotocol/subscriptionId': id } };
    const message = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: acknowledged };
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    outgoing.write(`data: ${JSON.stringify(message)}\n\n`);
    streams.push(outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    drop: () => {
      for (const stream of streams.splice(0)) stream.destroy();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
