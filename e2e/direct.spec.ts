import type { Page } from '@playwright/test';
import { expect } from './bin';
import { ALL_CORS, type Cors, type CorsServer, test } from './cors-servers';
import { serversInstalled } from './http-servers';
import { Workbench } from './workbench';

test.skip(!serversInstalled, 'the real servers are not installed: `npm ci` in e2e/servers');

const BOX = 'Command line, URL or JSON config';
const BOX_ALONE = 'URL or JSON config';

/** What the page's console complains about from now on. */
function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(error.message));
  return heard;
}

async function connectDirectly(bench: Workbench, { url }: CorsServer): Promise<void> {
  await bench.field(BOX).fill(url);
  await bench.button('Direct').click();
  await bench.button('Connect').click();
}

test('a modern server with CORS: tools, a call with progress, cancelling closes the response', async ({
  open,
  serveBehind,
}) => {
  const server = await serveBehind('modern-dual', ALL_CORS);
  const { page } = await open([]);
  const heard = complaints(page);
  const bench = new Workbench(page);
  await connectDirectly(bench, server);
  await bench.connected();
  await expect(page.getByRole('banner')).toContainText('direct http');
  await expect(page.getByRole('banner')).toContainText('2026-07-28 modern');
  await expect(bench.connections.getByRole('listitem')).toContainText('direct');

  await bench.tool('add');
  await bench.field('a').fill('2');
  await bench.field('b').fill('3');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await expect(bench.result).toContainText('5');

  await bench.tool('count');
  await bench.field('steps').fill('9999');
  await bench.field('delayMs').fill('50');
  await bench.call();
  await expect(bench.result).toContainText(/step \d+ of 9999/);
  await bench.button('Cancel').click();
  await expect(bench.outcome).toContainText(/cancelled/i);
  await expect.poll(() => server.arrived.some(({ method, aborted }) => method === 'POST' && aborted)).toBe(true);

  const secrets = server.arrived.flatMap(({ headers }) => [headers.cookie, headers.referer]);
  expect(secrets.every((value) => value === undefined)).toBe(true);
  expect(heard).toEqual([]);
});

test('a legacy server: its session, the stream it speaks on unasked, its goodbye', async ({ open, serveBehind }) => {
  const server = await serveBehind('everything', ALL_CORS);
  const { page } = await open([]);
  const bench = new Workbench(page);
  await connectDirectly(bench, server);
  await bench.connected();
  await expect(page.getByRole('banner')).toContainText('legacy');
  await bench.tool('echo');
  await bench.field('message').fill('Grüße, 世界');
  await bench.call();
  await expect(bench.result).toContainText('Grüße, 世界');
  await expect.poll(() => server.arrived.some(({ method }) => method === 'GET')).toBe(true);
  const sessions = server.arrived.map(({ headers }) => headers['mcp-session-id']).filter(Boolean);
  expect(new Set(sessions).size).toBe(1);
  await bench.button('Disconnect').click();
  await expect.poll(() => server.arrived.some(({ method }) => method === 'DELETE')).toBe(true);
});

test('HTTP+SSE, found by itself', async ({ open, serveBehind }) => {
  const { page } = await open([]);
  const bench = new Workbench(page);
  await connectDirectly(bench, await serveBehind('everything-sse', ALL_CORS));
  await bench.connected();
  await expect(page.getByRole('banner')).toContainText('direct sse');
  await bench.tool('echo');
  await bench.field('message').fill('over SSE');
  await bench.call();
  await expect(bench.result).toContainText('over SSE');
});

