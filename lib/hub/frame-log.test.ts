import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Channel, toChannel } from '@/lib/wire/frame';
import { SpillFile } from '@/proxy/files/spill-file';
import { FrameLog, type Segment, type Spill } from './frame-log';

const bytes = (text: string) => Buffer.from(text);

function append(log: FrameLog, text: string, time = 0): number {
  const source = bytes(`<${text}>`);
  return log.append('protocol', 'to-client', 0, time, source, 1, source.length - 1);
}

async function frameText(log: FrameLog, seq: number): Promise<string> {
  const segment: Segment = await log.segmentOf(seq);
  return Buffer.from(segment.dataBytes(seq - segment.first, seq - segment.first + 1))
    .toString()
    .slice(0, -1);
}

describe('a frame log', () => {
  test('numbers frames from 1 without gaps, and copies only the given slice of a chunk', async () => {
    const log = new FrameLog();
    expect(append(log, 'one')).toBe(1);
    expect(append(log, 'two')).toBe(2);
    expect(log.last).toBe(2);
    expect(log.bytes).toBe(6);
    expect(await frameText(log, 1)).toBe('one');
    expect(await frameText(log, 2)).toBe('two');
  });

  test('copies lines of one chunk together, even if another frame comes between them', async () => {
    const log = new FrameLog();
    const chunk = bytes('aa\nbbb\n\ncccc\r\nrest');
    const other = bytes('to server');
    log.append('protocol', 'to-client', 0, 0, chunk, 0, 2);
    log.append('protocol', 'to-client', 0, 0, chunk, 3, 6);
    expect(await frameText(log, 2)).toBe('bbb');
    log.append('protocol', 'to-client', 0, 0, chunk, 7, 7);
    log.append('protocol', 'to-server', 0, 0, other, 0, other.length);
    log.append('protocol', 'to-client', 0, 0, chunk, 8, 13);
    const texts = await Promise.all([1, 2, 3, 4, 5].map((seq) => frameText(log, seq)));
    expect(texts).toEqual(['aa', 'bbb', '', 'to server', 'cccc\r']);
  });

  test('needs no chunk any more once it has settled, even if the chunk fills several segments', async () => {
    const log = new FrameLog();
    const lines = Array.from({ length: 9000 }, (_, index) => `line ${index}`.padEnd(100, '.'));
    const chunk = bytes(`${lines.join('\n')}\n`);
    for (let at = 0; at < chunk.length; at += 101) log.append('protocol', 'to-client', 0, 0, chunk, at, at + 100);
    log.settle();
    chunk.fill(0);
    const texts = await Promise.all(lines.map((_, index) => frameText(log, index + 1)));
    expect(texts).toEqual(lines);
  });

  test('takes all lines of a chunk as it takes them one by one', async () => {
    const lineBytes = fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 0, max: 300 }) },
      { weight: 2, arbitrary: fc.integer({ min: 100_000, max: 700_000 }) },
    );
    const chunks = fc.array(fc.tuple(fc.array(lineBytes, { maxLength: 12 }), fc.integer({ min: 1, max: 400 })));
    const channel = fc.constantFrom<Channel>('protocol', 'stderr', toChannel('x-other')!);
    await fc.assert(
      fc.asyncProperty(chunks, channel, async (all, on) => {
        const [log, expected] = [new FrameLog(), new FrameLog()];
        for (const [time, [sizes, repeats]] of all.entries()) {
          const lines = sizes.flatMap((size) => Array<string>(size > 1000 ? 1 : repeats).fill('y'.repeat(size)));
          const chunk = bytes(`>${lines.map((line) => `${line}\n`).join('')}rest`);
          log.appendLines(on, 'to-client', time, chunk, 1, chunk.length - 4);
          log.settle();
          chunk.fill(0);
          for (const line of lines) {
            const source = bytes(line);
            expected.append(on, 'to-client', 0, time, source, 0, source.length);
          }
          append(log, 'between', time);
          append(expected, 'between', time);
        }
        const facts = ({ last, lastTime, bytes: sum }: FrameLog) => [last, lastTime, sum];
        expect(facts(log)).toEqual(facts(expected));
        for (let seq = 1; seq <= log.last; seq++) {
          const [segment, other] = [await log.segmentOf(seq), await expected.segmentOf(seq)];
          const [frame, same] = [segment.frame(seq - segment.first), other.frame(seq - other.first)];
          expect({ ...frame, bytes: frame.bytes.length }).toEqual({ ...same, bytes: same.bytes.length });
          if (Buffer.compare(frame.bytes, same.bytes) !== 0) throw new Error(`Frame ${seq} has other bytes.`);
        }
      }),
      { numRuns: 10 },
    );
  });

  test('keeps a frame larger than a segment, and empty ones', async () => {
    const log = new FrameLog();
    const big = 'x'.repeat(3_000_000);
    append(log, '');
    append(log, big);
    append(log, 'after');
    expect((await frameText(log, 2)).length).toBe(big.length);
    expect(await frameText(log, 1)).toBe('');
    expect(await frameText(log, 3)).toBe('after');
  });

  test('keeps the memory of a source that is only a large frame and a line feed', async () => {
    const log = new FrameLog({ memoryBytes: 1000, openSpill: () => new SpillFile() });
    const line = Buffer.alloc(600_001, 'x');
    append(log, 'before');
    log.append('protocol', 'to-client', 0, 0, line, 0, line.length - 1);
    append(log, '');
    append(log, 'after');
    const segment = await log.segmentOf(2);
    const isKept = segment.data.buffer === line.buffer;
    const texts = await Promise.all([1, 2, 3, 4].map((seq) => frameText(log, seq)));
    expect(texts).toEqual(['before', 'x'.repeat(600_000), '', 'after']);
    expect([isKept, line.at(-1)]).toEqual([true, 10]);
    await log.settled();
    expect(await frameText(log, 2)).toBe('x'.repeat(600_000));
    await log.close();
  });

  test('copies a large frame of a source that is more than that', async () => {
    const log = new FrameLog();
    const source = Buffer.alloc(600_002, 'x');
    log.append('protocol', 'to-client', 0, 0, source, 0, source.length - 2);
    log.settle();
    source.fill('y');
    expect(await frameText(log, 1)).toBe('x'.repeat(600_000));
  });

  test('moves old frames to the real spill file and reads every one back', async () => {
    const log = new FrameLog({ memoryBytes: 1_000_000, openSpill: () => new SpillFile() });
    const text = (index: number) => `${index}:${'y'.repeat(index % 977)}`;
    const count = 20_000;
    for (let index = 1; index <= count; index++) append(log, text(index));
    await log.settled();
    const first = log.segmentOf(1);
    expect(first).toBeInstanceOf(Promise);
    for (let seq = 1; seq <= count; seq += 7) expect(await frameText(log, seq)).toBe(text(seq));
    await log.close();
  });

  test('returns any frame at once, from memory or from the real spill file', async () => {
    const log = new FrameLog({ memoryBytes: 1_000_000, openSpill: () => new SpillFile() });
    const text = (index: number) => `${index}:${'z'.repeat(index % 977)}`;
    const count = 20_000;
    for (let index = 1; index <= count; index++) append(log, text(index), index);
    await log.settled();
    expect(log.segmentOf(1)).toBeInstanceOf(Promise);
    for (const seq of [1, count, 2, 5000, 5001, count - 1]) {
      const frame = log.frameNow(seq);
      expect(frame).toMatchObject({ seq, time: seq, channel: 'protocol', direction: 'to-client' });
      expect(Buffer.from(frame.bytes).toString()).toBe(text(seq));
    }
    await log.close();
  });

  test('uses the memory of spilled frames again, but not while somebody has a view of it', async () => {
    const log = new FrameLog({ memoryBytes: 600_000, openSpill: () => new SpillFile() });
    const text = (index: number) => `${index}:${'v'.repeat(500)}`;
    append(log, text(1));
    const view = (log.segmentOf(1) as Segment).frame(0).bytes;
    const memory = new Set<ArrayBuffer>();
    for (let index = 2; index <= 20_000; index++) {
      append(log, text(index));
      memory.add((log.segmentOf(index) as Segment).data.buffer);
      if (index % 500 === 0) await log.settled();
    }
    // 20,000 frames fill 20 segments.
    expect(memory.size).toBeLessThan(10);
    expect(Buffer.from(view).toString()).toBe(text(1));
    for (let seq = 1; seq <= 20_000; seq += 7) expect(await frameText(log, seq)).toBe(text(seq));
    await log.close();
  });

  test('keeps the log in memory when the disk fails, and says so once', async () => {
    const failures: string[] = [];
    const failing: Spill = {
      append: () => Promise.reject(new Error('ENOSPC: no space left on device')),
      read: () => Promise.reject(new Error('nothing was written')),
      close: () => Promise.resolve(),
    };
    const log = new FrameLog({
      memoryBytes: 600_000,
      openSpill: () => failing,
      onSpillFailed: (error) => failures.push(error.message),
    });
    for (let index = 0; index < 5000; index++) append(log, 'z'.repeat(500));
    await log.settled();
    for (let index = 0; index < 5000; index++) append(log, 'z'.repeat(500));
    await log.settled();
    expect(failures).toEqual(['ENOSPC: no space left on device']);
    expect(await frameText(log, 1)).toBe('z'.repeat(500));
    expect(await frameText(log, 10_000)).toBe('z'.repeat(500));
  });
});
