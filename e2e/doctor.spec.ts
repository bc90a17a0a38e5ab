import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Answer,
  initialized,
  json,
  result,
  startHttp,
  stream,
  text,
} from '../proxy/connection/fixtures/http-fixture';
import {
  AUTHORITY,
  certificateFile,
  keyFile,
  LOCKED_KEY,
  PASSPHRASE,
  startTls,
} from '../proxy/connection/fixtures/tls-fixture';
import { expect, runBin } from './bin';
import { copiedBy } from './clipboard';
import { test as withBin } from './shared-bin';
import { Workbench } from './workbench';

/** `started` closes the test's own servers after the test. */
const test = withBin.extend<{ started: <T extends { close(): unknown }>(server: T) => T }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  started: async ({}, use) => {
    const servers: { close(): unknown }[] = [];
    await use((server) => {
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.close();
  },
});

/** A legacy Streamable HTTP server with one tool, only at `path`. */
function mcpAt(path: string): Answer {
  return ({ method, message, url }, response) => {
    if (url !== path) text(response, '<h1>Cannot find that</h1>', 404);
    else if (method !== 'POST') response.writeHead(405).end();
    else if (message?.method === 'initialize') json(response, initialized(message.id, { tools: {} }));
    else if (message?.method === 'ping') json(response, result(message.id, {}));
    else if (message?.method === 'tools/list') {
      json(response, result(message.id, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
    } else if (message?.id === undefined) response.writeHead(202).end();
    else json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no' } }, 400);
  };
}

/** A legacy HTTP+SSE server without tools, only at /sse. */
function sseServer(): Answer {
  let send = (_: object): void => {};
  return ({ method, message, url }, response) => {
    if (method === 'GET' && url === '/sse') {
      const answers = stream(response, 'event: endpoint\ndata: /messages\n\n');
      send = (answer) => void answers.write(`data: ${JSON.stringify(answer)}\n\n`);
    } else if (method === 'POST' && url === '/messages') {
      response.writeHead(202).end();
      if (message?.method === 'initialize') send(initialized(message.id, { tools: {} }, '2024-11-05'));
      else if (message?.id !== undefined) send(result(message.id, { tools: [] }));
    } else text(response, '<h1>Cannot find that</h1>', 404);
  };
}

const steps = (bench: Workbench) => bench.region('Connection doctor').getByRole('list', { name: 'Steps' });

test('a self-signed certificate: the doctor shows it; connecting unverified stays visible', async ({
  open,
  started,
}) => {
  const server = started(await startTls('self-signed', mcpAt('/mcp')));
  const { page } = await open([`${server.origin}/mcp`]);
  const bench = new Workbench(page);
  await expect(page.getByRole('main').getByRole('alert')).toContainText('self-signed');
  const tls = steps(bench).getByRole('listitem').filter({ hasText: 'TLS failed' });
  await expect(tls).toContainText('subject CN=localhost');
  await expect(tls).toContainText('SHA-256');
  await expect(page.getByRole('banner').getByText('certificate not verified')).toHaveCount(0);

  // The step links to a frame of the log.
  await tls.getByRole('button', { name: /subject CN=localhost/ }).click();
  expect(await bench.raw()).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');

  await bench.button('Connect without verifying').click();
  await bench.connected();
  await expect(page.getByRole('banner').getByText('certificate not verified')).toBeVisible();
  const item = (await bench.servers()).getByRole('button', { name: /certificate not verified/ });
  await expect(item).toBeVisible();
  await page.setViewportSize({ width: 1024, height: 700 });
  await expect(item.getByTitle(/is not verified/)).toBeVisible();
  await bench.closeServers();
  await expect(page.getByRole('banner').getByText('certificate not verified')).toBeVisible();

  await bench.rows.first().click();
  // The log follows its end.
  await page.keyboard.press('Home');
  expect(await bench.raw()).toContain('"insecure":true');
  expect(server.seen.length).toBeGreaterThan(1);
});

test('the form: a CA file; a missing file is reported before connecting', async ({ visit, started }) => {
  const server = started(await startTls('server', mcpAt('/mcp')));
  const { page } = await visit([]);
  const bench = new Workbench(page);
  await bench.field('Command line, URL or JSON config').fill(`${server.origin}/mcp`);
  await bench.options();
  await page.getByText('TLS', { exact: true }).click();
  const files = page.getByLabel(/Additional trusted CAs/);
  await files.fill('/nowhere/ca.pem');
  await bench.button('Connect').click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('"/nowhere/ca.pem". It does not exist.');
  expect(server.seen).toEqual([]);

  await page.getByLabel('Don’t verify this server’s certificate').check();
  await expect(page.getByRole('status').filter({ hasText: 'An attacker could impersonate this server' })).toBeVisible();
  await page.getByLabel('Don’t verify this server’s certificate').uncheck();
  await files.fill(AUTHORITY);
  await bench.button('Connect').click();
  await bench.connected();
  await expect(page.getByRole('banner').getByText('certificate not verified')).toHaveCount(0);
});

test('a wrong path: "Try other addresses" finds the server, and a click connects', async ({ visit, started }) => {
  const server = started(await startHttp(mcpAt('/mcp')));
  const { page } = await visit([`${server.origin}/`]);
  const bench = new Workbench(page);
  await expect(page.getByRole('main').getByRole('alert')).toContainText('found nothing at /');
  await expect(steps(bench).getByRole('listitem').filter({ hasText: 'HTTP failed' })).toContainText('HTTP 404');
  await bench.button('Try other addresses').click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('A Streamable HTTP server answers at /mcp');
  await bench.filter('look-further-1');
  await expect(bench.rows.first()).toContainText('ping');
  await bench.filter('');
  await bench.button('Use /mcp instead').click();
  await bench.connected();
});

test('a wrong path: "Try other addresses" finds an HTTP+SSE server', async ({ visit, started }) => {
  const server = started(await startHttp(sseServer()));
  const { page } = await visit([`${server.origin}/mcp`]);
  const bench = new Workbench(page);
  await bench.button('Try other addresses').click();
  await bench.button('Use /sse instead').click();
  await bench.connected();
  await expect(page.getByRole('banner')).toContainText('sse');
});

test('nothing listens: names the address tried, and finds the one that answers', async ({ visit, started }) => {
  const server = started(await startHttp(mcpAt('/mcp')));
  const { port } = new URL(server.origin);
  const { page } = await visit([`http://[::1]:${port}/mcp`]);
  const bench = new Workbench(page);
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    `Nothing listens on port ${port} of this machine (tried ::1`,
  );
  await expect(steps(bench).getByRole('listitem').filter({ hasText: 'TCP failed' })).toContainText('ECONNREFUSED');
  await expect(steps(bench)).toContainText('not reached');

  const copied = await copiedBy(page, () => bench.button('Copy as text').click());
  expect(copied).toContain(`FAILED  TCP`);
  expect(copied).toContain('Code: refused-here');

  await bench.button('Try other addresses').click();
  await bench.button(`Use ${server.origin}/mcp instead`).click();
  await bench.connected();
});

test('401: shows the parts of the challenge', async ({ open, started }) => {
  const challenge =
    'Bearer resource_metadata="https://auth.example/x", scope="read write", error_description="no token"';
  const server = started(
    await startHttp((_, response) => response.writeHead(401, { 'www-authenticate': challenge }).end()),
  );
  // A token on the command line turns off sign-in and its requests.
  const { page } = await open(['-H', 'Authorization: Bearer old', `${server.origin}/mcp`]);
  const bench = new Workbench(page);
  await expect(page.getByRole('main').getByRole('alert')).toContainText('rejected the credentials');
  const step = steps(bench).getByRole('listitem').filter({ hasText: 'Authorization failed' });
  await expect(step).toContainText('scope="read write"');
  await expect(step).toContainText('resource_metadata="https://auth.example/x"');
});

test.describe('on the command line', () => {
  test('NODE_EXTRA_CA_CERTS works, alone and together with --tls ca', async ({ started }) => {
    const server = started(await startTls('server', mcpAt('/mcp')));
    const other = started(await startTls('self-signed', mcpAt('/mcp')));
    const env = { NODE_EXTRA_CA_CERTS: AUTHORITY };
    const list = (origin: string, args: string[], environment = env) =>
      runBin(['list', 'tools', '--protocol', '2025-11-25', ...args, `${origin}/mcp`], { env: environment });
    expect(await list(server.origin, [])).toMatchObject({ ended: 0, stdout: expect.stringContaining('echo') });
    const ca = ['--tls', `ca=${certificateFile('self-signed')}`];
    expect(await list(server.origin, ca)).toMatchObject({ ended: 0 });
    expect(await list(other.origin, ca)).toMatchObject({ ended: 0 });
    expect(await list(server.origin, [], { NODE_EXTRA_CA_CERTS: '' })).toMatchObject({ ended: 3 });
  });

  test('a client certificate with a passphrase, which is never printed', async ({ started }) => {
    const server = started(await startTls('server', mcpAt('/mcp'), { requestCert: true, rejectUnauthorized: true }));
    const shown = [
      '--tls',
      `ca=${AUTHORITY}`,
      '--tls',
      `cert=${certificateFile('client')}`,
      '--tls',
      `key=${LOCKED_KEY}`,
    ];
    const list = (args: string[], passphrase: string) =>
      runBin(['list', 'tools', ...args, `${server.origin}/mcp`], { env: { PASS: passphrase } });
    expect(await list([...shown, '--tls', 'passphrase-env=PASS'], PASSPHRASE)).toMatchObject({ ended: 0 });
    const wrong = await list([...shown, '--tls', 'passphrase-env=PASS'], 'not-the-passphrase');
    expect(wrong).toMatchObject({ ended: 3, stderr: expect.stringContaining('with that passphrase') });
    expect(wrong.stdout + wrong.stderr).not.toContain('not-the-passphrase');
    expect(await list(['--tls', `ca=${AUTHORITY}`, '--tls', `cert=${certificateFile('client')}`], '')).toMatchObject({
      ended: 3,
      stderr: expect.stringContaining('needs its key'),
    });
    expect((await list(['--tls', `ca=${keyFile('client')}`], '')).stderr).toContain('no certificate of an authority');
  });

  test('--tls insecure connects and warns', async ({ started }) => {
    const server = started(await startTls('expired', mcpAt('/mcp')));
    const url = `${server.origin}/mcp`;
    expect(await runBin(['list', 'tools', url])).toMatchObject({ ended: 3 });
    const { ended, stderr } = await runBin(['list', 'tools', '--tls', 'insecure', url]);
    expect(ended).toBe(0);
    expect(stderr).toMatch(/certificate of 127\.0\.0\.1:\d+ is NOT verified/);
  });

  test('doctor prints the steps and exits with code 3', async ({ started }) => {
    const server = started(await startHttp(mcpAt('/mcp')));
    const { ended, stdout } = await runBin(['doctor', `${server.origin}/wrong`]);
    expect(ended).toBe(3);
    expect(stdout).toMatch(/^ok +DNS/m);
    expect(stdout).toMatch(/^FAILED +HTTP/m);
    expect(stdout).toContain('A Streamable HTTP server answers at /mcp');
    const exact = await runBin(['doctor', '--json', `${server.origin}/wrong`]);
    expect(JSON.parse(exact.stdout)).toMatchObject({ code: 'not-found', steps: { length: 7 } });
    const fine = await runBin(['doctor', `${server.origin}/mcp`]);
    expect(fine).toMatchObject({ ended: 0, stdout: expect.stringContaining('2025-11-25') });
  });

  test('doctor for a port where nothing listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { ended, stdout } = await runBin(['doctor', `http://127.0.0.1:${port}/mcp`]);
    expect(ended).toBe(3);
    expect(stdout).toContain('tried 127.0.0.1 and ::1');
  });
});
