import type { Page } from '@playwright/test';
import { demoCommand, expect, hostileCommand, test } from './bin';
import { Workbench } from './workbench';

/** Counts the rows of the log that are fully visible. */
async function rowsInSight(bench: Workbench): Promise<number> {
  const grid = (await bench.log.getByRole('grid').boundingBox())!;
  const header = (await bench.log.getByRole('columnheader').first().boundingBox())!;
  const boxes = await bench.rows.evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().toJSON() as DOMRect),
  );
  return boxes.filter(({ top, bottom }) => top >= header.y + header.height && bottom <= grid.y + grid.height).length;
}

/** Returns a short name of the focused element, or `nothing` if the focus was lost. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'nothing';
    return element.getAttribute('aria-label') ?? element.getAttribute('role') ?? element.tagName.toLowerCase();
  });
}

test('the log by keyboard: filter, move, open, close; the focus is never lost @firefox', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const selected = bench.log.getByRole('row', { selected: true });

  await page.keyboard.press('/');
  await expect(bench.filterBox).toBeFocused();
  await page.keyboard.type('list');
  await expect(bench.log).toContainText(/\d+ of \d+/);
  // Esc first closes the suggestions, then clears the text, then leaves the box.
  await page.keyboard.press('Escape');
  await expect(bench.filterBox).toHaveValue('list');
  await page.keyboard.press('Escape');
  await expect(bench.filterBox).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(bench.filterBox).not.toBeFocused();

  await bench.rows.nth(2).click();
  await expect(selected).toHaveAttribute('aria-rowindex', '4');
  await page.keyboard.press('j');
  await expect(selected).toHaveAttribute('aria-rowindex', '5');
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await expect(selected).toHaveAttribute('aria-rowindex', '3');
  await page.keyboard.press('ArrowDown');
  await expect(selected).toHaveAttribute('aria-rowindex', '4');
  await page.keyboard.press('Home');
  await expect(selected).toHaveAttribute('aria-rowindex', '2');
  await expect(bench.log.getByRole('grid')).toBeFocused();
  await expect(bench.log.getByRole('grid')).toHaveAttribute('aria-activedescendant', 'frame-1');

  await page.keyboard.press('Enter');
  await expect(bench.detail).toBeFocused();
  await page.keyboard.press('j');
  await expect(bench.detail).toContainText('#2');
  await page.keyboard.press('Escape');
  await expect(bench.detail).toBeHidden();
  await expect.poll(() => focused(page)).toBe('Messages');
});

test('the log shows enough rows, beside a panel and maximised', async ({ open }) => {
  const { page } = await open(['--', ...hostileCommand('burst', '100')]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await expect.poll(() => rowsInSight(bench)).toBeGreaterThanOrEqual(15);
  await bench.outcome.click();
  await page.keyboard.press('m');
  await expect(bench.button('Call tool')).toBeHidden();
  await expect.poll(() => rowsInSight(bench)).toBeGreaterThanOrEqual(30);
  await page.keyboard.press('m');
  await expect(bench.button('Call tool')).toBeVisible();
});

test('g and a letter opens a panel; ? lists the keys; an open dialog blocks shortcuts', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toBeVisible();
  const panels = { Tools: 't', Resources: 'r', Prompts: 'p', Server: 's' };
  for (const [title, key] of Object.entries(panels)) {
    await expect(keys).toContainText(`g${key}Go to ${title}`);
  }
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Tools', exact: true })).toHaveAttribute('aria-selected', 'true');
  for (const [title, key] of Object.entries(panels).reverse()) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await expect(page.getByRole('tab', { name: title, exact: true })).toHaveAttribute('aria-selected', 'true');
  }
  // In a text box, shortcuts are plain letters.
  await bench.tool('echo');
  await bench.field('message').pressSequentially('gr/m?');
  await expect(bench.field('message')).toHaveValue('gr/m?');
});

test('the palette finds tools, resources and commands', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const choose = async (typed: string) => {
    await page.keyboard.press('ControlOrMeta+k');
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(typed);
    await expect(palette.getByRole('option', { selected: true })).toContainText(typed, { ignoreCase: true });
    await page.keyboard.press('Enter');
    await expect(palette).toBeHidden();
  };
  // Waits for all lists.
  for (const name of ['Tools', 'Resources', 'Prompts']) {
    await expect(page.getByRole('tab', { name, exact: true })).toContainText(/\d/);
  }
  await choose('postcard');
  await expect(page.getByRole('heading', { level: 2, name: 'send_postcard' })).toBeVisible();
  await choose('chart.png');
  await expect(page.getByRole('tab', { name: 'Resources', exact: true })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { level: 2, name: 'Picture of the light' })).toBeVisible();
  await choose('disconnect');
  await expect(bench.connections).toContainText('closed');
});

test('closing a dialog gives the focus back', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.field('message').focus();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(bench.field('message')).toBeFocused();
  await bench.button('Add server').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(bench.button('Add server')).toBeFocused();
});

test('the focus is never lost when the focused element disappears', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  const kept = (after: string) =>
    expect.soft.poll(() => focused(page), { message: after, timeout: 2000 }).not.toBe('nothing');

  await bench.log.getByRole('grid').focus();
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  await kept('Esc in the empty filter');
  await bench.button('Call tool').focus();
  await page.keyboard.press('m');
  await expect(bench.button('Call tool')).toBeHidden();
  await kept('m, with the focus in the panel');
  await page.keyboard.press('m');
  await bench.button('Call tool').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(bench.region('Process')).toBeVisible();
  await kept('g s, with the focus in the panel');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('look_out');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'look_out' })).toBeVisible();
  await kept('a choice in the palette');

  await bench.button('Restart').focus();
  await page.keyboard.press('Enter');
  await expect(bench.newestRun).toContainText('run 2');
  await kept('Restart');
  await bench.newestRun.focus();
  await page.keyboard.press('Enter');
  const remove = bench.connections.getByRole('button', { name: /^Remove/ }).first();
  await remove.focus();
  await page.keyboard.press('Enter');
  await expect(remove).toHaveCount(0);
  await kept('Remove');
  await bench.connected();
  await bench.button('Disconnect').focus();
  await page.keyboard.press('Enter');
  await expect(bench.connections).toContainText('closed');
  await kept('Disconnect');
});

test('a tool can be found and called by keyboard alone @firefox', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const search = page.getByRole('searchbox', { name: 'Search tools' });
  await search.focus();
  await page.keyboard.type('echo');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('heading', { level: 2, name: 'echo' })).toBeVisible();
  for (let presses = 0; presses < 20 && (await focused(page)) !== 'textarea'; presses++)
    await page.keyboard.press('Tab');
  await expect(bench.field('message')).toBeFocused();
  await page.keyboard.type('by keys');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(bench.result).toContainText('by keys');
  await expect.poll(() => focused(page)).not.toBe('nothing');

  // Cancel disappears while it has the focus.
  await bench.tool('wait_for_ship');
  await bench.button('Call tool').focus();
  await page.keyboard.press('Enter');
  await bench.button('Cancel').focus();
  await page.keyboard.press('Enter');
  await expect(bench.outcome).toContainText('cancelled');
  await expect(bench.button('Call tool')).toBeFocused();
});
