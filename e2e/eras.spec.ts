import { demoCommand, expect } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

test('pinned to a legacy version: initialize with that version comes first, without a probe', async ({ visit }) => {
  for (const version of LEGACY)
    await test.step(version, async () => {
      const { page } = await visit(['--protocol', version, '--', ...demoCommand()]);
      const bench = new Workbench(page);
      await bench.connected();
      await bench.panel('Server');
      await expect(bench.region('Identity')).toContainText(`${version}, legacy era`);
      await bench.filter('"jsonrpc"');
      await expect(bench.rows.filter({ hasText: 'prompts/list' }).first()).toBeVisible();
      await expect(bench.rows.first()).toContainText('to server');
      await bench.rows.first().click();
      const first = JSON.parse(await bench.raw());
      expect(first).toMatchObject({ method: 'initialize', params: { protocolVersion: version } });
      await bench.filter('server/discover');
      await expect(bench.page.getByText('No message matches the filter')).toBeVisible();
      await bench.filter('io.modelcontextprotocol/protocolVersion');
      await expect(bench.page.getByText('No message matches the filter')).toBeVisible();
    });
});

test('pinned to 2026-07-28, and auto', async ({ visit }) => {
  await test.step('pinned to 2026-07-28: every request carries the version, without initialize', async () => {
    const { page } = await visit(['--protocol', '2026-07-28', '--', ...demoCommand()]);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('look_out');
    await bench.call();
    await expect(bench.outcome).toContainText('ok');
    await bench.filter('"jsonrpc" "method" request');
    // The first row is a lifecycle frame until the filter applies.
    await expect(bench.rows.first()).toContainText('to server');
    const requests = bench.rows.filter({ hasText: 'to server' });
    const count = await requests.count();
    expect(count).toBeGreaterThanOrEqual(5);
    for (let index = 0; index < count; index++) {
      await requests.nth(index).click();
      const { id, method, params } = JSON.parse(await bench.raw());
      expect(id, method).toBeDefined();
      expect(params._meta, method).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' });
    }
    await bench.filter('initialize');
    await expect(bench.page.getByText('No message matches the filter')).toBeVisible();
  });

  await test.step('auto: the probe is in the log, and the Server panel shows its result', async () => {
    const { page } = await visit(['--', ...demoCommand()]);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.panel('Server');
    await expect(bench.region('Identity')).toContainText('auto');
    await expect(bench.region('Lifecycle')).toContainText('The server uses the modern era');
    await bench.filter('server/discover');
    await expect(bench.rows.filter({ hasText: 'to server' })).toHaveCount(1);
  });
});
