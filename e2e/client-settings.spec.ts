import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from './bin';
import { serversInstalled, test } from './http-servers';
import { Workbench } from './workbench';

const MODERN = join(import.meta.dirname, 'servers/modern-server.mjs');
const EVERYTHING = join(
  import.meta.dirname,
  'servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

/** Opens the client settings of the connection in view by the palette. */
async function openSettings(bench: Workbench) {
  await bench.command('Client settings');
  await expect(bench.view.getByRole('checkbox', { name: 'Sampling', exact: true })).toBeVisible();
  // The log stays in view.
  await expect(bench.log).toBeVisible();
  return bench.view;
}

/** Returns the params of the newest request of a method. */
async function newest(bench: Workbench, method: string) {
  await bench.filter(`method:${method} kind:request`);
  await expect(bench.rows.last()).toContainText('to server');
  await bench.rows.last().click();
  const { params } = JSON.parse(await bench.raw());
  await bench.filter('');
  return params;
}

test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

test.describe('a legacy server', () => {
  const connect = async (page: Page) => {
    const bench = new Workbench(page);
    await bench.connected();
    return bench;
  };

  test('everything on shows all tools, everything off hides some, after a restart', async ({ visit }) => {
    const { page } = await visit(['--', process.execPath, EVERYTHING]);
    const bench = await connect(page);
    const settings = await openSettings(bench);
    await settings.getByRole('checkbox', { name: 'Extension: MCP Apps' }).check();
    await expect(settings.getByText('needs a restart')).toBeVisible();
    await settings.getByRole('button', { name: 'Restart with these settings' }).click();
    await expect(bench.top).toContainText('run 2');
    await bench.connected();
    await expect(page.getByRole('contentinfo')).toContainText('19 tools');
    const { capabilities } = await newest(bench, 'initialize');
    expect(Object.keys(capabilities).sort()).toEqual(['elicitation', 'extensions', 'roots', 'sampling', 'tasks']);

    const again = await openSettings(bench);
    for (const box of await again.getByRole('checkbox').all()) await box.uncheck();
    await again.getByRole('button', { name: 'Restart with these settings' }).click();
    await expect(bench.top).toContainText('run 3');
    await bench.connected();
    await expect(page.getByRole('contentinfo')).toContainText('13 tools');
    expect((await newest(bench, 'initialize')).capabilities).toEqual({});
    await expect(bench.region('In effect')).toContainText('declaresnothing');
  });

  test('what changes without a capability is shown, and the comparison of all can be stopped', async ({ visit }) => {
    await test.step('what changes without a capability is shown, and the run that tried it stays', async () => {
      const { page } = await visit(['--', process.execPath, EVERYTHING]);
      const bench = await connect(page);
      const settings = await openSettings(bench);
      await settings.getByRole('button', { name: 'Try without sampling', exact: true }).click();
      await expect(settings.getByText(/Without it: \d+ changes?/)).toBeVisible({ timeout: 30_000 });
      await expect(settings.getByText('trigger-sampling-request', { exact: true })).toBeVisible();
      await settings.getByRole('button', { name: 'Try without sampling.tools' }).click();
      await expect(settings.getByText('Without it: nothing changes')).toBeVisible({ timeout: 30_000 });
      await settings.getByRole('button', { name: 'Show this run' }).first().click();
      await expect(page.getByText('This is run 2, without sampling.')).toBeVisible();
      await bench.button('Show run 1').click();
      await bench.connected();
      // The list of servers leaves trials out.
      await expect(bench.top).not.toContainText('run ');
      await bench.command('run 3, without sampling.tools');
      await expect(page.getByText('This is run 3, without sampling.tools.')).toBeVisible();
    });

    await test.step('the comparison of all capabilities can be stopped', async () => {
      const { page } = await visit(['--', process.execPath, EVERYTHING]);
      const bench = await connect(page);
      const settings = await openSettings(bench);
      await settings.getByRole('button', { name: 'Try each' }).click();
      await settings.getByRole('button', { name: 'Stop' }).click();
      await expect(settings.getByText('You stopped the comparison.').first()).toBeVisible();
      await expect(settings.getByRole('button', { name: 'Try each' })).toBeVisible();
    });
  });

  test('roots, _meta and timeouts change without a restart, and a modern server sees a change at once', async ({
    visit,
  }) => {
    await test.step('roots, extra _meta and timeouts change without a restart', async () => {
      const { page } = await visit(['--', process.execPath, EVERYTHING]);
      const bench = await connect(page);
      const settings = await openSettings(bench);
      await settings.getByRole('textbox', { name: 'URI' }).fill('file:///home/me');
      await settings.getByRole('button', { name: 'Add root' }).click();
      await expect(settings.getByRole('list', { name: 'Roots' })).toContainText('file:///home/me');
      await settings.getByRole('textbox', { name: 'Extra _meta of every request' }).fill('{"com.example/tenant":"a"');
      await expect(settings.getByText('is not a JSON object')).toBeVisible();
      await settings.getByRole('textbox', { name: 'Extra _meta of every request' }).fill('{"com.example/tenant":"a"}');
      await settings.getByRole('textbox', { name: 'Without response or progress' }).fill('7.5');
      await settings.getByRole('button', { name: 'Apply', exact: true }).click();
      await expect(settings.getByText('These settings are in effect')).toBeVisible();
      await expect(bench.region('In effect')).toContainText('7.5 s without response or progress');
      await bench.tool('echo');
      await bench.field('message').fill('hi');
      await bench.call();
      await expect(bench.outcome).toContainText('ok');
      expect((await newest(bench, 'tools/call'))._meta).toMatchObject({ 'com.example/tenant': 'a' });
      await bench.filter('notifications/roots/list_changed');
      await expect(bench.rows.first()).toContainText('to server');
    });

    await test.step('a modern server sees a change with the next request', async () => {
      const { page } = await visit(['--protocol', '2026-07-28', '--', process.execPath, MODERN, 'reject']);
      const bench = new Workbench(page);
      await bench.connected();
      const settings = await openSettings(bench);
      await settings.getByRole('checkbox', { name: 'Sampling', exact: true }).uncheck();
      await settings.getByRole('textbox', { name: 'Client name' }).fill('other-client');
      await expect(settings.getByText('Takes effect with the next request')).toBeVisible();
      await settings.getByRole('button', { name: 'Apply', exact: true }).click();
      await expect(settings.getByText('These settings are in effect')).toBeVisible();
      const { _meta: meta } = await newest(bench, 'tools/list');
      expect(meta['io.modelcontextprotocol/clientInfo']).toMatchObject({ name: 'other-client' });
      expect(meta['io.modelcontextprotocol/clientCapabilities']).not.toHaveProperty('sampling');
      expect(meta['io.modelcontextprotocol/clientCapabilities']).toHaveProperty('extensions');
      await expect(bench.top).not.toContainText('run ');
    });
  });

  test('a request that the server runs as a task waits in the Inbox', async ({ visit }) => {
    const { page } = await visit(['--', process.execPath, EVERYTHING]);
    const bench = await connect(page);
    await bench.tool('trigger-elicitation-request-async');
    await bench.call();
    await bench.panel('Inbox');
    await bench.button('Decline').click();
    await expect(bench.region('Outcome').getByRole('status')).toContainText('answered');
    await bench.tool('trigger-elicitation-request-async');
    await expect(bench.outcome).toContainText('ok', { timeout: 30_000 });
  });
});
