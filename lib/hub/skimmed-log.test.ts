import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BLOB_LIMITS } from '@/lib/recording/blobs';
import { blobAccess, type RandomAccess } from '@/lib/recording/large/random-access';
import { Log } from '@/lib/store/log';
import { PastLog } from '@/lib/store/past-log';
import { BatchReader } from '@/lib/wire/batch';
import { systemClock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { RecordedConnection, type RecordedDeps } from './recorded-connection';
import { back, bringBack, derived, fileOf, framesOf, LONG, logOf, out, sessions, texts } from './test-recordings';
import { cutBatch } from './viewer';

async function opened(
  bytes: Uint8Array<ArrayBuffer>,
  file?: RandomAccess,
  limits: Pick<RecordedDeps, 'wholeBytes' | 'expandedBytes'> = { wholeBytes: 0 },
): Promise<RecordedConnection> {
  let read = () => {};
  const over = new Promise<void>((resolve) => {
    read = resolve;
  });
  const onChanged = ({ summary }: RecordedConnection) => {
    if (summary.recording?.report) read();
  };
  const deps = { file: 'a', onGrown: () => {}, onChanged, ...(file && { parts: async () => file }), ...limits };
  const connection = await RecordedConnection.open('c1', new Blob([bytes]).stream(), deps);
  await over;
  return connection;
}

describe('a recording opened as skims', () => {
  test('is the same log as if opened whole, and has every byte on request', async () => {
    await fc.assert(
      fc.asyncProperty(
        sessions,
        fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
        async (frames, damaged) => {
          const bytes = fileOf(frames, new Set(damaged));
          const whole = await opened(bytes);
          const skimmed = await opened(bytes, blobAccess(new Blob([bytes])));
          expect(skimmed.log.bytes).toBeLessThanOrEqual(whole.log.bytes);
          const [wholeLog, skimmedLog] = [await logOf(whole), await logOf(skimmed)];
          expect(derived(skimmedLog)).toEqual(derived(wholeLog));
          const oneByOne = new Log('c1');
          for (const frame of await framesOf(skimmed)) oneByOne.append([frame]);
          expect(derived(oneByOne)).toEqual(derived(wholeLog));
          expect(skimmed.summary).toEqual(whole.summary);
          await bringBack(skimmedLog, skimmed);
          expect(texts(skimmedLog)).toEqual(texts(wholeLog));
        },
      ),
      { numRuns: process.env.TEST_LONG ? 60 : 12 },
    );
  });

  test('shows its past without reading the file', async () => {
    await fc.assert(
      fc.asyncProperty(sessions, fc.nat(), async (frames, anywhere) => {
        const bytes = fileOf(frames);
        const skimmed = await logOf(await opened(bytes, blobAccess(new Blob([bytes]))));
        const moment = (anywhere % skimmed.size) + 1;
        const past = new PastLog(skimmed, systemClock);
        await new Promise<void>((resolve) => {
          past.subscribe(() => past.progress === 1 && resolve());
          past.moveTo(moment);
        });
        const short = await opened(fileOf(frames.slice(0, moment - 1)));
        const whole = new Log('c1');
        whole.append((await framesOf(short)).slice(0, moment));
        expect(derived(past.log)).toEqual(derived(whole));
      }),
      { numRuns: process.env.TEST_LONG ? 25 : 8 },
    );
  });

  test('returns no message if the file has changed', async () => {
    const frames = Array.from({ length: 50 }, (_, of) => back({ jsonrpc: '2.0', id: of, result: { text: LONG } }));
    const bytes = fileOf(frames);
    const other = fileOf(frames.map((frame, index) => (index === 30 ? back({ other: LONG }) : frame)));
    let now = bytes;
    const file = { ...blobAccess(new Blob([bytes])), read: async (from: number, to: number) => now.slice(from, to) };
    const { log } = await opened(bytes, file);
    now = other;
    const before = await cutBatch('c1', log, { next: 3, offset: 0, until: 20 });
    expect(new BatchReader().read(before!.buffer).frames).toHaveLength(18);
    await expect(cutBatch('c1', log, { next: 25, offset: 0, until: 40 })).rejects.toMatchObject({
      code: 'recording-changed',
    });
  });

  test('returns no message if another message is at the same place', async () => {
    const frames = Array.from({ length: 50 }, (_, of) =>
      back({ jsonrpc: '2.0', id: of, error: { code: 1, message: 'aaaa', data: LONG } }),
    );
    const bytes = fileOf(frames);
    const other = new Uint8Array(Buffer.from(Buffer.from(bytes).toString().replaceAll('aaaa', 'bbbb')));
    let now = bytes;
    const file = { ...blobAccess(new Blob([bytes])), read: async (from: number, to: number) => now.slice(from, to) };
    const { log } = await opened(bytes, file);
    now = other;
    await expect(cutBatch('c1', log, { next: 25, offset: 0, until: 40 })).rejects.toMatchObject({
      code: 'recording-changed',
    });
  });

  test('reads no further than the line if other lines are there', async () => {
    const frames = Array.from({ length: 3000 }, (_, of) => back({ jsonrpc: '2.0', id: of, result: { text: LONG } }));
    const bytes = fileOf(frames);
    let [now, read] = [bytes, 0];
    const file = {
      ...blobAccess(new Blob([bytes])),
      read: async (from: number, to: number) => {
        read += to - from;
        return now.slice(from, to);
      },
    };
    const { log } = await opened(bytes, file);
    [now, read] = [new Uint8Array(Buffer.alloc(bytes.length, '{"k":"other"}\n')), 0];
    await expect(cutBatch('c1', log, { next: 25, offset: 0, until: 40 })).rejects.toMatchObject({
      code: 'recording-changed',
    });
    expect(read).toBeLessThan(100_000);
  });

  test('reads a string only once if many messages share it', async () => {
    // Long enough for several reads of the file.
    const data = 'x'.repeat(4 * BLOB_LIMITS.minBytes);
    const frames = Array.from({ length: 20 }, (_, of) =>
      back({ jsonrpc: '2.0', id: of, result: { of: [data, data] } }),
    );
    const bytes = fileOf(frames);
    let read = 0;
    const blob = blobAccess(new Blob([bytes]));
    const connection = await opened(bytes, {
      ...blob,
      read: (from: number, to: number) => {
        read += to - from;
        return blob.read(from, to);
      },
    });
    const log = await logOf(connection);
    read = 0;
    await bringBack(log, connection);
    expect(log.json(10)?.value).toMatchObject({ result: { of: [data, data] } });
    expect(read).toBeLessThan(4 * data.length);
  });

  test('returns renumbered notes together with the messages around them', async () => {
    const note = (on: number) => ({
      ...back({ event: 'note', on, text: 'here', bookmark: false }),
      channel: 'lifecycle' as const,
    });
    const frames = Array.from({ length: 30 }, (_, of) => back({ jsonrpc: '2.0', id: of, result: { text: LONG } }));
    // The note is on frame 10, which becomes 9 because one placeholder stands for two missing lines.
    const bytes = fileOf([...frames, note(10), ...frames], new Set([3, 4]));
    const { missingFrames } = LIMITS;
    Object.assign(LIMITS, { missingFrames: 1 });
    try {
      const [whole, skimmed] = [await opened(bytes), await opened(bytes, blobAccess(new Blob([bytes])))];
      const log = await logOf(skimmed);
      await bringBack(log, skimmed);
      expect(texts(log)).toEqual(texts(await logOf(whole)));
      expect(log.notes.noteOn(9)?.text).toBe('here');
    } finally {
      Object.assign(LIMITS, { missingFrames });
    }
  });

  test('uses the file’s numbers after a gap, and returns the frames around it', async () => {
    const frames = Array.from({ length: 40 }, (_, of) => back({ jsonrpc: '2.0', id: of + 2, result: { text: LONG } }));
    const bytes = fileOf(frames, new Set([0, 5, 11, 12, 13]));
    const skimmed = await opened(bytes, blobAccess(new Blob([bytes])));
    const log = await logOf(skimmed);
    const missing = [1, 6, 12, 13, 14];
    const says = () =>
      Array.from({ length: 41 }, (_, index) => log.json(index)?.value as { id?: number; event?: string });
    await bringBack(log, skimmed);
    expect(says().map((value) => value.id ?? value.event)).toEqual(
      Array.from({ length: 41 }, (_, index) => (missing.includes(index + 1) ? 'missing' : index + 1)),
    );
    expect([log.row(0).name, log.row(11).name]).toEqual([
      'Line 2 is damaged. 1 frame is missing here.',
      '3 lines from line 13 on are damaged. 3 frames are missing here.',
    ]);
    // A batch may start in the middle of the gap.
    const batch = await cutBatch('c1', skimmed.log, { next: 13, offset: 0, until: 16 });
    expect(new BatchReader().read(batch!.buffer).frames.map(({ seq }) => seq)).toEqual([13, 14]);
  });

  test('reads a frame larger than a batch once, and sends it in parts', async () => {
    // Strings too short to become blobs.
    const text = 'y'.repeat(BLOB_LIMITS.minBytes / 2);
    const content = Array.from({ length: 20 }, () => ({ type: 'text', text }));
    const bytes = fileOf([back({ jsonrpc: '2.0', id: 1, result: { content } })]);
    let reads = 0;
    const blob = blobAccess(new Blob([bytes]));
    const read = (from: number, to: number) => {
      reads++;
      return blob.read(from, to);
    };
    const connection = await opened(bytes, { ...blob, read });
    const log = await logOf(connection);
    expect(log.hasBytes(2)).toBe(false);
    const before = reads;
    await bringBack(log, connection);
    expect(log.json(1)?.value).toMatchObject({ result: { content } });
    expect(reads - before).toBeLessThan(6);
  });

  test.each([
    ['small', (bytes: Uint8Array<ArrayBuffer>) => bytes, 1e9],
    ['gzip', (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(gzipSync(bytes)), 0],
  ])('holds every message whole if the file is %s', async (_what, made, wholeBytes) => {
    const bytes = made(fileOf([back({ jsonrpc: '2.0', id: 1, result: { text: LONG } })]));
    let closed = 0;
    const file = { ...blobAccess(new Blob([bytes])), close: async () => void closed++ };
    const connection = await opened(bytes, file, { wholeBytes });
    expect((await logOf(connection)).hasBytes(2)).toBe(true);
    expect(closed).toBe(1);
    await bringBack(await logOf(connection), connection);
  });

  test('holds skims in place of most blobs of a small file if they would make its log large', async () => {
    const data = 'x'.repeat(BLOB_LIMITS.minBytes);
    const expandedBytes = 32 * data.length;
    const frames = Array.from({ length: 40 }, (_, of) => [
      out({ jsonrpc: '2.0', id: of, method: 'tools/call', params: { name: 'a' } }),
      back({ jsonrpc: '2.0', id: of, result: { data } }),
      back({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: LONG } }),
    ]).flat();
    const bytes = fileOf(frames);
    const connection = await opened(bytes, blobAccess(new Blob([bytes])), { wholeBytes: 1e9, expandedBytes });
    const [log, whole] = [await logOf(connection), await logOf(await opened(bytes))];
    expect(connection.log.bytes).toBeLessThan(expandedBytes + 300_000);
    expect(derived(log)).toEqual(derived(whole));
    // Only messages with blobs are skims.
    expect(
      Array.from({ length: log.size }, (_, index) => log.hasBytes(index + 1)).filter((here) => !here),
    ).toHaveLength(40 - expandedBytes / data.length + 1);
    await bringBack(log, connection);
    expect(texts(log)).toEqual(texts(whole));
  });
});
