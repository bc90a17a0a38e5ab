import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writePacked } from '@/proxy/files/test-packed';
import { type Fixture, makeUi, PAGE, startFixture } from './attacks/fixture';
import { exchange, requestText } from './attacks/raw-client';
import { StaticFiles } from './static-files';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.end());

describe('attack: paths that lead out of the UI', () => {
  test.each([
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/../../../../etc/passwd',
    '/_next/../../etc/passwd',
    '/..\\..\\etc\\passwd',
    '/%5c..%5c',
    '/index.html%00',
    '/%00',
    '/_next/static/../../index.html',
    '/etc/passwd.txt',
    '/./index.html',
    '/index%2ehtml',
  ])('GET %s is 404', async (path) => {
    const answer = await fixture.ask('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.body).toBe('404 Not Found\n');
  });

  test.each(['\\..\\', '/\u0000', '/index.html\u0000.js', '..', 'etc/passwd'])('GET %j is 400', async (path) => {
    expect(
      (await exchange(fixture.port, requestText('GET', path, [['host', `127.0.0.1:${fixture.port}`]]))).status,
    ).toBe(400);
  });

  test('a symbolic link that leads out of the UI is not served, but a link inside the UI is', async () => {
    expect((await fixture.ask('GET', '/passwd.txt')).status).toBe(404);
    expect((await fixture.ask('GET', '/broken.txt')).status).toBe(404);
    // A linked directory is like an unknown path of the app: it gets the page, and nothing of the directory.
    expect((await fixture.ask('GET', '/etc/passwd')).body).toBe(PAGE);
    expect((await fixture.ask('GET', '/inside.html')).body).toBe(PAGE);
  });
});

describe('files', () => {
  test('a path of the app gets the page', async () => {
    for (const path of ['/', '/session/c1', '/session/c1/', '/?connection=c1&frame=4']) {
      const answer = await fixture.ask('GET', path);
      expect(answer.status).toBe(200);
      expect(answer.body).toBe(PAGE);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('hashed files may be cached forever, others are revalidated', async () => {
    const hashed = await fixture.ask('GET', '/_next/static/app.js');
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(hashed.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await fixture.ask('GET', '/monaco/editor.js')).headers.get('cache-control')).toBe('no-cache');
  });

  test('are found even if URLs escape their names', async () => {
    const answer = await fixture.ask('GET', '/_next/static/%5Bslug%5D%20%C3%A9.js');
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('slug');
  });

  test('each file is read once', async () => {
    const root = makeUi();
    const files = new StaticFiles(root);
    await files.answer('/');
    rmSync(root, { recursive: true });
    expect((await files.answer('/')).status).toBe(200);
    await expect(files.answer('/monaco/editor.js')).rejects.toThrow('ENOENT');
  });

  test('are parts of archives, which are not served themselves', async () => {
    const root = makeUi();
    writePacked(root, { 'panel.js': 'é()', 'workers/large.js': 'large()' });
    const files = new StaticFiles(root);
    expect(await files.answer('/workers/large.js')).toMatchObject({
      status: 200,
      type: 'text/javascript; charset=utf-8',
      body: Buffer.from('large()'),
    });
    rmSync(join(root, 'later.br'));
    expect((await files.answer('/panel.js')).body).toEqual(Buffer.from('é()'));
    for (const path of ['/later.br', '/packed.json']) expect((await files.answer(path)).status).toBe(404);
    rmSync(root, { recursive: true });
  });

  test('an archive that can’t be unpacked is tried again', async () => {
    const root = makeUi();
    writePacked(root, { 'panel.js': 'panel()' });
    const whole = readFileSync(join(root, 'later.br'));
    writeFileSync(join(root, 'later.br'), 'damaged');
    const files = new StaticFiles(root);
    await expect(files.answer('/panel.js')).rejects.toThrow();
    writeFileSync(join(root, 'later.br'), whole);
    expect((await files.answer('/panel.js')).status).toBe(200);
    rmSync(root, { recursive: true });
  });

  test.each(['nowhere', ''])('explains that the UI is not built: %j', (name) => {
    const root = mkdtempSync(join(tmpdir(), 'mcp-inspect-ui-'));
    expect(() => new StaticFiles(join(root, name))).toThrow(expect.objectContaining({ code: 'ui-missing' }));
    rmSync(root, { recursive: true });
  });
});
