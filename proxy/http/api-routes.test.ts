import { describe, expect, test, vi } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import { TOKEN_HEADER } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { applyCallChange, NO_CALLS } from '@/lib/wire/saved-calls';
import { DEFAULT_SETTINGS } from '@/lib/wire/settings';
import type { KeptRecordings } from '@/proxy/recorder/kept-recordings';
import { CALL_BODY_BYTES, callsRoutes, logRoute, recordingRoutes, serversRoute, settingsRoutes } from './api-routes';
import { type Fixture, startFixture } from './attacks/fixture';
import type { Reply } from './reply';
import type { HttpRoute } from './routes';

const seen: string[] = [];
const routes = callsRoutes({
  read: async (key) => {
    seen.push(key);
    if (key === 'torn') throw new ConnectionError({ code: 'calls-unreadable', message: 'm', advice: 'a' });
    return NO_CALLS;
  },
  change: async (key, change) => {
    seen.push(key);
    return applyCallChange(NO_CALLS, change);
  },
});

async function asked(use: (fixture: Fixture, headers: Record<string, string>) => Promise<void>): Promise<void> {
  const fixture = await startFixture({ routes });
  seen.length = 0;
  const headers = { [TOKEN_HEADER]: fixture.token, 'content-type': 'application/json' };
  await use(fixture, headers).finally(() => fixture.end());
}

test('reads and changes calls with the token', () =>
  asked(async ({ ask }, headers) => {
    expect(JSON.parse((await ask('GET', '/api/calls?key=a%20b%26c', headers)).body)).toEqual(NO_CALLS);
    const change = JSON.stringify({ key: '__proto__', change: { kind: 'save', name: 'n', text: '{}' } });
    const answer = await ask('POST', '/api/calls', headers, change);
    expect(JSON.parse(answer.body).saved).toEqual([{ name: 'n', text: '{}' }]);
    expect(seen).toEqual(['a b&c', '__proto__']);
    for (const [method, body] of [
      ['GET', ''],
      ['POST', change],
    ] as const) {
      const bare = { 'content-type': 'application/json' };
      expect((await ask(method, '/api/calls?key=k', bare, body)).status).toBe(401);
    }
    expect(seen).toHaveLength(2);
  }));

test('returns a failure with its message', () =>
  asked(async ({ ask }, headers) => {
    const answer = await ask('GET', '/api/calls?key=torn', headers);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      409,
      { code: 'calls-unreadable', message: 'm', advice: 'a' },
    ]);
  }));

test.each([
  '',
  '7',
  '[]',
  '{}',
  '{"key":"k"}',
  '{"key":"","change":{"kind":"forget"}}',
  '{"key":7,"change":{"kind":"forget"}}',
  '{"key":"k","change":{"kind":"erase"}}',
  '{"key":"k","change":{"kind":"__proto__"}}',
  JSON.stringify({ key: 'k'.repeat(LIMITS.callKeyChars + 1), change: { kind: 'forget' } }),
  JSON.stringify({ key: 'k', change: { kind: 'remember', text: 'x'.repeat(LIMITS.keptCallChars + 1) } }),
])('refuses %s as a change', (body) =>
  asked(async ({ ask }, headers) => {
    expect((await ask('POST', '/api/calls', headers, body)).status).toBe(400);
    expect(seen).toEqual([]);
  }),
);

test('refuses a body beyond the limit', () =>
  asked(async ({ ask }, headers) => {
    const body = JSON.stringify({ key: 'k', change: { kind: 'forget', more: 'x'.repeat(CALL_BODY_BYTES) } });
    expect((await ask('POST', '/api/calls', headers, body)).status).toBe(413);
    expect((await ask('GET', '/api/calls', headers)).status).toBe(400);
    expect((await ask('GET', `/api/calls?key=${'k'.repeat(2000)}`, headers)).status).toBe(400);
    expect(seen).toEqual([]);
  }));

const ask = (body: string, read: Parameters<typeof logRoute>[0] = vi.fn()) =>
  logRoute(read).handle({ path: '', base: '', query: '', body });

test('streams the first frames of a connection', async () => {
  const bytes = new ReadableStream<Uint8Array>();
  const read = vi.fn(() => bytes);
  expect(await ask('{"id":"c1","frames":9}', read)).toMatchObject({ status: 200, stream: { bytes } });
  expect(read).toHaveBeenCalledWith('c1', 9);
});

test.each(['', '7', '{}', '{"id":1,"frames":1}', '{"id":"c1","frames":-1}', '{"id":"c1","frames":"1"}'])(
  'refuses the request %s',
  async (body) => {
    expect(await ask(body)).toMatchObject({ status: 400 });
  },
);

test('returns failures with their message', async () => {
  const refused = await ask('{"id":"c1","frames":9}', () => {
    throw new ConnectionError({ code: 'no-connection', message: 'm', advice: 'a' });
  });
  expect(refused).toMatchObject({ status: 409, body: '{"code":"no-connection","message":"m","advice":"a"}' });
});

