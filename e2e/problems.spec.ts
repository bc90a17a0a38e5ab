import { demoCommand, expect, test } from './bin';
import { Workbench } from './workbench';

test('problems: on the tab, in the panel with advice and frames, on the row and at the field', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Problems');
  const panel = page.getByRole('tabpanel', { name: 'Problems' });
  await expect(panel.getByText('No problems', { exact: true })).toBeVisible();
  await expect(panel.getByRole('status')).toContainText('against 2026-07-28');

  await bench.panel('Tools');
  await bench.tool('read_old_barometer');
  await bench.call();
  const tab = page.getByRole('tab', { name: 'Problems' });
  await expect(tab).toContainText('1');
  await bench.panel('Problems');
  const mismatch = panel.getByRole('region', { name: 'A structured result that does not fit its schema' });
  await expect(mismatch).toContainText('result.structuredContent.hpa');
  await expect(mismatch).toContainText('Make structuredContent what outputSchema says');
  await expect(mismatch.getByRole('link', { name: /^Specification/ })).toHaveAttribute(
    'href',
    'https://modelcontextprotocol.io/specification/2026-07-28/server/tools',
  );

  await mismatch.getByRole('button', { name: /^Frame #/ }).click();
  const name = bench.detail.getByText('hpa', { exact: true }).first();
  await expect(name).toHaveAttribute('title', /should be a number/);
  await bench.view('Problems');
  await expect(bench.detail).toContainText('A structured result that does not fit its schema');
  await bench.detail.getByRole('button', { name: 'result.structuredContent.hpa' }).click();
  await expect(bench.tree.getByRole('treeitem', { selected: true })).toContainText('hpa');
  await expect(page).toHaveURL(/at=%2Fresult%2FstructuredContent%2Fhpa/);
  await bench.view('Raw');
  await expect(bench.detail.locator('pre [title*="should be a number"]')).toContainText('"hpa"');
  await expect(bench.log.getByRole('row', { selected: true })).toContainText('error');

  await panel.getByRole('searchbox', { name: 'Filter problems' }).fill('no such thing');
  await expect(panel.getByText('No problem matches the filter')).toBeVisible();
});
