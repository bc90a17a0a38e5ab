import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { encodeFrame, encodeHeaderOrEnd } from '../lib/recording/encode-lines';
import { RecordingReader } from '../lib/recording/recording-reader';
import type { Channel, Direction } from '../lib/wire/frame';
import { demoCommand, expect, runBin, test } from './bin';
import { prepareFirefox } from './firefox/context';
import { serversInstalled } from './http-servers';
import { CATALOG } from './servers/catalog.mjs';
import { Workbench } from './workbench';
import { XSS, xssRecording } from './xss-recording';

declare global {
  var ran: unknown;
  var refused: string[] | undefined;
}

/** Opens a page without network. `asked` collects its requests, except for itself and its own workers. */
async function offline(browser: Browser, address: string): Promise<{ page: Page; asked: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  if (browser.browserType().name() === 'firefox') await prepareFirefox(context);
  const page = await context.newPage();
  const asked: string[] = [];
  const [file] = address.split('#');
  await context.route(
    (url) => url.protocol !== 'blob:' && url.href !== file,
    (route) => {
      asked.push(route.request().url());
      return route.abort();
    },
  );
  await context.setOffline(true);
  await watch(page);
  await page.goto(address);
  return { page, asked };
}

/** Collects violations of the page's content security policy in `globalThis.refused`. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.refused = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      globalThis.refused?.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
}

async function nothingRan(page: Page): Promise<void> {
  expect(await page.evaluate(() => ({ ran: globalThis.ran, refused: globalThis.refused }))).toEqual({
    ran: undefined,
    refused: [],
  });
}

/** Opens every panel, and every tab of every row's detail. */
async function lookEverywhere(page: Page): Promise<void> {
  const bench = new Workbench(page);
  await expect(bench.rows.first()).toBeVisible();
  for (const panel of [
    'Chat',
    'Inbox',
    'Problems',
    'Server',
    'Hold',
    'Server logs beside all messages',
    'Resources',
    'Prompts',
    'Tools',
  ]) {
    await bench.panel(panel);
    const entries = page.getByRole('listbox').getByRole('option');
    if ((await entries.count()) > 0) await entries.first().click();
  }
  const rows = await bench.rows.count();
  expect(rows).toBeGreaterThan(10);
  for (let row = 0; row < rows; row++) {
    await bench.rows.nth(row).click();
    for (const tab of await bench.detail.getByRole('tab').all()) await tab.click();
  }
}

