import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from './bin';
import { CATALOG } from './servers/catalog.mjs';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const installed = existsSync(join(import.meta.dirname, 'servers/node_modules'));
test.skip(!installed, 'needs the real servers: run `npm ci` in e2e/servers');

for (const server of CATALOG) {
  test(`${server.name}: connects by auto probe, lists tools, shows its era and only known problems`, async ({
    visit,
  }) => {
    const { page } = await visit(['--', server.command, ...server.args]);
    const bench = new Workbench(page);
    await bench.connected();
    const tools = page.getByRole('listbox', { name: 'tools' });
    await expect
      .poll(() => tools.getByRole('option').first().getAttribute('aria-setsize').then(Number), { timeout: 30_000 })
      .toBeGreaterThanOrEqual(server.minTools);
    await bench.panel('Server');
    await expect(bench.region('Identity')).toContainText(`${server.era} era`);
    const method = server.era === 'modern' ? 'server/discover' : 'initialize';
    await bench.filter(method);
    await expect(bench.rows.filter({ hasText: method }).first()).toBeVisible();

    await bench.panel('Problems');
    const panel = bench.view;
    await expect(panel.getByRole('status')).toContainText('frames checked against 20');
    await expect(panel.locator('h3 code')).toHaveText(server.breaks ?? []);
  });
}

function args(name: string): string[] {
  const { command, args: rest } = CATALOG.find((server) => server.name === name)!;
  return ['--', command, ...rest];
}

test('everything: echo, a number, a structured result, progress @firefox', async ({ visit }) => {
  const { page } = await visit(args('everything'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.field('message').fill('Grüße, 世界 🌍');
  await bench.call();
  await expect(bench.result).toContainText('Grüße, 世界 🌍');

  await bench.tool('get-sum');
  await bench.field('a').fill('1e3');
  await bench.field('b').fill('0.5');
  await bench.call();
  await expect(bench.result).toContainText('1000.5');

  await bench.tool('trigger-long-running-operation');
  // Long enough for the test to see the progress bar.
  await bench.field('duration').fill('3');
  await bench.field('steps').fill('4');
  await bench.call();
  await expect(bench.result.getByRole('progressbar')).toBeVisible();
  await expect(bench.result).toContainText('completed', { timeout: 20_000 });
});

test('everything: resources, a template and a prompt', async ({ visit }) => {
  const { page } = await visit(args('everything'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Resources');
  await bench.choose('architecture.md');
  await expect(bench.outcome).toContainText('ok');
  await expect(bench.result).toContainText('Architecture');
  await bench.choose('Dynamic Text Resource');
  await bench.field('resourceId').fill('7');
  await bench.button('Read resource').click();
  await expect(bench.result).toContainText('Resource 7: ');

  await bench.panel('Prompts');
  await bench.choose('args-prompt');
  await bench.field('city').fill('Oslo');
  await bench.button('Get prompt').click();
  await expect(bench.result).toContainText('Oslo');
});

test('filesystem: lists a real folder', async ({ visit }) => {
  const { page } = await visit(args('filesystem'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('list_directory');
  await bench.field('path').fill(join(import.meta.dirname, 'servers/files'));
  await bench.call();
  await expect(bench.result).toContainText(/\[FILE\]|\[DIR\]/);
});

test('memory: searches an empty graph', async ({ open }, { outputDir }) => {
  const { page } = await open(['--env', `MEMORY_FILE_PATH=${join(outputDir, 'memory.jsonl')}`, ...args('memory')]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('search_nodes');
  await bench.field('query').fill('nothing like it');
  await bench.call();
  await expect(bench.result).toContainText('entities');
});

test('sequential thinking: numbers and a boolean', async ({ visit }) => {
  const { page } = await visit(args('sequential-thinking'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('sequentialthinking');
  await bench.field('thought').fill('First.');
  await bench.field('thoughtNumber').fill('1');
  await bench.field('totalThoughts').fill('1');
  await bench.choice('nextThoughtNeeded').selectOption('false');
  await bench.call();
  await expect(bench.result).toContainText('thoughtHistoryLength');
});

test('a modern server adds a tool: the subscription reports it and the tools are listed again', async ({ visit }) => {
  const modern = CATALOG.find(({ name }) => name === 'modern-reject')!;
  const { page } = await visit(['--', modern.command, ...modern.args]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('grow');
  await bench.call();
  await expect(page.getByRole('option', { name: /^grown\b/ })).toBeVisible();
  await bench.filter('subscriptions/listen');
  await expect(bench.rows.filter({ hasText: 'to server' })).toHaveCount(1);
});
