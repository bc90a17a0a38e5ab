import { demoCommand, expect, hostileCommand } from './bin';
import { test, type Visit } from './shared-bin';
import { Workbench } from './workbench';

/** Opens a server that has sent `count` notifications in addition to its responses. */
async function busyLog(visit: Visit, count: number): Promise<Workbench> {
  const { page } = await visit(['--', ...hostileCommand('burst', String(count))]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  // The log may be painted later than the result. Its last row is the response.
  await expect(bench.rows.last()).toContainText(/result\s*echo/);
  return bench;
}

/** Returns a column's texts of the rows in view. */
async function cells(bench: Workbench, title: string): Promise<string[]> {
  const header = bench.log.getByRole('columnheader', { name: title, exact: true });
  const place = await header.getAttribute('aria-colindex');
  return bench.rows.locator(`[role=gridcell][aria-colindex="${place}"]`).allInnerTexts();
}

const header = (bench: Workbench, name: string) => bench.log.getByRole('columnheader', { name, exact: true });
const width = async (bench: Workbench, name: string) => Math.round((await header(bench, name).boundingBox())!.width);

test('columns can be hidden and shown; a reload keeps the choice', async ({ visit }) => {
  const bench = await busyLog(visit, 20);
  const { page } = bench;
  await bench.button('Columns and more').click();
  const size = page.getByRole('menuitemcheckbox', { name: 'Size' });
  await expect(size).toHaveAttribute('aria-checked', 'false');
  await size.click();
  await expect(header(bench, 'Size')).toBeVisible();
  await expect(size).toHaveAttribute('aria-checked', 'true');
  await page.getByRole('menuitemcheckbox', { name: 'Duration' }).click();
  await page.keyboard.press('Escape');
  await page.reload();
  await bench.connected();
  await expect(header(bench, 'Size')).toBeVisible();
  await expect(header(bench, 'Duration')).toHaveCount(0);
  await bench.button('Columns and more').click();
  await page.getByRole('menuitem', { name: 'Reset columns' }).click();
  await expect(header(bench, 'Duration')).toBeVisible();
  await expect(header(bench, 'Size')).toHaveCount(0);
});

test('columns are resized by pointer and keyboard, and fitted by a double click', async ({ visit }) => {
  const bench = await busyLog(visit, 20);
  const { page } = bench;
  await bench.showColumn('Status');
  const before = await width(bench, 'Status');
  const handle = bench.log.locator('[data-resize=Status]');
  const box = (await handle.boundingBox())!;
  await page.mouse.move(box.x + 4, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x - 36, box.y + 8, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => width(bench, 'Status')).toBe(before + 40);
  await header(bench, 'Status').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(() => width(bench, 'Status')).toBe(before + 32);
  await page.keyboard.press('ArrowRight');
  await expect(header(bench, 'Duration')).toBeFocused();
  await handle.dblclick();
  await expect.poll(() => width(bench, 'Status')).toBeLessThan(before);
});

test('a column header sorts descending, ascending, then not at all', async ({ visit }) => {
  const bench = await busyLog(visit, 200);
  const order = async () => (await cells(bench, '#')).map((text) => Number(text.replace(/\D/g, '')));
  const ascending = (numbers: number[]) => numbers.every((number, at) => at === 0 || numbers[at - 1]! < number);
  const newest = await order();
  expect(ascending(newest)).toBe(true);

  await header(bench, 'Duration').click();
  await expect(header(bench, 'Duration')).toHaveAttribute('aria-sort', 'descending');
  expect(await bench.isOn('Follow new messages')).toBe(false);
  await bench.log.getByRole('grid').press('Home');
  await expect(bench.rows.first()).toHaveAttribute('aria-rowindex', '2');
  expect((await cells(bench, 'Duration')).slice(0, 2).every((text) => /\d/.test(text))).toBe(true);
  // Rows without a duration come last, in the order of the log.
  expect(ascending((await order()).slice(-5))).toBe(true);

  await header(bench, 'Duration').click();
  await expect(header(bench, 'Duration')).toHaveAttribute('aria-sort', 'ascending');
  await header(bench, 'Duration').click();
  await expect(header(bench, 'Duration')).not.toHaveAttribute('aria-sort');
  await header(bench, '#').click();
  await expect.poll(async () => ascending((await order()).reverse())).toBe(true);
});

test('the view pauses and resumes while the log goes on', async ({ visit }) => {
  const bench = await busyLog(visit, 50);
  await bench.button('Columns and more').click();
  await bench.page.getByRole('menuitemcheckbox', { name: 'Pause the view (recording continues)' }).click();
  await bench.page.keyboard.press('Escape');
  const before = await bench.count();
  await bench.call();
  const resume = bench.log.getByRole('button', { name: /^Resume \(5\d new frames\)$/ });
  await expect(resume).toBeVisible();
  expect(await bench.count()).toBe(before);
  await resume.click();
  await expect.poll(() => bench.count()).toBeGreaterThanOrEqual(before + 50);
  await expect(resume).toBeHidden();
});

test('the view can be cleared and restored; the log keeps every message', async ({ visit }) => {
  const bench = await busyLog(visit, 50);
  const before = await bench.count();
  const clear = async () => {
    await bench.button('Columns and more').click();
    await bench.page.getByRole('menuitem', { name: 'Clear the view (nothing is deleted)' }).click();
  };
  await clear();
  await expect(bench.log).toContainText('Nothing since the view was cleared');
  await bench.call();
  await expect.poll(() => bench.count()).toBe(52);
  await clear();
  await expect.poll(() => bench.count()).toBe(0);
  await bench.button('Undo clear').click();
  await expect(bench.log.getByRole('grid')).toBeFocused();
  await expect.poll(() => bench.count()).toBe(before + 52);
});

test('scrolling away stops following; End resumes it', async ({ visit }) => {
  const bench = await busyLog(visit, 300);
  const { page } = bench;
  const isFollowing = () => bench.isOn('Follow new messages');
  await expect.poll(isFollowing).toBe(true);
  await bench.log.getByRole('grid').hover();
  await page.mouse.wheel(0, -1500);
  await expect.poll(isFollowing).toBe(false);
  await bench.call();
  await expect(bench.log.getByRole('button', { name: '302 new frames' })).toBeVisible();
  await bench.keys('End');
  await expect.poll(isFollowing).toBe(true);
  const last = String((await bench.count()) + 1);
  await expect(bench.rows.last()).toHaveAttribute('aria-rowindex', last);
});

test('o jumps between request and response', async ({ visit }) => {
  const bench = await busyLog(visit, 5);
  await bench.filter('tools/call');
  await expect(bench.rows).toHaveCount(2);
  const [request, answer] = [bench.rows.first(), bench.rows.last()];
  await request.click();
  await bench.page.keyboard.press('o');
  await expect(answer).toHaveAttribute('aria-selected', 'true');
  await bench.page.keyboard.press('o');
  await expect(request).toHaveAttribute('aria-selected', 'true');
});

test('the timeline selects a time range, by pointer and keyboard', async ({ visit }) => {
  const bench = await busyLog(visit, 100);
  const { page } = bench;
  await bench.logOption('Timeline');
  const timeline = bench.log.getByRole('group', { name: 'Timeline' });
  const box = (await timeline.getByRole('slider').first().locator('..').boundingBox())!;
  const all = await bench.count();
  await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await expect(bench.filterBox).toHaveValue(/^time:[\d.]+s\.\.[\d.]+s$/);
  await expect.poll(() => bench.count()).toBeLessThan(all);

  await timeline.getByRole('slider', { name: 'Start of the time range' }).focus();
  await page.keyboard.press('Home');
  await expect(bench.filterBox).toHaveValue(/^time:\.\.[\d.]+s$/);
  await page.keyboard.press('Escape');
  await expect(bench.filterBox).toHaveValue('');
  await expect.poll(() => bench.count()).toBe(all);
});

test('the waterfall’s accessible text says what it draws: calls in flight, cancelled, notifications', async ({
  visit,
}) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await bench.connected();
  await bench.tool('wait_for_ship');
  await bench.call();
  await bench.filter('tools/call');
  await expect(bench.rows.first()).toContainText(/in flight since \+/);
  await bench.button('Cancel').click();
  await expect(bench.rows.first()).toContainText(/from \+[\d.]+ s, cancelled, notifications: \d/);
});