test('an exported page shows the same rows as the live one and sends no request @firefox', async ({ open, browser }, {
  outputDir,
}) => {
  mkdirSync(outputDir, { recursive: true });
  const file = join(outputDir, 'session.mcpr.jsonl');
  const { page, bin } = await open(['--record', file, '--', ...demoCommand()]);
  const live = new Workbench(page);
  await live.connected();
  await live.tool('write_entry');
  await live.field('text').fill('Grüße, 世界 🌍');
  await live.choice('keeper').selectOption('Callum Rae');
  await live.call();
  await expect(live.outcome).toContainText('ok');
  await live.disconnect();
  await expect(page.getByRole('banner').getByText('closed', { exact: true })).toBeVisible();
  await expect(live.rows.last()).toContainText('closed');
  await live.filter('-kind:lifecycle -kind:stderr');
  await expect(live.rows.last()).not.toContainText(/closed|closing|stderr/);
  const lines = await live.lines();
  expect(lines.length).toBeGreaterThan(5);
  bin.kill('SIGTERM');
  await bin.ended;

  const html = join(outputDir, 'session.html');
  const { ended, stderr } = await runBin(['share', file, '--out', html]);
  expect(stderr).toMatch(/session\.html: [12]\.\d MB/);
  expect(readFileSync(html, 'utf8')).toMatch(/id="licenses">.*\breact-dom \d.*Permission is hereby granted/s);
  expect(ended).toBe(0);
  const { page: alone, asked } = await offline(browser, pathToFileURL(html).href);
  const bench = new Workbench(alone);
  await expect(bench.region('About this recording')).toContainText('This file holds a recording and its viewer');
  await expect(bench.region('About this recording').getByRole('button')).toHaveText(['Save recording']);
  // Nothing failed and nothing was noted, so the page opens on the last call. It has the product's fonts.
  await expect(bench.detail).toContainText('write_entry');
  expect(await loadedFonts(alone)).toEqual(['GeistMono', 'GeistSans']);
  await alone.keyboard.press('Escape');
  await bench.filter('-kind:lifecycle -kind:stderr');
  await expect.poll(() => bench.lines()).toEqual(lines);
  await bench.tool('write_entry');
  await expect(bench.button('Call tool')).toHaveCount(0);
  await bench.panel('Problems');
  await expect(new Workbench(alone).view.getByRole('status')).toContainText('frames checked');
  await bench.filter('/世界/');
  await expect(bench.rows.first()).toContainText('write_entry');
  await expect(alone.getByRole('region', { name: 'Connections' })).toHaveCount(0);
  const { name, bytes } = await savedRecording(alone);
  expect(name).toBe('session.mcpr.jsonl');
  const reader = new RecordingReader();
  const saved = reader.readChunk(bytes).map((frame) => Buffer.from(frame.bytes).toString());
  expect(reader.finish()).toMatchObject({ complete: true, damaged: { count: 0 } });
  expect(saved).toEqual(
    new RecordingReader().readChunk(readFileSync(file)).map(({ bytes }) => Buffer.from(bytes).toString()),
  );
  // A bookmark made in the exported page is saved with the recording.
  await bench.rows.first().click();
  await bench.detail.getByRole('button', { name: /^Add bookmark/ }).click();
  await expect(bench.region('About this recording')).toContainText('Press Save recording to get a file that has them.');
  const noted = new RecordingReader();
  const last = noted.readChunk((await savedRecording(alone)).bytes).at(-1)!;
  expect(JSON.parse(Buffer.from(last.bytes).toString())).toMatchObject({ event: 'note', bookmark: true });
  expect(noted.finish()).toMatchObject({ complete: true, damaged: { count: 0 } });
  await nothingRan(alone);
  expect(asked).toEqual([]);
  await alone.context().close();

  // A page made from an incomplete recording says so, and so does the recording saved from it.
  const cut = join(outputDir, 'cut.mcpr.jsonl');
  writeFileSync(cut, readFileSync(file).subarray(0, -300));
  const part = join(outputDir, 'cut.html');
  expect((await runBin(['share', cut, '--out', part])).ended).toBe(0);
  const { page: rest, asked: none } = await offline(browser, pathToFileURL(part).href);
  await expect(new Workbench(rest).region('About this recording')).toContainText(
    'It was made from an incomplete recording: its end was missing.',
  );
  const [header] = (await savedRecording(rest)).bytes.toString().split('\n');
  expect(JSON.parse(header!)).toMatchObject({ lacks: { end: true } });
  expect(none).toEqual([]);
  await rest.context().close();
});

/** Returns the names of the fonts that the page has loaded. */
async function loadedFonts(page: Page): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready);
  const loaded = await page.evaluate(() =>
    [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
  );
  return loaded.sort();
}

async function savedRecording(page: Page) {
  const download = page.waitForEvent('download');
  await new Workbench(page).button('Save recording').click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

const TOKEN = `ghp_${'aB3dE6gH9'.repeat(4)}`;

/** Writes a recording that contains secrets. */
function tellingRecording(path: string): string {
  return recordingOf(path, [
    ['protocol', 'to-server', { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'push', key: TOKEN } }],
    ['stderr', 'to-client', `pushing with password=hunter2hunter2 for Acme Corp.`],
    ['protocol', 'to-client', { jsonrpc: '2.0', id: 2, error: { code: -32603, message: `no such key ${TOKEN}` } }],
  ]);
}

const STDIO = {
  ...{ name: 'telling', transport: 'stdio', command: 'node', args: ['s.js'], cwd: '/x', protocol: 'auto' },
  environment: { policy: 'allowlist', inherited: [], added: [] },
};

