import { demoCommand, expect } from './bin';
import { test } from './shared-bin';
import { visibleControls } from './visible-controls';
import { Workbench } from './workbench';

/** The panels of before, with their names in addresses and their keys, and where each is now. */
const PLACES: readonly (readonly [panel: string, key: string, shows: (bench: Workbench) => Promise<void>])[] = [
  ['tools', 't', inGroup('Tools')],
  ['resources', 'r', inGroup('Resources')],
  ['prompts', 'p', inGroup('Prompts')],
  ['skills', 'f', inRail('Browse')],
  ['apps', 'a', inGroup('Tools')],
  ['tasks', 'k', inView('Tasks')],
  ['chat', 'c', inRail('Chat')],
  ['pins', 'n', inRail('Pins')],
  ['inbox', 'i', inRail('Inbox')],
  ['problems', 'b', inRail('Problems')],
  ['server', 's', inServer('Server')],
  ['authorization', 'u', inServer('Authorization')],
  ['hosts', 'y', inServer('Compatibility')],
  ['host', 'o', inServer('Host')],
  ['intercept', 'h', inView('Hold')],
  ['logs', 'm', inLog('Server logs')],
  ['telemetry', 'v', inLog('Spans')],
  ['raw', 'w', inView('New message')],
];

function inRail(entry: string) {
  return async ({ rail }: Workbench) => {
    await expect(rail.locator('[aria-current]')).toHaveAccessibleName(entry);
  };
}

function inGroup(title: string) {
  return async (bench: Workbench) => {
    await inRail('Browse')(bench);
    await expect(bench.entryGroup(title)).toHaveAttribute('data-current');
  };
}

function inServer(tab: string) {
  return async ({ page, state }: Workbench) => {
    await expect(state).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('tab', { name: tab, exact: true })).toHaveAttribute('aria-selected', 'true');
  };
}

function inLog(view: string) {
  return async ({ page }: Workbench) => {
    await expect(page.getByRole('button', { name: `View of the log: ${view}` })).toBeVisible();
    await expect(page).not.toHaveURL(/panel=(?:logs|telemetry)/);
  };
}

