import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, runBin } from './bin';
import { copiedBy } from './clipboard';
import { accessFaults, smallTargets } from './page-faults';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const servers = join(import.meta.dirname, 'servers');
const hostsServer = ['--', process.execPath, join(servers, 'hosts-server.mjs')];
const formsServer = ['--', process.execPath, join(servers, 'forms-server.mjs')];

/** The row of a host. */
function rowOf(page: Page, host: string) {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name: host, exact: true }) });
}

test('obstacles of the chosen host have places, frames, a source and advice', async ({ visit }) => {
  const { page } = await visit(hostsServer);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Compatibility');
  const fails = rowOf(page, 'Claude API');
  await expect(fails).toContainText('Fails1 obstacle');
  // The worst comes first.
  const titles = await bench.view.getByRole('heading', { level: 2 }).allInnerTexts();
  expect(titles.indexOf('Claude API')).toBeLessThan(titles.indexOf('Claude Code'));
  await expect(rowOf(page, 'claude.ai')).toContainText('Needs a public https address');
  await expect(rowOf(page, 'claude.ai').getByRole('button')).toHaveCount(0);
  await expect(bench.view).not.toContainText(/\b(?:works|good)\b/i);

  // A chosen host is unfolded, also after a reload.
  await page.getByRole('checkbox', { name: 'I use Claude API' }).check();
  await expect(fails).toContainText('refuses a request with a tool whose schema has a combinator', {
    ignoreCase: true,
  });
  await page.reload();
  await bench.connected();
  await expect(fails.getByRole('button', { name: 'Claude API', exact: true })).toHaveAttribute('aria-expanded', 'true');
  const places = fails.getByRole('list').getByRole('list').getByRole('listitem');
  await expect(places).toHaveCount(3);
  await expect(places.first()).toContainText('inputSchema has anyOf at its top level');
  await fails.getByRole('button', { name: '… 3 more' }).click();
  await expect(places).toHaveCount(6);
  const source = fails.getByRole('link').first();
  await expect(source).toHaveAttribute('href', /^https:/);
  await expect(source).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(fails.getByRole('time')).toHaveText(/^20\d\d-\d\d-\d\d$/);
  const copied = await copiedBy(page, () => fails.getByRole('button', { name: 'Copy Markdown' }).click());
  expect(copied).toContain('#### The Claude API: fails');
  expect(copied).toContain('`"choice_5": inputSchema has anyOf at its top level.`');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessFaults(page), colorScheme).toEqual([]);
  }
  expect(await smallTargets(page)).toEqual([]);

  await places
    .nth(1)
    .getByRole('button', { name: /^Frame #/ })
    .click();
  await expect(bench.detail).toContainText('"choice_2"');
  await expect(bench.tree.getByRole('treeitem', { selected: true })).toContainText('anyOf');
});

