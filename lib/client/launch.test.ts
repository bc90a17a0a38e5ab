import { describe, expect, test, vi } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { ASK_TABS_MS, type LaunchPage, launch, requestNewLink, type TabChannel } from './launch';

/** Tabs of one origin. A message from one tab reaches all others. */
class Tabs {
  readonly #channels = new Set<TabChannel>();

  open(): TabChannel {
    const channels = this.#channels;
    const channel: TabChannel = {
      onmessage: null,
      postMessage(data) {
        for (const other of channels) if (other !== channel) queueMicrotask(() => other.onmessage?.({ data }));
      },
      close: () => channels.delete(channel),
    };
    channels.add(channel);
    return channel;
  }

  get count(): number {
    return this.#channels.size;
  }
}

function page(
  hash: string,
  options: { stored?: string; tabs?: Tabs; answer?: Response | Error; blocked?: boolean; host?: Response } = {},
) {
  const {
    tabs = new Tabs(),
    answer = new Response('{"token":"fresh"}'),
    blocked = false,
    host = new Response('{"proxy":true}'),
  } = options;
  const stored = new Map(options.stored === undefined ? [] : [['mcp-inspect.token', options.stored]]);
  const guard = <T>(value: T): T => {
    if (blocked) throw new DOMException('denied', 'SecurityError');
    return value;
  };
  const order: string[] = [];
  const fake = {
    location: { hash, pathname: '/', search: '?panel=tools' },
    history: { replaceState: vi.fn(() => void order.push('erased')) },
    storage: {
      getItem: (key: string) => guard(stored.get(key) ?? null),
      setItem: (key: string, value: string) => void guard(stored.set(key, value)),
      removeItem: (key: string) => void guard(stored.delete(key)),
    },
    clock: new FakeClock(),
    post: vi.fn(async (_path: string, _body: unknown) => {
      order.push('posted');
      if (answer instanceof Error) throw answer;
      return answer.clone();
    }),
    get: vi.fn(async (_path: string) => host),
    openChannel: () => tabs.open(),
  } satisfies LaunchPage;
  return { ...fake, stored, order };
}

/** Launches a page without other tabs. */
async function launchAlone(fake: ReturnType<typeof page>) {
  const result = launch(fake);
  await vi.waitFor(() => expect(fake.clock.waiting).toBe(1));
  fake.clock.advance(ASK_TABS_MS);
  return result;
}

describe('a launch code', () => {
  test('is erased from the URL first, then exchanged, and the token is kept', async () => {
    const fake = page('#launch=abc');
    expect(await launch(fake)).toMatchObject({ state: 'ready', token: 'fresh' });
    expect(fake.order).toEqual(['erased', 'posted']);
    expect(fake.history.replaceState).toHaveBeenCalledWith(null, '', '/?panel=tools');
    expect(fake.post).toHaveBeenCalledWith('/launch', { code: 'abc' });
    expect([...fake.stored.values()]).toEqual(['fresh']);
  });

  test('does not replace the tab’s own token if it is refused', async () => {
    const fake = page('#launch=old', { stored: 'kept', answer: new Response('', { status: 401 }) });
    expect(await launch(fake)).toMatchObject({ state: 'ready', token: 'kept' });
  });

  test.each([
    [new Response('', { status: 401 }), 'launch-refused'],
    [new Response('<html>'), 'launch-refused'],
    [new Response('{"token":7}'), 'launch-refused'],
    [new TypeError('fetch failed'), 'proxy-unreachable'],
  ])('fails with a reason if there is no token: %#', async (answer, code) => {
    expect(await launchAlone(page('#launch=old', { answer }))).toMatchObject({ state: 'no-token', failure: { code } });
  });

  test('leaves other fragments alone', async () => {
    const fake = page('#launch=', { stored: 'kept' });
    await launch(fake);
    expect(fake.order).toEqual([]);
  });
});

describe('a host without a proxy', () => {
  test('is recognised by its host.json, and no tab is asked for a token', async () => {
    const fake = page('', { host: new Response('{ "proxy": false }') });
    expect(await launch(fake)).toEqual({ state: 'no-proxy' });
    expect(fake.order).toEqual([]);
  });

  test.each([new Response('', { status: 404 }), new Response('<html>'), new Response('null'), Response.error()])(
    'is not recognised by any other response: %#',
    async (host) => {
      expect(await launchAlone(page('', { host }))).toMatchObject({ state: 'no-token' });
    },
  );

  test('is not looked for if the page has a token or a code', async () => {
    const fake = page('', { stored: 'kept' });
    await launch(fake);
    expect(fake.get).not.toHaveBeenCalled();
  });
});

describe('other tabs', () => {
  test('are asked for a token if this tab has none, and answer', async () => {
    const tabs = new Tabs();
    await launch(page('', { stored: 'shared', tabs }));
    const fake = page('', { tabs });
    expect(await launch(fake)).toMatchObject({ state: 'ready', token: 'shared' });
    expect([...fake.stored.values()]).toEqual(['shared']);
    expect(fake.clock.waiting).toBe(0);
  });

  test('are not waited for if they do not answer', async () => {
    const tabs = new Tabs();
    expect(await launchAlone(page('', { tabs }))).toEqual({ state: 'no-token', failure: undefined });
    expect(tabs.count).toBe(0);
  });

  test('do not get a refused token, and neither does a reload', async () => {
    const tabs = new Tabs();
    const fake = page('', { stored: 'stale', tabs });
    const result = await launch(fake);
    if (result.state === 'ready') result.forget();
    expect(fake.stored.size).toBe(0);
    expect(await launchAlone(page('', { tabs }))).toMatchObject({ state: 'no-token' });
  });

  test('are ignored if they send the refused token', async () => {
    const tabs = new Tabs();
    await launch(page('', { stored: 'stale', tabs }));
    expect(await launch(page('', { tabs }), 'stale')).toMatchObject({ state: 'no-token' });
  });
});

test('finds the token where storage is forbidden', async () => {
  expect(await launch(page('#launch=abc', { blocked: true }))).toMatchObject({ state: 'ready', token: 'fresh' });
});

test('requests a new link without a code', async () => {
  const fake = page('', { answer: new Response('{}', { status: 202 }) });
  await requestNewLink(fake);
  expect(fake.post).toHaveBeenCalledWith('/launch', {});
  await expect(requestNewLink(page('', { answer: new TypeError() }))).rejects.toMatchObject({
    code: 'proxy-unreachable',
  });
});
