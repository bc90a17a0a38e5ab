import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';
import { encodeFrame, encodeHeaderOrEnd } from '../lib/recording/encode-lines';
import { RecordingReader } from '../lib/recording/recording-reader';
import type { Channel, Direction } from '../lib/wire/frame';
import { demoCommand, expect, packageFolder, runBin, test } from './bin';
import { prepareFirefox } from './firefox/context';
import { serversInstalled } from './http-servers';
import { faults } from './page-faults';
import { tapSession } from './tapped-sessions';
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
  const { pathname } = new URL(address);
  await context.route(
    (url) => url.protocol !== 'blob:' && !(url.protocol === 'file:' && url.pathname === pathname),
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

/** Opens every panel, and every tab of the detail of each row, or of every so many. */
async function lookEverywhere(page: Page, every = 1): Promise<void> {
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
  for (let row = 0; row < rows; row += every) {
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

  // What is made from an incomplete recording says so.
  const [cut, part] = [join(outputDir, 'cut.mcpr.jsonl'), join(outputDir, 'part.mcpr.jsonl')];
  writeFileSync(cut, readFileSync(file).subarray(0, -300));
  expect((await runBin(['share', cut, '--out', part])).ended).toBe(0);
  expect(JSON.parse(readFileSync(part, 'utf8').split('\n')[0]!)).toMatchObject({ lacks: { end: true } });
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
  name: 'telling',
  transport: 'stdio',
  command: 'node',
  args: ['s.js'],
  cwd: '/x',
  protocol: 'auto',
  environment: { policy: 'allowlist', inherited: [], added: [] },
};

test('the share dialog lists the secrets, and no output contains a masked one', async ({ start, page, browser }, {
  outputDir,
}) => {
  test.slow();
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
  await dialog.getByRole('button', { name: 'A range' }).click();
  expect(await faults(page), 'findings').toEqual([]);
  await dialog.getByRole('button', { name: 'All frames' }).click();

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
  const packed = readFileSync(html, 'utf8').match(/H4sI[\w+/]{200,}={0,2}/)![0];
  const inside = gunzipSync(Buffer.from(packed, 'base64')).toString();
  expect(inside).toContain('password=hunter2hunter2 for [redacted:pattern:');
  for (const text of [inside, readFileSync(html, 'utf8')]) expect(text).not.toContain(TOKEN);

  await dialog.getByRole('radio', { name: /^Link/ }).check();
  await expect(dialog.getByRole('button', { name: /^Copy link, \d+ B$/ })).toBeVisible();
  const text = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(text).toContain('#recording=1.');
  expect(await faults(page), 'link').toEqual([]);
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
  expect(await faults(page), 'report').toEqual([]);
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
    ...header,
    name: 'telling',
    transport: 'stdio',
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

test('an exported page opens on its first failure, else on the place in its address; a narrow one on the log', async ({
  browser,
}, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const invalid: Said = ['protocol', 'to-client', { jsonrpc: '2.0', id: 3, result: { content: 'text' } }];
  const error: Said = ['protocol', 'to-client', { jsonrpc: '2.0', id: 4, error: { code: -32603, message: 'broken' } }];
  const said = [asked(2, 'fine'), answered(2, 'yes'), asked(3, 'bad'), invalid, asked(4, 'worse'), error];
  const html = join(outputDir, 'failed.html');
  const file = recordingOf(join(outputDir, 'failed.mcpr.jsonl'), said);
  expect((await runBin(['share', file, '--out', html])).ended).toBe(0);
  const address = pathToFileURL(html).href;
  const { page, asked: requests } = await offline(browser, address);
  const bench = new Workbench(page);
  await expect(bench.detail).toContainText('#8');
  await expect(bench.rows.and(page.getByRole('row', { selected: true }))).toContainText('Invalid result');
  await nothingRan(page);
  expect(requests).toEqual([]);
  await bench.rows.last().click();
  await expect(bench.detail).toContainText('closed');
  await page.reload();
  await expect(bench.detail).toContainText('closed');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('about:blank');
  await page.goto(`${address}#10`);
  await expect(bench.detail).toContainText('broken');
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

test('a link with 32 messages of a real server is at most 7 KB long', async ({ start: _ }, { outputDir }) => {
  test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');
  mkdirSync(outputDir, { recursive: true });
  const calls = Array.from({ length: 14 }, (_call, at) => ['echo', { message: `Message ${at}` }, 1] as const);
  const home = join(outputDir, 'home');
  await tapSession(join(packageFolder(), 'dist/cli.js'), home, { host: 'cursor', server: 'everything', calls });
  const [name] = readdirSync(join(home, 'recordings'));
  const file = join(home, 'recordings', name!);
  const messages = readFileSync(file, 'utf8').match(/"c":"protocol"/g)!.length;
  expect(messages).toBeGreaterThanOrEqual(32);
  const { stdout } = await runBin(['share', file, '--format', 'link', '--page', 'https://mcp-inspect.example/']);
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
  // It draws the same parts as the exported page.
  await lookEverywhere(page, process.env.TEST_LONG ? 1 : 5);
  await nothingRan(page);
});

/** Secrets of a long recording. The review lists 5,000. */
const SECRETS = process.env.TEST_LONG ? 5200 : 400;
const LISTED = Math.min(SECRETS, 5000);

/** Writes a recording with many secrets, a text on which a pattern never ends, and too much for a link. */
function longRecording(path: string): string {
  const filler = 'lorem ipsum dolor sit amet '.repeat(40);
  const said = Array.from({ length: SECRETS }, (_, index): readonly Said[] => [
    asked(2 * index + 2, 'fine'),
    answered(2 * index + 2, `${filler} password=Pw-${String(index).padStart(6, '0')}-${(index * 7919) % 9973}`),
    asked(2 * index + 3, 'fine'),
    answered(2 * index + 3, filler),
  ]);
  // Random text can't be compressed enough for a link, and `aaa…!` suits no `(a+)+b`.
  const random = () =>
    String.fromCharCode(...crypto.getRandomValues(new Uint16Array(20_000)).map((n) => 0x4e00 + (n & 0x3fff)));
  const large = Array.from({ length: 50 }, (_, index) => answered(1e6 + index, `${'a'.repeat(60)}! ${random()}`));
  return recordingOf(path, [...said.flat(), ...large]);
}

const count = (value: number) => value.toLocaleString('en-US');

test('a review shows its progress, can be cancelled without losing a choice, and lists hundreds of findings', async ({
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
  const grid = dialog.getByRole('treegrid');
  const save = dialog.getByRole('button', { name: /^Save HTML/ });
  const summary = dialog.getByText(
    new RegExp(`Sharing .* frames .* ${count(LISTED)} values may be secret, ${count(LISTED)} will be masked`),
  );
  if (process.env.TEST_LONG) {
    await test.step('the first review can be cancelled and started again', async () => {
      // Until the recording is read, the dialog waits for it.
      await expect(dialog.getByText(/^(?:Reading the log|Looking for secrets)…/)).toBeVisible({ timeout: 60_000 });
      await expect(dialog.getByRole('progressbar')).toBeVisible();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(dialog.getByRole('alert')).toContainText('Cancelled');
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await expect(dialog.getByText(/200 unlisted values/)).toBeVisible({ timeout: 60_000 });
    });
  }
  await expect(summary).toBeVisible({ timeout: 60_000 });

  await test.step('a format that is impossible says why', async () => {
    await expect(dialog.getByRole('radio', { name: 'Link too large for a link' })).toBeDisabled({ timeout: 30_000 });
    await expect(dialog.getByRole('radio', { name: /^Recording \d/ })).toBeEnabled();
  });

  await test.step('a pattern that never ends can be cancelled, and no choice is lost', async () => {
    const working = dialog.getByText('Creating the output…');
    await dialog.getByRole('checkbox', { name: 'Mask all: Password' }).uncheck();
    await dialog.getByLabel('Also mask').fill('/(a+)+b/');
    await page.keyboard.press('Enter');
    await expect(working).toBeVisible();
    await expect(save).toBeDisabled();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Cancelled');
    await expect(working).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect(working).toBeVisible();
    // Choices made meanwhile are kept.
    await dialog.getByRole('checkbox', { name: 'Leave out stderr' }).check();
    await dialog.getByRole('button', { name: 'Don’t mask /(a+)+b/' }).click();
    await expect(save).toBeEnabled({ timeout: 40_000 });
    await expect(dialog.getByRole('checkbox', { name: 'Leave out stderr' })).toBeChecked();
    await expect(dialog.getByRole('checkbox', { name: 'Mask all: Password' })).not.toBeChecked();
    await dialog.getByRole('checkbox', { name: 'Mask all: Password' }).check();
    await expect(summary).toBeVisible();
  });

  await test.step('by keyboard: open the group, go down, keep a value', async () => {
    await dialog.getByRole('searchbox').focus();
    await page.keyboard.press('ArrowDown');
    await expect(dialog.getByRole('checkbox', { name: /^Mask all: Password/ })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(grid).toHaveAttribute('aria-rowcount', new RegExp(`^${String(LISTED).slice(0, -1)}\\d$`));
    expect(await grid.getByRole('row').count()).toBeLessThan(60);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageDown');
    const focused = grid.getByRole('checkbox').and(page.locator(':focus'));
    await expect(focused).toBeInViewport();
    const name = (await focused.getAttribute('aria-label'))!;
    await page.keyboard.press('Space');
    await expect(dialog.getByText(`${count(LISTED - 1)} will be masked`)).toBeVisible();
    await expect(focused).toHaveAccessibleName(name);
    await page.keyboard.press('ArrowLeft');
    await expect(dialog.getByRole('checkbox', { name: /^Mask all: Password/ })).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(grid).toHaveAttribute('aria-rowcount', '2');
  });

  await test.step('Esc in the search clears it; the second one closes the dialog', async () => {
    await dialog.getByRole('searchbox').fill('#6');
    await expect(grid.getByRole('row')).toHaveCount(2);
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('searchbox')).toHaveValue('');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
});
