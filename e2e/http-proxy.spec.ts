import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectProxy, startConnectProxy } from '../proxy/connection/fixtures/connect-proxy';
import { type HttpFixture, json, legacy, result, startHttp } from '../proxy/connection/fixtures/http-fixture';
import { startOAuth } from '../proxy/connection/fixtures/oauth-fixture';
import { expect, runBin, test as withBin } from './bin';
import { reverseProxy } from './in-between';
import { Workbench } from './workbench';

/** A server's address outside this machine. Only the HTTP proxy leads to it: to a server of the test. */
const AWAY = '192.0.2.1';
const URL_AWAY = `http://${AWAY}/mcp`;
/** A part of the planted password. With its letters it can't occur in a time, an id or a digest. */
const PASSWORD = 'sesame-q4713z';
const PLANTED = 'q4713z';
const BASIC = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`;

/** `proxied`: a legacy server with one tool behind an HTTP proxy that requires a password. */
const test = withBin.extend<{ proxied: { server: HttpFixture; proxy: ConnectProxy; env: Record<string, string> } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  proxied: async ({}, use) => {
    const server = await startHttp(
      legacy(({ message }, response) => {
        const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
        json(response, result(message?.id, message?.method === 'tools/list' ? { tools } : {}));
      }),
    );
    const proxy = await startConnectProxy({ leads: { [`${AWAY}:80`]: server.port }, authorization: BASIC });
    const named = proxy.origin.replace('//', `//ada:${PASSWORD}@`);
    await use({ server, proxy, env: { HTTP_PROXY: named, HTTPS_PROXY: named, NO_PROXY: '' } });
    await proxy.close();
    await server.close();
  },
});

test('subcommands use the HTTP proxy, and write its password nowhere', async ({ proxied }, { outputDir }) => {
  const { proxy, server, env } = proxied;
  mkdirSync(outputDir, { recursive: true });
  const path = join(outputDir, 'proxied.mcpr.jsonl');
  const list = await runBin(['list', 'tools', '--record', path, URL_AWAY], { env });
  expect(list).toMatchObject({ ended: 0, stdout: expect.stringContaining('echo') });
  expect(proxy.asked[0]).toMatchObject({
    method: 'CONNECT',
    target: `${AWAY}:80`,
    headers: { 'proxy-authorization': BASIC },
  });
  expect(server.seen.every(({ headers }) => headers['proxy-authorization'] === undefined)).toBe(true);
  const recorded = readFileSync(path, 'utf8');
  expect(recorded).toContain(proxy.origin);

  const fine = await runBin(['doctor', URL_AWAY], { env });
  expect(fine).toMatchObject({ ended: 0, stdout: expect.stringContaining(`Through the HTTP proxy ${proxy.origin},`) });
  const exact = await runBin(['doctor', '--json', URL_AWAY], { env });
  expect(JSON.parse(exact.stdout)).toMatchObject({ httpProxy: { url: proxy.origin, target: `${AWAY}:80` } });
  const written = [list, fine, exact].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  for (const text of [...written, recorded]) {
    expect(text).not.toContain(PLANTED);
    expect(text).not.toContain(BASIC.slice('Basic '.length));
  }
});

test('addresses of this machine are reached directly', async ({ proxied }) => {
  const { proxy, server, env } = proxied;
  expect(await runBin(['list', 'tools', `${server.origin}/mcp`], { env })).toMatchObject({ ended: 0 });
  expect(proxy.asked).toEqual([]);
});

test('the page: the log names the HTTP proxy, and nothing has its password', async ({ open, page, proxied }) => {
  const { proxy, env } = proxied;
  const received: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => received.push(payload.toString())));
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) received.push(await response.text());
  });
  await open([URL_AWAY], { env });
  const bench = new Workbench(page);
  await bench.connected();
  await bench.filter('kind:http connected');
  const row = bench.rows.filter({ hasText: `by the HTTP proxy ${proxy.origin}` }).first();
  await row.click();
  await expect(page.getByText(`${proxy.origin} (HTTP_PROXY)`)).toBeVisible();
  expect(received.join('\n')).toContain(proxy.origin);
  expect(received.join('\n')).not.toContain(PLANTED);
  expect(received.join('\n')).not.toContain(BASIC.slice('Basic '.length));
});

test('the page: a wrong password is the failed step of the doctor', async ({ open, proxied }) => {
  const { proxy, env } = proxied;
  const wrong = env.HTTP_PROXY!.replace(PASSWORD, `wrong-${PLANTED}`);
  const { page } = await open([URL_AWAY], { env: { ...env, HTTP_PROXY: wrong } });
  const bench = new Workbench(page);
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText(`The HTTP proxy ${proxy.origin} rejected the user name and password in HTTP_PROXY`);
  const steps = bench.region('Connection doctor').getByRole('list', { name: 'Steps' });
  await expect(steps.getByRole('listitem').filter({ hasText: 'HTTP proxy failed' })).toContainText('HTTP 407');
  await expect(steps.getByRole('listitem').filter({ hasText: 'TCP' })).toContainText('by the HTTP proxy');
  await expect(page.locator('body')).not.toContainText(PLANTED);
});

test('the page: signing in and refreshing a token go through the HTTP proxy', async ({ open, context }) => {
  const fixture = await startOAuth({ origin: `https://${AWAY}` });
  const encrypted = await reverseProxy({ path: '', strips: false, tls: true });
  encrypted.leadTo(fixture.server.port);
  const proxy = await startConnectProxy({ leads: { [`${AWAY}:443`]: encrypted.port }, authorization: BASIC });
  try {
    // The browser of the test has no HTTP proxy, so the sign-in page is led to the fixture here.
    await context.route(`https://${AWAY}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const location = (await fixture.visit(`${fixture.server.origin}${pathname}${search}`)).href;
      await route.fulfill({ status: 302, headers: { location } });
    });
    const env = { HTTPS_PROXY: proxy.origin.replace('//', `//ada:${PASSWORD}@`), NO_PROXY: '' };
    const { page, bin } = await open(['--tls', 'insecure', fixture.url], { env });
    const bench = new Workbench(page);
    const link = bench.region('Sign in').getByRole('link', { name: 'Sign in' });
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await expect(tab.getByRole('heading')).toHaveText('You can close this tab');
    await tab.close();
    await bench.connected();
    expect(fixture.asked).toContain('POST /token');

    // The server forgets its tokens, so the next call needs a new one.
    fixture.good.clear();
    await bench.tool('echo');
    await bench.call();
    await expect(bench.outcome).toContainText('ok');
    expect(fixture.asked.filter((request) => request === 'POST /token')).toHaveLength(2);
    // The person's browser asks for the sign-in page alone.
    const tunnels = proxy.asked.map(({ method, target }) => `${method} ${target}`);
    expect(new Set(tunnels)).toEqual(new Set([`CONNECT ${AWAY}:443`]));
    expect(fixture.server.seen.every(({ headers }) => headers['proxy-authorization'] === undefined)).toBe(true);
    expect(bin.stdout() + bin.stderr()).not.toContain(PLANTED);
  } finally {
    await proxy.close();
    encrypted.close();
    await fixture.close();
  }
});
