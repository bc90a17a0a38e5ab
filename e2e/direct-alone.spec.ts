import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { demoCommand, expect, runBin } from './bin';
import { ALL_CORS, test } from './cors-servers';
import { connectDirectly, pageErrors } from './direct-page';
import { serversInstalled } from './http-servers';
import { Workbench } from './workbench';

test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

const BOX_ALONE = 'URL or JSON config';

test('a reload ends a direct connection and keeps its log; Restart asks for secret header values again', async ({
  visit,
  serveBehind,
}) => {
  const server = await serveBehind('modern-dual', ALL_CORS);
  const { page } = await visit([]);
  const bench = new Workbench(page);
  await connectDirectly(bench, server);
  await bench.connected();
  await bench.tool('add');
  await bench.field('a').fill('20');
  await bench.field('b').fill('22');
  await bench.call();
  await expect(bench.result).toContainText(/sum\D*42/);
  await bench.filter('tools/call');
  await expect(bench.rows.first()).toContainText('tools/call');

  await page.reload();
  await expect(page.getByText('The page was closed or reloaded, which ends a direct connection.')).toBeVisible();
  await expect(bench.rows.filter({ hasText: 'tools/call' }).first()).toBeVisible();
  await bench.restart();
  await bench.connected();
  await expect(bench.top).toContainText('run 2');

  await bench.addServer();
  await connectDirectly(bench, server, ['Authorization', 'Bearer sesame-4715']);
  await expect((await bench.servers()).getByRole('listitem')).toHaveCount(2);
  await bench.connected();
  await page.reload();
  await bench.restart();
  await expect(page.getByText('the values of Authorization were not kept')).toBeVisible();
  await bench.button('Edit and connect again').click();
  await expect(bench.field('Name of Authorization')).toBeEditable();
  await expect(page.getByLabel('Value of Authorization')).toHaveValue('');
});

/** Returns every entry of the page's database as text. */
function readKept(): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('mcp-inspect.direct');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const all = opening.result.transaction('pieces').objectStore('pieces').getAll();
      all.onsuccess = () => resolve(all.result.map(({ bytes }) => new TextDecoder('latin1').decode(bytes)));
    };
  });
}

test('a static host works without a proxy, and names a command where only that helps', async ({
  host,
  serveBehind,
  page,
}) => {
  const server = await serveBehind('modern-dual', ALL_CORS);
  const errors = pageErrors(page);
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await page.goto(await host());
  const bench = new Workbench(page);
  await bench.field(BOX_ALONE).fill('node server.js --flag');
  await expect(page.getByText('npx mcp-inspect -- node server.js --flag')).toBeVisible();
  await expect(bench.button('Connect')).toBeDisabled();
  const closed = await serveBehind('modern-dual', undefined);
  await bench.field(BOX_ALONE).fill(closed.url);
  await bench.button('Connect').click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Access-Control-Allow-Origin is missing');
  await expect(page.getByText(`npx mcp-inspect ${closed.url}`)).toBeVisible();
  await expect(bench.button('Connect via proxy')).toHaveCount(0);
  // The browser itself reports what CORS forbids.
  errors.length = 0;
  await bench.addServer();
  await bench.field(BOX_ALONE).fill(server.url);
  await bench.button('Connect').click();
  await bench.connected();
  await bench.tool('add');
  await bench.field('a').fill('1');
  await bench.field('b').fill('1');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await expect(page.getByRole('contentinfo')).toContainText('no proxy');
  await page.reload();
  await expect(bench.rows.filter({ hasText: 'tools/call' }).first()).toBeVisible();
  expect(sockets).toEqual([]);
  expect(errors).toEqual([]);
});

test('on a static host, a link opens the recording in it', async ({ host, page }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const file = join(outputDir, 'linked.mcpr.jsonl');
  expect((await runBin(['list', 'tools', '--record', file, '--', ...demoCommand()])).ended).toBe(0);
  const { stdout } = await runBin(['share', file, '--format', 'link', '--page', `url=${await host()}`]);
  const errors = pageErrors(page);
  await page.goto(stdout.trim());
  const bench = new Workbench(page);
  await expect(bench.region('About this recording')).toContainText('link.mcpr.jsonl');
  await expect(bench.rows.filter({ hasText: 'tools/list' }).first()).toBeVisible();
  // It can be shared again, without a proxy.
  await bench.button('Share').click();
  await expect(page.getByRole('button', { name: /^Save HTML, [12]\.\d MB$/ })).toBeVisible();
  expect(errors).toEqual([]);
});

/** Tries to start the direct worker of another origin. Runs in a page. */
function startWorker(from: string): Promise<string> {
  return new Promise((resolve) => {
    try {
      const worker = new Worker(`${from}/direct/worker.js`, { type: 'module' });
      worker.onmessage = () => resolve('started');
      worker.onerror = () => resolve('refused');
      worker.postMessage({ type: 'begin' });
    } catch {
      resolve('refused');
    }
  });
}

test('attack: only the direct worker may reach other origins, and no other page may start it or read what it kept', async ({
  open,
  serveBehind,
  host,
  context,
}) => {
  const server = await serveBehind('modern-dual', ALL_CORS);
  const { url } = server;
  const { page, bin } = await open([]);
  const origin = new URL(bin.link).origin;
  const policies = await page.evaluate(
    async (paths) => {
      const answers = await Promise.all(paths.map((path) => fetch(path)));
      return answers.map(({ headers }) => headers.get('content-security-policy'));
    },
    ['/', '/monaco/json.worker.js', '/host.json', '/direct/worker.js'],
  );
  for (const policy of policies.slice(0, 3)) expect(policy).toContain("connect-src 'self';");
  expect(policies[3]).toContain('connect-src http: https:;');
  expect(policies[3]).not.toMatch(/script-src|unsafe/);

  const reaches = await page.evaluate(
    (to) =>
      fetch(to, { mode: 'no-cors' }).then(
        () => 'reached',
        () => 'refused',
      ),
    url,
  );
  expect(reaches).toBe('refused');
  // Only that exact path has the policy, not similar ones.
  for (const path of [
    '/direct/',
    '/direct/worker',
    '/direct/worker.js/',
    '//direct/worker.js',
    '/direct/%77orker.js',
  ]) {
    const { headers } = await fetch(origin + path);
    expect(headers.get('content-security-policy'), path).toContain("connect-src 'self';");
  }

  const bench = new Workbench(page);
  await connectDirectly(bench, server);
  await bench.connected();
  await expect.poll(() => page.evaluate(readKept)).not.toEqual([]);
  const kept = (await page.evaluate(readKept)).join('');
  expect(kept).not.toMatch(/jsonrpc|tools\/list|127\.0\.0\.1/);
  // Another tab of the same origin has its own key, so it shows nothing.
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('heading', { name: 'Which server do you want to inspect?' })).toBeVisible();

  // A page on another port.
  await other.goto(await host());
  expect(await other.evaluate(startWorker, origin)).toBe('refused');
});
