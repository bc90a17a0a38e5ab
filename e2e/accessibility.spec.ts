import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { initialized, json, startHttp, text } from '../proxy/connection/fixtures/http-fixture';
import { demoCommand, expect, hostileCommand } from './bin';
import { accessFaults, faults } from './page-faults';
import { test } from './shared-bin';
import { Workbench } from './workbench';

test('accessible: start page and connect dialog', async ({ open }) => {
  const { page } = await open([]);
  const bench = new Workbench(page);
  await expect(page.getByRole('heading', { name: 'Recent' })).toBeVisible();
  expect(await accessFaults(page)).toEqual([]);
  await bench.button('Connect demo').click();
  await bench.connected();
  await bench.addServer();
  const dialog = page.getByRole('dialog', { name: 'Add server' });
  await dialog.getByRole('textbox', { name: /Command line/ }).fill('API_KEY=x npx -y some-server "two words"');
  await expect(dialog.getByRole('list', { name: 'Command to run' })).toBeVisible();
  await bench.options();
  await dialog.getByRole('button', { name: 'Add variable' }).click();
  await dialog.getByRole('textbox', { name: 'Name of new variable' }).fill('LD_PRELOAD');
  expect(await accessFaults(page)).toEqual([]);
});

test('accessible: connection doctor, its frame, and TLS options', async ({ open }) => {
  // Nothing listens on port 1.
  const { page } = await open(['https://127.0.0.1:1/mcp']);
  const bench = new Workbench(page);
  const steps = page.getByRole('list', { name: 'Steps' });
  await expect(steps).toContainText('ECONNREFUSED');
  await steps.getByRole('button', { name: /ECONNREFUSED/ }).click();
  await expect(bench.detail).toContainText('ECONNREFUSED');
  expect(await accessFaults(page), 'doctor').toEqual([]);
  await bench.button('Edit and connect again').click();
  await bench.options();
  await page.getByText('TLS', { exact: true }).click();
  await page.getByLabel('Don’t verify this server’s certificate').check();
  expect(await accessFaults(page), 'form').toEqual([]);
});

/** Opens the server that asks questions. */
async function askServer(open: (args: readonly string[]) => Promise<{ page: Page }>): Promise<Workbench> {
  const { page } = await open(['--', process.execPath, join(import.meta.dirname, 'servers/ask-server.mjs')]);
  const bench = new Workbench(page);
  await bench.connected();
  return bench;
}

for (const tool of ['choices', 'url', 'sample-rich']) {
  test(`accessible: the question of ${tool}, waiting and answered`, async ({ open }) => {
    const bench = await askServer(open);
    const { page } = bench;
    await bench.tool(tool);
    await bench.call();
    await bench.button('Open in the Inbox').click();
    await page.getByText('Request as JSON').click();
    expect(await accessFaults(page), 'waiting').toEqual([]);
    await bench.button(tool === 'sample-rich' ? 'Reject' : 'Decline').click();
    await expect(bench.region('Outcome')).toBeVisible();
    expect(await accessFaults(page), 'answered').toEqual([]);
  });
}

test('accessible: roots and standing answers', async ({ open }) => {
  const bench = await askServer(open);
  const { page } = bench;
  await bench.tool('kinds');
  await bench.call();
  await bench.button('Always answer like this').click();
  await page.getByRole('menuitem', { name: 'Always decline' }).click();
  await expect(bench.outcome).toContainText('ok');
  await bench.panel('Inbox');
  await page.getByRole('option', { name: /^Standing answers/ }).click();
  await expect(bench.region('For this server')).toBeVisible();
  expect(await accessFaults(page), 'standing answers').toEqual([]);
  await page.getByRole('option', { name: /^Roots/ }).click();
  await expect(bench.field('URI')).toBeVisible();
  expect(await accessFaults(page), 'roots').toEqual([]);
});

test('accessible: a question in place of a result, and its banner', async ({ open }) => {
  const bench = await askServer(open);
  const { page } = bench;
  await bench.tool('kinds');
  await bench.call();
  await expect(bench.button('Always answer like this')).toBeVisible();
  expect(await accessFaults(page), 'in the tool').toEqual([]);
  await bench.panel('New message');
  await expect(bench.region('Questions')).toBeVisible();
  expect(await accessFaults(page), 'banner').toEqual([]);
});

test('accessible: tool result, tool error, JSON editor', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('send_postcard');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  expect(await accessFaults(page), 'result').toEqual([]);
  await bench.tool('plan_passage');
  await bench.call();
  await expect(bench.outcome).toContainText(/error/i);
  expect(await accessFaults(page), 'error').toEqual([]);
  await bench.button('JSON').click();
  await expect(bench.editor).toBeAttached();
  expect(await accessFaults(page), 'editor').toEqual([]);
});

