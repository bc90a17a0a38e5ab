import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, hasProcess, hostileCommand, isAlive } from './bin';
import { copiedBy } from './clipboard';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const hostile = (...words: string[]) => ['--', ...hostileCommand(...words)];

test('a silent server, 20 MB on stderr, and a part of the page that fails', async ({ visit }) => {
  await test.step('a silent server: the page says what it waits for, and can disconnect', async () => {
    const { page } = await visit(hostile('silent'));
    const bench = new Workbench(page);
    await expect(page.getByText('No MCP response yet')).toBeVisible();
    await expect(bench.top).toContainText('starting');
    await bench.filter('server/discover');
    await expect(bench.rows.first()).toContainText('in flight');
    await bench.disconnect();
    await expect(bench.top).toContainText(/closed|failed/);
    await expect(page.getByText('exited with code 0').first()).toBeVisible();
  });

  await test.step('20 MB on stderr is counted and kept, and calls still work', async () => {
    const { page } = await visit(hostile('stderr-flood', '5000000'));
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('echo');
    await bench.field('text').fill('through the flood');
    await bench.call();
    await expect(bench.result).toContainText('through the flood', { timeout: 30_000 });
    await bench.button('View of the log: All').click();
    await expect(page.getByRole('menuitem', { name: /^stderr \(\d{2,3},\d{3}\)/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await bench.filter('tools/call');
    await expect(bench.rows.filter({ hasText: /tools\/call\s*echo.*, ok/s })).not.toHaveCount(0);
  });

  await test.step('a part of the page that fails to render says so and can be retried; other parts stay', async () => {
    const { page } = await visit(hostile('honest'));
    const bench = new Workbench(page);
    await bench.connected();
    // Makes the timeline throw once while it is drawn.
    await page.evaluate(() => {
      HTMLCanvasElement.prototype.addEventListener = () => {
        HTMLCanvasElement.prototype.addEventListener = EventTarget.prototype.addEventListener;
        throw new Error('no picture today');
      };
    });
    await bench.logOption('Timeline');
    const note = page.getByRole('alert').filter({ hasText: 'The message log could not be displayed.' });
    await expect(note).toContainText('Error: no picture today');
    await expect(bench.log).toHaveCount(0);
    await bench.tool('echo');
    expect(await copiedBy(page, () => note.getByRole('button', { name: 'Copy error' }).click())).toMatch(
      /^Error: no picture today\n/,
    );
    await note.getByRole('button', { name: 'Try again' }).click();
    await expect(bench.rows.first()).toBeVisible();
    await expect(note).toHaveCount(0);
  });
});

test('responses sent twice, with an unknown id, or with invalid UTF-8', async ({ visit }) => {
  await test.step('a response sent twice appears twice in the log', async () => {
    const { page } = await visit(hostile('twice'));
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('echo');
    await bench.field('text').fill('once is enough');
    await bench.call();
    await expect(bench.outcome).toContainText('ok');
    await bench.filter('"once is enough" result');
    await expect(bench.rows).toHaveCount(2);
  });

  await test.step('a response with an unknown id is shown but not matched to a request', async () => {
    const { page } = await visit(hostile('unknown-id'));
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('echo');
    await bench.field('text').fill('mine');
    await bench.call();
    await expect(bench.outcome).toContainText('ok');
    expect(await bench.wire('response')).not.toContain('987654321');
    await bench.filter('987654321');
    await expect(bench.rows).toHaveCount(1);
    await bench.rows.first().click();
    await expect(bench.detail).toContainText('987654321');
    await expect(bench.detail.getByRole('button', { name: /^Request #/ })).toHaveCount(0);
  });

  await test.step('invalid UTF-8 is marked, and each byte is shown', async () => {
    const { page } = await visit(hostile('invalid-utf8'));
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('echo');
    await bench.call();
    await expect(bench.outcome).toContainText('ok');
    expect(await bench.wire('response')).toContain('\\xff\\xfe\\xc3(\\xed\\xa0\\x80');
    await expect(bench.detail).toContainText('Not valid UTF-8');
  });
});

test('how servers end: with their children, and with a code', async ({ visit }) => {
  await test.step('a child process of the server is ended with it', async () => {
    const { page } = await visit(hostile('grandchild'));
    const bench = new Workbench(page);
    await bench.connected();
    await bench.filter('grandchild');
    await bench.rows
      .filter({ hasText: /grandchild \d+/ })
      .first()
      .click();
    const pid = Number(/grandchild (\d+)/.exec(await bench.raw())?.[1]);
    expect(isAlive(pid)).toBe(true);
    await bench.disconnect();
    await expect(bench.top).toContainText('closed');
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  await test.step('exit before a call', async () => {
    for (const [behaviour, words] of [
      ['exit-on-initialize', 'exited with code 4'],
      ['exit-after-open', 'exited with code 5'],
    ] as const) {
      const { page } = await visit(hostile(behaviour));
      await expect(page.getByText(words).first()).toBeVisible();
      await expect(page.getByRole('button', { name: 'Edit and connect again' }).first()).toBeVisible();
    }
  });

  await test.step('exit at a call', async () => {
    const { page } = await visit(hostile('exit-on-call'));
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('echo');
    await bench.call();
    await expect(bench.outcome).toContainText('no response');
    await expect(page.getByText('exited with code 6').first()).toBeVisible();
    await bench.panel('Server');
    await expect(bench.region('stderr')).toContainText('Traceback: something is None');
  });
});

test('a server that ignores SIGTERM: every step to end it is shown', async ({ visit }, { testId }) => {
  const word = `stubborn-${testId}`;
  const { page } = await visit([]);
  const bench = new Workbench(page);
  const box = page.getByRole('textbox', { name: /^Command line/ });
  await box.fill(hostileCommand('stubborn', word).join(' '));
  await box.press('Enter');
  await bench.connected();
  await bench.disconnect();
  await expect(bench.top).toContainText('closed');
  expect(hasProcess(word)).toBe(false);
  await bench.panel('Server');
  const lifecycle = bench.region('Lifecycle');
  for (const rung of ['closed the server’s stdin', 'sent SIGTERM', 'sent SIGKILL', 'was ended by SIGKILL']) {
    await expect(lifecycle).toContainText(rung);
  }
  await expect(bench.region('stderr')).toContainText('not now');
});

test.describe('a call shows an answer that could not be matched', () => {
  const cases = [
    ['nan', 'NaN is not JSON.'],
    ['repr', 'Strings in single quotes are not JSON.'],
    ['id-as-string', /Its id is the string "\d+", expected the number \d+\./],
  ] as const;
  test('of each kind, in the result, the log, the detail and the exchange', async ({ visit }) => {
    for (const [behaviour, why] of cases)
      await test.step(behaviour, async () => {
        const { page } = await visit(hostile(behaviour));
        const bench = new Workbench(page);
        await bench.connected();
        await bench.tool('echo');
        await bench.field('text').fill('x');
        await bench.call();
        await expect(bench.result).toContainText('This looks like the response');
        await expect(bench.result).toContainText(why);
        await expect(bench.outcome).toContainText('unmatched');
        await expect(bench.rows.filter({ hasText: 'tools/call' })).toContainText('unmatched');
        await bench.result.getByRole('button', { name: /^frame #/ }).click();
        await expect(bench.rows.and(page.locator('[aria-selected=true]'))).toContainText(/jsonrpc|result/);
        await expect(bench.detail).toContainText('This looks like the response to request #');
        await bench.detailTab('Exchange');
        await expect(bench.detail.getByRole('listitem').filter({ hasText: 'unmatched response' })).toHaveCount(1);
        await bench.button('Cancel').click();
        await expect(bench.outcome).toContainText('cancelled');
        await expect(bench.result).toContainText(why);
      });
  });

  test('a last line without a newline is not the response, and the result says so', async ({ visit }) => {
    const { page } = await visit(hostile('no-final-newline'));
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('echo');
    await bench.field('text').fill('x');
    await bench.call();
    await expect(bench.outcome).toContainText('no response');
    await expect(bench.result).toContainText('There is no newline after it.');
  });

  test('a response printed over several lines is one group in the log', async ({ visit }) => {
    const { page } = await visit(hostile('pretty'));
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('echo');
    await bench.field('text').fill('needle');
    await bench.call();
    await expect(bench.result).toContainText('It is printed over 12 lines, but a message must be one line.');
    const group = bench.rows.filter({ hasText: 'printed over 12 lines:' });
    await expect(group).toHaveCount(1);
    const folded = await bench.count();

    await bench.result.getByRole('button', { name: /^frame #/ }).click();
    await expect(group).toHaveAttribute('aria-selected', 'true');
    expect(JSON.parse(await bench.raw())).toMatchObject({ result: { content: [{ text: 'needle' }] } });
    await expect(bench.detail).toContainText('This looks like the response to request #');

    // A click focuses the table.
    await group.getByRole('gridcell').nth(2).click();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => bench.count()).toBe(folded + 11);
    await page.keyboard.press('ArrowDown');
    await expect(bench.detail).toContainText('Line 2 of 12');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => bench.count()).toBe(folded);
    await expect(group).toHaveAttribute('aria-selected', 'true');

    // The filter finds a word in a folded line.
    await bench.filter('needle kind:junk');
    await expect(bench.rows).toHaveCount(1);
    await expect(group).toHaveCount(1);
    await bench.filter('/"text": "need/');
    await expect(group).toHaveCount(1);
    await group.getByRole('button', { name: 'Show 12 lines' }).click();
    await expect(bench.rows.filter({ hasText: 'not a message:' })).toHaveCount(1);
    await bench.filter('');
    await bench.button('Hide 12 lines').click();

    const seq = Number((await group.getAttribute('id'))?.replace('frame-', ''));
    await page.evaluate((frame) => {
      const url = new URL(location.href);
      url.searchParams.set('frame', String(frame));
      history.pushState(null, '', url);
      dispatchEvent(new PopStateEvent('popstate'));
    }, seq + 7);
    await expect(group).toHaveAttribute('aria-selected', 'true');
    await expect(bench.detail).toContainText(`#${seq}`);

    await bench.panel('Problems');
    await expect(page.getByText('The server printed an object over several lines.')).toHaveCount(1);
  });

  test('an answer that could not be matched, over HTTP and during the handshake', async ({ visit }) => {
    await test.step('over HTTP', async () => {
      for (const [era, body, why] of [
        [
          'legacy',
          (id: unknown) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"n":NaN}}`,
          'NaN is not JSON.',
        ],
        ['modern', (id: unknown) => `{"jsonrpc":"2.0","id":"${id}","result":{"content":[]}}`, /Its id is the string/],
      ] as const) {
        await test.step(`${era} era`, async () => {
          const server = await answering(era, body);
          const { page } = await visit([server.url]);
          const bench = new Workbench(page);
          await bench.connected();
          await bench.tool('echo');
          await bench.call();
          await expect(bench.outcome).toContainText('no response');
          await expect(bench.result).toContainText('This looks like the response');
          await expect(bench.result).toContainText(why);
          await server.close();
        });
      }
    });

    await test.step('during the handshake', async () => {
      const { page } = await visit([
        ...hostile('pretty-handshake').flatMap((word) => (word === '--' ? ['--protocol', '2025-11-25', '--'] : [word])),
      ]);
      await expect(page.getByText('No MCP response yet')).toBeVisible();
      await expect(page.getByText(/looks like the response: frame #\d+\. It is printed over 5 lines/)).toBeVisible();
    });
  });
});

/** Starts an HTTP server that answers tools/call with the text from `call`. */
async function answering(era: 'legacy' | 'modern', call: (id: unknown) => string) {
  const results: Record<string, object> = {
    'tools/list': { resultType: 'complete', tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    ...(era === 'modern'
      ? { 'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } }
      : { initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'h' } } }),
  };
  const server = createServer(async (request, response) => {
    const { id, method } = request.method === 'POST' ? JSON.parse(await text(request)) : {};
    if (id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
    const result = results[method];
    const error = { code: -32601, message: 'no such method' };
    response.writeHead(200, { 'content-type': 'application/json' });
    const body = { jsonrpc: '2.0', id, ...(result ? { result } : { error }) };
    return response.end(method === 'tools/call' ? call(id) : JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/mcp`, close };
}

test('harmless oddities of servers do not stop a call', async ({ open }, { outputDir }) => {
  const names = ['banner', 'junk', 'crlf', 'separators', 'slow-split', 'rmcp', 'stderr-prompt'];
  const [command, ...args] = hostileCommand();
  const mcpServers = Object.fromEntries(names.map((name) => [name, { command, args: [...args, name] }]));
  mkdirSync(outputDir, { recursive: true });
  writeFileSync(join(outputDir, 'servers.json'), JSON.stringify({ mcpServers }));
  const { page } = await open(['--config', join(outputDir, 'servers.json')]);
  const bench = new Workbench(page);
  for (const name of names) {
    if (name !== names[0]) await bench.addServer();
    await bench.button(`Connect ${name}`).click();
    await expect(bench.top.getByRole('heading', { name, exact: true })).toBeVisible();
    await bench.connected();
    await bench.field('text').fill(`to ${name}`);
    await bench.call();
    await expect(bench.outcome, name).toContainText('ok');
  }
});