describe('an import', () => {
  const failure = { code: 'har-without-mcp', message: 'None.', advice: 'Export it.' };
  const importRoute = (run: (onConverted: (progress: ReadingProgress) => void) => Promise<string>) => {
    const kept = {
      import: (_bytes: unknown, { onConverted }: { onConverted: (progress: ReadingProgress) => void }) =>
        run(onConverted),
    } as unknown as KeptRecordings;
    const routes = recordingRoutes(kept, async () => '');
    return routes.find(({ path }) => path === '/api/recordings/import') as HttpRoute;
  };
  const request = { path: '', base: '', body: '', query: '' };
  const textOf = (reply: Reply) => new Response(reply.stream?.bytes ?? String(reply.body)).text();

  test('that needs no conversion is answered with the id, or with status 409 and the failure', async () => {
    const fine = await importRoute(async () => 'a').handle(request);
    expect(fine).toMatchObject({ status: 200, body: '{"id":"a"}' });
    const refused = importRoute(async () => {
      throw new ConnectionError(failure);
    });
    expect(await refused.handle(request)).toMatchObject({ status: 409, body: JSON.stringify(failure) });
  });

  test('that is converted is answered with lines: the progress, then the id or the failure', async () => {
    const progress = '{"converted":{"done":1,"of":2}}\n{"converted":{"done":2,"of":2}}\n';
    const steps = (onConverted: (progress: ReadingProgress) => void) => {
      onConverted({ done: 1, of: 2 });
      onConverted({ done: 2, of: 2 });
    };
    const fine = await importRoute(async (onConverted) => {
      steps(onConverted);
      return 'a';
    }).handle(request);
    expect(fine).toMatchObject({ status: 200, type: 'application/x-ndjson' });
    expect(await textOf(fine)).toBe(`${progress}{"id":"a"}\n`);
    const failed = await importRoute(async (onConverted) => {
      steps(onConverted);
      throw new ConnectionError(failure);
    }).handle(request);
    expect(await textOf(failed)).toBe(`${progress}${JSON.stringify(failure)}\n`);
  });

  test('whose reader goes away does no harm', async () => {
    let goOn = (): void => {};
    const reply = await importRoute(async (onConverted) => {
      onConverted({ done: 1, of: 2 });
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      onConverted({ done: 2, of: 2 });
      throw new Error('gone');
    }).handle(request);
    await reply.stream!.bytes.cancel();
    goOn();
    await expect.poll(() => reply.stream!.bytes.locked).toBe(false);
  });
});

describe('settings', () => {
  const change = vi.fn(async (settings) => ({ settings: { ...DEFAULT_SETTINGS, ...settings }, file: '/f' }));
  const [reading, changing] = settingsRoutes({ read: () => ({ settings: DEFAULT_SETTINGS, file: '/f' }), change });
  const send = (body: string) => changing!.handle({ path: '', base: '', query: '', body });

  test('need the token', async () => {
    const fixture = await startFixture({ routes: [reading!, changing!] });
    try {
      const json = { 'content-type': 'application/json' };
      const withToken = { ...json, [TOKEN_HEADER]: fixture.token };
      expect((await fixture.ask('GET', '/api/settings', json)).status).toBe(401);
      expect((await fixture.ask('POST', '/api/settings', json, '{"theme":"dark"}')).status).toBe(401);
      expect(change).not.toHaveBeenCalled();
      expect(JSON.parse((await fixture.ask('GET', '/api/settings', withToken)).body).settings).toEqual(
        DEFAULT_SETTINGS,
      );
      const answer = await fixture.ask('POST', '/api/settings', withToken, '{"theme":"dark"}');
      expect(JSON.parse(answer.body).settings.theme).toBe('dark');
    } finally {
      await fixture.end();
    }
  });

  test.each(['', '7', '[]', '{"theme":"blue"}', '{"later":1}', '{"keep":{"days":1,"bytes":1}}'])(
    'refuses %s as a change',
    async (body) => {
      change.mockClear();
      expect(await send(body)).toMatchObject({ status: 400 });
      expect(change).not.toHaveBeenCalled();
    },
  );

  test('returns a failure with its message', async () => {
    change.mockRejectedValueOnce(new ConnectionError({ code: 'settings-unreadable', message: 'm', advice: 'a' }));
    expect(await send('{"theme":"dark"}')).toMatchObject({ status: 409 });
  });
});

test('changes the kept servers with the token', async () => {
  const change = (request: { readonly kind?: unknown }) => {
    if (request.kind === 'pin') return Promise.resolve({ servers: [], skipped: [], hosts: {} });
    const gone = new ConnectionError({ code: 'server-gone', message: 'm', advice: 'a' });
    return request.kind === 'delete' ? Promise.reject(gone) : undefined;
  };
  const fixture = await startFixture({ routes: [serversRoute(change)] });
  const headers = { [TOKEN_HEADER]: fixture.token, 'content-type': 'application/json' };
  const ask = (body: string, given: Record<string, string> = headers) =>
    fixture.ask('POST', '/api/servers/change', given, body);
  expect(JSON.parse((await ask('{"kind":"pin"}')).body)).toEqual({ servers: [], skipped: [], hosts: {} });
  expect((await ask('{"kind":"delete"}')).status).toBe(409);
  for (const body of ['{"kind":"other"}', '[]', '{']) expect((await ask(body)).status).toBe(400);
  expect((await ask('{"kind":"pin"}', { 'content-type': 'application/json' })).status).toBe(401);
  await fixture.end();
});