test('the share dialog lists the secrets, and no output contains a masked one', async ({ start, page, browser }, {
  outputDir,
}) => {
  mkdirSync(outputDir, { recursive: true });
  const { link } = await start(['open', tellingRecording(join(outputDir, 'telling.mcpr.jsonl'))]);
  await watch(page);
  await page.goto(link);
  const bench = new Workbench(page);
  await expect(bench.rows.first()).toBeVisible();
  await bench.keys('s');
  const dialog = page.getByRole('dialog');
  const summary = dialog.getByRole('status').filter({ hasText: 'Sharing' });
  await expect(summary).toContainText('2 values may be secret, 2 will be masked.');
  await dialog.getByRole('checkbox', { name: /^Mask password/ }).uncheck();
  await expect(summary).toContainText('1 will be masked.');
  await dialog.getByLabel('Also mask').fill('Acme Corp.');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('1 place', { exact: true })).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^Mask the working folder/ }).check();
  await expect(dialog.getByRole('checkbox', { name: 'Mask all: Working folder' })).toBeChecked();
  await dialog.getByLabel('Also mask').fill('/(/');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('is not a regular expression');
  await dialog.getByLabel('Also mask').fill('');

  // Looking at a frame and coming back keeps the choices.
  const token = dialog.getByRole('row').filter({ hasText: '40 characters' });
  await token.getByRole('button', { name: '#5' }).click();
  await expect(bench.detail).toContainText('#5');
  await bench.button('Back to sharing').click();
  await expect(dialog.getByRole('checkbox', { name: /^Mask GitHub token/ })).toBeFocused();
  await expect(dialog.getByRole('checkbox', { name: /^Mask password/ })).not.toBeChecked();

  const save = dialog.getByRole('button', { name: /^Save HTML, [12]\.\d MB$/ });
  const [saved] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(saved.suggestedFilename()).toBe('telling-2026-01-31.html');
  await expect(dialog).toContainText('Saved telling-2026-01-31.html. 3 places masked now.');
  const html = join(outputDir, 'shared.html');
  await saved.saveAs(html);
  const { page: alone, asked } = await offline(browser, pathToFileURL(html).href);
  const shared = new Workbench(alone);
  await expect(shared.rows).toHaveCount(8);
  await shared.filter('pushing');
  await expect(shared.rows).toContainText(['password=hunter2hunter2 for [redacted:pattern:']);
  await shared.filter(`"${TOKEN}"`);
  await expect(shared.rows).toHaveCount(0);
  expect(asked).toEqual([]);
  await alone.context().close();

  await dialog.getByRole('radio', { name: /^Link/ }).check();
  await expect(dialog.getByRole('button', { name: /^Copy link, \d+ B$/ })).toBeVisible();
  const text = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(text).toContain('#recording=1.');
  // A browser without the token can open the recording in the link, and nothing else.
  const other = await (await browser.newContext()).newPage();
  await other.goto(text);
  const linked = new Workbench(other);
  await expect(linked.region('About this recording')).toContainText('link.mcpr.jsonl');
  await expect(linked.rows).toHaveCount(8);
  await expect(linked.log).not.toContainText('Acme');
  await other.goto(`${text.slice(0, -40)}`);
  await expect(other.getByText('The recording in this link is damaged.')).toBeVisible();
  await other.context().close();

  await dialog.getByRole('radio', { name: /^Bug report/ }).check();
  const report = await dialog.getByRole('textbox', { name: 'Bug report' }).inputValue();
  expect(report).toContain('# `srv`: `tools/call push`');
  expect(report).toContain('[redacted:github:');
  expect(report).not.toContain(TOKEN);
  expect(report).not.toContain('Acme');
  await nothingRan(page);
});

type Said = readonly [Channel, Direction, unknown];

