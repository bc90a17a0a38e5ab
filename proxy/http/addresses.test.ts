import { describe, expect, test } from 'vitest';
import { AppDocuments, appRoutes } from '@/features/apps/proxy/app-documents';
import { publicUrlFor, readPublicUrl } from './addresses';
import { startFixture } from './attacks/fixture';

describe('readPublicUrl parses like a browser', () => {
  test.each([
    ['http://localhost:9999', 'localhost:9999', 'http://localhost:9999', '', 'http://localhost:9999/'],
    ['http://localhost:9999/', 'localhost:9999', 'http://localhost:9999', '', 'http://localhost:9999/'],
    ['https://box.example', 'box.example', 'https://box.example', '', 'https://box.example/'],
    ['https://box.example:443/a', 'box.example', 'https://box.example', '/a', 'https://box.example/a/'],
    ['http://box.example:443', 'box.example:443', 'http://box.example:443', '', 'http://box.example:443/'],
    ['HTTPS://BOX.example/A/b.c~d/', 'box.example', 'https://box.example', '/A/b.c~d', 'https://box.example/A/b.c~d/'],
    ['http://[::1]:8080', '[::1]:8080', 'http://[::1]:8080', '', 'http://[::1]:8080/'],
    ['https://bücher.example', 'xn--bcher-kva.example', 'https://xn--bcher-kva.example', '', undefined],
  ])('%s', (text, authority, origin, base, href) => {
    expect(readPublicUrl(text)).toEqual({ authority, origin, base, href: href ?? `${origin}/` });
  });
});

test.each([
  '',
  'localhost:9999',
  'box.example/a',
  'ftp://box.example',
  'javascript://x',
  'https://',
  'https:box.example',
  'https:///box.example',
  'https://user@box.example',
  'https://user:pass@box.example',
  'https://box.example?x',
  'https://box.example/?x=1',
  'https://box.example/#x',
  'https://box.example/a/../b',
  'https://box.example/a/./b',
  'https://box.example/a//b',
  'https://box.example/..',
  'https://box.example/%61',
  'https://box.example/a"b',
  'https://box.example/<script>',
  'https://box.example\\a',
  ' https://box.example',
  'https://box.example\n',
  'https://box.example:99999',
  'https://*.example',
  'https://box.example.',
  'http://0.0.0.0:9999',
  'http://0:9999',
  'http://[::]:9999',
])('%j is not a public URL', (text) => {
  expect(readPublicUrl(text)).toBeUndefined();
});

test.each([
  ['localhost:9999', 'http://localhost:9999'],
  ['127.0.0.1:80', 'http://127.0.0.1'],
  ['localhost', 'http://localhost'],
  ['localhost:99999', undefined],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['evil.test:6270', undefined],
  ['localhost.evil.test:6270', undefined],
  ['localhost:9999<b>', undefined],
  ['', undefined],
])('for Host %j, recommends %j', (host, suggested) => {
  expect(publicUrlFor(host)).toBe(suggested);
});

