import { describe, expect, test, vi } from 'vitest';
import { RECONNECT_FIRST_MS } from './socket';
import { settle, setUpClient } from './test-client';

describe('the link', () => {
  test('offers our protocol and the token, and opens', () => {
    const { proxy, client } = setUpClient();
    const listener = vi.fn();
    client.subscribe(listener);
    expect(client.status).toBe('connecting');
    expect(proxy.socket.protocols).toEqual(['mcp-inspect.1', 'bearer.secret']);
    proxy.socket.accept();
    expect(client.status).toBe('open');
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test('opens no second socket when started again, even while the first is lost', () => {
    const { proxy, client } = setUpClient();
    client.start();
    proxy.socket.drop();
    client.start();
    expect(proxy.sockets).toHaveLength(1);
  });

  test('opens a lost socket again, with pauses that double up to a limit', async () => {
    const { proxy, clock } = setUpClient();
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt++) {
      proxy.socket.drop();
      const before = clock.now();
      const known = proxy.sockets.length;
      for (; proxy.sockets.length === known; await settle()) clock.advance(50);
      pauses.push(clock.now() - before);
    }
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
  });

  test('shortens the pause after a welcome, not after a mere open socket', async () => {
    const { proxy, clock, client } = setUpClient();
    proxy.socket.drop();
    clock.advance(RECONNECT_FIRST_MS);
    await settle();
    proxy.socket.onopen?.();
    proxy.socket.drop();
    clock.advance(RECONNECT_FIRST_MS);
    await settle();
    expect(proxy.sockets).toHaveLength(2);
    clock.advance(RECONNECT_FIRST_MS);
    await settle();
    expect(proxy.sockets).toHaveLength(3);
    proxy.socket.accept();
    proxy.socket.drop();
    expect(client.status).toBe('lost');
    clock.advance(RECONNECT_FIRST_MS);
    await settle();
    expect(proxy.sockets).toHaveLength(4);
  });

  test('stops trying when the token is refused, not when the proxy is away', async () => {
    const refused = setUpClient(401);
    refused.proxy.socket.drop();
    refused.clock.advance(RECONNECT_FIRST_MS);
    await settle();
    expect(refused.client.status).toBe('refused');
    expect(refused.clock.waiting).toBe(0);

    const away = setUpClient();
    away.fetch.mockRejectedValue(new TypeError('fetch failed'));
    away.proxy.socket.drop();
    away.clock.advance(RECONNECT_FIRST_MS);
    await settle();
    expect(away.client.status).toBe('lost');
    expect(away.proxy.sockets).toHaveLength(2);
  });

  test('opens nothing more when stopped, even while the token is checked', async () => {
    const { proxy, clock, client } = setUpClient();
    proxy.socket.drop();
    clock.advance(RECONNECT_FIRST_MS);
    client.stop();
    await settle();
    clock.advance(60_000);
    expect(proxy.sockets).toHaveLength(1);
    expect(proxy.socket.closed).toBe(true);
  });
});
