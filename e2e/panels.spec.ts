import { readFileSync } from 'node:fs';
import { demoCommand, expect, isAlive } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

test('resources are shown by their type and can be downloaded @firefox', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Resources');
  const { result } = bench;
  const read = async (name: string) => {
    await bench.choose(name);
    await expect(bench.outcome).toContainText('ok');
  };

  await read('notice.txt');
  await expect(bench.view.getByText('text/plain').first()).toBeVisible();
  await expect(result).toContainText('Visitors: mind the third step.');
  await expect(result).toContainText(/7\d B/);
  const download = page.waitForEvent('download');
  await result.getByRole('button', { name: 'Download' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('notice');
  expect(readFileSync(await saved.path(), 'utf8')).toMatch(/^Visitors: mind the third step\.\nThe lamp/);

  await read('station.json');
  await expect(result.getByRole('button', { name: 'JSON', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(result).toContainText('steps: 142');
  await result.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(result).toContainText('"steps":142');

  await read('logbook.md');
  await expect(result.getByText('Log of Skerry Light', { exact: true })).toBeVisible();
  await result.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(result).toContainText('# Log of Skerry Light');

  await read('noticeboard.html');
  await expect(result).toContainText('<h1>Noticeboard</h1>');
  await expect(page).toHaveTitle('mcp-inspect');

  await read('chart.png');
  await expect(result.getByRole('img', { name: /^image\/png/ })).toBeVisible();
  await expect(result).toContainText('320 × 200');

  await read('horn.wav');
  await expect(result.getByLabel(/^audio\/wav/)).toBeVisible();

  await read('key.bin');
  await expect(result).toContainText('00 01 02 03');
  await expect(result).toContainText('256 B');
});

test('a click or Enter reads a resource once; arrow keys only select', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Resources');
  await bench.choose('notice.txt');
  await expect(bench.result).toContainText('mind the third step');
  const list = page.getByRole('listbox', { name: 'resources' });
  await page.getByRole('searchbox', { name: /^Search / }).fill('.json');
  await list.focus();
  await list.press('ArrowDown');
  await list.press('ArrowUp');
  await expect(bench.result).toContainText('Read the resource to see its contents');
  await list.press('Enter');
  await expect(bench.outcome).toContainText('ok');
  await list.press('Enter');
  await list.press('ArrowDown');
  await bench.filter('method:resources/read kind:request');
  await expect.poll(() => bench.count()).toBe(2);
  await bench.button('Read resource').click();
  await expect.poll(() => bench.count()).toBe(3);
  await bench.button('Read again').click();
  await expect.poll(() => bench.count()).toBe(4);
});

for (const version of ['2025-11-25', '2026-07-28']) {
  test(`subscribes to a resource with one click and counts its changes (${version}) @firefox`, async ({ visit }) => {
    const { page } = await visit(['--protocol', version, '--', ...demoCommand()]);
    const bench = new Workbench(page);
    await bench.connected();
    const setLamp = async () => {
      await bench.tool('set_lamp');
      await bench.call();
      await expect(bench.outcome).toContainText('ok');
      await bench.panel('Resources');
      await bench.choose('lamp.json');
    };
    await bench.panel('Resources');
    await bench.choose('lamp.json');
    await bench.button('Subscribe').click();
    await expect(bench.button('✓ Subscribed')).toHaveAttribute('aria-pressed', 'true');
    await setLamp();
    const changes = page.getByRole('status').filter({ hasText: 'reported' });
    await expect(changes).toContainText('! Changed since it was read. 1 change reported');
    await bench.button('Read again').click();
    await expect(changes).not.toContainText('Changed since');

    await page.getByRole('checkbox', { name: 'Read on each change' }).check();
    await setLamp();
    await expect(changes).toHaveText(/^2 changes reported/);

    await bench.button('✓ Subscribed').click();
    await expect(bench.button('Subscribe')).toBeVisible();
    await setLamp();
    await expect(changes).toHaveText(/^Unsubscribed. 2 changes reported/);
    await expect(page.getByRole('checkbox', { name: 'Read on each change' })).toHaveCount(0);
  });
}

test('resource templates: paths, queries, a preview of the URI, an unknown resource', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Resources');
  const uri = bench.view.locator('output');

  await bench.choose('light://archive/{+path}');
  await bench.field('path').fill('1911/storm.md');
  await expect(uri).toHaveText('light://archive/1911/storm.md');
  await bench.button('Read resource').click();
  await expect(bench.result.getByText('The storm of 1911', { exact: true })).toBeVisible();
  expect(await bench.wire('request')).toContain('"uri":"light://archive/1911/storm.md"');

  await bench.choose('light://tides');
  await expect(uri).toHaveText('light://tides');
  await bench.field('date').fill('2026-03-15');
  await expect(uri).toHaveText('light://tides?date=2026-03-15');
  await bench.field('port').fill('Bün & Co');
  await expect(uri).toHaveText('light://tides?port=B%C3%BCn%20%26%20Co&date=2026-03-15');
  await bench.button('Read resource').click();
  await expect(bench.result).toContainText('port: "Bün & Co"');

  await bench.choose('light://log/{number}');
  await bench.field('number').fill('99999');
  await bench.button('Read resource').click();
  await expect(bench.outcome).toContainText('error −');
  await expect(bench.result).toContainText('Resource not found');
});

test('the server completes arguments; the page asks only after a pause in typing', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Prompts');
  await bench.choose('brief_new_keeper');
  const keeper = bench.choice('keeper');
  await keeper.click();
  const options = page.getByRole('listbox', { name: 'Choices' }).getByRole('option');
  await expect(options.first()).toBeVisible();
  const first = await options.first().innerText();
  await keeper.press('ArrowDown');
  await keeper.press('Enter');
  await expect(keeper).toHaveValue(first);
  await keeper.fill('nobody is called this');
  await expect(options).toHaveCount(0);
  await keeper.press('Escape');
  await bench.filter('method:completion/complete dir:to-server');
  await expect.poll(() => bench.count()).toBeLessThanOrEqual(3);
  await bench.panel('Resources');
  await bench.choose('light://archive/{+path}');
  await bench.choice('path').click();
  await expect(options.first()).toBeVisible();
});

test('prompts: arguments, roles, an image and an embedded resource', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Prompts');
  await bench.choose('evening_report');
  await expect(page.getByText('This prompt takes no arguments')).toBeVisible();
  await expect(bench.result).toContainText('Write the evening report');

  await bench.choose('hail_ship');
  await bench.button('Get prompt').click();
  await expect(bench.outcome).toContainText('error −');
  await expect(bench.result).toContainText('Missing argument: ship');
  await bench.field('ship').fill('Solan Goose');
  await bench.button('Get prompt').click();
  await expect(bench.result).toContainText('Hail the ship "Solan Goose" over the radio in English');

  await bench.choose('brief_new_keeper');
  await bench.field('keeper').fill('Ada');
  await bench.button('Get prompt').click();
  await expect(bench.result.getByRole('heading', { name: 'assistant' })).toHaveCount(1);
  await expect(bench.result.getByRole('heading', { name: 'user' })).toHaveCount(3);
  await expect(bench.result.getByRole('img', { name: /^image\/png/ })).toBeVisible();
  await expect(bench.result.getByRole('region', { name: 'light://logbook' })).toBeVisible();
});

