import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { APIResponse, Page } from '@playwright/test';
import { startOAuth } from '../proxy/connection/fixtures/oauth-fixture';
import { demoCommand, expect, type RunningBin, runBin, test } from './bin';
import { forwardPort, type InBetween, reverseProxy } from './in-between';
import { Workbench } from './workbench';

test.use({ ignoreHTTPSErrors: true });

const opened: InBetween[] = [];
test.afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** Closes the forwarder or reverse proxy after the test. */
async function between(making: Promise<InBetween>): Promise<InBetween> {
  const one = await making;
  opened.push(one);
  return one;
}

/** Returns the port that mcp-inspect itself listens on. */
function ownPort(bin: RunningBin): number {
  return Number(/^Listening on http:\/\/127\.0\.0\.1:(\d+)\/$/m.exec(bin.stdout())![1]);
}

test('a forwarded port: a page names the option, and the option makes it work', async ({ start, page }) => {
  const forwarded = await between(forwardPort());
  const at = `http://localhost:${forwarded.port}`;
  const plain = await start(['--', ...demoCommand()]);
  forwarded.leadTo(Number(new URL(plain.link).port));
  const refused = await page.goto(`${at}/`);
  expect(refused?.status()).toBe(403);
  await expect(page.getByRole('heading', { name: 'mcp-inspect does not answer at this address' })).toBeVisible();
  const option = await page.locator('pre').innerText();
  expect(option).toBe(`--page url=${at}`);
  expect(plain.stderr()).toContain(`restart with \`${option}\``);

  const bin = await start([...option.split(' '), '--', ...demoCommand()]);
  expect(bin.link.startsWith(`${at}/#launch=`)).toBe(true);
  forwarded.leadTo(ownPort(bin));
  // A new tab, because here only the fragment would change and nothing would load.
  const tab = await page.context().newPage();
  await tab.goto(bin.link);
  const bench = new Workbench(tab);
  await bench.connected();
  await bench.tool('echo');
  await bench.field('message').fill('through the tunnel');
  await bench.call();
  await expect(bench.result).toContainText('through the tunnel');
});

test('with --listen 0.0.0.0 it answers at the mapped port of a container', async ({ start, request }) => {
  const forwarded = await between(forwardPort());
  const bin = await start(['--listen', '0.0.0.0', '--page', `url=http://localhost:${forwarded.port}`]);
  forwarded.leadTo(ownPort(bin));
  const answer = await request.get(bin.link);
  expect([answer.status(), await answer.text()]).toEqual([200, expect.stringContaining('<title>mcp-inspect</title>')]);
});

/** How a reverse proxy leads to mcp-inspect. A sign-in below uses the first way too. */
const WAYS = [
  { name: 'that strips its path', strips: true, tls: false },
  { name: 'that passes its path on, over TLS', strips: false, tls: true },
];