test('the bottom line names chosen hosts after a call, and verdicts follow the log', async ({ visit }) => {
  const { page } = await visit(hostsServer);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Compatibility');
  await page.getByRole('checkbox', { name: 'I use Claude API' }).check();
  const row = rowOf(page, 'Claude API');
  await expect(row.getByRole('button', { name: '… 3 more' })).toBeVisible();
  const line = page.getByRole('contentinfo');
  await expect(line).not.toContainText('Claude API');

  await bench.tool('add_choice');
  await bench.call();
  await line.getByRole('button', { name: 'Claude API: 1 obstacle' }).click();
  await expect(page).toHaveURL(/panel=hosts&item=claude-api/);
  // The call added a tool.
  await expect(row.getByRole('button', { name: '… 4 more' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'I use Claude API' }).uncheck();
  await expect(line).not.toContainText('Claude API');
});

test('a tool that a host drops says so beside its schema', async ({ visit }) => {
  const { page } = await visit(hostsServer);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('choice_2');
  await bench.schema();
  const notes = bench.region('Hosts');
  await expect(notes).toContainText('Here: inputSchema has anyOf at its top level. #');
  await expect(notes).not.toContainText('directory');
  expect(await accessFaults(page)).toEqual([]);
  await notes.getByRole('button', { name: 'The Claude API' }).click();
  await expect(rowOf(page, 'Claude API')).toHaveAttribute('aria-current', 'true');
  await expect(rowOf(page, 'Claude API')).toContainText('choice_1');

  await bench.tool('add_choice');
  await bench.schema();
  await expect(bench.region('inputSchema')).toBeVisible();
  await expect(notes).toHaveCount(0);
});

test('the palette finds the view by the names of hosts, and keys unfold a row', async ({ visit }) => {
  const { page } = await visit(formsServer);
  const bench = new Workbench(page);
  await bench.connected();
  for (const words of ['hosts', 'compatibility', 'ChatGPT', 'claude code']) {
    await bench.top.getByRole('button', { name: 'Search…' }).click();
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill(words);
    await expect(palette.getByRole('option', { name: 'Compatibility' }), words).toBeVisible();
    await page.keyboard.press('Escape');
  }
  await bench.command('Compatibility');
  const row = rowOf(page, 'Claude API');
  await expect(row).toContainText('Fails');
  const button = row.getByRole('button', { name: 'Claude API', exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(row).toContainText('oneOf at its top level');
  await page.keyboard.press('Enter');
  await expect(button).toHaveAttribute('aria-expanded', 'false');
});

test('facts about hosts are loaded when they are shown', async ({ open }) => {
  const { page } = await open(hostsServer);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('add_choice');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  // Code is fetched once, so what comes now was not there before. A fact's id is in the code that judges.
  const code = page.waitForResponse(
    async (response) => response.url().endsWith('.js') && (await response.text()).includes('claudeai-443'),
  );
  await bench.panel('Compatibility');
  await code;
  await expect(rowOf(page, 'Claude API')).toContainText('Fails');
});

test('a server to which nobody could connect is judged, with its frame', async ({ visit }) => {
  const refuses = createServer((_request, response) => response.writeHead(302, { location: '/mcp/' }).end());
  await new Promise<void>((done) => refuses.listen(0, '127.0.0.1', done));
  const { port } = refuses.address() as AddressInfo;
  const { page } = await visit([`http://127.0.0.1:${port}/mcp`]);
  const bench = new Workbench(page);
  await expect(bench.view).toContainText('redirects (HTTP 302)');
  await bench.panel('Compatibility');
  const row = rowOf(page, 'VS Code');
  await expect(row).toContainText('Fails1 obstacle');
  await row.getByRole('button', { name: 'VS Code', exact: true }).click();
  await expect(row).toContainText('Repeats a POST that is answered with 301, 302 or 303 as GET');
  await row.getByRole('button', { name: /^Frame #/ }).click();
  await expect(bench.detail).toContainText('302');
  refuses.close();
});

test('a recording is judged as well, also in a shared page', async ({ open }) => {
  const file = test.info().outputPath('session.mcpr.jsonl');
  expect((await runBin(['list', 'tools', '--record', file, ...hostsServer])).ended).toBe(0);
  const { page } = await open(['open', file]);
  const bench = new Workbench(page);
  await expect(bench.region('About this recording')).toContainText('session.mcpr.jsonl');
  await bench.panel('Compatibility');
  await expect(rowOf(page, 'Claude API')).toContainText('Fails1 obstacle');
  const row = rowOf(page, 'Claude Desktop');
  await row.getByRole('button', { name: 'Claude Desktop', exact: true }).click();
  await expect(row).toContainText('Not tried: No tool has been called yet.');
  await row.getByText('What no frame shows').click();
  await expect(row).toContainText('Are the paths of the entry absolute?');
  const html = test.info().outputPath('session.html');
  expect((await runBin(['share', file, '--out', html])).ended).toBe(0);
  await page.goto(pathToFileURL(html).href);
  await bench.panel('Compatibility');
  await expect(rowOf(page, 'Claude API')).toContainText('Fails1 obstacle');
});
