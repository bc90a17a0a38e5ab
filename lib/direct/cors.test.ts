import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '@/lib/transports/http-link';
import type { CorsProbeFrame } from '@/lib/wire/http-frame';
import { FakeClock } from '@/lib/wire/test-clock';
import { CORS_PROBE_MS, type CorsFacts, corsVerdict, diagnoseCors } from './cors';
import type { Fetch } from './fetch-link';

type Probe = Omit<CorsProbeFrame, 'kind' | 'exchange'>;

/** A browser and a server that allows only this. It does as much of CORS as a diagnosis can see. */
function browser(server: { readonly origin: boolean; readonly headers: readonly string[]; readonly up?: boolean }): {
  fetch: Fetch;
  asked: { url: string; init: RequestInit }[];
} {
  const asked: { url: string; init: RequestInit }[] = [];
  return {
    asked,
    async fetch(url, init) {
      asked.push({ url, init });
      const names = [...new Headers(init.headers).keys()].filter((name) => name !== 'accept');
      const passes = server.origin && names.every((name) => server.headers.includes(name));
      if (server.up === false || !(init.mode === 'no-cors' || passes)) throw new TypeError('Failed to fetch');
      return new Response('', { status: 406 });
    },
  };
}

function request(over: Partial<HttpRequest> = {}): { request: HttpRequest; probes: Probe[] } {
  const probes: Probe[] = [];
  return {
    probes,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:3001/mcp',
      headers: [
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json, text/event-stream'],
        ['Authorization', 'Bearer sesame'],
      ],
      body: new TextEncoder().encode('{"jsonrpc":"2.0"}'),
      signal: new AbortController().signal,
      onProbe: (probe) => probes.push(probe),
      onRedirect: () => {},
      ...over,
    },
  };
}

const around = (fetch: Fetch, origin = 'http://127.0.0.1:6274') => ({
  fetch,
  clock: new FakeClock(),
  origin,
  isLocalDenied: async () => false,
});

describe('a diagnosis', () => {
  test('probes each header alone, without a message, and names the refused one', async () => {
    const { fetch, asked } = browser({ origin: true, headers: ['content-type'] });
    const { request: failed, probes } = request();
    expect(await diagnoseCors(failed, around(fetch))).toMatchObject({ code: 'cors-headers' });
    expect(probes).toEqual([
      { method: 'GET', asks: 'reachable', passed: true, status: 406 },
      { method: 'POST', asks: 'readable', passed: true, status: 406 },
      { method: 'POST', asks: { header: 'content-type' }, passed: true, status: 406 },
      { method: 'POST', asks: { header: 'authorization' }, passed: false },
    ]);
    expect(asked.map(({ init }) => init.body ?? '')).toEqual(['', '', '', '']);
    expect(JSON.stringify([probes, asked])).not.toContain('sesame');
  });

  test('probes no headers if the server cannot be read at all', async () => {
    const { fetch } = browser({ origin: false, headers: [] });
    const { request: failed, probes } = request();
    expect(await diagnoseCors(failed, around(fetch))).toMatchObject({ code: 'cors-origin' });
    expect(probes.map(({ asks }) => asks)).toEqual(['reachable', 'readable']);
  });

  test('stops probing and logging when the request is aborted', async () => {
    const over = new AbortController();
    const { fetch, asked } = browser({ origin: true, headers: [] });
    const { request: failed, probes } = request({ signal: over.signal });
    const leaving: Fetch = (url, init) => {
      if (asked.length === 1) over.abort();
      return fetch(url, init);
    };
    await diagnoseCors(failed, around(leaving));
    expect(asked).toHaveLength(2);
    expect(probes.map(({ asks }) => asks)).toEqual(['reachable']);
  });

  test('reports a server that does not respond', async () => {
    const { fetch } = browser({ origin: true, headers: [], up: false });
    const denied = { ...around(fetch), isLocalDenied: async () => true };
    expect(await diagnoseCors(request().request, around(fetch))).toMatchObject({ code: 'unreachable' });
    expect(await diagnoseCors(request().request, denied)).toMatchObject({ code: 'local-network-denied' });
  });

  test.each([
    ['http://mcp.example.com/', 'mixed-content'],
    ['http://127.0.0.1:1/', 'unreachable'],
    ['http://localhost:1/', 'unreachable'],
    ['https://mcp.example.com/', 'unreachable'],
  ])('on a page loaded over https, %s is %s', async (url, code) => {
    const { fetch } = browser({ origin: true, headers: [], up: false });
    expect(await diagnoseCors(request({ url }).request, around(fetch, 'https://page.example'))).toMatchObject({ code });
  });

  test('does not wait for a server that never answers', async () => {
    const clock = new FakeClock();
    const never: Fetch = (_url, { signal }) =>
      new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
    const verdict = diagnoseCors(request().request, { ...around(never), clock });
    for (let probe = 0; probe < 2; probe++) {
      while (clock.waiting === 0) await Promise.resolve();
      clock.advance(CORS_PROBE_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await verdict).toMatchObject({ code: 'unreachable' });
  });
});

const facts: CorsFacts = {
  method: 'POST',
  url: 'http://127.0.0.1:3001/mcp',
  origin: 'http://127.0.0.1:6274',
  mixed: false,
  localDenied: false,
  reachable: true,
  readable: true,
  refused: [],
};

describe('the verdict', () => {
  test.each<[string, Partial<CorsFacts>, string]>([
    ['mixed-content', { mixed: true, reachable: false, readable: false }, 'plain http'],
    ['local-network-denied', { localDenied: true, reachable: false, readable: false }, 'local network'],
    ['unreachable', { reachable: false, readable: false }, 'does not respond'],
    ['cors-origin', { readable: false }, 'Access-Control-Allow-Origin'],
    ['cors-origin', { readable: false, refused: ['authorization'] }, 'http://127.0.0.1:6274'],
    ['cors-headers', { refused: ['authorization', 'mcp-session-id'] }, 'send authorization, mcp-session-id:'],
    ['cors-headers', { refused: ['mcp-method', 'x-team'] }, 'Access-Control-Allow-Headers'],
    ['cors-modern', { refused: ['mcp-method', 'mcp-protocol-version'] }, 'mcp-method, mcp-protocol-version'],
    ['cors-methods', { method: 'DELETE' }, 'Access-Control-Allow-Methods'],
    ['cors-answer', {}, 'could not read the response to this POST'],
    // A server with Cross-Origin-Resource-Policy is unreadable and looks unreachable.
    ['cors-answer', { reachable: false }, 'Access-Control-Allow-Origin'],
  ])('%s for %j', (code, given, words) => {
    const verdict = corsVerdict({ ...facts, ...given });
    expect(verdict.code).toBe(code);
    expect(verdict.message).toContain(words);
    expect([verdict.message, verdict.advice].every((text) => /^[A-Z“h].*\.$/.test(text))).toBe(true);
  });
});