test('no CORS at all: the missing header is named, and one press connects through the proxy', async ({
  open,
  serveBehind,
}) => {
  const server = await serveBehind('modern-dual', undefined);
  const { page } = await open([]);
  const bench = new Workbench(page);
  await bench.field(BOX).fill(server.url);
  await bench.button('Direct').click();
  await bench.button('Add a header').click();
  await bench.field('Name of new header').fill('X-Team');
  await bench.field('Value of X-Team').fill('sesame-4714');
  await bench.button('Connect').click();
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText('Access-Control-Allow-Origin is missing');
  await expect(alert).toContainText('cors-origin');
  await expect(bench.region('Headers that the server has to send')).toContainText('x-team');
  await expect(bench.rows.filter({ hasText: 'CORS check' }).first()).toBeVisible();

  await alert.getByRole('button', { name: 'Connect via proxy' }).click();
  await bench.connected();
  await expect(page.getByRole('banner')).not.toContainText('direct');
  await expect.poll(() => server.arrived.some(({ headers }) => headers['x-team'] === 'sesame-4714')).toBe(true);
  expect(await page.content()).not.toContain('sesame-4714');
});

const LACKING: readonly (readonly [string, Partial<Cors>, string, string])[] = [
  ['another origin', { origin: 'https://example.com' }, 'cors-origin', 'names another origin'],
  ['no headers', { headers: '' }, 'cors-headers', 'content-type'],
  ['one header', { headers: ALL_CORS.headers.replace('content-type, ', '') }, 'cors-headers', 'send content-type:'],
  [
    'Authorization',
    { headers: ALL_CORS.headers.replace(', authorization', '') },
    'cors-headers',
    'send authorization:',
  ],
];

for (const [what, lack, code, words] of LACKING) {
  test(`CORS that lacks ${what} is told as just that`, async ({ open, serveBehind }) => {
    const { page } = await open([]);
    const bench = new Workbench(page);
    const server = await serveBehind('modern-dual', { ...ALL_CORS, ...lack });
    await bench.field(BOX).fill(server.url);
    await bench.button('Direct').click();
    await bench.button('Add a header').click();
    await bench.field('Name of new header').fill('Authorization');
    await page.getByLabel('Value of Authorization').fill('Bearer sesame');
    await bench.button('Connect').click();
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText(code);
    await expect(alert).toContainText(words);
  });
}

test('a legacy server whose CORS knows no modern headers is spoken to as what it is', async ({ open, serveBehind }) => {
  const { page } = await open([]);
  const bench = new Workbench(page);
  const headers = 'content-type, mcp-session-id, mcp-protocol-version, authorization';
  await connectDirectly(bench, await serveBehind('everything', { ...ALL_CORS, headers }));
  await bench.connected();
  await expect(page.getByRole('banner')).toContainText('legacy');
});

test('a session that is not exposed is a failure that says so', async ({ open, serveBehind }) => {
  const { page } = await open([]);
  const bench = new Workbench(page);
  await connectDirectly(bench, await serveBehind('everything', { ...ALL_CORS, expose: '' }));
  const banner = page.getByRole('main').getByRole('status').filter({ hasText: 'Access-Control-Expose-Headers' });
  await expect(banner).toContainText('Mcp-Session-Id is missing from its Access-Control-Expose-Headers');
  await banner.getByRole('button', { name: 'Connect via proxy' }).click();
  await bench.connected();
});

test('nobody there, and a header that no page may send', async ({ open }) => {
  const { page } = await open([]);
  const bench = new Workbench(page);
  await connectDirectly(bench, { url: 'http://127.0.0.1:9/mcp', arrived: [] });
  await expect(page.getByRole('main').getByRole('alert')).toContainText('does not answer the browser at all');
  await bench.button('Edit and connect again').click();
  await bench.button('Add a header').click();
  await bench.field('Name of new header').fill('Cookie');
  await page.getByLabel('Value of Cookie').fill('a=b');
  await bench.button('Connect').click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Browsers let no page send Cookie');
});

