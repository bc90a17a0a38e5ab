import { afterEach, describe, expect, test } from 'vitest';
import type { UrlTarget } from '@/lib/wire/command';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { initialized, json } from '../transports/fixtures/http-fixture';
import { AUTHORITY, certificateFile, LOCKED_KEY, PASSPHRASE, startTls } from '../transports/fixtures/tls-fixture';
import { insecureNote } from './insecure-note';
import { type Preset, presetOf, resolveLaunch } from './launch';
import { openHub } from './test-tab';
import type { UrlLaunch } from './url-launch';

const open = closedAfterEach();
afterEach(() => {
  delete process.env.TEST_PASSPHRASE;
});

const URL_OF = 'https://h.example:8443/mcp';
const launchOf = (target: Omit<UrlTarget, 'transport'>, presets: readonly Preset[] = []) =>
  resolveLaunch({ transport: 'auto', ...target }, 'auto', presets) as UrlLaunch;

describe('what a target says of TLS', () => {
  const earlier = () => presetOf('c1', launchOf({ url: URL_OF, tls: { ca: [AUTHORITY], insecure: true } }));

  test('is taken over from its base at the same origin', () => {
    const again = launchOf({ url: 'https://h.example:8443/sse', base: 'c1' }, [earlier()]);
    expect(again).toMatchObject({ shown: { tls: { ca: [AUTHORITY], insecure: true } }, tls: { insecure: true } });
  });

  test.each(['https://h.example/mcp', 'https://evil.example:8443/mcp', 'http://h.example:8443/mcp'])(
    'and never at %s',
    (url) => {
      const other = launchOf({ url, base: 'c1' }, [earlier()]);
      expect(other.tls).toBeUndefined();
      expect(other.shown.tls).toBeUndefined();
    },
  );

  test('said again, it counts alone: nothing is not what the base has', () => {
    expect(launchOf({ url: URL_OF, base: 'c1', tls: {} }, [earlier()]).tls).toBeUndefined();
  });

  test('the warning is for https only', () => {
    expect(insecureNote(launchOf({ url: URL_OF, tls: { insecure: true } }))).toContain(
      'h.example:8443 is NOT verified',
    );
    expect(insecureNote(launchOf({ url: 'http://h.example/', tls: { insecure: true } }))).toBeUndefined();
    expect(insecureNote(launchOf({ url: URL_OF, tls: { ca: [AUTHORITY] } }))).toBeUndefined();
  });
});

async function connected(tls: UrlTarget['tls'], options = {}) {
  const server = await startTls(
    'server',
    ({ method, message }, response) => {
      if (method !== 'POST') response.writeHead(405).end();
      else if (message?.method === 'initialize') json(response, initialized(message.id));
      else response.writeHead(202).end();
    },
    options,
  );
  const hub = await openHub();
  open.push(server, hub);
  const tab = await hub.tab();
  const target = { transport: 'http', url: `${server.origin}/mcp`, tls } as const;
  await tab.connect(target, 'open', '2025-11-25');
  return { tab, summary: hub.hub.connections()[0]! };
}

test('an insecure connection says so in its summary, and in the first frame of its log', async () => {
  const { tab, summary } = await connected({ insecure: true });
  expect(summary).toMatchObject({ insecure: true });
  expect(JSON.parse(tab.texts('lifecycle')[0]!)).toMatchObject({ event: 'start', tls: { insecure: true } });
  expect(tab.events.some((event) => event.type === 'connection' && event.connection.insecure === true)).toBe(true);
});

test('a client certificate: its paths are in the log, neither key nor passphrase ever is', async () => {
  process.env.TEST_PASSPHRASE = PASSPHRASE;
  const files = { ca: [AUTHORITY], cert: certificateFile('client'), key: LOCKED_KEY };
  const demanding = { requestCert: true, rejectUnauthorized: true };
  const { tab, summary } = await connected({ ...files, passphraseEnv: 'TEST_PASSPHRASE' }, demanding);
  expect(summary).not.toHaveProperty('insecure');
  const all = tab.frames.map(({ bytes }) => Buffer.from(bytes).toString()).join('\n') + JSON.stringify(tab.events);
  expect(all).toContain(JSON.stringify(LOCKED_KEY));
  expect(all).not.toContain(PASSPHRASE);
  expect(all).not.toContain('PRIVATE KEY');
});

test('a file that is not there is an answer to `connect`, and no connection', async () => {
  const hub = await openHub();
  open.push(hub);
  const tab = await hub.tab();
  const target = { transport: 'auto', url: URL_OF, tls: { ca: ['/nowhere.pem'] } };
  expect(await tab.ask({ type: 'connect', target, protocol: 'auto' })).toMatchObject({
    type: 'error',
    code: 'tls-file',
    message: expect.stringContaining('There is no file "/nowhere.pem"'),
  });
  expect(hub.hub.connections()).toEqual([]);
});
