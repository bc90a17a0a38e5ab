import { describe, expect, test } from 'vitest';
import { BatchReader } from '@/lib/wire/batch';
import { FLAG, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { SpillFile } from '@/proxy/files/spill-file';
import { FrameLog } from './frame-log';
import { BATCH_BYTES, type Cursor, cutBatch } from './viewer';

const text = (frame: Frame) => Buffer.from(frame.bytes).toString();

async function readAll(log: FrameLog, cursor: Cursor): Promise<{ frames: Frame[]; largest: number }> {
  const reader = new BatchReader();
  const frames: Frame[] = [];
  let largest = 0;
  for (;;) {
    const batch = await cutBatch('c1', log, cursor);
    if (!batch) return { frames, largest };
    largest = Math.max(largest, batch.length);
    const message = new Uint8Array(batch).buffer;
    frames.push(...reader.read(message).frames);
  }
}

describe('batches', () => {
  test('carry every frame with its number, time, direction, channel and flags', async () => {
    const log = new FrameLog();
    log.append('protocol', 'to-server', 0, 12.5, Buffer.from('{"id":1}'), 0, 8);
    log.append('stderr', 'to-client', FLAG.unterminated, 99, Buffer.from('hé'), 0, 3);
    log.append('lifecycle', 'to-client', 0, 100, Buffer.alloc(0), 0, 0);
    const { frames } = await readAll(log, { next: 1, offset: 0 });
    expect(frames.map((frame) => ({ ...frame, bytes: text(frame) }))).toEqual([
      { seq: 1, time: 12.5, direction: 'to-server', channel: 'protocol', flags: 0, bytes: '{"id":1}' },
      { seq: 2, time: 99, direction: 'to-client', channel: 'stderr', flags: FLAG.unterminated, bytes: 'hé' },
      { seq: 3, time: 100, direction: 'to-client', channel: 'lifecycle', flags: 0, bytes: '' },
    ]);
  });

  test('go on from any seq, across segments and spilled ones', async () => {
    const log = new FrameLog({ memoryBytes: 600_000, openSpill: () => new SpillFile() });
    for (let index = 1; index <= 30_000; index++) {
      const source = Buffer.from(String(index).padEnd(100));
      log.append('protocol', 'to-client', 0, index, source, 0, source.length);
    }
    await log.settled();
    const { frames } = await readAll(log, { next: 12_345, offset: 0 });
    expect(frames.length).toBe(30_000 - 12_344);
    expect(frames.every((frame, i) => frame.seq === 12_345 + i && text(frame).trim() === String(12_345 + i))).toBe(
      true,
    );
    await log.close();
  });

  test('cut a frame larger than a batch into parts, none larger than a batch', async () => {
    const log = new FrameLog();
    const big = Buffer.alloc(BATCH_BYTES * 3 + 17, 'abcdefg');
    log.append('protocol', 'to-client', 0, 1, Buffer.from('small'), 0, 5);
    log.append('protocol', 'to-client', 0, 2, big, 0, big.length);
    log.append('protocol', 'to-client', 0, 3, Buffer.from('last'), 0, 4);
    const { frames, largest } = await readAll(log, { next: 1, offset: 0 });
    expect(frames.map((frame) => frame.seq)).toEqual([1, 2, 3]);
    expect(Buffer.from(frames[1]!.bytes).equals(big)).toBe(true);
    expect(largest).toBeLessThan(BATCH_BYTES + 4096);
  });

  test('say how far behind their reader is', async () => {
    const log = new FrameLog();
    for (let index = 0; index < LIMITS.batchFrames + 10; index++) {
      log.append('protocol', 'to-client', 0, 0, Buffer.from('x'), 0, 1);
    }
    const batch = (await cutBatch('c1', log, { next: 1, offset: 0 }))!;
    const { header } = new BatchReader().read(new Uint8Array(batch).buffer);
    expect(header.last - (header.first + header.count - 1)).toBeGreaterThan(0);
  });

  test('are undefined when nothing is left to send', () => {
    expect(cutBatch('c1', new FrameLog(), { next: 1, offset: 0 })).toBeUndefined();
  });
});