for (const names of [
  ['lists', 'picks'],
  ['pets', 'refuse'],
]) {
  test(`accessible: filled-in forms with problems, and a menu: ${names.join(', ')}`, async ({ visit }) => {
    const server = join(import.meta.dirname, 'servers/forms-server.mjs');
    const { page } = await visit(['--protocol', '2025-11-25', '--', process.execPath, server]);
    const bench = new Workbench(page);
    await bench.connected();
    for (const name of names) {
      await bench.tool(name);
      await bench.button('Fill').click();
      await page.getByRole('menuitem', { name: 'Sample: all' }).click();
      await bench.call();
      await expect(bench.outcome).not.toContainText('in flight');
      expect(await accessFaults(page), name).toEqual([]);
    }
    await page.getByRole('button', { name: 'More' }).first().click();
    await expect(page.getByRole('menu')).toBeVisible();
    expect(await accessFaults(page), 'menu').toEqual([]);
  });
}

test('accessible: message detail in Pretty, Raw and Exchange, and a message kept in view', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.filter('prompts/list');
  await expect(bench.rows.first()).toContainText('prompts/list');
  await bench.rows.first().click();
  await expect(bench.detail).toBeVisible();
  expect(await accessFaults(page), 'pretty').toEqual([]);
  await bench.raw();
  expect(await accessFaults(page), 'raw').toEqual([]);
  await bench.detailTab('Exchange');
  expect(await accessFaults(page), 'exchange').toEqual([]);
  await bench.button('Keep in view').click();
  expect(await accessFaults(page), 'kept in view').toEqual([]);
});

test('accessible: resources and prompts', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Resources');
  await bench.choose('key.bin');
  await expect(bench.outcome).toContainText('ok');
  expect(await accessFaults(page), 'Resources').toEqual([]);
  await bench.panel('Prompts');
  await bench.choose('brief_new_keeper');
  await bench.field('keeper').fill('Ada');
  await bench.button('Get prompt').click();
  await expect(bench.outcome).toContainText('ok');
  expect(await accessFaults(page), 'Prompts').toEqual([]);
});

test('accessible: Server panel, Raw panel, command palette, list of keys', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Server');
  await expect(bench.region('Process')).toBeVisible();
  expect(await accessFaults(page), 'Server').toEqual([]);
  await bench.panel('New message');
  await expect(bench.editor).toBeAttached();
  expect(await accessFaults(page), 'Raw').toEqual([]);
  await bench.button('Search…').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await accessFaults(page), 'palette').toEqual([]);
  await page.keyboard.press('Escape');
  await bench.topMenu('Keys');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await accessFaults(page), 'keys').toEqual([]);
});

