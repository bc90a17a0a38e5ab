import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './bin';
import { accessFaults } from './page-faults';
import { Workbench } from './workbench';

test('a call is pinned with one key, and what a changed server answers is shown and accepted', async ({ open }, {
  outputDir,
}) => {
  const [price, pins] = [join(outputDir, 'price'), join(outputDir, 'mcp-inspect.pins.json')];
  mkdirSync(outputDir, { recursive: true });
  writeFileSync(price, '10');
  const server = [process.execPath, join(import.meta.dirname, 'servers/price.mjs'), price];
  const { page } = await open(['--', ...server], { cwd: outputDir });
  const bench = new Workbench(page);
  await bench.tool('price');
  await bench.field('item').fill('tea');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await expect(bench.rows.filter({ hasText: 'tools/call' })).toContainText(', ok');
  await bench.result.getByRole('button', { name: 'Pin the call' }).click();
  await expect(bench.result).toContainText('Pinned in mcp-inspect.pins.json');
  expect(JSON.parse(readFileSync(pins, 'utf8')).calls).toMatchObject([{ tool: 'price', arguments: { item: 'tea' } }]);

  await bench.keys('g', 'n');
  const pin = page.getByRole('listbox', { name: 'pins' }).getByRole('option');
  await expect(pin).toContainText('not run');
  await bench.button('Run all').click();
  await expect(pin).toContainText('same');

  writeFileSync(price, '12');
  await bench.restart();
  await expect(pin).toContainText('not run');
  // Before the tools are listed, it would ask whether they may be called.
  await expect(bench.page.getByRole('contentinfo')).toContainText('1 tool');
  await bench.button('Run all').click();
  await expect(pin).toContainText('changed');
  await expect(bench.region('What changed')).toContainText('price 10 → 12');
  expect(await accessFaults(page)).toEqual([]);
  await bench.button('Accept answer').click();
  await expect(pin).toContainText('same');
  expect(readFileSync(pins, 'utf8')).toContain('12');
  await page.reload();
  await expect(pin).toContainText('same');
});