test('a reload ends a direct connection and keeps its log; without secrets it restarts, with them it asks', async ({
  open,
  serveBehind,
}) => {
  const server = await serveBehind('modern-dual', ALL_CORS);
  const { page } = await open([]);
  const bench = new Workbench(page);
  await connectDirectly(bench, server);
  await bench.connected();
  await bench.tool('add');
  await bench.field('a').fill('20');
  await bench.field('b').fill('22');
  await bench.call();
  await expect(bench.result).toContainText('42');
  await bench.filter('tools/call');
  await expect(bench.rows.first()).toBeVisible();

  await page.reload();
  await expect(page.getByText('It was direct, so it ended when the page was closed or loaded again.')).toBeVisible();
  await expect(bench.rows.filter({ hasText: 'tools/call' }).first()).toBeVisible();
  await bench.button('Restart server').click();
  await bench.connected();
  await expect(bench.connections.getByRole('listitem')).toHaveCount(2);

  await bench.button('Add server').first().click();
  await bench.field(BOX).fill(server.url);
  await bench.button('Direct').click();
  await bench.button('Add a header').click();
  await bench.field('Name of new header').fill('Authorization');
  await page.getByLabel('Value of Authorization').fill('Bearer sesame-4715');
  await bench.button('Connect').click();
  await bench.connected();
  await page.reload();
  await bench.button('Restart server').click();
  await expect(page.getByText('the values of Authorization it does not keep')).toBeVisible();
  await bench.button('Edit and connect again').click();
  await expect(bench.field('Name of Authorization')).toBeEditable();
  await expect(page.getByLabel('Value of Authorization')).toHaveValue('');
});

test('what is kept on disk can not be read without this tab', async ({ open, serveBehind, context }) => {
  const { page } = await open([]);
  const bench = new Workbench(page);
  await connectDirectly(bench, await serveBehind('modern-dual', ALL_CORS));
  await bench.connected();
  await expect.poll(() => page.evaluate(readKept)).not.toEqual([]);
  const kept = (await page.evaluate(readKept)).join('');
  expect(kept).not.toMatch(/jsonrpc|tools\/list|127\.0\.0\.1/);
  // Another tab of the same origin has a key of its own, and nothing to show.
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('heading', { name: 'Which server do you want to inspect?' })).toBeVisible();
});

/** Everything in the page's database, as text. */
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

test('on a static host there is no proxy, and none is missed', async ({ host, serveBehind, page }) => {
  const server = await serveBehind('modern-dual', ALL_CORS);
  const heard = complaints(page);
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await page.goto(await host());
  const bench = new Workbench(page);
  await bench.field(BOX_ALONE).fill('node server.js --flag');
  await expect(page.getByText('npx mcp-inspect -- node server.js --flag')).toBeVisible();
  await expect(bench.button('Connect')).toBeDisabled();
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
  expect(heard).toEqual([]);
});

test('on a static host a server without CORS: the header, and the command that needs none', async ({
  host,
  serveBehind,
  page,
}) => {
  const server = await serveBehind('modern-dual', undefined);
  await page.goto(await host());
  const bench = new Workbench(page);
  await bench.field(BOX_ALONE).fill(server.url);
  await bench.button('Connect').click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Access-Control-Allow-Origin is missing');
  await expect(page.getByText(`npx mcp-inspect ${server.url}`)).toBeVisible();
  await expect(bench.button('Connect via proxy')).toHaveCount(0);
});

test('a host whose own policy forbids direct connections is told of as that', async ({ host, serveBehind, page }) => {
  const server = await serveBehind('modern-dual', ALL_CORS);
  await page.goto(await host("connect-src 'self'"));
  const bench = new Workbench(page);
  await bench.field(BOX_ALONE).fill(server.url);
  await bench.button('Connect').click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('sends a Content-Security-Policy');
});

test('attack: only the worker’s own file reaches other origins; the page and any other worker do not', async ({
  open,
  serveBehind,
}) => {
  const { url } = await serveBehind('modern-dual', ALL_CORS);
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
  // The policy belongs to that one path: nothing that is written like it has it.
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
});

test('attack: a page on another port can not start the worker, nor frame it', async ({ open, host, context }) => {
  const { bin } = await open([]);
  const { origin } = new URL(bin.link);
  const attacker = await context.newPage();
  await attacker.goto(await host());
  const started = await attacker.evaluate(
    (from) =>
      new Promise((resolve) => {
        try {
          const worker = new Worker(`${from}/direct/worker.js`, { type: 'module' });
          worker.onmessage = () => resolve('started');
          worker.onerror = () => resolve('refused');
          worker.postMessage({ type: 'begin' });
        } catch {
          resolve('refused');
        }
      }),
    origin,
  );
  expect(started).toBe('refused');
});