test('accessible: a problem in its panel and in the message detail', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Problems');
  await expect(page.getByText('No problems', { exact: true })).toBeVisible();
  expect(await accessFaults(page), 'none').toEqual([]);
  await bench.panel('Tools');
  await bench.tool('read_old_barometer');
  await bench.call();
  await bench.panel('Problems');
  await page.getByRole('button', { name: /^Frame #/ }).click();
  await bench.detailTab('Problems');
  await expect(bench.detail.getByRole('list', { name: 'Problems of this message' })).toBeVisible();
  expect(await accessFaults(page), 'one').toEqual([]);
});

test('accessible: HTTP rows, request headers, a body that is not a message', async ({ open }) => {
  const fixture = await startHttp(({ method, message }, response) => {
    if (method !== 'POST') response.writeHead(405).end();
    else if (message?.method === 'initialize') {
      json(response, initialized(message.id, {}), 200, { 'mcp-session-id': 's', 'set-cookie': 'a=1' });
    } else if (message?.id !== undefined) text(response, '<h1>No such thing</h1>', 404);
    else response.writeHead(202).end();
  });
  try {
    const { page } = await open(['--header', 'Authorization: Bearer of-my-own', `${fixture.origin}/mcp`]);
    const bench = new Workbench(page);
    await bench.connected();
    // The key works once the button is there.
    await expect(bench.button('HTTP')).toBeVisible();
    await bench.log.getByRole('grid').focus();
    await bench.keys('h');
    await expect(bench.button('HTTP')).toHaveAttribute('aria-pressed', 'true');
    await bench.rows.filter({ hasText: 'POST /mcp' }).nth(1).click();
    await bench.button('Reveal Authorization').click();
    await expect(bench.region('Request headers')).toContainText('of-my-own');
    expect(await accessFaults(page), 'request').toEqual([]);
    await bench.rows.filter({ hasText: 'response' }).first().click();
    await expect(bench.detail).toContainText('No such thing');
    expect(await accessFaults(page), 'response').toEqual([]);
    await bench.panel('Server');
    await expect(bench.region('HTTP')).toBeVisible();
    expect(await accessFaults(page), 'facts').toEqual([]);
  } finally {
    await fixture.close();
  }
});

test('accessible: a failed start, a slow start, an expired link', async ({ open, start, browser }) => {
  const { page, bin } = await open(['--', ...hostileCommand('exit-at-once')]);
  await expect(page.getByRole('button', { name: 'Edit and connect again' }).first()).toBeVisible();
  expect(await accessFaults(page), 'failed').toEqual([]);
  const silent = await start(['--', ...hostileCommand('silent')]);
  await page.goto(silent.link);
  await expect(page.getByRole('status').filter({ hasText: 'No MCP response yet' })).toBeVisible();
  expect(await accessFaults(page), 'starting').toEqual([]);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(bin.link);
  await expect(stranger.getByRole('button', { name: /new link/ })).toBeVisible();
  expect(await accessFaults(stranger), 'expired').toEqual([]);
});

test('accessible: a note, the list of recordings, and an earlier moment of one', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.disconnect();
  await bench.rows.filter({ hasText: 'tools/list' }).first().click();
  await bench.button('Add note').click();
  await page.getByRole('textbox', { name: /^Note on #\d+$/ }).fill('Here it begins');
  expect(await accessFaults(page), 'note').toEqual([]);
  await bench.button('Save note').click();
  await bench.button('Recordings').click();
  await bench.ofRecording(/^More about/, 'Edit name and note…');
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await bench.button('Delete selected').click();
  expect(await accessFaults(page), 'list').toEqual([]);
  await bench.recordings.getByRole('button').first().click();
  await page.getByRole('slider', { name: 'Moment' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('PageUp');
  await expect(bench.region('Time')).toContainText('as of #11');
  expect(await accessFaults(page), 'past').toEqual([]);
});

test('accessible: share dialog, with findings open and a text format', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  await bench.call();
  await bench.button('Share').click();
  await bench.button('A range').click();
  await bench.field('Also mask').fill('lighthouse');
  await bench.button('Add').last().click();
  await expect(page.getByRole('treegrid').getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Save HTML, / })).toBeVisible();
  expect(await faults(page), 'findings').toEqual([]);
  await page.getByRole('radio', { name: /^Link/ }).check();
  await expect(page.getByRole('textbox', { name: 'Link' })).toBeVisible();
  expect(await faults(page), 'link').toEqual([]);
  await page.getByRole('radio', { name: /^Bug report/ }).check();
  await expect(page.getByRole('button', { name: /^Copy bug report, / })).toBeVisible();
  expect(await faults(page), 'report').toEqual([]);
});

test('accessible: every panel of a recording, and a comparison', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('count_waves');
  await bench.field('waves').fill('3');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await bench.disconnect();
  await bench.button('Recordings').click();
  await bench.recordings.getByRole('button').first().click();
  await expect(bench.region('About this recording')).toBeVisible();
  await bench.tool('count_waves');
  await expect(bench.field('waves')).toHaveAttribute('readonly');
  expect(await accessFaults(page), 'sent').toEqual([]);
  for (const panel of ['Resources', 'Prompts', 'Server logs beside all messages', 'Inbox']) {
    await bench.panel(panel);
    expect(await accessFaults(page), panel).toEqual([]);
  }
  await bench.command('Compare with…');
  const others = page.getByRole('list', { name: 'Connections to compare with' });
  await expect(others.getByRole('button')).toHaveCount(1);
  expect(await accessFaults(page), 'compare with').toEqual([]);
  await others.getByRole('button').click();
  await expect(bench.region('Comparison').getByRole('status')).toContainText('No difference');
  expect(await accessFaults(page), 'comparison').toEqual([]);
});

test('accessible: settings in both densities, and a program that is not a server', async ({ visit }) => {
  const printed = 'console.log("listening on http://localhost:3000"); setInterval(() => {}, 1000)';
  const { page } = await visit(['--', process.execPath, '-e', printed]);
  const bench = new Workbench(page);
  await expect(bench.button('Connect to http://localhost:3000/')).toBeVisible();
  expect(await accessFaults(page), 'starting').toEqual([]);
  await bench.button('Settings').click();
  for (const density of ['Comfortable', 'Compact']) {
    await bench.choice('Density').selectOption(density);
    expect(await accessFaults(page), density).toEqual([]);
  }
});

test('accessible: runs, the page of recordings, a rail of icons, and narrow panes', async ({ open }) => {
  const { page } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.restart();
  await bench.showRun(1);
  await expect(page.getByText('This is run 1. The newest is run 2.')).toBeVisible();
  await page.setViewportSize({ width: 1024, height: 768 });
  await bench.button('Recordings').click();
  await expect(bench.recordings).toHaveCount(2);
  expect(await accessFaults(page), 'icons').toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const place of ['Browse', 'Recordings']) {
    await bench.place(place);
    expect(await accessFaults(page), place).toEqual([]);
  }
  await bench.servers();
  expect(await accessFaults(page), 'servers').toEqual([]);
});

