import { afterEach, describe, expect, test } from 'vitest';
import type { HttpRequest } from '@/lib/transports/http-link';
import { type Answer, type HttpFixture, json, startHttp, stream } from '@/proxy/connection/fixtures/http-fixture';
import { type Fetch, FetchLink } from './fetch-link';

const open: HttpFixture[] = [];
afterEach(async () => {
  for (const fixture of open.splice(0)) await fixture.close();
});

async function start(answer: Answer): Promise<HttpFixture> {
  const fixture = await startHttp(answer);
  open.push(fixture);
  return fixture;
}

const WHY = { code: 'cors-origin', message: 'No.', advice: 'Do.' };
const link = (over: Fetch = fetch) => new FetchLink(over, async () => WHY);

function asking(url: string, over: Partial<HttpRequest> = {}): HttpRequest {
  const signal = new AbortController().signal;
  return { method: 'POST', url, headers: [['X-One', '1']], signal, onRedirect: () => {}, ...over };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of body) text += new TextDecoder().decode(chunk);
  return text;
}

describe('a request', () => {
  test('goes out with its headers and body, without cookies or a referrer, and returns the response unchanged', async () => {
    const fixture = await start((_request, response) => json(response, { ok: true }, 418, { 'x-two': '2' }));
    const body = new TextEncoder().encode('{"a":1}');
    const answer = await link().send(asking(`${fixture.origin}/mcp`, { body }));
    expect(answer.status).toBe(418);
    expect(answer.headers).toContainEqual(['x-two', '2']);
    expect(await textOf(answer.body)).toBe('{"ok":true}');
    expect(fixture.seen[0]).toMatchObject({ method: 'POST', text: '{"a":1}', headers: { 'x-one': '1' } });
    expect(fixture.seen[0]!.headers).not.toHaveProperty('referer');
  });

  test('uses no cache, sends no cookies and no referrer, and follows no redirect', async () => {
    const given: RequestInit[] = [];
    await link(async (_url, init) => {
      given.push(init);
      return new Response('');
    }).send(asking('http://x/'));
    expect(given[0]).toMatchObject({
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'manual',
    });
  });

  test('explains why the browser hid a response', async () => {
    const refuses: Fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(link(refuses).send(asking('http://x/'))).rejects.toMatchObject(WHY);
  });

  test('does not explain a request that we aborted', async () => {
    const over = new AbortController();
    over.abort();
    await expect(link().send(asking('http://127.0.0.1:9/', { signal: over.signal }))).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

describe('a stream', () => {
  test('arrives as it is written, and ends on both sides when it is aborted', async () => {
    let gone = false;
    const fixture = await start((_request, response) => {
      stream(response, 'data: 1\n\n').on('close', () => {
        gone = true;
      });
    });
    const over = new AbortController();
    const answer = await link().send(asking(fixture.origin, { method: 'GET', signal: over.signal }));
    const chunks = answer.body[Symbol.asyncIterator]();
    expect(new TextDecoder().decode((await chunks.next()).value)).toBe('data: 1\n\n');
    over.abort();
    await expect(chunks.next()).rejects.toMatchObject({ code: 'aborted' });
    await fixture.until(() => gone);
  });

  test('fails when the stream breaks', async () => {
    const fixture = await start((_request, response) => {
      stream(response, 'data: 1\n\n');
      setImmediate(() => response.destroy());
    });
    const answer = await link().send(asking(fixture.origin, { method: 'GET' }));
    await expect(textOf(answer.body)).rejects.toMatchObject({ code: 'connection-broken' });
  });

  test('ends when its reader stops', async () => {
    let gone = false;
    const fixture = await start((_request, response) => {
      stream(response, 'data: 1\n\n').on('close', () => {
        gone = true;
      });
    });
    const answer = await link().send(asking(fixture.origin, { method: 'GET' }));
    for await (const _ of answer.body) break;
    await fixture.until(() => gone);
  });
});

describe('a redirect', () => {
  /** A browser that is redirected from `/a` to `to`. It hides other redirects. */
  function redirecting(to: string): { fetch: Fetch; asked: [string, RequestInit][] } {
    const asked: [string, RequestInit][] = [];
    return {
      asked,
      async fetch(url, init) {
        asked.push([url, init]);
        const response = new Response('end');
        if (!url.endsWith('/a')) return response;
        if (init.redirect === 'manual') Object.defineProperty(response, 'type', { value: 'opaqueredirect' });
        else Object.defineProperty(response, 'url', { value: to });
        return response;
      },
    };
  }

  test('is followed within the origin, and logged as a frame', async () => {
    const hops: string[] = [];
    const { fetch, asked } = redirecting('http://x/b');
    const answer = await link(fetch).send(
      asking('http://x/a', { method: 'GET', onRedirect: (_, next) => hops.push(next!.url) }),
    );
    expect(await textOf(answer.body)).toBe('end');
    expect(hops).toEqual(['http://x/b']);
    // The redirect was followed without the person's headers.
    expect(asked[1]![1]).toMatchObject({ method: 'GET', redirect: 'follow' });
    expect(asked[1]![1]).not.toHaveProperty('headers');
  });

  test.each([
    ['http://elsewhere/b', 'http://elsewhere/b'],
    ['http://elsewhere/b?api_key=sesame', 'http://elsewhere/b?api_key='],
    ['http://x/a', 'the browser hides'],
    ['', 'the browser hides'],
  ])('to %j is not followed', async (to, words) => {
    const { fetch, asked } = redirecting(to);
    const asks = link(fetch).send(asking('http://x/a', { method: 'GET' }));
    await expect(asks).rejects.toMatchObject({ code: 'redirected-elsewhere', message: expect.stringContaining(words) });
    await expect(asks).rejects.not.toMatchObject({ message: expect.stringContaining('sesame') });
    expect(asked).toHaveLength(2);
  });

  test.each(['POST', 'DELETE'] as const)('of a %s is never followed', async (method) => {
    const { fetch, asked } = redirecting('http://x/b?token=sesame');
    const failure = await link(fetch)
      .send(asking('http://x/a', { method }))
      .catch((error) => error);
    expect(failure).toMatchObject({ code: 'redirect-refused', message: expect.stringContaining('http://x/b') });
    expect(failure.message).not.toContain('sesame');
    expect(asked.map(([url, init]) => `${init.method} ${url}`)).toEqual([`${method} http://x/a`, 'GET http://x/a']);
  });
});
