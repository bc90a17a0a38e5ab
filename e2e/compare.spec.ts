import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, runBin } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const SHOP = join(import.meta.dirname, '../proxy/connection/fixtures/shop-server.mjs');
const shop = (change: string): string[] => ['--', process.execPath, SHOP, change];

/** Records a call of `order`. Typing `--arg` needs the schema, so the recording contains tools/list too. */
async function record(folder: string, change: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${change}.mcpr.jsonl`);
  const { ended } = await runBin(['call', 'order', '--arg', 'item=tea', '--record', file, ...shop(change)]);
  expect(ended).toBe(0);
  return file;
}

test('test and diff: exit code 0 for no difference, 1 for changes', async ({ start: _ }, { outputDir }) => {
  const [same, other] = [await record(outputDir, 'same'), await record(outputDir, 'schema')];
  const fine = await runBin(['test', same, ...shop('same')]);
  expect(fine).toMatchObject({
    ended: 0,
    stdout: 'No difference: the server offers the same, 1 call got the same response.\n',
  });
  const changed = await runBin(['test', same, '--report', `junit=${join(outputDir, 'out.xml')}`, ...shop('result')]);
  expect(changed.ended).toBe(1);
  expect(changed.stdout).toContain('changed content[0].text → price: 10 → 12');
  const { ended, stdout } = await runBin(['diff', same, other]);
  expect(ended).toBe(1);
  expect(stdout).toContain('breaking  The parameter `address` is new and required: string.');
});

test('test FOLDER: each recording is played, one report; --update replaces those that differ', async ({ start: _ }, {
  outputDir,
}) => {
  const [same, other] = [await record(outputDir, 'same'), await record(outputDir, 'result')];
  const before = [same, other].map((file) => readFileSync(file, 'utf8'));
  const report = join(outputDir, 'out.xml');
  const first = await runBin(['test', outputDir, '--report', `junit=${report}`, ...shop('same')]);
  expect(first.ended).toBe(1);
  expect(first.stdout).toContain(`${other}\ntools/call order`);
  expect(first.stdout).toMatch(/2 files: 1 passed\.\n$/);
  expect(readFileSync(report, 'utf8').match(/<testsuite /g)).toHaveLength(2);

  const updated = await runBin(['test', outputDir, '--update', ...shop('same')]);
  expect(updated).toMatchObject({ ended: 0, stderr: `mcp-inspect: Updated ${other}.\n` });
  expect(updated.stdout).toContain('changed content[0].text → price: 12 → 10');
  expect(readFileSync(same, 'utf8')).toBe(before[0]);
  expect(readFileSync(other, 'utf8')).not.toBe(before[1]);
  const { ended, stdout } = await runBin(['test', outputDir, '--json', ...shop('same')]);
  expect(ended).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    { file: other, equal: true },
    { file: same, equal: true },
  ]);
  expect(readdirSync(outputDir).filter((name) => name.includes('.mcpr'))).toEqual([
    'result.mcpr.jsonl',
    'same.mcpr.jsonl',
  ]);
});

test('two recordings: breaking changes, frames and results of both sides; a reload keeps them', async ({ open }, {
  outputDir,
}) => {
  const files = [await record(outputDir, 'schema'), await record(outputDir, 'result')];
  const { page } = await open(['open', ...files]);
  const bench = new Workbench(page);
  await expect(bench.region('About this recording')).toContainText('result.mcpr.jsonl');
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('combobox', { name: /Search/ }).fill('compare with');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Connections to compare with' }).getByRole('button').first().click();

  const comparison = bench.region('Comparison');
  await expect(comparison.getByRole('status')).toContainText(
    'Different: 1 change in what the server offers (1 breaking), 1 of 1 call got a different response.',
  );
  // The older recording is "before", whichever was selected first.
  await expect(comparison.getByRole('region', { name: 'Server and catalogue' })).toContainText(
    'The parameter address is gone.',
  );
  await expect(comparison.getByText('breaking', { exact: true })).toBeVisible();
  await expect(bench.rail.locator('[aria-current]')).toHaveAccessibleName('Pins');
  const calls = comparison.getByRole('region', { name: 'Calls' });
  await expect(calls).toContainText('content[0].text → price 10 → 12');

  // The sides can be swapped.
  await bench.button('Swap sides').click();
  await expect(calls).toContainText('content[0].text → price 12 → 10');
  await bench.button('Swap sides').click();
  await expect(calls).toContainText('content[0].text → price 10 → 12');

  await calls.getByRole('button', { name: /^Frame #\d+ after, / }).click();
  await expect(bench.detail).toContainText('tools/call');
  await expect(comparison.getByRole('status')).toContainText('Different');
  // An address from before comparisons had a place.
  await page.goto(page.url().replace(/panel=pins&?/, ''));
  await expect(comparison.getByRole('status')).toContainText('Different');
  await expect(page.getByRole('tab', { name: 'Compare' })).toHaveAttribute('aria-selected', 'true');

  await comparison.getByRole('button', { name: /^Compare responses to tools\/call order/ }).click();
  await expect(page.getByRole('region', { name: /^Differences between the responses/ })).toContainText('price', {
    timeout: 15_000,
  });
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Pins' }).click();
  await expect(comparison).toHaveCount(0);
  await expect(bench.region('About this recording')).toBeVisible();
});

test('compares a live connection with a closed one, and again after new calls', async ({ visit }) => {
  const { page } = await visit(shop('same'));
  const bench = new Workbench(page);
  await bench.connected();
  const status = async () => {
    await bench.tool('status');
    await bench.call();
    await expect(bench.result).toContainText('no such order');
  };
  await status();
  await bench.restart();
  await expect(bench.top).toContainText('run 2');
  await bench.connected();
  // The other run is the one to compare with.
  await bench.keys('g', 'n');
  await page.getByRole('tab', { name: 'Compare' }).click();
  const comparison = bench.region('Comparison');
  await expect(comparison.getByRole('status')).toContainText('Different: 1 call on one side only.');

  // Opening a panel closes the comparison.
  await status();
  await expect(comparison).toHaveCount(0);
  await bench.command('Compare with…');
  await page.getByRole('list', { name: 'Connections to compare with' }).getByRole('button').click();
  await expect(comparison.getByText('No differences', { exact: true })).toBeVisible();
  await bench.rows.filter({ hasText: 'tools/call' }).first().click();
  await bench.button('Resend').click();
  await comparison.getByRole('button', { name: /^Compare again/ }).click();
  await expect(comparison.getByRole('status')).toContainText(
    'Different: 1 call on one side only, 1 call got the same response.',
  );
});
