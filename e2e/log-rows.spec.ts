import { demoCommand, expect, hostileCommand } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

test('rows say what the messages say, and the outcome is in the row of the response', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await bench.connected();
  await bench.tool('echo');
  await bench.field('message').fill('mind the edge');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await bench.filter('tool:echo');
  const [request, response] = [bench.rows.first(), bench.rows.last()];
  await expect(request).toContainText(/tools\/call\s*echo\s*\{message: "mind the edge"\}/);
  await expect(response).toContainText(/result\s*echo\s*\{"message":"mind the edge"\}/);
  await expect(await bench.cellsOf(bench.rows, 'Status')).toHaveText(['', 'ok']);
  await expect(await bench.cellsOf(bench.rows, 'Duration')).toHaveText(['', /^\d/]);
  await bench.filter('method:tools/list kind:result');
  await expect(bench.rows.first()).toContainText(/result\s*tools\/list\s*\d+ tools: /);
});

test('a call in flight counts its seconds, in its row and in the place of its result', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await bench.connected();
  await bench.tool('wait_for_ship');
  await bench.call();
  await bench.filter('tool:wait_for_ship');
  await expect(await bench.cellsOf(bench.rows, 'Status')).toHaveText(['in flight']);
  await expect(await bench.cellsOf(bench.rows, 'Duration')).toHaveText([/^2 s$/]);
  await expect(bench.result).toContainText(/in flight\D*[2-9] s · /);
  await bench.button('Cancel').click();
  await expect(await bench.cellsOf(bench.rows, 'Status')).toHaveText(['cancelled']);
});

test('a word of the filter is marked where it is, also far inside a message', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await bench.connected();
  await bench.tool('echo');
  await bench.field('message').fill(`${'fog '.repeat(500)}Needle in it`);
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await bench.filter('needle');
  await expect(bench.rows).toHaveCount(2);
  await expect(bench.rows.locator('mark')).toHaveText(['Needle', 'Needle']);
  await expect(bench.rows.first()).toContainText(/….*fog Needle in it/);
  await bench.filter('tool:ec*');
  await expect(bench.rows.first().locator('mark')).toHaveText('ec');
  await bench.filter('tool:echo -ping');
  await expect(bench.rows.first().locator('mark')).toHaveText('echo');
});

test('hostile text in a row is inert and stays in its place', async ({ visit }) => {
  const { page } = await visit(['--', ...hostileCommand('honest')]);
  const bench = new Workbench(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await bench.connected();
  await bench.tool('echo');
  await bench.field('text').fill('<b>bold</b> \u202egnp.exe שלום');
  await bench.call();
  await bench.filter('tool:echo');
  await expect(bench.rows.last()).toContainText('<b>bold</b> \\u202egnp.exe שלום');
  await expect(bench.rows.last().locator('b')).toHaveCount(0);
});

test('on an ended connection, t shows the timeline and x the state at the selected message', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.disconnect();
  await expect(bench.top).toContainText('closed');
  await bench.rows.first().click();
  await page.keyboard.press('t');
  await expect(page.getByRole('group', { name: 'Timeline' })).toBeVisible();
  await expect(bench.region('Time')).toHaveCount(0);
  await page.keyboard.press('x');
  await expect(bench.region('Time')).toContainText('Showing the past');
  await expect(bench.region('Time').getByText('Time', { exact: true })).toBeVisible();
});
