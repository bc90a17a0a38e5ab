import { expect, hostileCommand } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const honest = ['--', ...hostileCommand('honest')];

test('keys and values are suggested and chosen with the keyboard', async ({ visit }) => {
  const { page } = await visit(honest);
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

test('an error is marked at its position and explained; rows stay, a reload keeps the text', async ({ visit }) => {
  const { page } = await visit(honest);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.filter('kind:request');
  await expect(bench.rows.filter({ hasText: 'start:' })).toHaveCount(0);
  // Waits for the last request.
  await expect(bench.rows.last()).toContainText('tools/list');
  const count = await bench.count();
  expect(count).toBeGreaterThan(1);
  await bench.filter('kind:request metod:tools/list');
  const mark = bench.log.locator('[data-fault-at="13"]');
  await expect(mark).toHaveText('metod:');
  await expect(bench.filterBox).toHaveAccessibleDescription(/Unknown key metod\. Did you mean method:/);
  expect(await bench.count()).toBe(count);
  // The mark lies under characters 14 to 19. All have the same width.
  const box = (await bench.filterBox.boundingBox())!;
  const { x, width } = (await mark.boundingBox())!;
  expect((x - box.x - 9) / (width / 6)).toBeCloseTo(13, 0);

  // The list of values is longer than its room, but never covers the explanation.
  await bench.filterBox.fill('kind:request status:');
  const sentence = page.getByRole('listbox', { name: 'Choices' }).getByText('Still filtering by “kind:request”');
  await expect(sentence).toBeInViewport({ ratio: 1 });
  await bench.filter('kind:request metod:tools/list');

  await page.reload();
  await bench.connected();
  await expect(bench.filterBox).toHaveValue('kind:request metod:tools/list');
  await expect(bench.filterBox).toHaveAccessibleDescription(/Unknown key metod/);
  await bench.filter('kind:request method:tools/list');
  await expect(bench.rows).toHaveCount(1);
  await expect(mark).toHaveCount(0);
});

test('the up arrow offers earlier filters, cleared ones too', async ({ visit }) => {
  const { page } = await visit(honest);
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

test('from a message: show only its method, or hide it', async ({ visit }) => {
  const { page } = await visit(honest);
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

test('help beside the box explains the filter language', async ({ visit }) => {
  const { page } = await visit(honest);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.button('Columns and more').click();
  await page.getByRole('menuitem', { name: 'Filter help' }).click();
  const help = page.getByRole('dialog', { name: 'Filter help' });
  await expect(help.getByRole('term').filter({ hasText: 'duration:' })).toBeVisible();
  await expect(help).toContainText('>500ms');
  await expect(help).toContainText('powers of 1000');
});

test('a regular expression searches; a frame where it hangs is skipped, the page stays responsive', async ({
  open,
}) => {
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
  // The expression hangs on two frames. Meanwhile other frames are searched and the page is painted.
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
