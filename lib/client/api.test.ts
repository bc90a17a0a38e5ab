import { describe, expect, test, vi } from 'vitest';
import { Api } from './api';

const answering = (response: Response | Error) =>
  vi.fn(async (_path: string, _init: RequestInit) => {
    if (response instanceof Error) throw response;
    return response;
  });

describe('reading', () => {
  test('carries the token in the Authorization header only', async () => {
    const fetch = answering(new Response('[]'));
    expect(await new Api('secret', fetch).get('/api/connections')).toEqual([]);
    const [path, init] = fetch.mock.calls[0]!;
    expect(path).toBe('/api/connections');
    expect(init.headers).toEqual({ authorization: 'Bearer secret' });
  });

  test.each([
    [new Response('', { status: 401 }), 'token-refused'],
    [new Response('', { status: 403 }), 'token-refused'],
    [new Response('', { status: 500 }), 'proxy-error'],
    [new Response('<html>'), 'proxy-error'],
    [new TypeError('fetch failed'), 'proxy-unreachable'],
  ])('fails with a failure for people: %#', async (response, code) => {
    await expect(new Api('secret', answering(response)).get('/api/servers')).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/\.$/),
      advice: expect.stringMatching(/\.$/),
    });
  });
});

test.each([
  [new Response('', { status: 401 }), true],
  [new Response('{}'), false],
  [new Response('', { status: 503 }), false],
  [new TypeError('fetch failed'), false],
])('a token counts as refused only when the proxy says so: %#', async (response, refused) => {
  expect(await new Api('secret', answering(response)).isTokenRefused()).toBe(refused);
});
