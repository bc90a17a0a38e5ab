import { expect } from './bin';
import { ALL_CORS, type Cors, test } from './cors-servers';
import { addHeader, connectDirectly, pageErrors } from './direct-page';
import { serversInstalled } from './http-servers';
import { Workbench } from './workbench';

test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

test('a modern server with CORS: tools, progress, and cancelling closes the response @firefox', async ({
  visit,
  serveBehind,
}) => {
  const server = await serveBehind('modern-dual', ALL_CORS);
  const { page } = await visit([]);
  const errors = pageErrors(page);
  const bench = new Workbench(page);
  await connectDirectly(bench, server);
  await bench.connected();
  await expect(page.getByRole('banner')).toContainText('direct http');
  await expect(bench.top.getByTitle('modern protocol')).toContainText('2026-07-28');

  await bench.tool('add');
  await bench.field('a').fill('2');
  await bench.field('b').fill('3');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await expect(bench.result).toContainText(/sum\D*5/);

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
  expect(errors).toEqual([]);
});

test('legacy servers: a session, the GET stream and DELETE; an unexposed session header; HTTP+SSE', async ({
  visit,
  serveBehind,
}) => {
  test.slow();
  const { page } = await visit([]);
  const bench = new Workbench(page);

  await test.step('one whose CORS allows no modern headers keeps its session', async () => {
    const headers = 'content-type, mcp-session-id, mcp-protocol-version, authorization';
    const server = await serveBehind('everything', { ...ALL_CORS, headers });
    await connectDirectly(bench, server);
    await bench.connected();
    await expect(bench.top.getByTitle('legacy protocol')).toBeVisible();
    await bench.tool('echo');
    await bench.field('message').fill('Grüße, 世界');
    await bench.call();
    await expect(bench.result).toContainText('Grüße, 世界');
    await expect.poll(() => server.arrived.some(({ method }) => method === 'GET')).toBe(true);
    const sessions = server.arrived.map((request) => request.headers['mcp-session-id']).filter(Boolean);
    expect(new Set(sessions).size).toBe(1);
    await bench.disconnect();
    await expect.poll(() => server.arrived.some(({ method }) => method === 'DELETE')).toBe(true);
  });

  await test.step('HTTP+SSE is detected', async () => {
    await bench.addServer();
    await connectDirectly(bench, await serveBehind('everything-sse', ALL_CORS));
    await expect(page.getByRole('banner')).toContainText('direct sse');
    await bench.connected();
    await bench.tool('echo');
    await bench.field('message').fill('over SSE');
    await bench.call();
    await expect(bench.result).toContainText('over SSE');
  });

  await test.step('an unexposed session header is an error that says so, and a proxy helps', async () => {
    await bench.addServer();
    await connectDirectly(bench, await serveBehind('everything', { ...ALL_CORS, expose: '' }));
    const banner = page.getByRole('main').getByRole('status').filter({ hasText: 'Access-Control-Expose-Headers' });
    await expect(banner).toContainText('its Access-Control-Expose-Headers lacks Mcp-Session-Id');
    await banner.getByRole('button', { name: 'Connect via proxy' }).click();
    await expect(page.getByRole('banner')).not.toContainText('direct');
    await bench.connected();
  });
});

/** Faults of CORS headers, and what the page says of them. lib/direct/cors.test.ts has them all. */
const LACKING: readonly (readonly [string, Partial<Cors>, string, string])[] = [
  ['our origin', { origin: 'https://example.com' }, 'cors-origin', 'names another origin'],
  [
    'Authorization',
    { headers: ALL_CORS.headers.replace(', authorization', '') },
    'cors-headers',
    'send authorization:',
  ],
  ['any headers', { headers: '' }, 'cors-headers', 'content-type'],
  [
    'the content-type header',
    { headers: ALL_CORS.headers.replace('content-type, ', '') },
    'cors-headers',
    'send content-type:',
  ],
];

test('a server that does not let the page in: what is missing, that none answers, and a proxy instead', async ({
  visit,
  serveBehind,
}) => {
  test.slow();
  const { page } = await visit([]);
  const bench = new Workbench(page);
  const alert = page.getByRole('main').getByRole('alert');

  for (const [what, lack, code, words] of process.env.TEST_LONG ? LACKING : LACKING.slice(0, 2)) {
    await test.step(`CORS without ${what}: names what is missing`, async () => {
      if (lack !== LACKING[0]![1]) await bench.addServer();
      const server = await serveBehind('modern-dual', { ...ALL_CORS, ...lack });
      await connectDirectly(bench, server, ['Authorization', 'Bearer sesame']);
      await expect(alert).toContainText(words);
      await expect(alert).toContainText(code);
    });
  }

  await test.step('without CORS it names the missing header; one click connects through the proxy', async () => {
    await bench.addServer();
    const server = await serveBehind('modern-dual', undefined);
    await connectDirectly(bench, server, ['X-Team', 'sesame-4714']);
    await expect(alert).toContainText('Access-Control-Allow-Origin is missing');
    await expect(alert).toContainText('cors-origin');
    await expect(bench.region('Required response headers')).toContainText('x-team');
    await expect(bench.rows.filter({ hasText: 'CORS check' }).first()).toBeVisible();
    await alert.getByRole('button', { name: 'Connect via proxy' }).click();
    await bench.connected();
    await expect(page.getByRole('banner')).not.toContainText('direct');
    await expect.poll(() => server.arrived.some(({ headers }) => headers['x-team'] === 'sesame-4714')).toBe(true);
    expect(await page.content()).not.toContain('sesame-4714');
  });

  await test.step('none answers, and browsers forbid a header', async () => {
    await bench.addServer();
    await connectDirectly(bench, { url: 'http://127.0.0.1:9/mcp' });
    await expect(alert).toContainText('does not respond to the browser');
    await bench.button('Edit and connect again').click();
    await addHeader(bench, ['Cookie', 'a=b']);
    await bench.button('Connect').click();
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Browsers do not let pages send Cookie');
  });
});