/** Writes a recording of a session that says this after the handshake. */
function recordingOf(path: string, said: readonly Said[]): string {
  const all: readonly Said[] = [
    ['lifecycle', 'to-client', { event: 'start', at: '2026-01-31T12:00:00.000Z', ...STDIO }],
    ['protocol', 'to-server', { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE }],
    ['protocol', 'to-client', { jsonrpc: '2.0', id: 1, result: { ...INITIALIZE, serverInfo: CLIENT } }],
    ['lifecycle', 'to-client', { event: 'open', era: 'legacy', version: '2025-11-25' }],
    ...said,
    ['lifecycle', 'to-client', { event: 'closed' }],
  ];
  const frames = all.map(([channel, direction, content], index) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return encodeFrame(index + 1, { time: index * 1000, channel, direction, flags: 0, bytes: Buffer.from(text) });
  });
  const header = { mcpr: 1, id: 'abcdefgh', at: '2026-01-31T12:00:00.000Z', by: 'x', mode: 'client' } as const;
  const first = encodeHeaderOrEnd({
    ...{ ...header, name: 'telling', transport: 'stdio' },
    redaction: { policy: 'capture/1' },
  });
  const end = encodeHeaderOrEnd({ k: 'end', t: all.length * 1000, frames: all.length });
  writeFileSync(path, Buffer.concat([first, ...frames, end]));
  return path;
}

const CLIENT = { name: 'srv', version: '2' };
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };

const asked = (id: number, name: string): Said => [
  ...(['protocol', 'to-server'] as const),
  { jsonrpc: '2.0', id, method: 'tools/call', params: { name } },
];
const answered = (id: number, text: string): Said => [
  ...(['protocol', 'to-client'] as const),
  { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } },
];

test('an exported page opens on a note, else on the first failure, and a place in its address wins', async ({
  browser,
}, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const calls = [asked(2, 'fine'), answered(2, 'yes'), asked(3, 'bad')];
  const invalid: Said = ['protocol', 'to-client', { jsonrpc: '2.0', id: 3, result: { content: 'text' } }];
  const error: Said = ['protocol', 'to-client', { jsonrpc: '2.0', id: 4, error: { code: -32603, message: 'broken' } }];
  const note: Said = ['lifecycle', 'to-client', { event: 'note', on: 5, text: 'look here', bookmark: true }];
  const address = async (name: string, said: readonly Said[]) => {
    const html = join(outputDir, `${name}.html`);
    const file = recordingOf(join(outputDir, `${name}.mcpr.jsonl`), said);
    expect((await runBin(['share', file, '--out', html])).ended).toBe(0);
    return pathToFileURL(html).href;
  };
  const failed = await address('failed', [...calls, invalid, asked(4, 'worse'), error]);
  const opened = async (url: string) => {
    const { page, asked: requests } = await offline(browser, url);
    const bench = new Workbench(page);
    await expect(bench.detail).toBeVisible();
    return { page, bench, requests };
  };

  const first = await opened(failed);
  await expect(first.bench.detail).toContainText('#8');
  await expect(first.bench.rows.and(first.page.getByRole('row', { selected: true }))).toContainText('Invalid result');
  await nothingRan(first.page);
  expect(first.requests).toEqual([]);
  await first.bench.rows.last().click();
  await expect(first.bench.detail).toContainText('closed');
  const chosen = first.page.url();
  await first.page.context().close();
  // As after a reload.
  const again = await opened(chosen);
  await expect(again.bench.detail).toContainText('closed');
  await again.page.context().close();

  const placed = await opened(`${failed}#10`);
  await expect(placed.bench.detail).toContainText('broken');
  await placed.page.context().close();
  const queried = await opened(`${failed}?frame=2`);
  await expect(queried.bench.detail).toContainText('initialize');
  await queried.page.context().close();

  const noted = await opened(await address('noted', [...calls, answered(3, 'yes'), note]));
  await expect(noted.bench.detail).toContainText('look here');
  await noted.page.context().close();
});

