import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test, vi } from 'vitest';
import { testBundle } from '@/proxy/files/test-bundle';
import { RecordingFeed } from './recording-feed';

let thread: URL;
beforeAll(async () => {
  const bundled = await testBundle('bad-recorder', {
    'bad-recorder': join(import.meta.dirname, 'fixtures/bad-recorder.ts'),
  });
  thread = pathToFileURL(join(bundled, 'bad-recorder.js'));
}, 60_000);

/** A feed whose thread records nothing, and what it reported. */
function setUp(works: boolean) {
  const reported: string[] = [];
  const feed = new RecordingFeed<object, string>({ works }, (sentence) => reported.push(sentence), thread);
  return { feed, reported };
}

test('a thread keeps up with 64 KiB that are not written yet, for 10 ms', () => {
  const { feed } = setUp(true);
  feed.put('stdout', Buffer.alloc(60_000));
  expect(feed.keepsUp).toBe(true);
  feed.put('stdout', Buffer.alloc(6_000));
  expect(feed.keepsUp).toBe(false);

  const young = setUp(true);
  young.feed.put('stdout', Buffer.alloc(10));
  expect(young.feed.keepsUp).toBe(true);
  const start = performance.now();
  while (performance.now() - start < 11);
  expect(young.feed.keepsUp).toBe(false);
});

test('a long line that is being recorded holds others only for a moment', async () => {
  const { feed, reported } = setUp(true);
  feed.put('stdout', Buffer.alloc(100_000));
  await feed.written();
  expect([feed.isLate, reported]).toEqual([false, []]);
  expect(feed.keepsUp).toBe(false);
});

test('a disk that takes nothing for 5 s ends the wait with a sentence', async () => {
  const { feed, reported } = setUp(false);
  await new Promise((resolve) => {
    feed.onNews = resolve;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  feed.put('stdout', Buffer.alloc(100_000));
  const written = feed.written();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(feed.isLate).toBe(false);
  await vi.advanceTimersByTimeAsync(300);
  vi.useRealTimers();
  await written;
  expect([feed.isLate, feed.catchUp()]).toEqual([true, false]);
  expect(reported).toEqual([expect.stringContaining('The disk has taken nothing for 5 s.')]);
});