test('accessible: documents of each kind', async ({ visit }) => {
  const { page } = await visit(['--', process.execPath, join(import.meta.dirname, 'servers/documents-server.mjs')]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Resources');
  for (const name of ['README.md', 'keeper.py', 'ships.csv', 'log.pdf', 'broken.pdf']) {
    await bench.choose(name);
    await expect(bench.outcome).toContainText('ok');
    if (name === 'log.pdf') await expect(bench.result.getByRole('img')).toBeVisible();
    expect(await accessFaults(page), name).toEqual([]);
  }
});

test('accessible: a bad filter, suggestions, help, columns, the timeline, latencies', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.filter('methd:x');
  await expect(page.getByText('Unknown key methd')).toBeVisible();
  expect(await accessFaults(page), 'bad filter').toEqual([]);
  await bench.filter('list');
  await expect(bench.log.locator('mark').first()).toBeVisible();
  expect(await accessFaults(page), 'hits').toEqual([]);
  await bench.filter('nothing-like-this');
  await expect(page.getByText('No message matches the filter')).toBeVisible();
  expect(await accessFaults(page), 'no hit').toEqual([]);
  await bench.filter('');
  await page.keyboard.press('Escape');
  await bench.button('Columns and more').click();
  await page.getByRole('menuitem', { name: 'Filter help' }).click();
  expect(await accessFaults(page), 'help').toEqual([]);
  await page.keyboard.press('Escape');
  // A maximised log has the timeline.
  await bench.keys('m');
  await expect(page.getByRole('slider', { name: 'Start of the time range' })).toBeVisible();
  await bench.button('Columns and more').click();
  expect(await accessFaults(page), 'maximised, with timeline and menu').toEqual([]);
  await page.keyboard.press('Escape');
  await page
    .getByRole('contentinfo')
    .getByRole('button', { name: /^(latency|calls)/ })
    .click();
  expect(await accessFaults(page), 'latencies').toEqual([]);
});

test('accessible: a destructive call, one in flight, results of other kinds, an invalid result', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('erase_entry');
  // The first press only marks the invalid fields.
  await bench.call();
  await expect(page.getByText('Not called. Correct it, or call again')).toBeVisible();
  await bench.call();
  await expect(page.getByRole('dialog', { name: 'Call a destructive tool?' })).toBeVisible();
  expect(await accessFaults(page), 'destructive').toEqual([]);
  await page.keyboard.press('Escape');
  await bench.tool('wait_for_ship');
  await bench.call();
  await expect(bench.button('Cancel')).toBeVisible();
  expect(await accessFaults(page), 'in flight').toEqual([]);
  for (const tool of ['sound_horn', 'drop_lens', 'read_instruments', 'read_old_barometer']) {
    await bench.tool(tool);
    await bench.call();
    await expect(bench.outcome).toContainText(/ok|error/);
    expect(await accessFaults(page), tool).toEqual([]);
  }
});

test('accessible: a crash, output that is not MCP, a disconnected server beside another', async ({ visit }) => {
  const { page } = await visit(['--', ...hostileCommand('exit-on-call')]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.field('text').fill('x');
  await bench.call();
  await expect(page.getByText('Traceback: something is None').first()).toBeVisible();
  expect(await accessFaults(page), 'crash').toEqual([]);
  await page.getByRole('button', { name: /^stderr \(/ }).click();
  await expect(bench.region('Process')).toBeVisible();
  expect(await accessFaults(page), 'stderr').toEqual([]);
  await bench.addServer();
  const dialog = page.getByRole('dialog', { name: 'Add server' });
  await dialog.getByRole('textbox', { name: /Command line/ }).fill(hostileCommand('junk').join(' '));
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await bench.connected();
  await bench.panel('Problems');
  await expect(page.getByText('Non-MCP output on stdout')).toBeVisible();
  expect(await accessFaults(page), 'junk').toEqual([]);
  await bench.disconnect();
  await expect(page.getByText('You disconnected.')).toBeVisible();
  expect(await accessFaults(page), 'disconnected').toEqual([]);
});

test('accessible: narrow panes of a tool, its result and its messages', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await page.setViewportSize({ width: 390, height: 844 });
  await bench.choose('plan_passage');
  await bench.call();
  await expect(bench.outcome).toContainText('isError');
  expect(await accessFaults(page), 'tool').toEqual([]);
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Log' }).click();
  expect(await accessFaults(page), 'log').toEqual([]);
  await bench.rows.last().click();
  await expect(bench.detail).toBeVisible();
  expect(await accessFaults(page), 'detail').toEqual([]);
});