describe('a server with a public URL', () => {
  const at = (text: string) => ({ publicUrl: readPublicUrl(text) });

  test('may listen on every network, and prints the public address', async () => {
    const fixture = await startFixture({ host: '0.0.0.0', ...at('http://localhost:9999') });
    expect(fixture.server.url).toBe(`http://127.0.0.1:${fixture.port}/`);
    expect(fixture.server.pageUrl).toBe('http://localhost:9999/');
    expect(fixture.server.newLaunchLink()).toMatch(/^http:\/\/localhost:9999\/#launch=/);
    const status = async (host: string) => (await fixture.ask('GET', '/', { host })).status;
    expect(await status('localhost:9999')).toBe(200);
    expect(await status(`localhost:${fixture.port}`)).toBe(200);
    expect(await status(`0.0.0.0:${fixture.port}`)).toBe(403);
    expect(await status('localhost:9998')).toBe(403);
    await fixture.end();
  });

  test('ignores the headers of a reverse proxy', async () => {
    const fixture = await startFixture(at('https://box.example'));
    for (const header of ['x-forwarded-host', 'forwarded', 'x-original-host', 'x-forwarded-server']) {
      const value = header === 'forwarded' ? 'host=box.example;proto=https' : 'box.example';
      expect((await fixture.ask('GET', '/', { host: 'evil.test', [header]: value })).status).toBe(403);
    }
    await fixture.end();
  });

  test.each(['/api', '/ws/x', '/oauth', '/_next', '/monaco', '/index.html'])(
    'may not have the path %s, which the page uses',
    async (base) => {
      await expect(startFixture(at(`https://box.example${base}`))).rejects.toMatchObject({ code: 'public-url' });
    },
  );

  test('may not have the path of a route of a feature', async () => {
    const routes = appRoutes(new AppDocuments());
    const starting = startFixture({ ...at('https://box.example/app-frame'), routes });
    await expect(starting).rejects.toMatchObject({ code: 'public-url' });
  });

  test('serves files below its path, and only there', async () => {
    const fixture = await startFixture(at('https://box.example/tools'));
    const page = async (target: string, host: string) => (await fixture.ask('GET', target, { host })).body;
    const below = await page('/tools/', 'box.example');
    expect(below).toContain('src="/tools/_next/static/app.js"');
    expect(below).toContain('<html data-base="/tools"');
    expect(await page('/', 'box.example')).toBe(below);
    expect(await page('/tools', 'box.example')).toBe(below);
    expect(await page('/', `127.0.0.1:${fixture.port}`)).toContain('src="/_next/static/app.js"');
    expect(await page('/tools/_next/static/app.js', 'box.example')).toBe('self.app = "/tools/_next/";');
    expect(await page('/_next/static/app.js', `127.0.0.1:${fixture.port}`)).toBe('self.app = "/_next/";');
    expect(await page('/tools/monaco/editor.js', 'box.example')).toBe('self.editor = 1;');
    for (const path of ['/tools/../_next/static/app.js', '/tools//index.html', '/tools/%2e%2e/index.html']) {
      expect((await fixture.ask('GET', path, { host: 'box.example' })).status).toBe(404);
    }
    await fixture.end();
  });

  test.each([
    ['https://box.example', 'box.example', 'http://box.example', ', and `--page url` says https://box.example.'],
    ['https://box.example', '', 'https://box.example', '. Make the reverse proxy pass on the browser’s Host header'],
    ['https://box.example', '', 'https://evil.example', '"https://evil.example".'],
  ])('%s: explains Host %j and Origin %s in the terminal', async (url, host, origin, note) => {
    const fixture = await startFixture(at(url));
    const own = `127.0.0.1:${fixture.port}`;
    await fixture.ask('GET', '/', { host: host || own, origin });
    expect(fixture.notes.join()).toContain(note);
    await fixture.end();
  });
});

describe('the page for an unknown address', () => {
  const accept = 'text/html,application/xhtml+xml';

  test('shows the option, with the full address for this machine', async () => {
    const fixture = await startFixture();
    const answer = await fixture.ask('GET', '/x', { host: 'localhost:9999', accept });
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('<pre>--page url=http://localhost:9999</pre>');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base/,
    );
    expect(fixture.notes).toEqual([
      'Refused a request: it was for the host "localhost:9999". If that is your port mapping, tunnel or ingress, restart with `--page url=http://localhost:9999`.',
    ]);
    await fixture.end();
  });

  test('is the same for all other names, and does not repeat them', async () => {
    const fixture = await startFixture();
    const pages = ['evil.test', 'evil.test:6270', '<script>alert(1)</script>', '"><img src=x>'].map(
      async (host) => (await fixture.ask('GET', '/', { host, accept })).body,
    );
    const [first, ...others] = await Promise.all(pages);
    expect(first).toContain('--page url=https://HOST[:PORT][/PATH]');
    expect(first).not.toMatch(/<script|<form|<a |<img|evil/i);
    expect(new Set(others)).toEqual(new Set([first]));
    await fixture.end();
  });

  test('is for browsers; other clients get only the status', async () => {
    const fixture = await startFixture();
    const host = 'localhost:9999';
    for (const asked of ['', '*/*', 'application/json']) {
      expect((await fixture.ask('GET', '/api/connections', { host, accept: asked })).body).toBe('403 Forbidden\n');
    }
    expect((await fixture.ask('GET', '/', { accept, origin: 'http://evil.test' })).body).toBe('403 Forbidden\n');
    await fixture.end();
  });
});
