import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { demoCommand, expect, hostileCommand } from './bin';
import { smallTargets, smallTexts, TARGETS } from './page-faults';
import { test } from './shared-bin';
import { Workbench } from './workbench';

/** Returns what breaks a page's layout: a horizontal scrollbar, targets outside the window, or targets that overlap. */
function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate((targets) => {
    const faults: string[] = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} px wide`);
    const dialog = document.querySelector('dialog[open]');
    const shown = [...(dialog ?? document).querySelectorAll<HTMLElement>(targets)].filter(
      (element) => element.checkVisibility({ opacityProperty: true }) && !element.closest('.monaco-editor, [role=row]'),
    );
    for (const element of shown) {
      const box = element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) continue;
      const name = `${element.tagName} “${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)}”`;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      if (box.left < -1 || box.right > innerWidth + 1) faults.push(`${name} is outside`);
      // A scrolled part hides what is outside it.
      const parts = [];
      for (let up = element.parentElement; up; up = up.parentElement) {
        if (getComputedStyle(up).overflow !== 'visible') parts.push(up.getBoundingClientRect());
        // Its content scrolls up from under a bar that sticks to its edge.
        const bar = [...up.children].find((child) => getComputedStyle(child).position === 'sticky');
        if (bar && !bar.contains(element))
          parts.push({ left: 0, right: innerWidth, top: 0, bottom: bar.getBoundingClientRect().top });
      }
      const isHidden = parts.some((part) => x < part.left || x > part.right || y < part.top || y > part.bottom);
      if (isHidden || x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
      const top = document.elementFromPoint(x, y);
      // A row that is scrolled to the edge of its pane lies below the area to grab.
      // Lists scroll below the headings of their groups.
      if (top?.role === 'separator' || top?.closest('[data-group]')) continue;
      const isOurs = top && (element.contains(top) || top.contains(element) || top.closest('label')?.contains(element));
      if (!isOurs) faults.push(`${name} is covered by ${top?.tagName} “${top?.textContent?.slice(0, 40)}”`);
    }
    return faults;
  }, TARGETS);
}

test('restarts are runs of one entry: older ones fold away and stay readable', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Prompts');
  await bench.filter('prompts/list');
  for (const run of [2, 3]) {
    await bench.restart();
    await expect(bench.top).toContainText(`run ${run}`);
    await bench.connected();
  }
  await expect((await bench.servers()).getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Escape');
  // The prompt in view and the filter are as before.
  await expect(page.getByRole('heading', { level: 2, name: 'evening_report' })).toBeVisible();
  await expect(bench.filterBox).toHaveValue('prompts/list');

  await bench.showRun(1);
  await expect(page.getByText('This is run 1. The newest is run 3.')).toBeVisible();
  await expect(bench.rows.filter({ hasText: 'prompts/list' }).first()).toBeVisible();
  // A restart of an older run makes a newer one, and ends the one that runs.
  await bench.restart();
  await expect(bench.top).toContainText('run 4');
  await bench.connected();
  await bench.showRun(3);
  await expect(bench.top).toContainText('closed');
  await bench.button('Show run 4').click();
  await bench.connected();
  await page.reload();
  await bench.connected();
  await expect(bench.top).toContainText('run 4');

  await bench.disconnect();
  await (await bench.servers()).getByRole('button', { name: 'Remove Skerry Light', exact: true }).click();
  await expect(page.getByText('Which server do you want to inspect?')).toBeVisible();
});

test('an entry has the name that a person gave, or else the server’s own', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await expect(bench.top.getByRole('heading', { level: 1 })).toHaveText('Skerry Light');
  await bench.panel('Server');
  await expect(bench.view).toContainText('1.0.0');
  const { page: named } = await open(['--demo']);
  const demo = new Workbench(named);
  await demo.connected();
  await expect(demo.top.getByRole('heading', { level: 1 })).toHaveText('demo');
});

test('a long name of a server does not reach its state', async ({ open }, { outputDir }) => {
  const [command, ...args] = demoCommand();
  const name = 'customer-relationship-management-production-eu-west-1';
  mkdirSync(outputDir, { recursive: true });
  const file = join(outputDir, 'config.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { [name]: { command, args } } }));
  const { page } = await open(['--config', file, '--server', name]);
  const bench = new Workbench(page);
  await bench.connected();
  for (const width of [390, 720, 768, 1024]) {
    await page.setViewportSize({ width, height: 768 });
    const { x, width: own } = (await bench.serversButton.boundingBox())!;
    const state = (await bench.state.boundingBox())!;
    expect(x + own, `at ${width} px`).toBeLessThanOrEqual(state.x);
  }
});

test('Recordings is a page with an address, with and without a connection', async ({ open }) => {
  const { page } = await open([]);
  const bench = new Workbench(page);
  const list = bench.region('Recordings');
  // It takes the focus when it is drawn.
  await expect(page.getByRole('textbox', { name: 'Command line, URL or JSON config' })).toBeFocused();
  await bench.keys('g', 'l');
  await expect(list).toContainText('No recordings yet');
  await expect(list).toBeFocused();
  await page.reload();
  await expect(list).toContainText('No recordings yet');
  await page.goBack();
  await expect(list).toHaveCount(0);
  await bench.button('Connect demo').click();
  await bench.connected();

  await bench.panel('Resources');
  await bench.button('Recordings').click();
  await expect(bench.recordings).toHaveCount(1);
  await expect(bench.log).toBeHidden();
  await expect(bench.rail.locator('[aria-current]')).toHaveAccessibleName('Recordings');
  await page.goBack();
  await expect(bench.rail.locator('[aria-current]')).toHaveAccessibleName('Browse');
  await expect(bench.log).toBeVisible();
  await page.goForward();
  // The entry of the selected server leads back to it.
  await (await bench.servers()).getByRole('button', { name: 'demo', exact: true }).click();
  await expect(bench.rail.locator('[aria-current]')).toHaveAccessibleName('Browse');

  await bench.disconnect();
  await bench.button('Recordings').click();
  await bench.recordings.getByRole('button').first().click();
  await expect(bench.region('About this recording')).toBeVisible();
  await (await bench.openRecordings()).getByRole('button', { name: /^Close Skerry Light/ }).click();
  await expect(bench.region('About this recording')).toHaveCount(0);
});

test('a narrow page shows one pane at a time; nothing overlaps or scrolls sideways @firefox', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await page.setViewportSize({ width: 390, height: 844 });
  const panes = page.getByRole('navigation', { name: 'Panes' });
  const list = bench.entries;
  await expect(list).toBeVisible();
  await expect(bench.log).toBeHidden();
  expect(await layoutFaults(page), 'tools').toEqual([]);

  await bench.choose('send_postcard');
  await expect(list).toBeHidden();
  await expect(bench.button('Call tool')).toBeVisible();
  expect(await layoutFaults(page), 'tool').toEqual([]);
  for (const [tool, button] of [
    ['read_instruments', 'try it'],
    ['read_old_barometer', 'Call tool'],
    ['drop_lens', 'Call tool'],
  ] as const) {
    await page.getByRole('button', { name: /^All tools/ }).click();
    await bench.choose(tool);
    await bench.button(button).click();
    await expect(bench.outcome).toContainText(/ok|error/);
    const line = bench.result.locator(':scope > div').first();
    expect((await line.boundingBox())!.height, tool).toBeLessThan(32);
  }
  await page.getByRole('button', { name: /^All tools/ }).click();
  await expect(list).toBeVisible();
  await expect(bench.button('Call tool')).toBeHidden();

  await panes.getByRole('button', { name: 'Log' }).click();
  await expect(list).toBeHidden();
  await expect(bench.rows.first()).toBeVisible();
  expect(await layoutFaults(page), 'log').toEqual([]);
  await bench.rows.first().click();
  await expect(bench.detail).toBeVisible();
  await expect(bench.rows.first()).toBeHidden();
  expect(await layoutFaults(page), 'detail').toEqual([]);

  await bench.servers();
  await page.keyboard.press('Escape');
  await bench.place('Browse');
  await expect(list).toBeVisible();
  for (const place of ['Chat', 'Inbox', 'Server', 'Problems', 'Pins']) {
    await bench.place(place);
    await expect(list).toBeHidden();
    expect(await layoutFaults(page), place).toEqual([]);
  }
  await bench.place('Recordings');
  await expect(bench.recordings).toHaveCount(1);
  expect(await layoutFaults(page), 'recordings').toEqual([]);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(bench.button('Delete selected')).toBeVisible();
  expect(await layoutFaults(page), 'selected recordings').toEqual([]);
  await bench.command('Compare with…');
  await expect(page.getByRole('region', { name: 'Compare with' })).toBeVisible();
  expect(await layoutFaults(page), 'compare with').toEqual([]);

  await bench.serverAction('Share…');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  expect(await layoutFaults(page), 'share').toEqual([]);
});

test('nothing leaves a dialog, a message’s column or the window', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.command('Latency by method');
  const dialog = page.getByRole('dialog', { name: 'Latency by method' });
  await expect(dialog).toContainText('The count includes requests without a response.');
  expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 768, height: 1024 });
  await bench.rows.filter({ hasText: 'prompts/list' }).first().click();
  await expect(bench.button('Close detail')).toBeInViewport({ ratio: 1 });
  expect(await layoutFaults(page), 'detail').toEqual([]);
  // A small question does not fill a narrow window.
  await page.setViewportSize({ width: 390, height: 844 });
  await bench.place('Browse');
  await bench.choose('erase_entry');
  // The first press only marks the invalid fields.
  await bench.call();
  await expect(page.getByText('Not called. Correct it, or call again')).toBeVisible();
  await bench.call();
  const question = page.getByRole('dialog', { name: 'Call a destructive tool?' });
  await expect(question).toBeVisible();
  expect((await question.boundingBox())!.height).toBeLessThan(300);
});

test('every place can be reached beside the open log, in each usual window', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const windows = [
    { width: 1440, height: 900 },
    { width: 1280, height: 720 },
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ];
  for (const size of windows) {
    await page.setViewportSize(size);
    const places = (size.width === 390 ? bench.panes : bench.rail).getByRole('button');
    await expect(places).toHaveCount(size.width === 390 ? 4 : 7);
    for (const place of await places.all()) await expect.soft(place, `at ${size.width}`).toBeInViewport({ ratio: 1 });
  }
});

test('a panel that is opened again shows what it showed before', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Resources');
  await bench.choose('logbook.md');
  await bench.panel('Prompts');
  await bench.choose('hail_ship');
  await bench.panel('Resources');
  await expect(page.getByRole('heading', { level: 2, name: 'Log book' })).toBeVisible();
  await expect(page).toHaveURL(/item=light/);
  await bench.entries.focus();
  await bench.keys('g', 'p');
  await expect(page.getByRole('heading', { level: 2, name: 'hail_ship' })).toBeVisible();
});

test('at 200 % zoom three fields of a form are visible at once', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await page.setViewportSize({ width: 720, height: 450 });
  await bench.tool('write_entry');
  const fields = page.locator('[data-form] [data-field]');
  await expect(fields.nth(3)).toBeAttached();
  const visible = await fields.evaluateAll((all) => {
    all[0]!.scrollIntoView({ block: 'start' });
    return all.filter((field) => {
      const { left, top, bottom } = field.getBoundingClientRect();
      return [top + 4, bottom - 4].every((y) => field.contains(document.elementFromPoint(left + 8, y)));
    }).length;
  });
  expect(visible).toBeGreaterThanOrEqual(3);
  expect(await layoutFaults(page)).toEqual([]);
});

test('single keys type in every field, and Esc leaves it', async ({ visit }) => {
  const { page } = await visit(['--', ...hostileCommand('honest')]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.field('text').focus();
  await page.keyboard.type('gs?');
  await expect(bench.field('text')).toHaveValue('gs?');
  await page.keyboard.press('Escape');
  await expect(bench.field('text')).not.toBeFocused();
  await bench.keys();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toBeVisible();
  // No key is listed twice.
  const listed = await keys.locator('dt').allInnerTexts();
  expect(new Set(listed).size).toBe(listed.length);
  await page.keyboard.press('Escape');
  await bench.button('JSON').click();
  await bench.editor.focus();
  await page.keyboard.press('Escape');
  await expect(bench.editor).not.toBeFocused();
});

test('without a connection, no key leads to a panel', async ({ visit }) => {
  const { page } = await visit([]);
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(async () => {
    for (const key of ['Escape', '?']) await page.keyboard.press(key);
    await expect(keys).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(keys).toContainText('Go to Recordings');
  await expect(keys).not.toContainText('Go to Tools');
});

test('targets are at least 24 px in every view, and texts 12 px', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const faults = async () => [...(await smallTargets(page)), ...(await smallTexts(page))];
  await bench.restart();
  await expect(bench.top).toContainText('run ');
  await bench.connected();
  await bench.tool('send_postcard');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await bench.rows.first().click();
  await expect(bench.detail).toBeVisible();
  expect.soft(await faults(), 'Tools').toEqual([]);
  for (const panel of [
    'Resources',
    'Prompts',
    'Chat',
    'Tasks',
    'Inbox',
    'Server',
    'Problems',
    'Server logs beside all messages',
    'New message',
    'Hold',
  ]) {
    await bench.panel(panel);
    expect.soft(await faults(), panel).toEqual([]);
  }
  await page.setViewportSize({ width: 1024, height: 768 });
  expect.soft(await faults(), 'rail of icons').toEqual([]);
  await bench.button('Recordings').click();
  await expect(bench.recordings).toHaveCount(2);
  expect.soft(await faults(), 'Recordings').toEqual([]);
  await bench.servers();
  expect.soft(await faults(), 'Servers').toEqual([]);
  await page.keyboard.press('Escape');
  for (const dialog of ['Share', 'Keys', 'Search…']) {
    if (dialog === 'Keys') await bench.command('Show all keys');
    else await bench.button(dialog).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect.soft(await faults(), dialog).toEqual([]);
    await page.keyboard.press('Escape');
  }
});
