import { join } from 'node:path';
import { expect } from './bin';
import { CATALOG } from './servers/catalog.mjs';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const everything = CATALOG.find(({ name }) => name === 'everything')!;
const modern = [process.execPath, join(import.meta.dirname, 'servers/modern-server.mjs'), 'dual'];

test('a modern server logs once its requests ask for it, and each message names its call', async ({ visit }) => {
  const { page } = await visit(['--', ...modern]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Server logs');
  await expect(page.getByText('a server logs only for requests that ask for it')).toBeVisible();
  await bench.choice('Log level').selectOption('info');
  await bench.panel('All');
  await expect(bench.rows.filter({ hasText: 'log level: info' })).toBeVisible();

  await bench.tool('count');
  await bench.field('steps').fill('3');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await bench.result.getByRole('button', { name: 'server log 3' }).click();
  await expect(bench.result.getByRole('group', { name: 'Log messages' })).toContainText('{step: 3}');
  await bench.result.getByRole('button', { name: 'Show in Server logs' }).click();
  await expect(
    page.getByRole('textbox', { name: 'Filter messages' }).or(page.getByRole('combobox', { name: 'Filter messages' })),
  ).toHaveValue(/call:\d+$/);
  await expect(bench.rows).toHaveCount(3);
  await expect(bench.rows.first()).toContainText(/notifications\/message\s*info\s*count · \{step: 1\}/);
  await bench.rows.nth(1).click();
  await expect(bench.detail).toContainText('step');
  await bench.detail.getByRole('button', { name: /^during tools\/call count #/ }).click();
  await expect(bench.detail).toContainText('tools/call');
  await bench.choice('Show').selectOption('error');
  await expect(bench.log).toContainText('No message matches the filter');

  // The next run asks for the same level.
  await bench.restart();
  await bench.connected();
  await bench.panel('Server logs');
  await expect(bench.choice('Log level')).toHaveValue('info');
});

test('a legacy server gets logging/setLevel, and again after a restart', async ({ visit }) => {
  const { page } = await visit(['--', everything.command, ...everything.args]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Server logs');
  await bench.choice('Log level').selectOption('warning');
  await expect(bench.log).toContainText('stderr is not shown here');
  await bench.log.getByRole('button', { name: '1 line' }).click();
  await expect(bench.button('View of the log: stderr')).toBeVisible();
  await bench.panel('All');
  await expect(bench.rows.filter({ hasText: 'logging/setLevel' }).first()).toContainText('warning');
  await bench.restart();
  await bench.connected();
  await expect(bench.rows.filter({ hasText: 'logging/setLevel' }).first()).toContainText('warning');
});

test('the chosen log message stays in view, from the first to the last one', async ({ visit }) => {
  const { page } = await visit(['--', ...modern]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Server logs beside all messages');
  await bench.choice('Log level').selectOption('info');
  await bench.tool('count');
  await bench.field('steps').fill('200');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');

  await bench.panel('Server logs beside all messages');
  const list = page.getByRole('listbox', { name: 'Log messages' });
  const chosen = list.getByRole('option', { selected: true });
  await list.focus();
  for (const [key, step] of [
    ['Home', 1],
    ['ArrowDown', 2],
    ['ArrowDown', 3],
    ['End', 200],
    ['ArrowUp', 199],
    ['Home', 1],
  ] as const) {
    await page.keyboard.press(key);
    await expect(chosen).toContainText(`{step: ${step}}`);
    await expect(chosen).toBeInViewport({ ratio: 0.9 });
  }
});

test('new log messages do not move the chosen one out of view', async ({ visit }) => {
  const { page } = await visit(['--', ...modern]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Server logs beside all messages');
  await bench.choice('Log level').selectOption('info');
  await bench.tool('count');
  await bench.field('steps').fill('150');
  await bench.field('delayMs').fill('20');
  await bench.call();
  await bench.panel('Server logs beside all messages');
  const list = page.getByRole('listbox', { name: 'Log messages' });
  const chosen = list.getByRole('option', { selected: true });
  await list.focus();
  await page.keyboard.press('Home');
  await expect(page.getByRole('status').filter({ hasText: /^150 messages$/ })).toBeVisible();
  await expect(chosen).toContainText('{step: 1}');
  await expect(chosen).toBeInViewport({ ratio: 0.9 });
});
