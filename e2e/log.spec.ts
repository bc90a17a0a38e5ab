import { demoCommand, expect, hostileCommand } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const hostile = (...words: string[]) => ['--', ...hostileCommand(...words)];

test('a reload and a second tab show the same log and result @firefox', async ({ open, context }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.call();
  await expect(bench.result).toContainText(/ok/i);
  // Waits for all lists, which may arrive after the result.
  for (const name of ['Tools', 'Resources', 'Prompts']) {
    await expect(bench.entryGroup(name)).toContainText(/\d/);
  }
  await expect.poll(async () => (await bench.lines()).length).toBeGreaterThan(5);
  const before = await bench.lines();
  const result = await bench.result.innerText();

  await page.reload();
  await bench.connected();
  await expect.poll(() => bench.lines()).toEqual(before);
  await expect.poll(() => bench.result.innerText()).toBe(result);

  const second = new Workbench(await context.newPage());
  await second.page.goto(page.url());
  await second.connected();
  await expect.poll(() => second.lines()).toEqual(before);
  await expect.poll(() => second.result.innerText()).toBe(result);
});

test('request and response link to each other; the detail shows Pretty and Raw', async ({ visit }) => {
  const { page } = await visit(hostile('honest'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.filter('tools/list');
  await bench.rows.filter({ hasText: 'tools/list' }).first().click();
  await expect(bench.detail).toContainText('tools/list');
  await bench.detail.getByRole('button', { name: /^Response #/ }).click();
  await expect(bench.detail).toContainText('inputSchema');
  await bench.detailTab('Raw');
  await expect(bench.detail).toContainText('"tools":[{"name":"echo"');
});

test('the filter: words, excluded words, phrases; it is part of the address', async ({ visit }) => {
  const { page } = await visit(hostile('honest'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.filter('TOOLS list -clientInfo');
  await expect(bench.rows).toHaveCount(2);
  await expect(bench.rows.first()).toContainText(/to server.*tools\/list/s);
  await bench.filter('tools list -clientInfo -result');
  await expect(bench.rows).toHaveCount(1);
  await bench.filter('"with its argument"');
  await expect(bench.rows).toHaveCount(1);
  await page.reload();
  await expect(bench.filterBox).toHaveValue('"with its argument"');
  await expect(bench.rows).toHaveCount(1);
  await bench.filter('"argument its with"');
  await expect(bench.log).toContainText('No message matches the filter');
});

test('the filter: keys, groups, ranges; rows stay while the text has an error @firefox', async ({ visit }) => {
  const { page } = await visit(hostile('honest'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.filter('method:tools/* kind:request');
  await expect(bench.rows).toHaveCount(1);
  await expect(bench.rows).toContainText('tools/list');
  await bench.filter('method:tools/* kind:request knd:response');
  await expect(bench.filterBox).toHaveAccessibleDescription(/Unknown key knd\. Did you mean kind:/);
  await expect(bench.rows).toHaveCount(1);
  await bench.filter('(method:tools/list or method:initialize) -kind:request');
  await expect(bench.rows).toHaveCount(2);
  await expect(bench.filterBox).toHaveAccessibleDescription('');
  await bench.filter('seq:1..2 or time:..0ms');
  await expect(bench.rows).toHaveCount(2);
});

test('Resend in the detail sends the request with a new id', async ({ visit }) => {
  const { page } = await visit(hostile('honest'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.field('text').fill('encore');
  await bench.call();
  await expect(bench.result).toContainText('encore');
  const first = JSON.parse(await bench.wire('request'));
  await bench.filter('encore');
  await expect(bench.rows).toHaveCount(2);
  await bench.detail.getByRole('button', { name: 'Resend' }).click();
  await expect(bench.rows).toHaveCount(4);
  await bench.rows.nth(2).click();
  const second = JSON.parse(await bench.raw());
  expect(second.id).not.toBe(first.id);
  expect(second.params.arguments).toEqual(first.params.arguments);
});

test('non-MCP stdout and the exit code are rows', async ({ visit }) => {
  const { page } = await visit(hostile('junk'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.filter('"debug:"');
  await expect(bench.rows.filter({ hasText: 'not a message:' }).first()).toBeVisible();
  await bench.filter('"exit"');
  await bench.disconnect();
  await expect(bench.rows.filter({ hasText: 'exit: code 0' })).toHaveCount(1);
  await expect(bench.button('Restart').first()).toBeVisible();
});

test('a crash keeps the log; Restart makes a new run, which has the same filter @firefox', async ({ visit }) => {
  const { page } = await visit(hostile('crash', 'SIGSEGV'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.field('text').fill('farewell');
  await bench.call();
  await expect(page.getByText(/SIGSEGV/).first()).toBeVisible();
  await expect(bench.log).toContainText('tools/call');
  await expect((await bench.servers()).getByRole('listitem')).toHaveCount(1);
  await bench.restart();
  await bench.connected();
  await expect((await bench.servers()).getByRole('listitem')).toHaveCount(1);
  await expect(bench.top).toContainText('run 2');

  await bench.filter('nothing-has-this-word');
  await expect(bench.log).toContainText('No message matches the filter');
  await bench.showRun(1);
  await expect(page.getByText('This is run 1. The newest is run 2.')).toBeVisible();
  await expect(bench.filterBox).toHaveValue('nothing-has-this-word');
  await bench.log.getByRole('button', { name: 'Clear filter' }).last().click();
  await expect(bench.filterBox).toHaveValue('');
});

test.describe('a failed start says why, and what to do', () => {
  test('if the command does not exist', async ({ visit }) => {
    const { page } = await visit(['--', 'no-such-command-anywhere']);
    await expect(page.getByText(/PATH/).first()).toBeVisible();
  });

  test('if the server exits before the handshake, with exit code and stderr', async ({ visit }) => {
    const { page } = await visit(hostile('exit-at-once'));
    await expect(page.getByText('exited with code 3').first()).toBeVisible();
    await expect(page.getByText('hostile-server: no configuration found').first()).toBeVisible();
    await expect(page.getByText('Edit and connect again')).toBeVisible();
  });

  test('with the cause above a long stack trace', async ({ visit }) => {
    const script =
      "console.error('  Error: no bindings'); for (let i = 0; i < 80; i++) console.error('    at frame (a.js:' + i + ')'); process.exit(1)";
    const { page } = await visit(['--', process.execPath, '-e', script]);
    await expect(page.getByRole('alert').getByText('Error: no bindings')).toBeVisible();
    const stderr = page.getByRole('region', { name: 'stderr', exact: true });
    await expect(stderr).toContainText('Error: no bindings');
    await expect(stderr).toContainText('… 21 more lines in the log …');
    await expect(stderr).toContainText('at frame (a.js:79)');
  });
});

test('a 20 MB line arrives complete, and the page stays responsive', async ({ open }) => {
  const { page } = await open(hostile('big-line', '20000000'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.call();
  await expect(bench.result.getByRole('status')).toContainText(/ok/i, { timeout: 30_000 });
  await expect(bench.result).toContainText(/(19\.1|20(\.0)?) M/);
  await bench.field('text').fill('still alive');
});

test('a burst of 20,000 notifications: each is a row, and calls still work', async ({ visit }) => {
  const { page } = await visit(hostile('burst', '20000'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.call();
  await expect(bench.outcome).toContainText(/ok/i);
  await bench.filter('notifications/message');
  await expect.poll(() => bench.count()).toBe(20_000);
});

test('an answer with an invalid id leaves the call in flight', async ({ visit }) => {
  const { page } = await visit(hostile('id-as-string'));
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.call();
  await expect(bench.button('Cancel')).toBeVisible();
  await bench.button('Cancel').click();
  await expect(bench.result.getByRole('status')).toContainText(/cancelled/i);
  await bench.filter('notifications/cancelled');
  await expect(bench.rows).toHaveCount(1);
});
