import { demoCommand, expect } from './bin';
import { copiedBy } from './clipboard';
import { test } from './shared-bin';
import { Workbench } from './workbench';

/** A legacy server with ugly names, and results that break their schemas. */
const SERVER = `
  const tools = [
    'empty', 'other',
    ...Array.from({ length: 1000 }, (_, at) => 'get_customer_account_transactions_by_date_range_and_currency_v' + at),
  ].map((name) => ({ name, title: name.replaceAll('_', ' '), inputSchema: { type: 'object' } }));
  tools[1].title = 'Says something else';
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'ugly', version: '1' } },
    'tools/list': { tools },
  };
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const result = params?.name === 'empty' ? {} : params?.name === 'other' ? { content: [{ type: 'text' }] } : results[method];
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) }));
  });
`;

test('a result that breaks its schema is an error and leads to its problem', async ({ visit }) => {
  const { page } = await visit(['--protocol', '2025-11-25', '--', process.execPath, '-e', SERVER]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('empty');
  await bench.call();
  await expect(bench.outcome).toHaveText('× error');
  await expect(bench.result).toContainText('Invalid result: content is missing.');
  const row = bench.rows.filter({ hasText: 'Invalid result: content is missing' });
  await expect(row).toContainText('error');
  await bench.wire('response');
  await expect(bench.detail).toContainText('error');
  await bench.detailTab('Exchange');
  await expect(bench.detail.getByRole('listitem').last()).toContainText('Invalid result: content is missing error');
  await bench.result.getByRole('button', { name: 'Show the problem' }).click();
  const chosen = bench.view.locator('[aria-current]');
  await expect(chosen).toContainText('content is missing');

  await bench.tool('other');
  await bench.call();
  await expect(bench.result).toContainText('Invalid result: content[0].text is missing.');
});

test('a structured result says whether it matches outputSchema', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('read_instruments');
  await bench.call();
  await expect(bench.outcome).toHaveText('✓ ok');
  await expect(bench.region('structuredContent')).toContainText('✓ matches outputSchema');

  await bench.tool('read_old_barometer');
  await bench.call();
  await expect(bench.outcome).toHaveText('× error');
  await expect(bench.result).toContainText('Invalid result: structuredContent.hpa is a string, expected a number.');
  // The reason is above.
  await expect(bench.region('structuredContent').getByText(/outputSchema/)).toHaveText('× does not match outputSchema');
});

test('the types of the results are shown and copied, with the results that contradict outputSchema', async ({
  visit,
}) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('read_old_barometer');
  const panel = bench.view;
  const types = page.getByText('Inferred result type');
  await bench.schema();
  await types.click();
  await expect(panel).toContainText('Call the tool until it returns structured content or JSON to see its types');
  await bench.call();
  await expect(bench.outcome).toHaveText('× error');
  await bench.schema();
  await types.click();
  await expect(panel).toContainText('From 1 result; record more for a reliable type.');
  const contradicting = bench.region('Results that contradict outputSchema');
  await expect(contradicting).toContainText('× 1 result of 1 contradict outputSchema');
  await expect(contradicting.getByRole('listitem')).toContainText('structuredContent.hpa');
  await page.getByRole('button', { name: 'Pydantic' }).click();
  await expect(panel).toContainText('class ReadOldBarometerResult(BaseModel):');
  await bench.group('View of the result').getByRole('button', { name: 'Result' }).click();
  const button = page.getByRole('button', { name: 'Copy output schema' });
  expect(JSON.parse(await copiedBy(page, () => button.click()))).toMatchObject({
    properties: { hpa: { type: 'string' } },
  });
});

test('the header of a result is one line', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  await page.setViewportSize({ width: 1024, height: 768 });
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('drop_lens');
  await bench.call();
  await expect(bench.outcome).toHaveText('× error −32603');
  const header = bench.result.getByRole('heading', { name: 'Result' }).locator('..');
  await expect.poll(async () => (await header.boundingBox())!.height).toBeLessThan(32);
  expect(await header.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
});

test('a list shows whole names, and titles that say more', async ({ visit }) => {
  const { page } = await visit(['--protocol', '2025-11-25', '--', process.execPath, '-e', SERVER]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Tools');
  const list = page.getByRole('listbox', { name: 'tools' });
  const options = list.getByRole('option');
  await expect(options.nth(0)).toHaveText('empty');
  await expect(options.nth(1)).toHaveText('otherSays something else');
  await expect(options.nth(2)).toHaveText('get_customer_account_transactions_by_date_range_and_currency_v0');
  const isCut = () =>
    options
      .nth(2)
      .locator('bdi')
      .evaluate((name) => name.scrollHeight > name.clientHeight + 1);
  expect(await options.nth(2).evaluate((option) => option.clientHeight)).toBe(36);
  expect(await isCut()).toBe(false);

  // The width of the list is remembered.
  const handle = page.getByRole('separator', { name: 'Resize list of tools' });
  const before = (await list.boundingBox())!.width;
  for (let step = 0; step < 25; step++) await handle.press('ArrowRight');
  await expect.poll(async () => (await list.boundingBox())!.width).toBeGreaterThan(before + 200);
  await expect.poll(() => options.nth(2).evaluate((option) => option.clientHeight)).toBe(24);
  const wide = (await list.boundingBox())!.width;
  await page.reload();
  await expect.poll(async () => (await list.boundingBox())?.width).toBeCloseTo(wide, 0);

  await list.focus();
  for (let page10 = 0; page10 < 101; page10++) await list.press('PageDown');
  const last = list.getByRole('option', { selected: true });
  await expect(last).toContainText('_v999');
  // A list of a fractional height cuts part of a pixel.
  await expect(last).toBeInViewport({ ratio: 0.95 });
  expect(await options.count()).toBeLessThan(80);
});
