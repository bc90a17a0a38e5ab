import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { openHub, type TestTab } from './test-hub';

const SERVERS = join(import.meta.dirname, '../../e2e/servers');
const RESOURCES = {
  transport: 'stdio',
  command: process.execPath,
  args: [join(SERVERS, 'resources-server.mjs')],
} as const;

let open: Awaited<ReturnType<typeof openHub>>;
let tab: TestTab;

beforeEach(async () => {
  open = await openHub();
  tab = await open.tab();
});
afterEach(() => open.close());

interface Message {
  readonly method?: string;
  readonly params?: {
    readonly uri?: string;
    readonly notifications?: { readonly resourceSubscriptions?: readonly string[] };
  };
}

/** The subscriptions in the log of the attached connection, as URIs. */
const subscribed = () =>
  tab
    .texts('protocol')
    .map((text) => JSON.parse(text) as Message)
    .filter(({ method }) => method === 'resources/subscribe' || method === 'subscriptions/listen')
    .flatMap(({ params }) => params?.uri ?? params?.notifications?.resourceSubscriptions ?? []);

/** Waits until the server has answered everything that it was asked so far. */
async function settled(connection: string): Promise<void> {
  const unknown = () => tab.texts('protocol').filter((text) => text.includes('-32601')).length;
  const before = unknown();
  await tab.ask({ type: 'request', connection, method: 'example/last' });
  await tab.until(() => unknown() > before);
}

async function restarted(connection: string): Promise<string> {
  const again = (await tab.ask({ type: 'restart', connection })) as { connection: string };
  tab.frames.length = 0;
  tab.send({ type: 'attach', connection: again.connection, after: 0 });
  await tab.lifecycle('open');
  await settled(again.connection);
  return again.connection;
}

describe.skipIf(!existsSync(join(SERVERS, 'node_modules')))('after a restart (needs `npm ci` in e2e/servers)', () => {
  test.each<[ProtocolChoice, (uri: string) => object, (uri: string) => object]>([
    [
      '2025-11-25',
      (uri) => ({ method: 'resources/subscribe', params: JSON.stringify({ uri }) }),
      (uri) => ({ method: 'resources/unsubscribe', params: JSON.stringify({ uri }) }),
    ],
    [
      '2026-07-28',
      (uri) => ({
        method: 'subscriptions/listen',
        params: JSON.stringify({ notifications: { resourceSubscriptions: [uri] } }),
      }),
      () => ({}),
    ],
  ])('the resources of the run before are subscribed to again: %s', async (protocol, subscribe, unsubscribe) => {
    const connection = await tab.connect(RESOURCES, 'open', protocol);
    for (const uri of ['board://one', 'board://two']) {
      await tab.ask({ type: 'request', connection, ...subscribe(uri) } as never);
    }
    const second = await restarted(connection);
    expect(subscribed()).toEqual(['board://one', 'board://two']);

    if (protocol === '2026-07-28') return;
    await tab.ask({ type: 'request', connection: second, ...unsubscribe('board://one') } as never);
    await settled(second);
    await restarted(second);
    expect(subscribed()).toEqual(['board://two']);
  });

  test('also if the server was gone before', async () => {
    const connection = await tab.connect(RESOURCES, 'open', '2026-07-28');
    const params = JSON.stringify({ notifications: { resourceSubscriptions: ['board://one'] } });
    await tab.ask({ type: 'request', connection, method: 'subscriptions/listen', params });
    await settled(connection);
    const [, pid] = /"event":"spawned","pid":(\d+)/.exec(tab.texts('lifecycle').join('\n')) ?? [];
    process.kill(Number(pid), 'SIGKILL');
    await tab.lifecycle('exit');
    await restarted(connection);
    expect(subscribed()).toEqual(['board://one']);
  });
});
