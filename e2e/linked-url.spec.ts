import { mkdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { demoCommand, expect, runBin } from './bin';
import { pageErrors } from './direct-page';
import { test } from './file-host';
import { Workbench } from './workbench';

const SIGNATURE = 'X-Amz-Credential=AKIA%2F2026&X-Amz-Signature=5ecret4715';
const FLOOD = join(import.meta.dirname, 'servers/flood.mjs');

async function record(folder: string, command: readonly string[] = demoCommand()): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'linked.mcpr.jsonl');
  expect((await runBin(['list', 'tools', '--record', file, '--', ...command])).ended).toBe(0);
  return file;
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Fetch a recording from this host?' });
const fetchIt = (page: Page) => question(page).getByRole('button', { name: 'Fetch and open' }).click();
const failure = (page: Page) => page.getByRole('alert').filter({ hasText: '×' });

test('a link to a recording names its host, asks, then opens it', async ({ host, hostFile, page }, { outputDir }) => {
  const files = await hostFile(await record(outputDir));
  const errors = pageErrors(page);
  const site = await host();
  await page.goto(`${site}#recording=${files.url}`);
  await expect(question(page)).toContainText(new URL(files.url).host);
  await expect(question(page)).toContainText('/team/run.mcpr.jsonl');
  await expect(question(page)).toContainText('This address is on your machine.');
  expect(files.asked).toEqual([]);
  await fetchIt(page);
  const bench = new Workbench(page);
  await expect(bench.region('About this recording')).toContainText(`fetched from ${new URL(files.url).host}`);
  await expect(bench.rows.filter({ hasText: 'tools/list' }).first()).toBeVisible();
  const [first] = files.asked;
  expect([first!.headers.cookie, first!.headers.referer, first!.headers.authorization]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  // The link can be copied, and a reload asks again.
  expect(page.url()).toContain(`#recording=${files.url}`);
  await page.reload();
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(question(page)).toHaveCount(0);
  expect(page.url()).not.toContain('#');
  expect(errors).toEqual([]);
});

/** Opens a link, in the page in view if there is one, which then loads again. */
const follow = (page: Page, site: string, link: string) => page.goto(`${site}#recording=${link}`);

test('a signature is used, and neither shown nor kept', async ({ host, hostFile, page }, { outputDir }) => {
  const refused = { on: false };
  const files = await hostFile(await record(outputDir), {
    answer: (_, response) => refused.on && Boolean(response.writeHead(403).end('<Error>')),
  });
  const site = await host();
  await follow(page, site, encodeURIComponent(`${files.url}?${SIGNATURE}`));
  await expect(question(page)).toContainText('may be a signature, so it is hidden');
  await expect.poll(() => page.url()).toBe(site);
  await fetchIt(page);
  await expect(new Workbench(page).region('About this recording')).toContainText('run.mcpr.jsonl');
  expect(files.asked[0]!.url).toBe(`/team/run.mcpr.jsonl?${SIGNATURE}`);
  refused.on = true;
  await follow(page, site, `${files.url}?${SIGNATURE}`);
  await fetchIt(page);
  await expect(failure(page)).toContainText('refused to send the file (403)');
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.body.innerHTML]),
  );
  expect(kept).not.toMatch(/5ecret4715|AKIA/);
});

