import { expect, hostileCommand, test } from './bin';
import { Workbench } from './workbench';

const honest = ['--', ...hostileCommand('honest')];

test('keys and values are offered, and taken by the keyboard', async ({ open }) => {
  const { page } = await open(honest);
  const bench = new Workbench(page);
  await bench.connected();
  const options = page.getByRole('listbox', { name: 'Choices' }).getByRole('option');

  await page.keyboard.press('/');
  await page.keyboard.type('meth');
  await expect(options.first()).toContainText('method:');
  await page.keyboard.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(bench.filterBox).toHaveValue('method:');
  await expect(options.filter({ hasText: 'method:tools/list' })).toBeVisible();
  await page.keyboard.type('ols/l');
  await expect(options).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(bench.filterBox).toHaveValue('method:tools/list');
  await expect(bench.filterBox).toBeFocused();
  await expect(options).toHaveCount(0);
  await expect(bench.rows).toHaveCount(2);

  await page.keyboard.type(' -kind:req');
  await options.first().click();
  await expect(bench.filterBox).toHaveValue('method:tools/list -kind:request');
  await expect(bench.rows).toHaveCount(1);
  await expect(bench.log).toContainText(/1 of \d+/);
});

test('a fault is marked at its character and told; the rows stay, and a reload keeps the text', async ({ open }) => {
  const { page } = await open(honest);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.filter('kind:request');
  await expect(bench.rows.filter({ hasText: 'start:' })).toHaveCount(0);
  // The last one there is.
  await expect(bench.rows.last()).toContainText('tools/list');
  const count = await bench.count();
  expect(count).toBeGreaterThan(1);
  await bench.filter('kind:request metod:tools/list');
  const mark = bench.log.locator('[data-fault-at="13"]');
  await expect(mark).toHaveText('metod:');
  await expect(bench.filterBox).toHaveAccessibleDescription(/Unknown key metod\. Did you mean method:/);
  expect(await bench.count()).toBe(count);
  // The mark lies under the very characters: 13 of them before it, 6 in it, all of one width.
  const box = (await bench.filterBox.boundingBox())!;
  const { x, width } = (await mark.boundingBox())!;
  expect((x - box.x - 9) / (width / 6)).toBeCloseTo(13, 0);

  await page.reload();
  await bench.connected();
  await expect(bench.filterBox).toHaveValue('kind:request metod:tools/list');
  await expect(bench.filterBox).toHaveAccessibleDescription(/Unknown key metod/);
  await bench.filter('kind:request method:tools/list');
  await expect(bench.rows).toHaveCount(1);
  await expect(mark).toHaveCount(0);
});

test('filters used before come back by the arrow up, cleared ones too', async ({ open }) => {
  const { page } = await open(honest);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.filter('kind:request');
  await bench.filterBox.press('Enter');
  await bench.filter('kind:response');
  await bench.button('Clear filter').click();
  await expect(bench.filterBox).toHaveValue('');
  await expect(bench.filterBox).toBeFocused();
  const options = page.getByRole('listbox', { name: 'Choices' }).getByRole('option');
  await page.keyboard.press('ArrowUp');
  await expect(options).toHaveText(['kind:response', 'kind:request']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(bench.filterBox).toHaveValue('kind:request');
});

test('from a message: only those like it, or none of them', async ({ open }) => {
  const { page } = await open(honest);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.rows.filter({ hasText: 'tools/list' }).first().click();
  const menu = bench.detail.getByRole('button', { name: 'Filter by this message' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Only method:tools/list' }).click();
  await expect(bench.filterBox).toHaveValue('method:tools/list');
  await expect(bench.rows).toHaveCount(2);
  await menu.click();
  await page.getByRole('menuitem', { name: 'Hide method:tools/list' }).click();
  await expect(bench.filterBox).toHaveValue('-method:tools/list');
  await expect(bench.rows.filter({ hasText: 'tools/list' })).toHaveCount(0);
  const others = await bench.count();
  expect(others).toBeGreaterThan(0);
  await bench.filterBox.fill('');
  await expect.poll(() => bench.count()).toBe(others + 2);
});

test('the language is explained beside the box', async ({ open }) => {
  const { page } = await open(honest);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.button('Filter help').click();
  const help = page.getByRole('dialog', { name: 'Filter help' });
  await expect(help.getByRole('term').filter({ hasText: 'duration:' })).toBeVisible();
  await expect(help).toContainText('>500ms');
  await expect(help).toContainText('powers of 1000');
});

test('an expression searches; one that hangs is skipped where it does, and the page lives on', async ({ open }) => {
  const { page } = await open(honest);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  const text = `${'a'.repeat(60)}!`;
  await bench.field('text').fill(text);
  await bench.call();
  await expect(bench.outcome).toContainText(/ok/i);
  await bench.filter('/"TEXT":"a{60}!/i');
  await expect(bench.rows).toHaveCount(2);

  await bench.filter('/(a+)+$/ or method:tools/call');
  // Two frames have the text. The others and the page are searched and painted meanwhile.
  await bench.field('text').fill('still alive');
  await bench.call();
  await expect(bench.outcome).toContainText(/ok/i);
  await expect(bench.result).toContainText('still alive');
  await bench.filter('/(a+)+$/');
  await expect(bench.log.getByText(/took too long on frames \d+, \d+, which counts as no match/)).toBeVisible({
    timeout: 20_000,
  });
  await expect(bench.log).toContainText('No message matches the filter');
  await bench.filter('/^\\{.*"result"/ tool:echo');
  await expect(bench.rows).toHaveCount(2);
  await expect(bench.log.getByText(/took too long/)).toHaveCount(0);
});
