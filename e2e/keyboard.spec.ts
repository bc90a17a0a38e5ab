import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { demoCommand, expect, hostileCommand } from './bin';
import { test } from './shared-bin';
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

test('the log by keyboard: filter, move, open, close; the focus is never lost @firefox', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const selected = bench.log.getByRole('row', { selected: true });

  // Its key works once it is there.
  await expect(bench.filterBox).toBeVisible();
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

test('the log shows enough rows, beside a panel and maximised', async ({ visit }) => {
  const { page } = await visit(['--', ...hostileCommand('burst', '100')]);
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

test('g and a letter opens a panel; ? lists the keys; an open dialog blocks shortcuts', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
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
  await expect(bench.entryGroup('Tools')).toHaveAttribute('data-current');
  for (const [title, key] of Object.entries(panels).reverse()) {
    await bench.keys('g', key);
    const at = title === 'Server' ? page.getByRole('tab', { name: title, exact: true }) : bench.entryGroup(title);
    await expect(at).toHaveAttribute(title === 'Server' ? 'aria-selected' : 'data-current', 'true');
  }
  // In a text box, shortcuts are plain letters.
  await bench.tool('echo');
  await bench.field('message').pressSequentially('gr/m?');
  await expect(bench.field('message')).toHaveValue('gr/m?');
});

test('the palette finds tools, resources and commands', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const choose = async (typed: string) => {
    // Leaves a field, in which the key does nothing.
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(typed);
    await expect(palette.getByRole('option', { selected: true })).toContainText(typed, { ignoreCase: true });
    await page.keyboard.press('Enter');
    await expect(palette).toBeHidden();
  };
  // Waits for all lists.
  for (const name of ['Tools', 'Resources', 'Prompts']) {
    await expect(bench.entryGroup(name)).toContainText(/\d/);
  }
  await choose('postcard');
  await expect(page.getByRole('heading', { level: 2, name: 'send_postcard' })).toBeVisible();
  await choose('chart.png');
  await expect(bench.entryGroup('Resources')).toHaveAttribute('data-current');
  await expect(page.getByRole('heading', { level: 2, name: 'Picture of the light' })).toBeVisible();
  await choose('disconnect');
  await expect(bench.top).toContainText('closed');
});

test('closing a dialog gives the focus back', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.button('Call tool').focus();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(bench.button('Call tool')).toBeFocused();
  await bench.addServer();
  await expect(page.getByRole('dialog', { name: 'Add server' }).getByRole('textbox').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(bench.serversButton).toBeFocused();
});

test('the focus is never lost when the focused element disappears', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  const kept = (after: string) => expect.soft.poll(() => focused(page), { message: after }).not.toBe('nothing');

  await bench.log.getByRole('grid').focus();
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  await kept('Esc in the empty filter');
  await bench.log.getByRole('grid').focus();
  await bench.keys('m');
  await expect(bench.button('Call tool')).toBeHidden();
  await kept('m, with the focus in the log');
  await page.keyboard.press('m');
  await bench.keys('g', 's');
  await expect(bench.region('Process')).toBeVisible();
  await kept('g s, with the focus in the log');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('look_out');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'look_out' })).toBeVisible();
  await kept('a choice in the palette');

  await bench.button('Restart').focus();
  await page.keyboard.press('Enter');
  await expect(bench.top).toContainText('run 2');
  await kept('Restart');
  await (await bench.servers()).getByRole('button', { name: /^run 2 of / }).press('Enter');
  const remove = (await bench.servers()).getByRole('button', { name: /^Remove/ }).first();
  await remove.focus();
  await page.keyboard.press('Enter');
  await expect(remove).toHaveCount(0);
  await kept('Remove');
  await bench.connected();
  await page.keyboard.press('Escape');
  await bench.disconnect();
  await expect(bench.top).toContainText('closed');
  await kept('Disconnect');
});

