import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { RecordingReader } from '../lib/recording/recording-reader';
import { readRecordingLink } from '../lib/sharing/open-link';
import { expect } from './bin';
import { ALL_CORS, test } from './cors-servers';
import { addHeader, connectDirectly, pageErrors } from './direct-page';
import { serversInstalled } from './http-servers';
import { Workbench } from './workbench';

test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

/** A secret that no pattern recognises; it is masked because the user entered it as a header. */
const GIVEN = 'walking-herons-4716-by-the-lake';

async function call(bench: Workbench, message: string): Promise<void> {
  await bench.tool('echo');
  await bench.field('message').fill(message);
  await bench.call();
  await expect(bench.result).toContainText(message);
}

async function saved(page: Page, format: RegExp, result: string): Promise<Buffer> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: format }).check();
  const save = dialog.getByRole('button', { name: new RegExp(`^Save ${result}, `) });
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
  return readFileSync(await file.path());
}

test('a header’s value that the server repeats is in none of the shared formats', async ({ open, serveBehind }) => {
  const { page } = await open([]);
  const bench = new Workbench(page);
  const server = await serveBehind('everything', ALL_CORS);
  await connectDirectly(bench, server, ['Authorization', `Bearer ${GIVEN}`]);
  await bench.connected();
  await call(bench, GIVEN);
  await page.keyboard.press('Escape');
  await bench.button('Share').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('masked while recording.')).toBeVisible();
  const html = (await saved(page, /^HTML page/, 'HTML')).toString();
  const packed = html.match(/H4sI[\w+/]{200,}={0,2}/)![0];
  await dialog.getByRole('radio', { name: /^Link/ }).check();
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  await dialog.getByRole('radio', { name: /^Bug report/ }).check();
  const markdown = await dialog.getByRole('textbox', { name: 'Bug report' }).inputValue();
  const gz = gunzipSync(await saved(page, /^Recording/, 'recording')).toString();
  await dialog.getByRole('checkbox', { name: /^Compressed/ }).uncheck();
  const made = {
    html,
    inHtml: gunzipSync(Buffer.from(packed, 'base64')).toString(),
    gz,
    jsonl: (await saved(page, /^Recording/, 'recording')).toString(),
    link: new TextDecoder().decode(await readRecordingLink(link.split('#recording=')[1]!)),
    markdown,
    har: (await saved(page, /^HAR file/, 'HAR')).toString(),
  };
  for (const [kind, text] of Object.entries(made)) {
    expect(text, kind).not.toContain(GIVEN);
    if (kind !== 'html') expect(text, kind).toContain('[redacted:');
  }
});

/** Reads the recordings in this test's folder. */
function recorded() {
  const folder = join(test.info().outputPath('home'), 'recordings');
  return readdirSync(folder).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const reader = new RecordingReader();
    const frames = reader.readChunk(Buffer.from(text));
    return { name, text, seqs: frames.map(({ seq }) => seq), report: reader.finish() };
  });
}

test('records a direct connection as it runs, without header values; a reload completes the file', async ({
  open,
  serveBehind,
}) => {
  const { page } = await open([]);
  const bench = new Workbench(page);
  await connectDirectly(bench, await serveBehind('everything', ALL_CORS), ['Authorization', `Bearer ${GIVEN}`]);
  await bench.connected();
  await call(bench, GIVEN);
  await call(bench, 'the last words');
  await expect.poll(() => recorded()[0]!.text).toContain('Echo: the last words');
  expect(recorded()).toMatchObject([{ report: { ended: false } }]);
  await bench.button('Recordings').click();
  await expect(bench.recordings).toContainText('being recorded');
  await page.goBack();
  await page.reload();
  await expect(page.getByText('The page was closed or reloaded, which ends a direct connection.')).toBeVisible();
  await expect.poll(() => recorded()[0]!.report.complete).toBe(true);
  const [file, ...others] = recorded();
  expect(others).toEqual([]);
  expect(file!.report).toMatchObject({ damaged: { count: 0 }, missing: 0 });
  expect(file!.text.match(/"event":"start"/g)).toHaveLength(1);
  expect(file!.text.match(/Echo: the last words/g)).toHaveLength(1);
  expect(file!.text).toContain('"reason":"page-gone"');
  expect(file!.text).toContain('[redacted:given:');
  expect(file!.text).not.toContain(GIVEN);
});

