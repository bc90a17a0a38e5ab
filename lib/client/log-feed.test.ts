import { expect, test, vi } from 'vitest';
import { FrameLog } from '@/lib/hub/frame-log';
import { BATCH_BYTES, cutBatch } from '@/lib/hub/viewer';
import { Log } from '@/lib/store/log';
import { LogFeed } from './log-feed';

/** Makes a proxy's log of messages with these lengths, and a page's log that holds almost none of its bytes. */
async function feedOf(lengths: readonly number[], read?: (from: number, to: number) => Promise<unknown>) {
  const source = new FrameLog();
  for (const length of lengths) {
    const bytes = new TextEncoder().encode(
      `{"jsonrpc":"2.0","method":"notifications/x","params":"${'x'.repeat(length)}"}`,
    );
    source.append('protocol', 'to-client', 0, 0, bytes, 0, bytes.length);
  }
  const asked: [number, number][] = [];
  let changes = 0;
  const send = async (from: number, until?: number) => {
    for (const cursor = { next: from, offset: 0, until }; cursor.next <= (until ?? source.last); ) {
      expect(feed.addBatch((await cutBatch('c1', source, cursor))!.buffer)).toBe(true);
    }
  };
  const answer = async (from: number, to: number) => {
    asked.push([from, to]);
    await (read ?? send)(from, to);
  };
  const feed: LogFeed = new LogFeed(new Log('c1', { held: 0, again: 4 * BATCH_BYTES }), answer, () => changes++);
  await send(1);
  await vi.waitUntil(() => feed.log.size === lengths.length, PATIENCE);
  changes = 0;
  return { feed, log: feed.log, asked, source, changes: () => changes };
}

/** For busy machines. */
const PATIENCE = { timeout: 20_000 };

const idle = () => new Promise((resolve) => setTimeout(resolve));

test('requests dropped frames together and restores every byte', async () => {
  const { log, asked, source, changes } = await feedOf(Array.from({ length: 3000 }, () => 300));
  expect(log.hasBytes(1)).toBe(false);
  for (const seq of [10, 11, 12]) log.wanted.want(seq);
  await idle();
  expect(asked).toEqual([[10, 12]]);
  expect(changes()).toBe(1);
  expect([9, 10, 11, 12, 13].map((seq) => log.hasBytes(seq))).toEqual([false, true, true, true, false]);
  const segment = await source.segmentOf(10);
  expect(log.bytes(9)).toEqual(segment.dataBytes(9, 10).subarray(0, -1));
});

test('restores a frame in parts between the parts of another one', async () => {
  const long = 2 * BATCH_BYTES;
  const { feed, log, source } = await feedOf([long, 10, 10]);
  const bytes = new TextEncoder().encode(`"${'y'.repeat(long)}"`);
  source.append('protocol', 'to-client', 0, 0, bytes, 0, bytes.length);
  const live = { next: 4, offset: 0 };
  feed.addBatch((await cutBatch('c1', source, live))!.buffer);
  log.wanted.want(1);
  await idle();
  expect(log.text(0)).toContain('xxx"}');
  while (live.next <= source.last) feed.addBatch((await cutBatch('c1', source, live))!.buffer);
  await vi.waitUntil(() => log.size === 4, PATIENCE);
  expect(log.text(3)).toBe(`"${'y'.repeat(long)}"`);
});

test('stops requesting frames that the proxy no longer has, until the next socket', async () => {
  const refused = async () => {
    throw new Error('no such connection');
  };
  const { feed, log, asked, changes } = await feedOf([BATCH_BYTES, 10], refused);
  log.wanted.want(1);
  await idle();
  expect([log.hasBytes(1), log.wanted.isUnavailable(1), changes()]).toEqual([false, true, 1]);
  feed.resume();
  expect([log.wanted.isUnavailable(1), changes()]).toEqual([false, 2]);
  log.wanted.want(1);
  await idle();
  expect(asked).toEqual([
    [1, 1],
    [1, 1],
  ]);
});

test('adds batches after a large message in order, and drops them with a lost socket', async () => {
  const { feed, log, source, changes } = await feedOf([10]);
  const append = (text: string) => {
    const bytes = new TextEncoder().encode(text);
    source.append('protocol', 'to-client', 0, 0, bytes, 0, bytes.length);
  };
  append(`{"jsonrpc":"2.0","id":1,"result":[${'7,'.repeat(500_000)}7]}`);
  append('{"jsonrpc":"2.0","method":"notifications/after"}');
  const send = async () => {
    for (const cursor = { next: log.size + 1, offset: 0 }; cursor.next <= 3; ) {
      expect(feed.addBatch((await cutBatch('c1', source, cursor))!.buffer)).toBe(true);
    }
  };
  await send();
  expect(log.size).toBe(1);
  expect(feed.resume()).toBe(1);
  await send();
  const before = changes();
  await vi.waitUntil(() => log.size === 3, PATIENCE);
  expect([log.row(1).kind, log.row(2).method]).toEqual(['response', 'notifications/after']);
  await vi.waitUntil(() => changes() > before, PATIENCE);
});

test('refuses a batch that leaves a gap, even after a large message', async () => {
  const { feed, source } = await feedOf([10]);
  const large = new TextEncoder().encode(`[${'7,'.repeat(500_000)}7]`);
  for (const bytes of [large, large.subarray(0, 9), large.subarray(0, 9)]) {
    source.append('protocol', 'to-client', 0, 0, bytes, 0, bytes.length);
  }
  for (const cursor = { next: 2, offset: 0, until: 2 }; cursor.next <= 2; ) {
    expect(feed.addBatch((await cutBatch('c1', source, cursor))!.buffer)).toBe(true);
  }
  expect(feed.addBatch((await cutBatch('c1', source, { next: 4, offset: 0 }))!.buffer)).toBe(false);
});
