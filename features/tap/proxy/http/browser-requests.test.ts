import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask, type TestHttpTaps, testHttpTaps } from './test-http-tap';

let taps: TestHttpTaps;
beforeEach(async () => {
  taps = await testHttpTaps();
});
afterEach(() => taps.remove());

/** Starts a tap of a server that notes the cookies it gets. */
async function start() {
  const cookies: (string | undefined)[] = [];
  const origin = await taps.serve((request, response) => {
    cookies.push(request.headers.cookie);
    request.resume();
    response.end('secret');
  });
  const tap = await taps.start(`${origin}/mcp`);
  return { cookies, origin, tap, own: new URL(tap.url).origin };
}

const site = (from: string, mode: string, dest: string) => ({
  'Sec-Fetch-Site': from,
  'Sec-Fetch-Mode': mode,
  'Sec-Fetch-Dest': dest,
});

test.each([
  ['a picture of another site', 'GET', site('cross-site', 'no-cors', 'image')],
  ['a script of another port', 'GET', site('same-site', 'no-cors', 'script')],
  ['a form of another site', 'POST', site('cross-site', 'navigate', 'document')],
  ['a form without a site', 'POST', site('none', 'navigate', 'document')],
  ['a frame', 'GET', site('cross-site', 'navigate', 'iframe')],
  ['a HEAD of another site', 'HEAD', site('cross-site', 'no-cors', 'empty')],
])('attack: %s does not reach the server through the HTTP tap', async (_what, method, headers) => {
  const { cookies, tap } = await start();
  const { status, body } = await ask(tap.url, { method, headers });
  expect([status, body.includes('secret'), cookies]).toEqual([403, false, []]);
  expect(taps.notes).toEqual(['Refused a request: a web page of another site sent it.']);
});

test.each(['cross-site', 'same-site', 'same-origin', 'none'])(
  'attack: a page that a browser opens (%s) is the server’s own, not the tap’s',
  async (from) => {
    const { cookies, origin, own } = await start();
    const headers = { ...site(from, 'navigate', 'document'), Cookie: 'jupyter=of-another-port' };
    const { status, headers: sent } = await ask(`${own}/authorize?a=b`, { method: 'GET', headers });
    expect([status, sent.location, cookies]).toEqual([302, `${origin}/authorize?a=b`, []]);
  },
);

test.each([
  ['that says it is one', { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' }],
  ['that says what it fetches', site('none', 'no-cors', 'empty')],
])('attack: cookies of a browser %s, which may be those of another port, do not pass', async (_what, headers) => {
  const { cookies, tap } = await start();
  expect((await ask(tap.url, { body: '{}', headers: { ...headers, Cookie: 'a=b' } })).status).toBe(200);
  expect(cookies).toEqual([undefined]);
});

test('the cookies of a program and its requests pass', async () => {
  const { cookies, tap } = await start();
  // As the fetch of Node says it.
  const headers = { Cookie: 'a=b', 'User-Agent': 'node', 'Sec-Fetch-Mode': 'cors' };
  expect((await ask(tap.url, { body: '{}', headers })).status).toBe(200);
  expect(cookies).toEqual(['a=b']);
});
