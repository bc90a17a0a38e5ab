import { initialized, json, result, startHttp, text } from '../proxy/connection/fixtures/http-fixture';
import { expect } from './bin';
import { serversInstalled, test } from './http-servers';
import { HTTP_CATALOG } from './servers/catalog.mjs';
import { Workbench } from './workbench';

/** Matches the row of a failure. `×3` is a row that stands for three notifications. */
const FAILED = /×(?!\d)/;
const BOX = 'Command line, URL or JSON config';

test.describe('real servers', () => {
  test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

  test('each connects by URL, lists its tools, and shows era and transport', async ({ visit, serve }) => {
    for (const server of HTTP_CATALOG)
      await test.step(server.name, async () => {
        const { url } = await serve(server.name);
        const { page } = await visit([url]);
        const bench = new Workbench(page);
        await bench.connected();
        const tools = page.getByRole('listbox', { name: 'tools' });
        await expect
          .poll(() => tools.getByRole('option').first().getAttribute('aria-setsize').then(Number), { timeout: 30_000 })
          .toBeGreaterThanOrEqual(server.minTools);
        await bench.panel('Server');
        await expect(bench.region('Identity')).toContainText(`${server.era} era`);
        const facts = bench.region('HTTP');
        await expect(facts).toContainText(`${server.transport}, auto-detected`);
        await expect(facts).toContainText(url);
        // A refused probe is not an error, and nothing else failed.
        await expect(bench.rows.filter({ hasText: FAILED })).toHaveCount(0);
        await bench.filter('status:error');
        await expect(bench.rows).toHaveCount(0);
      });
  });

  test('a pasted URL: tools, a call with progress, DELETE on disconnect', async ({ visit, serve }) => {
    const { url } = await serve('everything');
    const { page } = await visit([]);
    const bench = new Workbench(page);
    await bench.field(BOX).fill(url);
    await bench.options();
    await bench.button('Add header').click();
    await bench.field('Name of new header').fill('X-Team');
    await page.getByLabel('Value of X-Team').fill('lighthouse-keepers');
    await bench.button('Connect').click();
    await bench.connected();
    await bench.tool('echo');
    await bench.field('message').fill('Grüße, 世界 🌍');
    await bench.call();
    await expect(bench.result).toContainText('Grüße, 世界 🌍');
    await bench.tool('trigger-long-running-operation');
    // Long enough for the test to see the progress bar.
    await bench.field('duration').fill('3');
    await bench.field('steps').fill('4');
    await bench.call();
    await expect(bench.result.getByRole('progressbar')).toBeVisible();
    await expect(bench.result).toContainText('completed', { timeout: 20_000 });

    // HTTP rows are hidden until the HTTP button is pressed.
    await expect(bench.rows.filter({ hasText: 'POST /mcp' })).toHaveCount(0);
    await bench.button('HTTP').click();
    await expect(page).toHaveURL(/[?&]http=1/);
    // The status of the request is in the row of its response.
    await bench.filter('status:400');
    await expect(await bench.cellsOf(bench.rows, 'Status')).toHaveText(['', '400']);
    await bench.filter('"stream opened"');
    await expect(bench.rows.first()).toContainText('text/event-stream');
    await expect(await bench.cellsOf(bench.rows.first(), 'Status')).toHaveText('200');

    await bench.disconnect();
    await bench.filter('DELETE status:200');
    await expect(bench.rows.filter({ hasText: 'DELETE /mcp' })).toHaveCount(1);
  });

  test('a message’s HTTP exchange: links both ways, headers, revealed session id', async ({ open, serve }) => {
    const { url } = await serve('everything');
    const { page } = await open(['--header', 'Authorization: Bearer of-my-own', url]);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.filter('tools/list');
    await bench.rows.filter({ hasText: /result\s*tools\/list/ }).click();
    await bench.detailTab('HTTP');
    await expect(bench.detail).toContainText(/Received in HTTP exchange \d+/);
    await expect(bench.detail.getByRole('button', { name: /^event id / })).toBeVisible();
    await bench.detail.getByRole('button', { name: /^200 #/ }).click();
    await expect(bench.region('Response headers')).toContainText('text/event-stream');
    await bench.detail.getByRole('button', { name: 'Reveal mcp-session-id' }).click();
    await expect(bench.region('Response headers')).toContainText(/[0-9a-f]{8}-[0-9a-f]{4}-/);

    const exchange = bench.detail.getByRole('region', { name: /^HTTP exchange/ });
    await exchange.getByRole('button').nth(1).click();
    const headers = bench.region('Request headers');
    await expect(headers).toContainText('MCP-Protocol-Version');
    await expect(headers).not.toContainText('of-my-own');
    await headers.getByRole('button', { name: 'Reveal Authorization' }).click();
    await expect(headers).toContainText('Bearer of-my-own');
    await expect(bench.region('Body')).toContainText('tools/list');

    // After selecting another frame and coming back, it is masked again.
    await exchange.getByRole('button').nth(1).click();
    await bench.detail.getByRole('button', { name: /^POST \/mcp #/ }).click();
    await expect(headers.getByRole('button', { name: 'Reveal Authorization' })).toBeVisible();
    expect(await page.content()).not.toContain('of-my-own');

    await bench.button('Show all frames').click();
    await expect(bench.filterBox).toHaveValue(/^exchange:\d+$/);
    await expect.poll(() => bench.count()).toBeGreaterThanOrEqual(6);
    await page.reload();
    await expect(bench.rows.first()).toContainText('POST /mcp');
    expect(
      await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href])),
    ).not.toContain('of-my-own');

    await bench.filter('');
    await bench.rows.filter({ hasText: 'POST /mcp' }).first().click();
    await bench.disconnect();
    await expect(bench.region('Request headers').getByRole('button', { name: /^Reveal/ })).toHaveCount(0);
  });

  test('Cancel ends a call, by a notification or by the end of its request', async ({ visit, serve }) => {
    for (const [name, tool, how] of [
      ['everything', 'trigger-long-running-operation', 'notifications/cancelled'],
      ['modern-reject', 'count', 'closed by the client'],
    ] as const) {
      await test.step(`${name}: ${how}`, async () => {
        const { url } = await serve(name);
        const { page } = await visit([url]);
        const bench = new Workbench(page);
        await bench.connected();
        await bench.tool(tool);
        if (tool === 'count') {
          await bench.field('steps').fill('10000');
          await bench.field('delayMs').fill('50');
        } else {
          await bench.field('duration').fill('60');
          await bench.field('steps').fill('60');
        }
        await bench.call();
        await expect(bench.result.getByRole('progressbar')).toBeVisible();
        await bench.button('Cancel').click();
        await expect(bench.outcome).toContainText('cancelled');
        await bench.button('HTTP').click();
        await bench.filter(`"${how}"`);
        await expect(bench.rows.first()).toContainText(how);
      });
    }
  });

  test('HTTP+SSE: a second run, and the death of the server', async ({ visit, serve }) => {
    await test.step('Restart after Disconnect makes a second run', async () => {
      const { url } = await serve('everything-sse');
      const { page } = await visit([url]);
      const bench = new Workbench(page);
      await bench.connected();
      await bench.disconnect();
      await expect(page.getByText('Its messages are kept')).toBeVisible();
      await bench.restart();
      await bench.connected();
      await expect(bench.top).toContainText('run 2');
      await bench.tool('echo');
      await bench.field('message').fill('again');
      await bench.call();
      await expect(bench.result).toContainText('Echo: again');
    });

    await test.step('HTTP+SSE: when the server dies, the page says so at once', async () => {
      const server = await serve('everything-sse');
      const { page } = await visit([server.url]);
      const bench = new Workbench(page);
      await bench.connected();
      await server.kill();
      await expect(page.getByText('HTTP+SSE needs this stream, so the connection is lost').first()).toBeVisible();
      await expect(bench.log).toContainText('HTTP failed');
    });
  });

  test('Streamable HTTP: the server dies during a call or while idle, comes back, and calls work again', async ({
    visit,
    serve,
  }) => {
    await test.step('Streamable HTTP: the server dies during a call, comes back, and calls work again', async () => {
      const server = await serve('modern-dual');
      const { page } = await visit([server.url]);
      const bench = new Workbench(page);
      await bench.connected();
      await bench.tool('count');
      await bench.field('steps').fill('10000');
      await bench.field('delayMs').fill('50');
      await bench.call();
      await expect(bench.result.getByRole('progressbar')).toBeVisible();
      await server.kill();
      await expect(bench.outcome).toContainText('no response');
      await expect(bench.rows.filter({ hasText: 'HTTP failed' }).first()).toBeVisible();
      await bench.call();
      await expect(bench.outcome).toContainText('no response');
      await expect(bench.log).toContainText('ECONNREFUSED');
      await serve('modern-dual', server.port);
      await bench.connected();
      await bench.field('steps').fill('2');
      await bench.call();
      await expect(bench.result).toContainText('counted to 2');
    });

    await test.step('Retry now, on the page and in the palette, does not wait for the next attempt', async () => {
      const server = await serve('everything');
      const { page } = await visit([server.url]);
      const bench = new Workbench(page);
      await bench.connected();
      await server.kill();
      const retry = bench.region('Server unreachable').getByRole('button', { name: 'Retry now' });
      await retry.click();
      await expect(bench.region('Server unreachable')).toBeVisible();
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: /palette|search/i }).fill('Retry now');
      await page.keyboard.press('Enter');
      await serve('everything', server.port);
      await bench.connected();
    });
  });

  test('after a restart of the server the page reconnects by itself', async ({ visit, serve }) => {
    for (const name of ['everything', 'modern-dual']) {
      await test.step(name, async () => {
        const server = await serve(name);
        const { page } = await visit([server.url]);
        const bench = new Workbench(page);
        await bench.connected();
        await bench.tool(name === 'everything' ? 'echo' : 'add');
        await server.kill();
        await expect(page.getByRole('banner').getByText(/unreachable since \d\d:\d\d:\d\d/)).toBeVisible();
        await expect((await bench.servers()).getByText(/unreachable since/)).toBeVisible();
        await bench.closeServers();
        const note = bench.region('Server unreachable');
        await expect(note).toContainText('ECONNREFUSED');
        await expect(note).toContainText(/Next attempt at \d\d:\d\d:\d\d\.|Trying now/);
        await expect(bench.rows.filter({ hasText: 'unreachable: ' })).toHaveCount(1);
        await serve(name, server.port);
        await bench.connected();
        await expect(note).toBeHidden();
        await bench.filter('method:tools/list');
        await expect(bench.rows.filter({ hasText: 'to server' })).toHaveCount(2);
        await bench.filter('kind:lifecycle reachable');
        await expect(bench.rows).toHaveText([/unreachable: /, /reachable: after/]);
        if (name === 'everything') await bench.field('message').fill('again');
        else {
          await bench.field('a').fill('1');
          await bench.field('b').fill('2');
        }
        await bench.call();
        await expect(bench.outcome).toContainText('ok');
        // The log shows a lost session once if a new one replaces it. Refusals on the way are not errors.
        await bench.filter('kind:lifecycle session-lost');
        await expect(bench.rows).toHaveCount(name === 'everything' ? 1 : 0);
        await bench.filter('status:error');
        await expect(bench.rows).toHaveCount(0);
        // The modern era's subscription ended with the server.
        await bench.filter('status:no-response -method:subscriptions/listen');
        await expect(bench.rows).toHaveCount(0);
      });
    }
  });
});

