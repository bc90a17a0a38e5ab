import { expect, test } from 'vitest';
import { reportingPage } from '@/features/apps/lib/app-notices';
import { AppDocuments, appRoutes } from './app-documents';

const META = { ui: { csp: { connectDomains: ['https://api.example.com', 'https://inside.example.com'] } } };
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'api.example.com': ['93.184.216.34'],
  'inside.example.com': ['93.184.216.34', '192.168.1.1'],
};

function start() {
  const documents = new AppDocuments(async (name) => NAMES[name] ?? Promise.reject(new Error('none')));
  const [post, get] = appRoutes(documents);
  const open = async (asked: unknown) => {
    const reply = await post!.handle({ path: '/api/apps', base: '', body: JSON.stringify(asked), query: '' });
    return { status: reply.status, value: reply.status === 400 ? undefined : JSON.parse(String(reply.body)) };
  };
  const read = async (path: string) =>
    get!.handle({ path: '/app-frame', base: '', body: '', query: path.split('?')[1] ?? '' });
  return { open, read };
}

test('a page is served with the policy of the origins that the user agreed to', async () => {
  const { open, read } = start();
  const { value } = await open({ html: '<p>app', meta: META, agreed: ['https://api.example.com'] });
  const reply = await read(value.path);
  expect(reply).toMatchObject({ status: 200, body: reportingPage('<p>app'), type: 'text/html; charset=utf-8' });
  expect(reply.csp).toContain('connect-src https://api.example.com;');
  expect(reply.csp).toMatch(/^sandbox allow-scripts;/);
});

test('a name that leads to the local network is refused, even if the user agreed', async () => {
  const { open } = start();
  const asked = { html: '<p>', meta: META, agreed: ['https://inside.example.com'] };
  expect(await open(asked)).toMatchObject({ status: 409, value: { code: 'app-origin' } });
});

test('addresses can’t be guessed, and the oldest pages are dropped', async () => {
  const { open, read } = start();
  const paths: string[] = [];
  for (let count = 0; count < 9; count++) {
    paths.push((await open({ html: String(count), meta: null, agreed: [] })).value.path);
  }
  expect(paths[0]).toMatch(/^\/app-frame\?id=[\w-]{22}$/);
  expect((await read(paths[0]!)).status).toBe(404);
  expect((await read(paths[8]!)).body).toBe(reportingPage('8'));
  for (const wrong of ['/app-frame', '/app-frame?id=', '/app-frame?id=__proto__']) {
    expect((await read(wrong)).status).toBe(404);
  }
});

test('files of a server on this machine are allowed only if the user names its origin', async () => {
  const { open, read } = start();
  const csp = { resourceDomains: ['http://127.0.0.1:5173'], connectDomains: ['http://127.0.0.1:5173'] };
  const page = { html: '<p>', meta: { ui: { csp } }, agreed: ['http://127.0.0.1:5173'] };
  expect((await read((await open(page)).value.path)).csp).not.toContain('5173');
  const served = await read((await open({ ...page, local: 'http://127.0.0.1:5173' })).value.path);
  expect(served.csp).toContain("script-src 'unsafe-inline' http://127.0.0.1:5173;");
  expect(served.csp).toContain("connect-src 'none';");
  for (const local of [
    'http://192.168.1.1:80',
    'http://127.0.0.1',
    'http://localhost:1; script-src *',
    'https://a.example',
  ])
    expect((await open({ ...page, local })).status).toBe(400);
});

test('anything but a page, its needs and agreements is refused', async () => {
  const { open } = start();
  for (const wrong of [{}, { html: 1, meta: {}, agreed: [] }, { html: '', meta: {}, agreed: [1] }, [], 'x']) {
    expect((await open(wrong)).status).toBe(400);
  }
});