test('a narrow exported page opens on the log, with the failed frame', async ({ browser }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const error: Said = ['protocol', 'to-client', { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'broken' } }];
  const file = recordingOf(join(outputDir, 'a.mcpr.jsonl'), [asked(2, 'bad'), error]);
  const html = join(outputDir, 'a.html');
  expect((await runBin(['share', file, '--out', html])).ended).toBe(0);
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await page.goto(pathToFileURL(html).href);
  await expect(new Workbench(page).detail).toContainText('broken');
  await page.context().close();
});

test('sharing a live connection masks the same values as its recording', async ({ open }) => {
  const [node, server] = demoCommand();
  const script = "process.stderr.write('It is ' + process.env.API_KEY + '.\\n'); import(process.argv[1])";
  const { page } = await open(['--env', 'API_KEY=Qp3kd8fj2mm1', '--', node!, '-e', script, server!]);
  const bench = new Workbench(page);
  await bench.connected();
  await expect(bench.log).toContainText('It is Qp3kd8fj2mm1.');
  await bench.keys('s');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('status').filter({ hasText: 'Sharing' })).toContainText('masked while recording');
  await dialog.getByRole('radio', { name: /^Bug report/ }).check();
  const report = await dialog.getByRole('textbox', { name: 'Bug report' }).inputValue();
  expect(report).toContain('It is [redacted:given:');
  expect(report).not.toContain('Qp3kd8fj2mm1');
});

test('a link with 32 messages of a real server is at most 7 KB long', async ({ start, page }, { outputDir }) => {
  test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');
  mkdirSync(outputDir, { recursive: true });
  const file = join(outputDir, 'everything.mcpr.jsonl');
  const { command, args } = CATALOG.find(({ name }) => name === 'everything')!;
  const bin = await start(['--env', 'minimal', '--record', file, '--', command, ...args]);
  await page.goto(bin.link);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('echo');
  for (let call = 1; call <= 6; call++) {
    await bench.field('message').fill(`Message ${call}`);
    await bench.call();
    await expect(bench.result).toContainText(`Message ${call}`);
  }
  bin.kill('SIGTERM');
  await bin.ended;
  const messages = readFileSync(file, 'utf8').match(/"c":"protocol"/g)!.length;
  expect(messages).toBeGreaterThanOrEqual(32);
  const { stdout } = await runBin(['share', file, '--format', 'link', '--page', 'https://mcp-inspect.example/']);
  // Some 800 bytes are trace contexts, which are random.
  expect(stdout.trim().length).toBeLessThanOrEqual(7 * 1024);
});

test('no script in a hostile recording runs, opened or exported as a page', async ({ start, page, browser }, {
  outputDir,
}) => {
  test.slow();
  mkdirSync(outputDir, { recursive: true });
  const file = join(outputDir, 'x.mcpr.jsonl');
  writeFileSync(file, xssRecording());
  const html = join(outputDir, 'x.html');
  expect((await runBin(['share', file, '--out', html])).ended).toBe(0);
  expect(readFileSync(html, 'utf8')).not.toContain(XSS.slice(0, 20));
  const { page: alone, asked } = await offline(browser, pathToFileURL(html).href);
  await lookEverywhere(alone);
  await nothingRan(alone);
  expect(asked).toEqual([]);
  await alone.context().close();

  const { link } = await start(['open', file]);
  await watch(page);
  await page.goto(link);
  await lookEverywhere(page);
  await nothingRan(page);
});

/** A recording with thousands of secrets, which takes seconds to review. */
function longRecording(path: string): string {
  const filler = 'lorem ipsum dolor sit amet '.repeat(40);
  const said = Array.from({ length: 5200 }, (_, index): readonly Said[] => [
    asked(2 * index + 2, 'fine'),
    answered(2 * index + 2, `${filler} password=Pw-${String(index).padStart(6, '0')}-${(index * 7919) % 9973}`),
    asked(2 * index + 3, 'fine'),
    answered(2 * index + 3, filler),
  ]);
  return recordingOf(path, said.flat());
}

