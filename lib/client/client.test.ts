import { describe, expect, test, vi } from 'vitest';
import type { Command } from '@/lib/wire/command';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { FLOOD_ROWS } from './log-feed';
import { RECONNECT_FIRST_MS } from './socket';
import { batchOf, settle, setUpClient } from './test-client';

function frames(count: number): Frame[] {
  return Array.from({ length: count }, (_, index) => ({
    seq: index + 1,
    time: index,
    direction: 'to-client',
    channel: 'protocol',
    flags: 0,
    bytes: new TextEncoder().encode(`line ${index + 1}`),
  }));
}

describe('commands', () => {
  const ping = { type: 'request', connection: 'c1', method: 'ping' } as const;

  test('are answered by ref, in any order', async () => {
    const { proxy, client } = setUpClient();
    proxy.socket.accept();
    const [one, two] = [client.send(ping), client.send(ping)];
    const [first, second] = proxy.socket.sent('request');
    proxy.socket.tell({ type: 'done', ref: second!.ref, connection: 'c1', seq: 8 });
    proxy.socket.tell({ type: 'done', ref: first!.ref, connection: 'c1', seq: 7 });
    expect([(await one).seq, (await two).seq]).toEqual([7, 8]);
  });

  test('reject with the failure of an error event', async () => {
    const { proxy, client } = setUpClient();
    proxy.socket.accept();
    const sent = client.send(ping);
    const [{ ref }] = proxy.socket.sent('request') as [Command & { ref: string }];
    proxy.socket.tell({ type: 'error', ref, code: 'not-connected', message: 'No.', advice: 'Connect.' });
    await expect(sent).rejects.toMatchObject({ code: 'not-connected', message: 'No.', advice: 'Connect.' });
  });

  test('wait for the first socket', async () => {
    const { proxy, client } = setUpClient();
    const sent = client.send(ping);
    proxy.socket.accept();
    const [command] = proxy.socket.sent('request');
    proxy.socket.tell({ type: 'done', ref: command!.ref, connection: 'c1' });
    await expect(sent).resolves.toMatchObject({ type: 'done' });
  });

  test('are rejected when the socket is lost, and while it is away', async () => {
    const { proxy, clock, client } = setUpClient();
    proxy.socket.accept();
    const pending = client.send(ping);
    proxy.socket.drop();
    await expect(pending).rejects.toMatchObject({ code: 'socket-lost' });
    await expect(client.send(ping)).rejects.toMatchObject({ code: 'socket-lost' });
    clock.advance(RECONNECT_FIRST_MS);
    await settle();
    proxy.socket.accept();
    expect(proxy.socket.sent('request')).toEqual([]);
  });

  test('are rejected if the first socket never opened, and not sent later', async () => {
    const { proxy, clock, client } = setUpClient();
    const waiting = client.send(ping);
    proxy.socket.drop();
    await expect(waiting).rejects.toMatchObject({ code: 'socket-lost' });
    clock.advance(RECONNECT_FIRST_MS);
    await settle();
    proxy.socket.accept();
    expect(proxy.socket.sent('request')).toEqual([]);
  });

  test('are not disturbed by nonsense from the proxy', () => {
    const { proxy, client } = setUpClient();
    proxy.socket.accept();
    for (const data of ['', 'null', '[]', '{"type":7}', '{', 5, undefined]) proxy.socket.onmessage?.({ data });
    proxy.socket.tell({ type: 'done', ref: 'never', connection: 'c1' });
    expect(client.status).toBe('open');
  });
});