function inView(title: string) {
  return async ({ page, rail }: Workbench) => {
    await expect(page.getByRole('heading', { name: title, level: 2 }).first()).toBeVisible();
    await expect(rail.locator('[aria-current]')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Back to Browse' })).toBeVisible();
  };
}

test('the address of every panel of before leads to its place', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const go = (panel: string) => page.goto(`${new URL(page.url()).origin}/?panel=${panel}`);
  await go('telemetry');
  await bench.connected();
  await inLog('Spans')(bench);
  for (const [panel, , shows] of PLACES) {
    // As if the person went back to this address: a whole load would show the same place, but costs a second each.
    await page.evaluate((search) => {
      history.pushState(null, '', search);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/?panel=${panel}`);
    await shows(bench);
  }
});

test('the key of every panel of before leads to its place', async ({ visit }) => {
  // Each view moves the focus, and keys rest for a second then.
  test.slow();
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  for (const [, key, shows] of PLACES) {
    await bench.log.getByRole('grid').focus();
    await bench.keys('g', key);
    await shows(bench);
  }
});

test('views beside the log have an address, a way back, and do not cover the log', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  for (const [name, panel] of [
    ['New message', 'raw'],
    ['Hold', 'intercept'],
    ['Server', 'server'],
  ] as const) {
    await bench.panel(name);
    await expect(page).toHaveURL(new RegExp(`panel=${panel}`));
    await expect(bench.rows.first()).toBeVisible();
    await bench.button('Back to Browse').click();
    await expect(bench.entries).toBeVisible();
  }
});

test('saved views filter the log, and say which is shown', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  const view = page.getByRole('button', { name: /^View of the log/ });
  await view.click();
  await page.getByRole('menuitem', { name: 'Calls' }).click();
  await expect(view).toHaveAccessibleName('View of the log: Calls');
  await expect.poll(() => bench.count()).toBe(2);
  await view.click();
  await page.getByRole('menuitem', { name: 'All', exact: true }).click();
  await expect.poll(() => bench.count()).toBeGreaterThan(2);
});

/** Most controls, without the rows of lists, beside a tool with two fields that was not called yet. */
const MOST_CONTROLS = 35;

test('few controls stand beside the rows of lists', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await expect(page.getByRole('contentinfo')).toContainText('tokens of definitions');
  await bench.tool('erase_entry');
  const controls = await visibleControls(page);
  expect(controls.length, controls.join('\n')).toBeLessThanOrEqual(MOST_CONTROLS);
});

test('one line says how the server is, and each part leads to what it counts', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  const line = page.getByRole('contentinfo');
  const text = async () => (await line.innerText()).replace(/\s+/g, ' ');
  await expect
    .poll(text)
    .toMatch(
      /^26 tools, 17 resources, 4 prompts · 0 problems · ready in \S+ m?s · about \d,\d00 tokens of definitions /,
    );
  await line.getByRole('button', { name: '0 problems' }).click();
  await expect(page).toHaveURL(/panel=problems/);
  await line.getByRole('button', { name: '26 tools, 17 resources, 4 prompts' }).click();
  await expect(page).toHaveURL(/panel=tools/);
  await expect(bench.entries).toBeVisible();
  await line.getByRole('button', { name: 'ready in' }).click();
  await expect(bench.detail).toContainText('serverInfo');
  await line.getByRole('button', { name: 'tokens of definitions' }).click();
  await expect(bench.detail).toContainText('inputSchema');
});

test('the start page has an input, and little else beside its rows', async ({ open }) => {
  const { page } = await open([]);
  await expect(page.getByRole('button', { name: 'Connect demo' })).toBeVisible();
  const controls = await visibleControls(page);
  expect(controls.length, controls.join('\n')).toBeLessThanOrEqual(12);
});

test('the first minute: sample arguments call a tool that is read-only, or else wait for the call', async ({
  visit,
}) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('erase_entry');
  await bench.button('try it').click();
  await expect(bench.button('Call tool')).toBeFocused();
  await bench.tool('read_instruments');
  await bench.button('try it').click();
  await expect(bench.outcome).toContainText('ok');
});

test('another server, a restart and back: the tool, its result and the selected frame are shown again', async ({
  visit,
}) => {
  const { page } = await visit(['--', ...demoCommand()], 'first');
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('read_old_barometer');
  await bench.call();
  await expect(bench.outcome).toContainText('error');
  await bench.rows.last().click();
  await expect(bench.detail).toBeVisible();
  await bench.addServer();
  await bench.field('Command line, URL or JSON config').fill(demoCommand('second').join(' '));
  await bench.button('Connect').click();
  await expect(bench.serversButton).not.toHaveText('first');
  await bench.connected();
  // The frame and the tool belong to the other server.
  await expect(bench.detail).toBeHidden();
  await expect(bench.entries.getByRole('option', { selected: true })).not.toContainText('read_old_barometer');
  await page.goBack();
  await expect(bench.serversButton).toHaveText('first');
  await expect(bench.detail).toBeVisible();
  await page.goForward();
  await (await bench.servers()).getByRole('button', { name: 'first' }).click();
  await expect(bench.detail).toBeVisible();
  await expect(bench.view).toContainText('read_old_barometer');
  await expect(bench.outcome).toContainText('error');

  await bench.restart();
  await expect(bench.result).toContainText('From run 1, before the restart');
  await expect(bench.result).toContainText('hpa');
  // A reload brings back only the run that is shown.
  await page.reload();
  await bench.connected();
  await bench.result.getByRole('button', { name: 'Look there for a result' }).click();
  await expect(bench.result).toContainText('hpa');
  await bench.call();
  await expect(bench.result).not.toContainText('before the restart');
});

test('the schema stands beside the form, and a call shows its result', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.schema();
  await expect(bench.region('inputSchema')).toContainText('Any JSON value.');
  await bench.field('message').fill('hello');
  // The menu of a field is no Tab stop.
  await bench.field('message').press('Alt+ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Empty string ""' })).toBeVisible();
  await page.keyboard.press('Escape');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await expect(bench.region('inputSchema')).toBeHidden();
});