test('sharing a long recording shows progress, can be cancelled, and lists thousands of findings by keyboard', async ({
  start,
  page,
}, { outputDir }) => {
  test.slow();
  mkdirSync(outputDir, { recursive: true });
  const { link } = await start(['open', longRecording(join(outputDir, 'long.mcpr.jsonl'))]);
  await page.goto(link);
  await expect(new Workbench(page).rows.first()).toBeVisible();
  await new Workbench(page).keys('s');
  const dialog = page.getByRole('dialog');
  // Until the recording is read, the dialog waits for it.
  await expect(dialog.getByText(/^(?:Reading the log|Looking for secrets)…/)).toBeVisible({ timeout: 60_000 });
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  const save = dialog.getByRole('button', { name: /^Save HTML/ });
  await expect(save).toBeDisabled();
  // Choices made meanwhile are kept.
  await dialog.getByRole('checkbox', { name: 'Leave out stderr' }).check();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Cancelled');
  await expect(dialog.getByRole('progressbar')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  const summary = dialog.getByText(/Sharing 20,805 frames .* 5,000 values may be secret, 5,000 will be masked/);
  await expect(summary).toBeVisible({ timeout: 60_000 });
  await expect(dialog.getByText(/200 unlisted values/)).toBeVisible();
  await expect(dialog.getByRole('checkbox', { name: 'Leave out stderr' })).toBeChecked();

  // The list by keyboard: open the group, go to its end, keep the last value.
  const grid = dialog.getByRole('treegrid');
  await dialog.getByRole('searchbox').focus();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('checkbox', { name: /^Mask all: Password/ })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(grid).toHaveAttribute('aria-rowcount', /^500\d$/);
  expect(await grid.getByRole('row').count()).toBeLessThan(60);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  const focused = grid.getByRole('checkbox').and(page.locator(':focus'));
  await expect(focused).toBeInViewport();
  const name = (await focused.getAttribute('aria-label'))!;
  await page.keyboard.press('Space');
  await expect(dialog.getByText(/4,999 will be masked/)).toBeVisible();
  await expect(focused).toHaveAccessibleName(name);
  await page.keyboard.press('ArrowLeft');
  await expect(dialog.getByRole('checkbox', { name: /^Mask all: Password/ })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(grid).toHaveAttribute('aria-rowcount', '2');

  // Esc in the search clears it; the second one closes the dialog.
  await dialog.getByRole('searchbox').fill('#6');
  await expect(grid.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('searchbox')).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a pattern that never ends can be cancelled, and no choice is lost', async ({ start, page }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const said = [asked(2, 'x'), answered(2, `${'a'.repeat(60)}! password=hunter2hunter2`)];
  const { link } = await start(['open', recordingOf(join(outputDir, 'a.mcpr.jsonl'), said)]);
  await page.goto(link);
  await expect(new Workbench(page).rows.first()).toBeVisible();
  await new Workbench(page).keys('s');
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: /^Save HTML, / });
  await expect(save).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^Mask password/ }).uncheck();
  await dialog.getByLabel('Also mask').fill('/(a+)+b/');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Cancelled');
  await dialog.getByRole('button', { name: 'Don’t mask /(a+)+b/' }).click();
  await expect(save).toBeEnabled({ timeout: 40_000 });
  await expect(dialog.getByRole('checkbox', { name: /^Mask password/ })).not.toBeChecked();
});

test('a format that is impossible says why', async ({ start, page }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  // Random text can't be compressed enough for a link.
  const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(48_000))).toString('latin1');
  const said = Array.from({ length: 50 }, (_, index) => [asked(index + 2, 'x'), answered(index + 2, random())]).flat();
  const { link } = await start(['open', recordingOf(join(outputDir, 'a.mcpr.jsonl'), said)]);
  await page.goto(link);
  await expect(new Workbench(page).rows.first()).toBeVisible();
  await new Workbench(page).keys('s');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio', { name: 'Link too large for a link' })).toBeDisabled({ timeout: 30_000 });
  await expect(dialog.getByRole('radio', { name: /^Recording \d/ })).toBeEnabled();
});
