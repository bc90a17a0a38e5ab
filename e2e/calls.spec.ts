// How a call is sent, watched, cancelled and repeated.
import { join } from 'node:path';
import { expect, runBin } from './bin';
import { serversInstalled, test } from './http-servers';
import { Workbench } from './workbench';

const SERVERS = join(import.meta.dirname, 'servers');
const everything = [
  '--',
  process.execPath,
  join(SERVERS, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
];
const modern = ['--', process.execPath, join(SERVERS, 'modern-server.mjs'), 'dual'];

test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

test('what is sent beside the arguments: headers, and the _meta of a call', async ({ visit, serve }) => {
  await test.step('the headers that repeat the next call are shown while typing, and sent like that', async () => {
    const { url } = await serve('modern-dual');
    const { page } = await visit([url]);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('in-region');
    const headers = page.getByRole('group').filter({ hasText: 'Repeated in HTTP headers' });
    await expect(headers).toContainText('Mcp-Namein-region');
    await expect(headers).toContainText('Mcp-Param-Regionnot sent');
    await bench.field('region').fill('Zürich');
    await expect(headers).toContainText('=?base64?WsO8cmljaA==?=');
    await expect(headers).toContainText('base64 of Zürich');
    await bench.field('region').fill('eu');
    await expect(headers).toContainText('Mcp-Param-Regioneu');
    await bench.call();
    await expect(bench.result).toContainText('select 1 in eu');
    await bench.result.getByRole('button', { name: /^request #/ }).click();
    await bench.detailTab('HTTP');
    await expect(bench.detail).toContainText(/mcp-param-region\s*eu/i);
    // A value that can't be a header.
    await bench.group('View of the arguments').getByRole('button', { name: 'JSON' }).click();
    await bench.edit('{"region": ["a"]}');
    await expect(headers).toContainText('An array can’t be a header');
    await expect(headers.locator('summary')).toContainText('! 1 problem');
  });

  await test.step('the _meta of a call is checked, kept, and merged with ours', async () => {
    const { page } = await visit(modern);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('add');
    await bench.field('a').fill('1');
    await bench.field('b').fill('2');
    await expect(page.getByText('Repeated in HTTP headers')).toHaveCount(0);
    await bench.fromMore('Add _meta…');
    const meta = bench.field('_meta as JSON');
    await meta.fill('["a"]');
    await expect(page.getByText('Not a JSON object: write')).toBeVisible();
    await expect(bench.button('Call tool')).toBeDisabled();
    await meta.fill('{"progressToken": "mine", "com.example/n": 1.0}');
    await bench.call();
    await expect(bench.outcome).toContainText('ok');
    const sent = await bench.wire('request');
    expect(sent).toContain('"progressToken":"mine","com.example/n":1.0');
    expect(JSON.parse(sent).params._meta).toMatchObject({
      progressToken: 'mine',
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    });
    // Each tool has its own, also after a reload.
    await bench.tool('range');
    await expect(meta).toBeHidden();
    await page.reload();
    await bench.connected();
    await bench.choose('add');
    await expect(meta).toHaveValue('{"progressToken": "mine", "com.example/n": 1.0}');
  });
});

test('progress has a rate and the time left; a cancelled call says what was done', async ({ visit, serve }) => {
  const { url } = await serve('modern-dual');
  const ways = [
    { args: [url], words: 'closed the HTTP response', notifications: 0 },
    { args: modern, words: 'sent notifications/cancelled', notifications: 1 },
    { args: ['--protocol', '2025-11-25', ...modern], words: 'sent notifications/cancelled', notifications: 1 },
  ];
  for (const { args, words, notifications } of ways) {
    const { page } = await visit(args);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('count');
    await bench.field('steps').fill('1000');
    await bench.field('delayMs').fill('20');
    await bench.call();
    await expect(bench.result.getByRole('progressbar', { name: 'Progress' })).toBeVisible();
    await expect(bench.result).toContainText(/\d+ of 1,000 · [\d.]+ per second · about .* left/);
    await expect(bench.result).toContainText(/step \d+ of 1000/);
    await bench.button('Cancel').click();
    await expect(bench.outcome).toContainText('cancelled');
    await expect(bench.result).toContainText(words);
    await bench.filter('method:notifications/cancelled');
    await expect(bench.rows).toHaveCount(notifications);
  }
});

test('several calls are compared or cancelled, and a destructive tool asks once', async ({ visit }) => {
  await test.step('several calls: outcomes, durations, answers that differ, each with its frames', async () => {
    const { page } = await visit(modern);
    const bench = new Workbench(page);
    await bench.connected();
    const several = bench.region('Several calls');
    const start = async (calls: string, jobs: string) => {
      await bench.fromMore('Repeat…');
      await bench.field('Calls, 1 to 1,000').fill(calls);
      await bench.field('At once, 1 to 100').fill(jobs);
      await page.keyboard.press('Enter');
    };
    await bench.tool('add');
    await bench.field('a').fill('1');
    await bench.field('b').fill('2');
    await start('50', '10');
    await expect(several).toContainText('50 ok');
    await expect(several).toContainText('All answers are equal');
    await expect(several).toContainText(/min[\d.]+ [mµ]s.*median.*p95.*max/);
    await bench.filter('method:tools/call kind:request');
    await expect.poll(() => bench.count()).toBe(50);
    await bench.filter('');
    // The first call registers a tool, and the others fail.
    await bench.tool('grow');
    await start('5', '1');
    await expect(several).toContainText('1 ok');
    await expect(several).toContainText('4 isError');
    const answers = several.getByRole('list', { name: 'Different answers' });
    await expect(answers.getByRole('listitem')).toHaveText([/^4 equal/, /^1 differs/]);
    await answers.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('grew');
    await page.keyboard.press('Escape');
    await several
      .getByRole('button', { name: /^request #/ })
      .first()
      .click();
    expect(await bench.raw()).toContain('"name":"grow"');
  });

  await test.step('all calls can be cancelled', async () => {
    const { page } = await visit(modern);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('count');
    await bench.field('steps').fill('1000');
    await bench.field('delayMs').fill('20');
    await bench.command('Call the tool several times…');
    await bench.field('Calls, 1 to 1,000').fill('20');
    await bench.field('At once, 1 to 100').fill('4');
    await bench.button('Call ×20').click();
    const several = bench.region('Several calls');
    await expect(several).toContainText('4 in flight');
    await several.getByRole('button', { name: 'Cancel all' }).click();
    await expect(several).toContainText('stopped after 4');
    await expect(several).toContainText('4 cancelled');
    await several.getByRole('button', { name: 'Close' }).click();
    await expect(several).toHaveCount(0);
  });

  await test.step('a destructive tool asks once for several calls', async () => {
    const { page } = await visit(['--protocol', '2025-11-25', '--', process.execPath, '-e', DESTRUCTIVE]);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('wipe');
    await bench.fromMore('Repeat…');
    await bench.field('Calls, 1 to 1,000').fill('3');
    await page.keyboard.press('Enter');
    await bench.agree();
    await expect(bench.region('Several calls')).toContainText('3 ok');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

/** A server with one tool, which says that it is destructive. */
const DESTRUCTIVE = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  const serverInfo = { name: 'sharp', version: '1' };
  const tool = { name: 'wipe', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } };
  if (method === 'initialize') say({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
  else if (method === 'tools/list') say({ tools: [tool] });
  else if (method === 'tools/call') say({ content: [] });
});`;

test('in a terminal: --times, --jobs and --meta over both transports', async ({ serve }) => {
  const { url } = await serve('everything');
  for (const server of [everything, [url]]) {
    const words = ['call', 'echo', '--arg', 'message=hi', '--times', '6', '--jobs', '3', '--meta', '{"x.example/a":1}'];
    const { stdout, stderr, ended } = await runBin([...words, ...server]);
    expect(ended).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ call }) => call).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const { outcome, result } of lines) {
      expect([outcome, result.content[0].text]).toEqual(['ok', 'Echo: hi']);
    }
    expect(stderr).toContain('6 ok.');
    expect(stderr).toContain('All answers are equal.');
  }
});
