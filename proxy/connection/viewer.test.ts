import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { FrameLog, type Spill } from '@/lib/hub/frame-log';
import { BATCH_BYTES, VIEWER_BUFFERED_BYTES, Viewer } from '@/lib/hub/viewer';
import { readBatchHeader } from '@/lib/wire/batch';
import { type Clock, systemClock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { FakeClock } from '@/lib/wire/test-clock';
import { SpillFile } from '@/proxy/files/spill-file';
import { COMMAND_WAIT_MS, SocketLink } from './socket-link';
import { TestTab } from './test-hub';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A link on one end of a real socket, which writes to `wire`, and a tab on the other. */
async function linkAndTab(clock: Clock): Promise<{ link: SocketLink; wire: Socket; tab: TestTab }> {
  const door = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(door, 'listening');
  const accepted = once(door, 'connection');
  const tab = new TestTab(new WebSocket(`ws://127.0.0.1:${(door.address() as { port: number }).port}`));
  const [socket, { socket: wire }] = (await accepted) as [WebSocket, IncomingMessage];
  closers.push(
    () => tab.socket.terminate(),
    () => new Promise((resolve) => door.close(resolve)),
  );
  await once(tab.socket, 'open');
  return { link: new SocketLink(socket, wire, clock), wire, tab };
}

async function viewerAndTab(): Promise<{ viewer: Viewer; tab: TestTab }> {
  const { link, tab } = await linkAndTab(systemClock);
  return { viewer: new Viewer(link, systemClock), tab };
}

/** Makes a log that is mostly on disk. */
async function spilledLog(frames: number, openSpill: () => Spill = () => new SpillFile()): Promise<FrameLog> {
  const log = new FrameLog({ memoryBytes: 600_000, openSpill });
  for (let seq = 1; seq <= frames; seq++) append(log, String(seq).padEnd(400));
  await log.settled();
  closers.push(() => log.close());
  return log;
}

function append(log: FrameLog, text: string): void {
  const bytes = Buffer.from(text);
  log.append('protocol', 'to-client', 0, 0, bytes, 0, bytes.length);
}

test('sends a log on disk whole and in order, with several logs at once', async () => {
  const { viewer, tab } = await viewerAndTab();
  const [a, b] = [await spilledLog(20_000), await spilledLog(10_000)];
  viewer.attach('a', a, 0);
  viewer.attach('b', b, 5000);
  await tab.until(() => tab.frames.length === 25_000);
  const count = new Map<string, number>();
  for (const { bytes } of tab.frames) {
    const text = Buffer.from(bytes).toString().trim();
    count.set(text, (count.get(text) ?? 0) + 1);
  }
  expect(count.get('1')).toBe(1);
  expect(count.get('5001')).toBe(2);
  expect(count.get('20000')).toBe(1);
});

test('attack: a tab that stops reading costs a megabyte and a batch, and gets every frame later', async () => {
  const { link, tab } = await linkAndTab(systemClock);
  const viewer = new Viewer(link, systemClock);
  let most = 0;
  const send = link.sendBatch.bind(link);
  link.sendBatch = (batch, taken) => {
    send(batch, taken);
    most = Math.max(most, link.bufferedAmount);
  };
  tab.socket.pause();
  // More than the system holds for a socket of this machine.
  const frames = 80_000;
  viewer.attach('c', await spilledLog(frames), 0);
  await expect.poll(() => link.bufferedAmount).toBeGreaterThanOrEqual(VIEWER_BUFFERED_BYTES);
  tab.socket.resume();
  await tab.until(() => tab.frames.length === frames);
  expect(tab.frames.every(({ seq }, at) => seq === at + 1)).toBe(true);
  expect(most).toBeLessThan(VIEWER_BUFFERED_BYTES + 2 * BATCH_BYTES);
});

test('goes on from the new place if the cursor moves while the disk is read', async () => {
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const file = new SpillFile();
  const slow: Spill = {
    append: (pieces) => file.append(pieces),
    read: async (at, length) => {
      await held;
      return file.read(at, length);
    },
    close: () => file.close(),
  };
  const { viewer, tab } = await viewerAndTab();
  const log = await spilledLog(10_000, () => slow);
  viewer.attach('c', log, 0);
  viewer.attach('c', log, 9990);
  release!();
  await tab.until(() => tab.frames.length >= 10);
  expect(tab.frames.map(({ seq }) => seq)).toEqual([9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999, 10_000]);
});

test('sends frames that a log gains while another log is being sent', async () => {
  const { viewer, tab } = await viewerAndTab();
  const quiet = new FrameLog();
  viewer.attach('quiet', quiet, 0);
  viewer.attach('big', await spilledLog(20_000), 0);
  append(quiet, 'hello');
  viewer.logGrew('quiet');
  await tab.until(() => tab.frames.some(({ bytes }) => Buffer.from(bytes).toString() === 'hello'));
  await tab.until(() => tab.frames.length === 20_001);
});

test('reports once that a log cannot be read, and the tab keeps the rest', async () => {
  let healthy = false;
  const file = new SpillFile();
  const flaky: Spill = {
    append: (pieces) => file.append(pieces),
    read: (at, length) => (healthy ? file.read(at, length) : Promise.reject(new Error('EIO'))),
    close: () => file.close(),
  };
  const { viewer, tab } = await viewerAndTab();
  const log = await spilledLog(10_000, () => flaky);
  viewer.attach('c', log, 0);
  await tab.until(() => tab.events.length === 1);
  expect(tab.events[0]).toMatchObject({ type: 'error', code: 'log-unreadable' });
  expect(tab.closed).toBeUndefined();
  healthy = true;
  viewer.attach('c', log, 0);
  await tab.until(() => tab.frames.length === 10_000);
});

test('disconnects a tab that reads no events, so that it comes back later', async () => {
  const { viewer, tab } = await viewerAndTab();
  tab.socket.pause();
  const message = 'x'.repeat(100_000);
  for (let i = 0; i < 300; i++) viewer.sendEvent({ type: 'error', code: 'test', message, advice: '' });
  tab.socket.resume();
  await tab.until(() => tab.closed !== undefined);
  expect(tab.events.length).toBeLessThan(300);
});

test('sends frames once more, from disk and in parts, along with new frames', async () => {
  const { viewer, tab } = await viewerAndTab();
  const log = await spilledLog(10_000);
  append(log, 'x'.repeat(2 * BATCH_BYTES));
  viewer.attach('c', log, 9999);
  await tab.until(() => tab.frames.length === 2);
  await Promise.all([viewer.sendAgain('c', log, 5, 7), viewer.sendAgain('c', log, 10_001, 99_999)]);
  await tab.until(() => tab.again.length === 4);
  expect(tab.again.map(({ seq }) => seq)).toEqual([5, 6, 7, 10_001]);
  expect(Buffer.from(tab.again[0]!.bytes).toString().trim()).toBe('5');
  expect(tab.again[3]!.bytes).toHaveLength(2 * BATCH_BYTES);
  await viewer.sendAgain('c', log, 1, 10_000);
  await tab.until(() => tab.again.length === 4 + LIMITS.againFrames);
  expect(tab.frames).toHaveLength(2);
});

test('sends messages of every length whole and in order', async () => {
  const { link, tab } = await linkAndTab(systemClock);
  const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 300_000];
  const got: string[] = [];
  tab.socket.removeAllListeners('message');
  tab.socket.on('message', (data: Buffer, binary) =>
    got.push(binary ? `batch ${data.length}` : JSON.parse(`${data}`).ref),
  );
  for (const length of lengths) {
    link.sendBatch(new Uint8Array(length), () => {});
    link.sendEvent({ type: 'done', ref: `event ${length}`, connection: 'é'.repeat(length / 2) });
  }
  await expect.poll(() => got.length).toBe(2 * lengths.length);
  expect(got).toEqual(lengths.flatMap((length) => [`batch ${length}`, `event ${length}`]));
});