test('latency by method links to the method’s messages', async ({ visit }) => {
  const bench = await busyLog(visit, 5);
  const { page } = bench;
  await page
    .getByRole('contentinfo')
    .getByRole('button', { name: /^calls [\d.]+ [µm]s/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Latency by method' });
  const row = dialog.getByRole('row', { name: /tools\/call/ });
  await expect(row).toContainText(/tools\/call\s*1\s*0\s*[\d.]+ (µs|ms)/);
  await row.getByRole('button', { name: 'tools/call' }).click();
  await expect(dialog).toBeHidden();
  await expect(bench.filterBox).toHaveValue('method:tools/call');
  await expect(bench.rows).toHaveCount(2);
});

test('a right click opens a row’s menu, and Esc closes only the menu', async ({ visit }) => {
  const bench = await busyLog(visit, 5);
  const { page } = bench;
  await bench.filter('tool:echo');
  await expect(bench.rows).toHaveCount(2);
  await bench.rows.last().click({ button: 'right' });
  const menu = page.getByRole('menu', { name: /^Message #/ });
  await expect(menu.getByRole('menuitem', { name: 'Copy as JSON' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(bench.detail).toBeVisible();

  await bench.rows.last().click({ button: 'right' });
  await menu.getByRole('menuitem', { name: /^Go to request/ }).click();
  await expect(bench.rows.first()).toHaveAttribute('aria-selected', 'true');
  await bench.rows.first().click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Only kind:request' }).click();
  await expect(bench.filterBox).toHaveValue('tool:echo kind:request');
  await expect(bench.rows).toHaveCount(1);
});

test('opening a link to a message counts no rows as new; resizing keeps the message in view', async ({ visit }) => {
  const bench = await busyLog(visit, 300);
  const { page } = bench;
  await bench.filterBox.press('Escape');
  await bench.log.getByRole('grid').press('Home');
  const selected = bench.log.getByRole('row', { selected: true });
  await expect(selected).toBeInViewport();
  await page.reload();
  await bench.connected();
  await expect(selected).toBeInViewport();
  await expect(bench.log.getByRole('button', { name: /new frames?$/ })).toHaveCount(0);
  for (let step = 0; step < 12; step++) await page.keyboard.press('j');
  await page.keyboard.press('m');
  await page.keyboard.press('m');
  await expect(selected).toBeInViewport();
});

test('kept and selected messages do not overlap in a low window', async ({ visit }) => {
  const bench = await busyLog(visit, 5);
  const { page } = bench;
  await page.setViewportSize({ width: 1024, height: 700 });
  await bench.rows.first().click();
  await page.getByRole('button', { name: 'Keep in view' }).click();
  await bench.rows.nth(2).click();
  const kept = page.getByRole('list', { name: 'Messages kept in view' });
  await expect(bench.detail).toBeVisible();
  await expect(page.getByRole('region', { name: 'Message kept in view' })).toBeHidden();
  await kept.getByRole('button').click();
  await expect(bench.rows.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('m');
  await expect(page.getByRole('region', { name: 'Message kept in view' })).toBeVisible();
});