test('a server that refuses GET works without a stream', async ({ visit }) => {
  for (const status of [404, 405, 406, 501])
    await test.step(`with ${status}`, async () => {
      const fixture = await startHttp(({ method, message, headers }, response) => {
        if (method === 'GET') text(response, '<!doctype html><pre>Cannot GET /mcp</pre>', status);
        else if (method === 'DELETE') response.writeHead(200).end();
        else if (message?.method === 'initialize') {
          json(response, initialized(message.id, { tools: {} }), 200, { 'mcp-session-id': 's' });
        } else if (headers['mcp-session-id'] !== 's') json(response, { error: 'Session not found' }, 400);
        else if (message?.method === 'tools/list') {
          json(response, result(message.id, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
        } else if (message?.id !== undefined) json(response, result(message.id, { content: [] }));
        else response.writeHead(202).end();
      });
      try {
        const { page } = await visit([`${fixture.origin}/mcp`]);
        const bench = new Workbench(page);
        await bench.connected();
        await bench.tool('echo');
        await bench.call();
        await expect(bench.outcome).toContainText('ok');
        expect(fixture.of('initialize')).toHaveLength(1);
        await expect(bench.rows.filter({ hasText: /×(?!\d)|session lost/ })).toHaveCount(0);
        await bench.panel('Problems');
        const problems = bench.view;
        await expect(problems.getByRole('status')).toContainText('frames checked');
        await expect(problems.getByRole('region', { name: /session|stream/i })).toHaveCount(0);
      } finally {
        await fixture.close();
      }
    });
});

test('a response that is cut, and a session that the server forgot', async ({ visit }) => {
  await test.step('a list whose response is cut is explained as by the terminal', async () => {
    const fixture = await startHttp(({ method, message }, response) => {
      if (method !== 'POST') response.writeHead(405).end();
      else if (message?.method === 'initialize') json(response, initialized(message.id, { tools: {} }));
      else if (message?.id === undefined) response.writeHead(202).end();
      else if (message.method === 'ping') json(response, result(message.id, {}));
      else {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 4125 });
        response.write('{', () => response.destroy());
      }
    });
    try {
      const { page } = await visit(['--protocol', '2025-11-25', `${fixture.origin}/mcp`]);
      const note = page.getByRole('status').filter({ hasText: 'Requests are failing' });
      await expect(note).toContainText(
        'The server closed the connection in the middle of its response to tools/list (HTTP 200).',
      );
      await expect(
        page.getByText('Listing tools failed: The connection ended before the whole response came.'),
      ).toBeVisible();
    } finally {
      await fixture.close();
    }
  });

  await test.step('a forgotten session is initialized again, and the log shows it', async () => {
    let valid = 1;
    const fixture = await startHttp(({ method, message, headers }, response) => {
      if (method !== 'POST') response.writeHead(405).end();
      else if (message?.method === 'initialize') {
        json(response, initialized(message.id, { tools: {} }), 200, { 'mcp-session-id': `s${valid}` });
      } else if (headers['mcp-session-id'] !== `s${valid}`) json(response, { error: 'Session not found' }, 404);
      else if (message?.method === 'tools/list') {
        json(response, result(message.id, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
      } else if (message?.id !== undefined) json(response, result(message.id, { content: [] }));
      else response.writeHead(202).end();
    });
    try {
      const { page } = await visit(['--protocol', '2025-11-25', `${fixture.origin}/mcp`]);
      const bench = new Workbench(page);
      await bench.connected();
      await bench.tool('echo');
      valid = 2;
      await bench.call();
      // The server refused the call without running it, so it is sent once more.
      await expect(bench.outcome).toContainText('ok');
      await expect(bench.rows.filter({ hasText: 'session lost' })).toHaveCount(1);
      await expect(bench.rows.filter({ hasText: 'retry: tools/call' })).toHaveCount(1);
      // The missing stream (405) and the replaced session (404) are not errors.
      const statuses = await bench.cells('Status');
      expect(statuses).not.toHaveLength(0);
      expect(statuses.filter((text) => /40[45]/.test(text))).toEqual([]);
      await expect(bench.rows.filter({ hasText: FAILED })).toHaveCount(0);
      await bench.filter('initialize');
      await expect(bench.rows.filter({ hasText: 'to server' }).filter({ hasText: 'mcp-inspect' })).toHaveCount(2);
      await bench.call();
      await expect(bench.outcome).toContainText('ok');
    } finally {
      await fixture.close();
    }
  });
});