test('each of two tabs records its own file; a disconnect completes it', async ({ open, serveBehind, context }) => {
  const server = await serveBehind('everything', ALL_CORS);
  const { page } = await open([]);
  const other = await context.newPage();
  await other.goto(page.url());
  for (const each of [page, other]) {
    const bench = new Workbench(each);
    await connectDirectly(bench, server);
    await bench.connected();
    await call(bench, each === page ? 'from the first' : 'from the second');
    await bench.disconnect();
  }
  await expect.poll(() => recorded().map(({ report }) => report.complete)).toEqual([true, true]);
  const texts = recorded().map(({ text }) => text);
  expect(texts.filter((text) => text.includes('from the first'))).toHaveLength(1);
  expect(texts.filter((text) => text.includes('from the second'))).toHaveLength(1);
});

test('when mcp-inspect stops, a direct connection goes on, and a banner says it is not recorded', async ({
  open,
  serveBehind,
}) => {
  const { page, bin } = await open([]);
  const bench = new Workbench(page);
  await connectDirectly(bench, await serveBehind('everything', ALL_CORS));
  await bench.connected();
  await call(bench, 'recorded');
  await expect.poll(() => recorded()[0]!.text).toContain('Echo: recorded');
  bin.kill('SIGTERM');
  await bin.ended;
  await expect(page.getByText('mcp-inspect is not responding, so this connection is not being recorded')).toBeVisible();
  await call(bench, 'still there');
  expect(recorded()).toMatchObject([{ report: { ended: false, torn: false, missing: 0 } }]);
});

test('on a static host, the browser keeps recordings; another tab opens, exports and deletes them', async ({
  host,
  serveBehind,
  page,
  context,
}) => {
  const address = await host();
  const server = await serveBehind('everything', ALL_CORS);
  const errors = pageErrors(page);
  await page.goto(address);
  const bench = new Workbench(page);
  await bench.field('URL or JSON config').fill(server.url);
  await addHeader(bench, ['Authorization', `Bearer ${GIVEN}`]);
  await bench.button('Connect').click();
  await bench.connected();
  await expect(page.getByRole('contentinfo')).toContainText('recording');
  await call(bench, GIVEN);
  await page.reload();
  await expect(page.getByText('The page was closed or reloaded, which ends a direct connection.')).toBeVisible();
  await bench.button('Recordings').click();
  const kept = bench.region('Recordings');
  await expect(kept).toContainText('Kept for 30 days, up to 256 MB');
  await expect(page.getByRole('contentinfo')).toContainText('recorded');
  await expect(bench.recordings).toHaveCount(1);
  await expect(kept).not.toContainText('being recorded');
  expect(errors).toEqual([]);
  await page.close();

  const other = await context.newPage();
  await other.goto(address);
  const found = new Workbench(other);
  await found.button('Recordings').click();
  const list = found.region('Recordings');
  const [file] = await Promise.all([other.waitForEvent('download'), found.ofRecording(/^More about/, 'Export')]);
  expect(file.suggestedFilename()).toMatch(/\.mcpr\.jsonl$/);
  const text = readFileSync(await file.path(), 'utf8');
  const reader = new RecordingReader();
  reader.readChunk(Buffer.from(text));
  expect(reader.finish()).toMatchObject({ complete: true, missing: 0, damaged: { count: 0 } });
  expect(text).toContain('[redacted:given:');
  expect(text).not.toContain(GIVEN);
  await list.getByTitle(/^Open .*jsonl/).click();
  await expect(found.region('About this recording')).toContainText('.mcpr.jsonl');
  await expect(found.rows.filter({ hasText: 'tools/call' }).first()).toBeVisible();
  await found.button('Recordings').click();
  await found.ofRecording(/^More about/, 'Delete…');
  await list.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(list).toContainText('No recordings yet');
  await list.getByRole('checkbox', { name: 'Record in this browser' }).uncheck();
  await found.addServer();
  await found.field('URL or JSON config').fill(server.url);
  await found.button('Connect').click();
  await found.connected();
  await expect(found.page.getByRole('contentinfo')).toContainText('not recorded');
  await found.button('Recordings').click();
  await expect(list).toContainText('New connections are not recorded');
  await expect(list).toContainText('No recordings yet');
});
