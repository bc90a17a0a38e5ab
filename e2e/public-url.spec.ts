import { startOAuth } from '../proxy/connection/fixtures/oauth-fixture';
import { demoCommand, expect, type RunningBin, test } from './bin';
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
  expect(option).toBe(`--public-url ${at}`);
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

test('with --host 0.0.0.0 it answers at the mapped port of a container', async ({ start, page }) => {
  const forwarded = await between(forwardPort());
  const bin = await start(['--host', '0.0.0.0', '--public-url', `http://localhost:${forwarded.port}`]);
  forwarded.leadTo(ownPort(bin));
  await page.goto(bin.link);
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
});

for (const { name, strips, tls } of [
  { name: 'that strips its path', strips: true, tls: false },
  { name: 'that passes its path on, over TLS', strips: false, tls: true },
]) {
  test(`the whole page works below a path behind a reverse proxy ${name}`, async ({ start, page }) => {
    const ingress = await between(reverseProxy({ path: '/tools/mcp', strips, tls }));
    const at = `${tls ? 'https' : 'http'}://localhost:${ingress.port}`;
    const bin = await start(['--public-url', `${at}/tools/mcp`, '--', ...demoCommand()]);
    ingress.leadTo(ownPort(bin));
    const failed: string[] = [];
    page.on('response', (response) => response.status() >= 400 && failed.push(response.url()));
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') failed.push(request.url());
    });
    page.on('pageerror', (error) => failed.push(error.message));
    const outside: string[] = [];
    page.on('request', (request) => {
      const { protocol, href } = new URL(request.url());
      if (protocol.startsWith('http') && !href.startsWith(`${at}/tools/mcp/`)) outside.push(href);
    });
    await page.goto(bin.link);
    const bench = new Workbench(page);
    await bench.connected();
    expect(page.url()).toMatch(new RegExp(`^${at}/tools/mcp/(?:\\?|$)`));
    await bench.tool('echo');
    // The editor and all workers are loaded from below the path too.
    await bench.group('View of the arguments').getByRole('button', { name: 'JSON' }).click();
    await bench.edit('{"message":"below a path"}');
    await bench.call();
    await expect(bench.result).toContainText('below a path');
    await bench.filter('method:tools/call');
    await expect(bench.rows).toHaveCount(2);
    expect(failed).toEqual([]);
    await page.reload();
    await bench.connected();
    expect(outside).toEqual([]);

    // The address of mcp-inspect itself still works on this machine, at the root.
    await page.goto(`http://127.0.0.1:${ownPort(bin)}/`);
    await expect(page.getByRole('button', { name: 'Print a new link in the terminal' })).toBeVisible();
  });
}

test('a sign-in returns to the public URL, below its path', async ({ start, page, context }) => {
  const ingress = await between(reverseProxy({ path: '/tools', strips: false, tls: false }));
  const at = `http://localhost:${ingress.port}/tools`;
  const server = await startOAuth();
  const bin = await start(['--public-url', at, server.url]);
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