for (const { name, strips, tls } of process.env.TEST_LONG ? WAYS : WAYS.slice(1)) {
  test(`the whole page works below a path behind a reverse proxy ${name}`, async ({ start, page }, { outputDir }) => {
    const recording = await recordTools(outputDir);
    const ingress = await between(reverseProxy({ path: '/tools/mcp', strips, tls }));
    const at = `${tls ? 'https' : 'http'}://localhost:${ingress.port}`;
    const bin = await start(['--page', `url=${at}/tools/mcp`, '--', ...demoCommand()]);
    ingress.leadTo(ownPort(bin));
    const seen = await watch(page, `${at}/tools/mcp/`);
    await page.goto(bin.link);
    const bench = new Workbench(page);
    await bench.connected();
    expect(page.url()).toMatch(new RegExp(`^${at}/tools/mcp/(?:\\?|$)`));

    // Monaco, with its JSON worker, and the schema worker.
    await bench.tool('echo');
    await bench.group('View of the arguments').getByRole('button', { name: 'JSON' }).click();
    await bench.edit('{"message": }');
    await expect(page.locator('.squiggly-error').first()).toBeVisible();
    await bench.edit('{"message":"below a path"}');
    await bench.call();
    await expect(bench.result).toContainText('below a path');
    // The filter's worker.
    await bench.filter('/tools.call/');
    await expect(bench.rows).toHaveCount(1);
    // Monaco's worker that compares texts.
    await bench.filter('method:tools/call');
    await expect(bench.rows).toHaveCount(2);
    await bench.rows.first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Compare with another row…' }).click();
    await bench.rows.last().click();
    await expect(page.getByRole('dialog').locator('.line-insert, .line-delete').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await bench.filter('');
    // The worker of the rules.
    await bench.panel('Problems');
    await expect(bench.view.getByRole('status')).toContainText('frames checked');

    // Sharing, with its worker and the viewer.
    await bench.keys('s');
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /^HTML page/ })
      .check();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Save HTML/ }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/\.html$/);
    await page.getByRole('dialog').getByRole('radio', { name: /^Link/ }).check();
    await expect(page.getByRole('textbox', { name: 'Link' })).toHaveValue(new RegExp(`^${at}/tools/mcp/#recording=1`));
    await page.keyboard.press('Escape');

    // Documents: the workers that colour code and draw PDF files.
    await bench.addServer();
    const form = page.getByRole('dialog', { name: 'Add server' });
    await form.getByRole('textbox').first().fill(`"${process.execPath}" "${DOCUMENTS}"`);
    await form.getByRole('button', { name: 'Connect', exact: true }).click();
    await bench.connected();
    await bench.panel('Resources');
    await bench.choose('keeper.py');
    await expect(bench.result.locator('pre span', { hasText: /^\s*class\s*$/ })).toBeVisible();
    await bench.choose('log.pdf');
    await expect(bench.result.getByRole('img', { name: 'Page 1 of the PDF' })).toBeVisible();

    // The page's own hub.
    const chooser = page.waitForEvent('filechooser');
    await bench.command('Open recording');
    await (await chooser).setFiles(recording);
    await expect(bench.region('About this recording')).toContainText('session.mcpr.jsonl');

    const fonts = await page.evaluate(() =>
      Array.from(document.fonts, ({ family, status }) => `${family} ${status}`).filter((font) => /geist/i.test(font)),
    );
    expect(fonts).toEqual(expect.arrayContaining([expect.stringMatching(/loaded$/)]));
    expect([...seen.workers].sort()).toEqual([
      'direct/worker.js',
      'monaco/editor.worker.js',
      'monaco/json.worker.js',
      'workers/highlight.js',
      'workers/pdf.js',
      'workers/problems.js',
      'workers/regex.js',
      'workers/schema.js',
      'workers/share.js',
    ]);
    await page.reload();
    await bench.connected();
    expect(seen).toMatchObject({ wrong: [], sockets: new Set([`${at.replace('http', 'ws')}/tools/mcp/ws`]) });

    // The address of mcp-inspect itself still works on this machine, at the root, with the same policies.
    const own = `http://127.0.0.1:${ownPort(bin)}/`;
    for (const path of ['', 'monaco/editor.js', 'monaco/json.worker.js', 'workers/pdf.js', 'direct/worker.js']) {
      const [below, root] = [
        await page.request.get(`${at}/tools/mcp/${path}`),
        await page.request.get(`${own}${path}`),
      ];
      expect(policyOf(below), path).toBe(policyOf(root));
    }
    await page.goto(own);
    await expect(page.getByRole('button', { name: 'Print a new link in the terminal' })).toBeVisible();
  });
}

const DOCUMENTS = join(import.meta.dirname, 'servers/documents-server.mjs');

/** Records `list tools` with the demo server to a file. */
async function recordTools(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'session.mcpr.jsonl');
  expect(await runBin(['list', 'tools', '--record', file, '--', ...demoCommand()])).toMatchObject({ ended: 0 });
  return file;
}

/**
 * Collects the workers of a page, by path below `root`, the addresses of its WebSockets, and what went wrong: failed
 * requests, requests elsewhere, errors, and violations of the Content-Security-Policy.
 */
async function watch(page: Page, root: string) {
  const [workers, sockets, wrong] = [new Set<string>(), new Set<string>(), [] as string[]];
  page.on('worker', (worker) => workers.add(worker.url().replace(root, '')));
  page.on('websocket', (socket) => sockets.add(socket.url()));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('response', (response) => response.status() >= 400 && wrong.push(`${response.status()} ${response.url()}`));
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') wrong.push(`failed ${request.url()}`);
  });
  page.on('request', (request) => {
    const { protocol, href } = new URL(request.url());
    if (protocol.startsWith('http') && !href.startsWith(root)) wrong.push(`outside ${href}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => void wrong.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      (globalThis as never as { reportViolation(text: string): void }).reportViolation(
        `${violatedDirective} ${blockedURI}`,
      );
    });
  });
  return { workers, sockets, wrong };
}

/** Returns a response's Content-Security-Policy without hashes. Those of inline scripts differ, because paths do. */
function policyOf(response: APIResponse): string {
  return response.headers()['content-security-policy']!.replace(/'sha256-[^']+'/g, "'sha256'");
}

test('a sign-in returns to the public URL, below its path', async ({ start, page, context }) => {
  const ingress = await between(reverseProxy({ path: '/tools', strips: true, tls: false }));
  const at = `http://localhost:${ingress.port}/tools`;
  const server = await startOAuth();
  const bin = await start(['--page', `url=${at}`, server.url]);
  ingress.leadTo(ownPort(bin));
  await page.goto(bin.link);
  const bench = new Workbench(page);
  const link = bench.region('Sign in').getByRole('link', { name: 'Sign in' });
  const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
  await expect(tab.getByRole('heading')).toHaveText('You can close this tab');
  expect(tab.url().startsWith(`${at}/oauth/callback?`)).toBe(true);
  await bench.connected();
  await server.close();
});