test('a large recording is read in parts by its index, and checked only when asked', async ({ host, hostFile, page }, {
  outputDir,
}) => {
  test.setTimeout(120_000);
  const file = await record(outputDir, [process.execPath, FLOOD, '9000', '10000']);
  const { size } = statSync(file);
  expect(size).toBeGreaterThan(80_000_000);
  const files = await hostFile(file);
  await page.goto(`${await host()}?panel=problems#recording=${files.url}`);
  await fetchIt(page);
  const bench = new Workbench(page);
  await expect(bench.region('About this recording')).toContainText('read in parts from');
  await expect(bench.rows.filter({ hasText: 'closed' }).first()).toBeVisible();
  await expect(page.getByText('Not checked')).toBeVisible();
  await bench.filter('method:notifications/flood');
  await bench.rows.last().click();
  await expect(bench.detail).toContainText('lorem ipsum');
  expect(files.sent()).toBeLessThan(3_000_000);
  // The rest of the file is another one from now on.
  files.etag = '"2"';
  await bench.filter('seq:4000');
  await bench.rows.first().click();
  await expect(bench.region('About this recording')).toContainText('has changed since it was opened');
  files.etag = '"1"';
  await bench.filter('seq:5000');
  await bench.rows.first().click();
  await expect(bench.detail).toContainText('lorem ipsum');
  await expect(bench.region('About this recording')).not.toContainText('has changed');
});

/** Answers without an end. */
function endless(_: IncomingMessage, response: ServerResponse): boolean {
  response.writeHead(200);
  const more = (): void => {
    while (response.write(Buffer.alloc(1024 * 1024, 'x')));
  };
  response.on('drain', more);
  more();
  return true;
}

test('why a link can’t be opened is said in a sentence: no CORS, a redirect, a body without end', async ({
  host,
  hostFile,
  page,
}, { outputDir }) => {
  const file = await record(outputDir);
  const site = await host();
  const inside = await hostFile(file);
  const redirects = (_: IncomingMessage, response: ServerResponse) =>
    Boolean(response.writeHead(302, { location: inside.url }).end());
  // lib/direct/remote-file.test.ts has the other reasons.
  for (const [files, sentence] of [
    [await hostFile(file, { origin: '' }), 'does not let pages of'],
    [await hostFile(file, { answer: redirects }), 'redirects to another address'],
    [await hostFile(file, { answer: endless }), 'larger than 67.1 MB'],
  ] as const) {
    await follow(page, site, files.url);
    await fetchIt(page);
    await expect(failure(page)).toContainText(sentence);
  }
  expect(inside.asked).toEqual([]);
  // Without the size of its parts, a small file is fetched whole.
  const hidden = await hostFile(file, { expose: '' });
  await follow(page, site, hidden.url);
  await fetchIt(page);
  await expect(new Workbench(page).region('About this recording')).toContainText('run.mcpr.jsonl');
});

test('attack: a link of another scheme, to http elsewhere, or with a password fetches nothing', async ({
  host,
  page,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const site = await host();
  const links = [
    'javascript:alert(1)',
    'https%3A%2F%2Fhunter2%40files.example%2Fx',
    'http://169.254.169.254/x',
    'https://user:hunter2@files.example/x',
    'data:text/plain,x',
    'file:///etc/passwd',
    'http://10.0.0.1/x',
    '//files.example/x:1',
  ];
  // lib/sharing/linked-url.test.ts reads all kinds.
  for (const link of process.env.TEST_LONG ? links : links.slice(0, 2)) {
    const refusal = page.getByRole('dialog', { name: 'This link can’t be opened' });
    await page.goto(`${site}?${links.indexOf(link)}#recording=${link}`);
    await expect(refusal).toBeVisible();
    expect(page.url()).not.toContain('hunter2');
    await expect(page.locator('body')).not.toContainText('hunter2');
  }
  expect(requests.filter((url) => !url.startsWith(site))).toEqual([]);
});

test('the page of a proxy asks too, and its browser fetches, not the proxy', async ({ open, hostFile }, {
  outputDir,
}) => {
  const file = await record(outputDir);
  const files = await hostFile(file);
  const { page, bin } = await open([]);
  await expect(page.getByRole('heading', { name: 'Which server do you want to inspect?' })).toBeVisible();
  const site = `${new URL(bin.link).origin}/`;
  await follow(page, site, files.url);
  await fetchIt(page);
  await expect(new Workbench(page).region('About this recording')).toContainText('fetched from');
  expect(files.asked[0]!.headers['user-agent']).toContain('Mozilla');
});
