import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { RecordingQueue } from './recording-queue';
import { newRingMemory, RingReader, type RingRecord, RingWriter } from './ring';

/** A queue, the ring before it, and what was recorded. `isSlow`: recording takes turns. */
function setUp(isSlow = false) {
  const memory = newRingMemory();
  const recorded: { readonly kind: string; readonly time: number; readonly text: string }[] = [];
  const record = ({ kind, time, bytes }: RingRecord, pause: () => Promise<void>): Promise<void> | undefined => {
    recorded.push({ kind, time, text: bytes.toString('latin1') });
    return isSlow ? pause() : undefined;
  };
  let drops = 0;
  const queue = new RecordingQueue(
    new RingReader(memory, () => {
      drops++;
    }),
    record,
  );
  const ring = new RingWriter(memory, () => queue.wake());
  queue.wake();
  return { queue, ring, recorded, drops: () => drops };
}

test('what comes one by one is recorded at once', () => {
  const { ring, recorded } = setUp();
  ring.put('stdin', 5, Buffer.from('{"a":1}\n'));
  expect(recorded).toEqual([{ kind: 'stdin', time: 5, text: '{"a":1}\n' }]);
  expect(ring.used).toBe(0);
});

test.each([false, true])('a flood is recorded whole and in order; slowly: %s', async (isSlow) => {
  const { queue, ring, recorded } = setUp(isSlow);
  const sent: string[] = [];
  // Odd lengths, so that records and the ring end at many different places.
  for (let n = 0; n < 600; n++) {
    const bytes = randomBytes((n * 977) % 65_536);
    while (!ring.put(n % 2 === 0 ? 'stdin' : 'stdout', n, bytes)) await new Promise((resolve) => setImmediate(resolve));
    sent.push(bytes.toString('latin1'));
  }
  await queue.end();
  expect(recorded.map(({ time }) => time)).toEqual(sent.map((_, n) => n));
  expect(recorded.every(({ text }, n) => text === sent[n])).toBe(true);
});

test('a record is in the ring until it is recorded, and then the reader wakes the writer', async () => {
  const { queue, ring, recorded, drops } = setUp(true);
  ring.put('stdin', 7, Buffer.alloc(50_000));
  ring.put('stdout', 9, Buffer.alloc(10));
  expect([recorded.length, ring.oldest, ring.used > 50_000]).toEqual([1, 7, true]);
  expect(ring.progress).toEqual({ taken: 0, pauses: 1 });
  expect([ring.askForDrop(), drops()]).toEqual([true, 0]);
  await queue.end();
  expect([recorded.length, ring.oldest, ring.used, drops()]).toEqual([2, Number.POSITIVE_INFINITY, 0, 1]);
  expect(ring.progress).toEqual({ taken: expect.any(Number), pauses: 0 });
  expect(ring.lag).toBeGreaterThan(0);
  expect(ring.askForDrop()).toBe(false);
});

test('a ring without room takes nothing', () => {
  const ring = new RingWriter(newRingMemory(), () => {});
  const piece = Buffer.alloc(1024 * 1024);
  while (ring.put('stdout', 0, piece));
  const { used } = ring;
  expect(ring.put('stdout', 0, piece)).toBe(false);
  expect([ring.used, ring.free < piece.length + 16]).toEqual([used, true]);
});