/** Presses Tab, or Shift+Tab, until an element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}

/** Chooses an entry of the palette by its name. */
async function choose(page: Page, name: string): Promise<void> {
  // Leaves a field, in which the key does nothing.
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

/** Presses keys one after the other: `g r`. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test('by keyboard alone: connect, read and watch a resource, get a prompt, send a message', async ({ visit }) => {
  const { page } = await visit([]);
  const bench = new Workbench(page);
  // The cursor is in the box for the command.
  await expect(page.getByRole('textbox', { name: /^Command line/ })).toBeFocused();
  await page.keyboard.insertText(demoCommand().join(' '));
  await press(page, 'Enter');
  await bench.connected();

  await bench.keys('g', 'r');
  await expect(page.getByRole('listbox', { name: 'resources' })).toBeFocused();
  const logbook = page.getByRole('option', { name: /logbook\.md/ });
  for (let steps = 0; steps < 10 && (await logbook.getAttribute('aria-selected')) !== 'true'; steps++)
    await press(page, 'ArrowDown');
  await press(page, 'Enter');
  await expect(bench.outcome).toContainText('ok');
  await tabTo(page, bench.button('Subscribe'));
  await press(page, 'Enter');
  await expect(page.getByRole('button', { name: 'Subscribed' })).toBeFocused();

  await bench.keys('g', 'p');
  await expect(page.getByRole('listbox', { name: 'prompts' })).toBeFocused();
  await press(page, 'End', 'Enter');
  await expect(bench.field('keeper')).toBeVisible();
  await tabTo(page, bench.field('keeper'));
  await page.keyboard.type('Ada');
  await press(page, 'ControlOrMeta+Enter');
  await expect(bench.outcome).toContainText('ok');
  // Esc closes what the server suggests, then leaves the field.
  await press(page, 'Escape', 'Escape');

  await bench.keys('g', 'w');
  await expect(bench.editor).toBeAttached();
  await tabTo(page, bench.editor);
  await press(page, 'ControlOrMeta+a');
  await page.keyboard.insertText('{"jsonrpc":"2.0","id":"by-keys","method":"tools/list"}');
  await press(page, 'ControlOrMeta+Enter');
  await expect(bench.outcome).toContainText('error −32602');
});

test('by keyboard alone: answer a question and a sampling request, then keep the answer', async ({ visit }) => {
  const { page } = await visit(['--', process.execPath, join(import.meta.dirname, 'servers/ask-server.mjs')]);
  const bench = new Workbench(page);
  await bench.connected();
  await choose(page, 'kinds');
  await expect(page.getByRole('heading', { level: 2, name: 'kinds' })).toBeVisible();
  await press(page, 'ControlOrMeta+Enter');
  // The form has the cursor. Its second field is required.
  await tabTo(page, bench.field('email'));
  await page.keyboard.type('a@b.example');
  await press(page, 'ControlOrMeta+Enter');
  await expect(bench.outcome).toContainText('ok');
  await expect(bench.result).toContainText('a@b.example');

  await choose(page, 'sample-rich');
  await expect(page.getByRole('heading', { level: 2, name: 'sample-rich' })).toBeVisible();
  await press(page, 'ControlOrMeta+Enter');
  await expect(bench.field('Reply')).toBeFocused();
  await page.keyboard.type('Aye');
  await tabTo(page, bench.button('Always answer like this'));
  await press(page, 'Enter');
  await expect(page.getByRole('menuitem', { name: 'Always send this reply' })).toBeFocused();
  await press(page, 'Enter');
  await expect(bench.outcome).toContainText('ok');
  await bench.keys('g', 'i');
  await expect(page.getByRole('listbox', { name: 'questions' })).toBeFocused();
  await press(page, 'End');
});

test('by keyboard alone: restart, look at an earlier run, a setting, a recording and its past', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await choose(page, 'restart');
  await expect(bench.top).toContainText('run 2');
  await bench.connected();
  await bench.keys('g', ',');
  const density = page.getByRole('dialog', { name: 'Settings' }).getByRole('combobox', { name: 'Density' });
  await tabTo(page, density);
  await page.keyboard.type('Comp');
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
  await press(page, 'Escape');
  await bench.keys('g', 'l');
  await expect(bench.recordings).toHaveCount(2);
  await tabTo(page, bench.recordings.last().getByRole('button').first());
  await press(page, 'Enter');
  await expect(bench.region('About this recording')).toBeVisible();
  await tabTo(page, page.getByRole('slider', { name: 'Moment' }), 'Shift+Tab');
  await press(page, 'Home', 'ArrowRight');
  await expect(bench.region('Time')).toContainText('as of #2');
});

test('a tool can be found and called by keyboard alone @firefox', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const search = page.getByRole('searchbox', { name: /^Search / });
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

test('no key has two meanings, on an open connection or an ended one', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const document = readFileSync(join(import.meta.dirname, '../docs/keys.md'), 'utf8');
  const twice = async () => {
    await page.keyboard.press('?');
    const terms = page.getByRole('dialog', { name: 'Keys' }).getByRole('term');
    await expect(terms.first()).toBeVisible();
    const keys = await terms.allInnerTexts();
    await page.keyboard.press('Escape');
    expect(keys.length).toBeGreaterThan(20);
    // As the document writes them, where a key of Linux is the second one.
    const written = keys.map((key) => key.replace(/\s+/g, ' ').trim());
    const inDocument = (key: string) =>
      document.includes(`\`${key}\``) || document.includes(`\`${key.replaceAll(' ', '+').replace('↵', 'Enter')}\``);
    // The document has a range of digits.
    expect(written.filter((key) => !/^\d$/.test(key) && !inDocument(key))).toEqual([]);
    return keys.filter((key, index) => keys.indexOf(key) !== index);
  };
  expect(await twice()).toEqual([]);
  await bench.disconnect();
  await bench.rows.first().click();
  // Then the time slider is there, and a message is selected.
  await page.keyboard.press('x');
  await expect(bench.region('Time')).toBeVisible();
  expect(await twice()).toEqual([]);
});
