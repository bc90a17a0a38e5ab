import { describe, expect, test, vi } from 'vitest';
import type { Client } from '@/lib/client/client';
import type { LaunchResult } from '@/lib/client/launch';
import { PageLaunch } from './launch';

/** A client with nothing but a status. */
function fakeClient() {
  let listener = () => {};
  const client = {
    status: 'connecting',
    start: vi.fn(),
    stop: vi.fn(),
    subscribe: (told: () => void) => (listener = told),
  };
  const refuse = () => {
    client.status = 'refused';
    listener();
  };
  return { client: client as unknown as Client, refuse, start: client.start, stop: client.stop };
}

const ready = (token: string) => ({ state: 'ready', token, forget: vi.fn() }) satisfies LaunchResult;

describe('launching a page', () => {
  test('happens once for all subscribers', async () => {
    const { client, start } = fakeClient();
    const launch = vi.fn(async () => ready('a'));
    const page = new PageLaunch(launch, () => client);
    expect(page.state).toEqual({ state: 'launching' });
    expect(launch).not.toHaveBeenCalled();
    page.subscribe(() => {})();
    page.subscribe(() => {});
    await vi.waitFor(() => expect(page.state).toEqual({ state: 'ready', client }));
    expect([launch.mock.calls.length, start.mock.calls.length]).toEqual([1, 1]);
  });

  test('creates a client without a token if the page needs no proxy', async () => {
    const { client } = fakeClient();
    const create = vi.fn(() => client);
    const page = new PageLaunch(
      async () => ({ state: 'no-token' }),
      create,
      () => true,
    );
    page.subscribe(() => {});
    await vi.waitFor(() => expect(page.state).toEqual({ state: 'ready', client }));
    expect(create).toHaveBeenCalledWith(undefined);
  });

  test('says that there is no token', async () => {
    const page = new PageLaunch(
      async () => ({ state: 'no-token' }),
      () => fakeClient().client,
    );
    const listener = vi.fn();
    page.subscribe(listener);
    await vi.waitFor(() => expect(page.state).toEqual({ state: 'no-token' }));
    expect(listener).toHaveBeenCalled();
  });

  test('forgets a refused token and looks for another', async () => {
    const [first, second] = [fakeClient(), fakeClient()];
    const stale = ready('stale');
    const launch = vi.fn(async (refused?: string) => (refused === undefined ? stale : ready('fresh')));
    const page = new PageLaunch(launch, (token) => (token === 'stale' ? first.client : second.client));
    page.subscribe(() => {});
    await vi.waitFor(() => expect(page.state.state).toBe('ready'));
    first.refuse();
    expect(page.state).toEqual({ state: 'ready', client: first.client });
    expect([stale.forget.mock.calls.length, first.stop.mock.calls.length]).toEqual([1, 1]);
    await vi.waitFor(() => expect(page.state).toEqual({ state: 'ready', client: second.client }));
    expect(launch).toHaveBeenLastCalledWith('stale');
  });

  test('keeps the refused client if there is no other token', async () => {
    const { client, refuse, stop } = fakeClient();
    const launch = vi.fn(
      async (refused?: string): Promise<LaunchResult> => (refused === undefined ? ready('a') : { state: 'no-token' }),
    );
    const page = new PageLaunch(launch, () => client);
    page.subscribe(() => {});
    await vi.waitFor(() => expect(page.state.state).toBe('ready'));
    refuse();
    await vi.waitFor(() => expect(launch).toHaveBeenCalledTimes(2));
    await launch.mock.results[1]!.value;
    expect(page.state).toEqual({ state: 'ready', client });
    expect(stop).toHaveBeenCalledOnce();
  });
});
