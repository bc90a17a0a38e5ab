import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Credentials } from '@/lib/auth/credentials';
import { systemClock } from '@/lib/wire/clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { type OAuthFixture, type OAuthOptions, startOAuth } from './fixtures/oauth-fixture';
import { KeptSignIns } from './kept-sign-ins';
import { openHub } from './test-hub';

const open = closedAfterEach();

function dataFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-sign-ins-'));
  open.push({ close: () => rmSync(folder, { recursive: true, force: true }) });
  const file = join(folder, 'sign-ins.json');
  return { file, keeper: new KeptSignIns(join(folder, 'recordings')) };
}

async function startServers(options: Partial<OAuthOptions> = {}) {
  const oauth = await startOAuth(options);
  open.push(oauth);
  return oauth;
}

/** Starts a run of mcp-inspect, in which a person can sign in or not. */
async function startRun(oauth: OAuthFixture, keeper: KeptSignIns, { keepsAll = false, person = true } = {}) {
  const failures: string[] = [];
  const store = new Credentials({ keeper, keepsAll, onFailed: ({ message }) => failures.push(message) });
  const signIn = {
    // Each run listens on another port.
    redirectUri: async () =>
      person ? `http://127.0.0.1:${6000 + ++ports}/callback` : Promise.reject(new Error('nobody')),
    async waitForCallback({ url }: { readonly url: string }) {
      return (await oauth.visit(url)).searchParams;
    },
  };
  const hub = await openHub(systemClock, undefined, { store, signIn });
  open.push(hub);
  const tab = await hub.tab();
  const connect = (event = 'open') => tab.connect({ transport: 'http', url: oauth.url }, event);
  const granted = (): unknown[] =>
    tab
      .texts('lifecycle')
      .map((text) => JSON.parse(text))
      .flatMap(({ phase, by }) => (phase === 'granted' ? [by] : []));
  return { tab, connect, granted, failures };
}
let ports = 0;

test('a kept sign-in is used by a later run, without a person', async () => {
  const { keeper, file } = dataFolder();
  const oauth = await startServers();
  const first = await startRun(oauth, keeper, { keepsAll: true });
  await first.connect();
  await expect.poll(() => keeper.read()).toHaveLength(1);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const second = await startRun(oauth, keeper, { person: false });
  await second.connect();
  const sent = oauth.server.of('POST').at(-1)!.headers.authorization;
  expect(sent).toMatch(/^Bearer secret-token-/);
  expect(oauth.asked.filter((asked) => asked === 'POST /token')).toHaveLength(1);
  expect(['http', 'lifecycle', 'protocol'].flatMap((one) => second.tab.texts(one as 'http')).join()).not.toContain(
    'secret-',
  );
});

test('an expired one is refreshed with the client of the earlier run, and the new token is kept', async () => {
  const { keeper } = dataFolder();
  const oauth = await startServers();
  await (await startRun(oauth, keeper, { keepsAll: true })).connect();
  await expect.poll(() => keeper.read()).toHaveLength(1);
  const [before] = await keeper.read();
  oauth.good.clear();

  const second = await startRun(oauth, keeper, { person: false });
  await second.connect();
  expect(second.granted()).toContain('refresh');
  await expect.poll(async () => (await keeper.read())[0]!.accessToken).not.toBe(before!.accessToken);
  expect(oauth.asked.filter((asked) => asked === 'POST /register')).toHaveLength(1);
});

test('nothing is kept unless a person wants it', async () => {
  const { keeper, file } = dataFolder();
  const oauth = await startServers();
  const { tab, connect } = await startRun(oauth, keeper);
  const connection = await connect();
  expect(() => statSync(file)).toThrow();
  expect(await tab.ask({ type: 'keep-sign-in', connection })).toMatchObject({ type: 'done' });
  expect(await keeper.read()).toMatchObject([{ server: oauth.url, issuer: oauth.issuer.origin }]);
});

test('a sign-in that another program deleted is not written again by a refresh', async () => {
  const { keeper, file } = dataFolder();
  const oauth = await startServers();
  const { tab, connect, granted } = await startRun(oauth, keeper, { keepsAll: true });
  const connection = await connect();
  await expect.poll(() => keeper.read()).toHaveLength(1);
  await keeper.delete(() => true);
  oauth.good.clear();
  await tab.ask({ type: 'request', connection, method: 'tools/list' });
  await expect.poll(granted).toContain('refresh');
  await expect.poll(() => readFileSync(file, 'utf8')).not.toContain('secret-');
  expect(await keeper.read()).toEqual([]);
});

test('revoking its tokens deletes it, unless the server refuses', async () => {
  for (const revokes of [true, false]) {
    const { keeper } = dataFolder();
    const oauth = await startServers({ revokes });
    const { tab, connect } = await startRun(oauth, keeper, { keepsAll: true });
    const connection = await connect();
    await expect.poll(() => keeper.read()).toHaveLength(1);
    const done = await tab.ask({ type: 'auth-step', connection, step: 'revoke' });
    expect(done).toMatchObject(revokes ? { type: 'done' } : { code: 'no-revocation' });
    await expect.poll(() => keeper.read()).toHaveLength(revokes ? 0 : 1);
  }
});

test('signing out deletes it', async () => {
  const { keeper } = dataFolder();
  const oauth = await startServers();
  const { tab, connect } = await startRun(oauth, keeper, { keepsAll: true });
  const connection = await connect();
  await expect.poll(() => keeper.read()).toHaveLength(1);
  await tab.ask({ type: 'sign-out', connection });
  await expect.poll(() => keeper.read()).toEqual([]);
});

test('a damaged file is not overwritten, and the run goes on without it', async () => {
  const { keeper, file } = dataFolder();
  writeFileSync(file, '{"version":1,"signIns":[{}]}');
  const oauth = await startServers();
  const { connect, granted, failures } = await startRun(oauth, keeper, { keepsAll: true });
  await connect();
  expect(granted()).toEqual(['sign-in']);
  await expect.poll(() => failures.join()).toContain('Could not read the kept sign-ins');
  expect(readFileSync(file, 'utf8')).toBe('{"version":1,"signIns":[{}]}');
});

test('attack: a time that is not a date is damage, so that nothing shows it', async () => {
  const { keeper, file } = dataFolder();
  const signIn = { server: 's', issuer: 'i', settings: '', client: { client_id: 'c' }, accessToken: 'a', scopes: [] };
  for (const times of [{ at: 1e300 }, { at: 0, expiresAt: -1e300 }]) {
    writeFileSync(file, JSON.stringify({ version: 1, signIns: [{ ...signIn, ...times }] }));
    await expect(keeper.read()).rejects.toThrow('Could not read the kept sign-ins');
  }
});
