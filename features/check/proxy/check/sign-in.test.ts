import { afterEach, expect, test, vi } from 'vitest';
import { Credentials } from '@/lib/auth/credentials';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { type OAuthFixture, startOAuth } from '@/proxy/connection/fixtures/oauth-fixture';
import { resolveLaunch } from '@/proxy/connection/launch';
import { checkServer } from './check-server';
import { NO_OPTIONS } from './test-check';

const open = closedAfterEach();
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Checks a server that asks for a sign-in. A person signs in once. Also returns how often they were asked to. */
async function check(credentials: Credentials | undefined) {
  vi.stubEnv('CI', '');
  const oauth: OAuthFixture = await startOAuth();
  open.push(oauth.server, oauth.issuer);
  let asked = 0;
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    const [, address] = /Open this address:\n(\S+)/.exec(String(text)) ?? [];
    if (address !== undefined && asked++ === 0) void oauth.visit(address).then((callback) => fetch(callback));
    return true;
  });
  const { sources, failure } = await checkServer(resolveLaunch({ transport: 'auto', url: oauth.url }, 'auto', []), {
    server: { options: NO_OPTIONS, json: true, ...(credentials && { credentials }) },
    version: '0.0.0-test',
    status: { show: () => {}, end: () => {} },
    limits: { wholeMs: 60_000, stepMs: 15_000 },
    steps: [],
    onClose: () => {},
  });
  return { asked, failure, notes: sources[0]!.notes };
}

test('one sign-in is enough for all sessions of a check', async () => {
  const { asked, failure, notes } = await check(new Credentials());
  expect(failure).toBeUndefined();
  expect(asked).toBe(1);
  expect(notes.join()).toMatch(/Not offered: HTTP\+SSE/);
}, 30_000);

test('what waits for a sign-in is not called “not offered”', async () => {
  const { notes } = await check(undefined);
  expect(notes).toEqual(['Not checked: HTTP+SSE. It waits for a sign-in.']);
}, 30_000);