test('the Server panel: identity, era, capabilities, instructions, process, environment, stderr, exit', async ({
  open,
}) => {
  const { page, bin } = await open(['--env', 'SKERRY_MODE=calm-4711', '--', ...demoCommand('--some', 'words')]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('mutter');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await bench.panel('Server');
  await expect(bench.region('Identity')).toContainText('2026-07-28, modern era');
  await expect(bench.region('Identity')).toContainText('version');
  await expect(bench.region('Capabilities')).toContainText('completions');
  await expect(bench.region('Instructions')).not.toBeEmpty();
  const process = bench.region('Process');
  await expect(process).toContainText('stdio');
  await expect(process).toContainText('demo-server/server.mjs --some words');
  await expect(process).toContainText('SKERRY_MODE');
  await expect(process).toContainText('all from the shell');
  const pid = Number(/pid\s+(\d+)/.exec(await process.innerText())?.[1]);
  expect(pid).not.toBe(bin.pid);
  expect(isAlive(pid)).toBe(true);
  await expect(bench.region('stderr')).toContainText('[keeper] who moved the oil can (1)');
  expect(await page.content()).not.toContain('calm-4711');

  await bench.disconnect();
  await expect(process).toContainText(/exited with code|was ended by/);
  await expect.poll(() => isAlive(pid)).toBe(false);
  await expect(bench.region('Lifecycle')).toContainText('you disconnected');
  await expect(bench.region('Lifecycle')).toContainText('closed the server’s stdin');
});

test('the Raw panel sends any text unchanged and shows the response', async ({ visit }) => {
  const { page } = await visit(['--protocol', '2025-11-25', '--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('New message');
  await expect(bench.editor).toBeAttached();

  await bench.edit('{"jsonrpc":"2.0","id":9007199254740993,  "method":"ping"}');
  await bench.button('Send').click();
  await expect(bench.outcome).toContainText('ok');
  expect(await bench.wire('sent')).toBe('{"jsonrpc":"2.0","id":9007199254740993,  "method":"ping"}');

  await bench.edit('{"jsonrpc":"2.0","id":"r2","method":"no/such"}');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(bench.outcome).toContainText('error −');
  await expect(bench.result).toContainText('−32601');

  await bench.edit('{"torn": ');
  await expect(page.getByText('Not JSON. It is sent as is')).toBeVisible();
  await bench.button('Send').click();
  await expect(bench.result).toContainText('Not a request');
  await bench.filter('"-32700"');
  await expect(bench.rows).toHaveCount(1);

  await bench.edit('{"jsonrpc":"2.0","id":"l1","method":"ping"}\n{"jsonrpc":"2.0","id":"l2","method":"ping"}');
  await expect(page.getByText('2 lines')).toBeVisible();
  await bench.button('Send').click();
  await bench.filter('l2 result');
  await expect(bench.rows).toHaveCount(1);

  // Sends half a message without a line feed, then the rest.
  await bench.filter('half-1');
  await page.getByRole('checkbox', { name: 'End with a line feed' }).uncheck();
  await bench.edit('{"jsonrpc":"2.0","id":"half-1",');
  await bench.button('Send').click();
  await expect(bench.rows).toHaveCount(1);
  await page.getByRole('checkbox', { name: 'End with a line feed' }).check();
  await bench.edit('"method":"ping"}');
  await bench.button('Send').click();
  await bench.filter('half-1 result');
  await expect(bench.rows).toHaveCount(1);

  // A template replaces the whole text.
  await bench.choice('Template').selectOption('tools/call');
  await expect(page.locator('.view-lines')).toContainText('tools/call');
});