test('says that a batch is taken if the tab is gone', async () => {
  const { link, tab } = await linkAndTab(systemClock);
  tab.socket.terminate();
  await expect.poll(() => link.isOpen).toBe(false);
  await new Promise<void>((taken) => link.sendBatch(new Uint8Array(10), taken));
  expect(link.bufferedAmount).toBe(0);
});

test('sends what one input causes in one piece, and nothing later', async () => {
  const { link, wire } = await linkAndTab(systemClock);
  const begun = wire.bytesWritten;
  link.sendEvent({ type: 'forgotten', connection: 'c1' });
  await Promise.resolve();
  link.sendEvent({ type: 'forgotten', connection: 'c2' });
  expect(wire.bytesWritten).toBe(begun);
  expect(link.bufferedAmount).toBeGreaterThan(0);
  await new Promise(process.nextTick);
  expect(link.bufferedAmount).toBe(0);
  expect(wire.bytesWritten).toBeGreaterThan(begun);
});

describe('what a command sends', () => {
  const done = { type: 'done', ref: '1', connection: 'c1' } as const;

  test('waits for the answer of the server, and leaves with it', async () => {
    const { link } = await linkAndTab(new FakeClock());
    link.runCommand(() => queueMicrotask(() => link.sendEvent(done)));
    await new Promise(setImmediate);
    expect(link.bufferedAmount).toBeGreaterThan(0);
    link.sendEvent({ type: 'forgotten', connection: 'c1' });
    await new Promise(process.nextTick);
    expect(link.bufferedAmount).toBe(0);
  });

  test('leaves alone if no answer comes soon', async () => {
    const clock = new FakeClock();
    const { link } = await linkAndTab(clock);
    link.runCommand(() => link.sendEvent(done));
    await new Promise(setImmediate);
    clock.advance(COMMAND_WAIT_MS - 1);
    expect(link.bufferedAmount).toBeGreaterThan(0);
    // A further command holds nothing up.
    link.runCommand(() => link.sendEvent(done));
    await new Promise(setImmediate);
    clock.advance(1);
    expect(link.bufferedAmount).toBe(0);
  });

  test.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])('arrives whole: a message of %i bytes', async (length) => {
    const { link, tab } = await linkAndTab(new FakeClock());
    // The tab would read it as a batch.
    tab.socket.removeAllListeners('message');
    const bytes = new Uint8Array(length).fill(7);
    const arrived = new Promise<Buffer>((resolve) => tab.socket.once('message', (data: Buffer) => resolve(data)));
    link.sendBatch(bytes, () => {});
    expect(new Uint8Array(await arrived)).toEqual(bytes);
  });

  test('is one batch with the frame that answers it', async () => {
    const clock = new FakeClock();
    const { link, tab } = await linkAndTab(clock);
    const viewer = new Viewer(link, clock);
    const log = new FrameLog();
    const batches: number[] = [];
    tab.socket.on('message', (data: Buffer, binary) => {
      if (binary) batches.push(readBatchHeader(new Uint8Array(data).buffer).count);
    });
    viewer.attach('c', log, 0);
    link.runCommand(() => {
      append(log, 'request');
      viewer.logGrew('c');
    });
    await new Promise(setImmediate);
    append(log, 'answer');
    viewer.logGrew('c');
    await tab.until(() => tab.frames.length === 2);
    link.runCommand(() => {
      append(log, 'notification');
      viewer.logGrew('c');
    });
    await new Promise(setImmediate);
    clock.advance(COMMAND_WAIT_MS);
    await tab.until(() => tab.frames.length === 3);
    expect(batches).toEqual([2, 1]);
  });

  test('does not wait if it is large', async () => {
    const { link, wire } = await linkAndTab(new FakeClock());
    const begun = wire.bytesWritten;
    link.runCommand(() => link.sendBatch(new Uint8Array(100_000), () => {}));
    expect(wire.bytesWritten - begun).toBeGreaterThan(100_000);
  });
});