describe('logs', () => {
  test('are requested whole, once, and their frames arrive in order', () => {
    const { proxy, client } = setUpClient();
    proxy.socket.accept();
    const log = client.attach('c1');
    expect(client.attach('c1')).toBe(log);
    expect(client.log('c1')).toBe(log);
    expect(proxy.socket.sent('attach')).toEqual([{ type: 'attach', connection: 'c1', after: 0 }]);
    proxy.socket.deliver(batchOf('c1', frames(3), 9));
    expect(log.size).toBe(3);
    expect(log.last).toBe(9);
    expect(log.text(2)).toBe('line 3');
  });

  test('attached before the socket was open are attached when it is', () => {
    const { proxy, client } = setUpClient();
    client.attach('c1');
    expect(proxy.socket.received).toEqual([]);
    proxy.socket.accept();
    expect(proxy.socket.sent('attach')).toHaveLength(1);
  });

  test('call their listeners once per animation frame, if they grew', () => {
    const { proxy, client, paints, paintAll } = setUpClient();
    proxy.socket.accept();
    const [one, two] = [vi.fn(), vi.fn()];
    client.attach('c1').subscribe(one);
    client.attach('c2').subscribe(two);
    const all = frames(4);
    for (const frame of all) proxy.socket.deliver(batchOf('c1', [frame], 4));
    expect([paints.length, one.mock.calls.length]).toEqual([1, 0]);
    paintAll();
    expect([one.mock.calls.length, two.mock.calls.length]).toEqual([1, 0]);
    proxy.socket.deliver(batchOf('c2', all, 4));
    paintAll();
    expect([one.mock.calls.length, two.mock.calls.length]).toEqual([1, 1]);
  });

  test('call their listeners seldom while many frames are still to come', () => {
    const { proxy, client, paints, paintAll } = setUpClient();
    proxy.socket.accept();
    client.attach('c1');
    const all = frames(3);
    const paceOf = (index: number) => {
      proxy.socket.deliver(batchOf('c1', [all[index]!], LIMITS.farBehindFrames + 3));
      const [pace] = paints.map(({ pace }) => pace);
      paintAll();
      return pace;
    };
    // The first frames are drawn at once.
    expect([paceOf(0), paceOf(1), paceOf(2)]).toEqual(['next', 'seldom', 'next']);
  });

  test('are drawn at once when they have caught up', () => {
    const { proxy, client, paints, paintAll } = setUpClient();
    proxy.socket.accept();
    const called = vi.fn();
    client.attach('c1').subscribe(called);
    const all = frames(LIMITS.farBehindFrames + 3);
    const come = (from: number, to: number) => proxy.socket.deliver(batchOf('c1', all.slice(from, to), all.length));
    come(0, 1);
    paintAll();
    come(1, 2);
    expect(paints.map(({ pace }) => pace)).toEqual(['seldom']);
    come(2, all.length);
    expect(paints.map(({ pace }) => pace)).toEqual(['seldom', 'next']);
    paintAll();
    expect(called).toHaveBeenCalledTimes(2);
  });

  test('in a flood are drawn at every other animation frame, until the flood is over', () => {
    const { proxy, client, paints, paintAll } = setUpClient();
    proxy.socket.accept();
    client.attach('c1');
    const all = frames(FLOOD_ROWS + 3);
    const paces = (from: number, to: number) => {
      proxy.socket.deliver(batchOf('c1', all.slice(from, to), all.length));
      const seen = paints.map(({ pace }) => pace);
      paintAll();
      return seen;
    };
    expect(paces(0, FLOOD_ROWS + 1)).toEqual(['next']);
    expect(paces(FLOOD_ROWS + 1, FLOOD_ROWS + 2)).toEqual(['every-other']);
    expect(paces(FLOOD_ROWS + 2, FLOOD_ROWS + 3)).toEqual(['next']);
  });

  test('may alternate batches in the middle of a large frame', () => {
    const { proxy, client } = setUpClient();
    proxy.socket.accept();
    const [one, two] = [client.attach('c1'), client.attach('c2')];
    const all = frames(2);
    proxy.socket.deliver(batchOf('c1', all, 2, { from: 0, to: 3, more: true }));
    proxy.socket.deliver(batchOf('c2', all, 2));
    proxy.socket.deliver(batchOf('c1', [all[1]!], 2, { from: 3, to: 6, more: false }));
    expect([one.text(1), two.text(1)]).toEqual(['line 2', 'line 2']);
  });

  test('skip frames they already have', () => {
    const { proxy, client } = setUpClient();
    proxy.socket.accept();
    const log = client.attach('c1');
    const all = frames(4);
    proxy.socket.deliver(batchOf('c1', all.slice(0, 3), 4));
    proxy.socket.deliver(batchOf('c1', all.slice(1), 4));
    expect(log.size).toBe(4);
    expect(client.status).toBe('open');
  });

  test.each([
    ['a gap', (all: Frame[]) => batchOf('c1', all.slice(2), 4)],
    ['a torn batch', (all: Frame[]) => batchOf('c1', all, 4).slice(0, -2)],
  ])('%s drops the socket, and the next one goes on after the last good frame', async (_, make) => {
    const { proxy, clock, client } = setUpClient();
    proxy.socket.accept();
    const log = client.attach('c1');
    proxy.socket.deliver(batchOf('c1', frames(1), 4));
    proxy.socket.deliver(make(frames(4)));
    expect([client.status, proxy.socket.closed, log.size]).toEqual(['lost', true, 1]);
    clock.advance(RECONNECT_FIRST_MS);
    await settle();
    proxy.socket.accept();
    expect(proxy.socket.sent('attach')).toEqual([{ type: 'attach', connection: 'c1', after: 1 }]);
  });

  test('ignore frames of connections that are not attached, or were forgotten', () => {
    const { proxy, client } = setUpClient();
    proxy.socket.accept();
    const log = client.attach('c1');
    proxy.socket.tell({ type: 'forgotten', connection: 'c1' });
    proxy.socket.deliver(batchOf('c1', frames(1), 1));
    proxy.socket.deliver(batchOf('c9', frames(1), 1));
    proxy.socket.deliver(new ArrayBuffer(3));
    expect([log.size, client.log('c9').size, client.status]).toEqual([0, 0, 'open']);
  });

  test('lose and repeat nothing over 20 drops, some within a frame', async () => {
    const { proxy, clock, client, paintAll } = setUpClient();
    const all = frames(2000);
    proxy.socket.accept();
    const log = client.attach('c1');
    for (let drop = 0; drop <= 20; drop++) {
      const { after } = proxy.socket.sent('attach')[0]!;
      // The batches in transit when the link broke: whole frames, then half a frame.
      const upTo = drop === 20 ? all.length : after + 40 + drop;
      for (let at = after; at < upTo; at += 7) {
        proxy.socket.deliver(batchOf('c1', all.slice(at, Math.min(at + 7, upTo)), all.length));
      }
      if (drop === 20) break;
      proxy.socket.deliver(batchOf('c1', [all[upTo]!], all.length, { from: 0, to: 2, more: true }));
      proxy.socket.drop();
      clock.advance(RECONNECT_FIRST_MS);
      await settle();
      proxy.socket.accept();
    }
    paintAll();
    expect(proxy.sockets).toHaveLength(21);
    expect(log.size).toBe(all.length);
    expect(all.every(({ seq }) => log.text(seq - 1) === `line ${seq}`)).toBe(true);
  });
});
