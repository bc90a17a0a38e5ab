import type { WebSocketRoute } from '@playwright/test';
import { demoCommand, expect, hasProcess, hostileCommand, test } from './bin';
import { Workbench } from './workbench';

/** How often the socket is lost, each time within a burst of so many messages. */
const [LOSSES, BURST] = process.env.TEST_LONG ? [3, 2000] : [1, 300];

test('a lost socket is opened again, and no message is missing', async ({ open, page }) => {
  const routes: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/ws$/, (socket) => {
    routes.push(socket);
    // Closing the route closes only the page's side, like a cut line.
    socket.connectToServer();
  });
  await open(['--', ...hostileCommand('burst', String(BURST))]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  for (let drop = 1; drop <= LOSSES; drop++) {
    await bench.field('text').fill(`call ${drop}`);
    await bench.call();
    await routes.at(-1)!.close({ code: 1011 });
    await expect(bench.result).toContainText(`call ${drop}`);
    await expect.poll(() => routes.length).toBe(drop + 1);
  }
  await expect(page.getByText('proxy ok')).toBeVisible();
  await bench.filter('notifications/message');
  await expect.poll(() => bench.count()).toBe(LOSSES * BURST);
  await bench.filter(`"burst ${BURST - 1}"`);
  await expect.poll(() => bench.count()).toBe(LOSSES);
});

test('the page goes on when mcp-inspect stopped, and says so, and that another one took its port', async ({
  start,
  page,
}) => {
  const bin = await start(['--', ...demoCommand()]);
  // Only the scripts that the document names are there: the log needs no other.
  const html = await (await page.request.get(new URL('/', bin.link).href)).text();
  await page.route('**/_next/static/chunks/**', (route) =>
    html.includes(new URL(route.request().url()).pathname) ? route.continue() : route.abort(),
  );
  await page.goto(bin.link);
  const bench = new Workbench(page);
  await bench.connected();
  await expect(bench.rows.first()).toBeVisible();
  const { port } = new URL(bin.link);
  bin.kill('SIGTERM');
  await bin.ended;
  await expect(page.getByRole('alert').filter({ hasText: 'mcp-inspect is not responding' })).toBeVisible();
  // One sentence says it, and nothing is offered that can't work.
  await expect(page.getByText('mcp-inspect quit.')).toHaveCount(0);
  await expect(bench.button('Restart')).toBeDisabled();
  await bench.button('Settings').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The dialog could not be loaded, because mcp-inspect did not answer.');
  await expect(dialog.getByRole('button', { name: 'Reload' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  // The messages are still shown.
  await bench.filter('tools/list');
  await expect(bench.rows.first()).toContainText('tools/list');
  await page.unrouteAll();
  const next = await start(['--port', port]);
  await expect(page.getByText('mcp-inspect was restarted.')).toBeVisible({ timeout: 30_000 });
  await page.goto(next.link);
  await expect(page.getByRole('heading', { name: 'Recent' })).toBeVisible();
});

/** Calls a tool in each of two tabs, and restarts its server in one. Both show all of it. */
async function shareOneServer(first: Workbench, second: Workbench): Promise<void> {
  await first.field('message').fill('said in the first tab');
  await first.call();
  await expect(second.result).toContainText('said in the first tab');
  await second.field('message').fill('said in the second tab');
  await second.call();
  await expect(first.result).toContainText('said in the second tab');
  await expect(async () => expect(await first.lines()).toEqual(await second.lines())).toPass();
  await second.restart();
  for (const bench of [first, second]) {
    await bench.showRun(1);
    await expect(bench.top).toContainText('closed');
    await bench.button('Show run 2').click();
    await bench.connected();
  }
}

test('each of two tabs shows what the other does; closing the last one ends the servers, and a tab that slept restarts its own', async ({
  open,
  context,
}, { testId }) => {
  const word = `kept-${testId}`;
  const { page } = await open(['--page', 'linger=1', '--']);
  const bench = new Workbench(page);
  const box = page.getByRole('textbox', { name: /^Command line/ });
  await box.fill(demoCommand(word).join(' '));
  await box.press('Enter');
  await bench.connected();
  await expect(page.getByText('Servers stop 1 s after the last tab closes')).toBeVisible();
  await bench.tool('echo');
  const second = await context.newPage();
  await second.goto(page.url());
  await new Workbench(second).connected();
  await shareOneServer(bench, new Workbench(second));

  // Neither a reload nor closing one of two tabs ends the servers.
  await page.reload();
  await bench.connected();
  const address = page.url();
  await page.close();
  await new Workbench(second).connected();
  expect(hasProcess(word)).toBe(true);

  const storage = await second.evaluate(() => Object.entries(sessionStorage));
  await second.goto('about:blank');
  await expect.poll(() => hasProcess(word)).toBe(false);
  /** Opens the address in a tab with these entries. */
  const tabWith = async (entries: readonly [string, string][]): Promise<Workbench> => {
    const tab = new Workbench(await context.newPage());
    await tab.page.addInitScript((kept) => {
      for (const [key, value] of kept) sessionStorage.setItem(key, value);
    }, entries);
    await tab.page.goto(address);
    return tab;
  };
  const back = await tabWith(storage.filter(([key]) => key !== 'draft:seen-open'));
  await expect(back.top).toContainText('closed');
  await back.panel('Server');
  await expect(back.region('Lifecycle')).toContainText('no tab was connected for a while');
  await expect(back.page.getByText(/^Stopped: no tab was connected for a while\./)).toBeVisible();
  await back.page.close();

  const woken = await tabWith(storage);
  await expect(woken.page.getByText('This tab slept, so its server was stopped, and is now restarted.')).toBeVisible();
  await woken.connected();
  expect(hasProcess(word)).toBe(true);
});
