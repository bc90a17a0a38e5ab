import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameLog } from '@/lib/hub/frame-log';
import { BATCH_BYTES, cutBatch } from '@/lib/hub/viewer';
import { BatchReader, entryBytes, entryLength, readOtherEntry, readUntrustedBatch } from './batch';
import { CHANNELS, toChannel } from './frame';

function batch(texts: readonly string[], connection = 'd1', time = 5): ArrayBuffer {
  const log = new FrameLog();
  for (const text of texts) {
    const bytes = Buffer.from(text);
    log.append('protocol', 'to-client', 0, time, bytes, 0, bytes.length);
  }
  return (cutBatch(connection, log, { next: 1, offset: 0 }) as Uint8Array<ArrayBuffer>).buffer;
}

/** Returns a copy with these bytes at an offset. */
function changed(message: ArrayBuffer, at: number, ...bytes: number[]): ArrayBuffer {
  const copy = message.slice(0);
  new Uint8Array(copy).set(bytes, at);
  return copy;
}

describe('channels', () => {
  const names = [...CHANNELS, 'llm', '__proto__', 'x'.repeat(64)].map((name) => toChannel(name)!);

  test('of every name arrive with the exact bytes, in one part or in many', () => {
    const log = new FrameLog();
    const texts = names.flatMap((channel) =>
      ['', '\n', '{"id":1}', 'y'.repeat(BATCH_BYTES * 2)].map((text) => ({ channel, text })),
    );
    for (const { channel, text } of texts) {
      const bytes = Buffer.from(` ${text} `);
      log.append(channel, 'to-client', 0, 5, bytes, 1, bytes.length - 1);
    }
    const reader = new BatchReader();
    const cursor = { next: 1, offset: 0 };
    const found: unknown[] = [];
    for (let next = cutBatch('c1', log, cursor); next; next = cutBatch('c1', log, cursor)) {
      const { frames } = reader.read((next as Uint8Array<ArrayBuffer>).buffer);
      found.push(...frames.map(({ channel, bytes }) => ({ channel, text: Buffer.from(bytes).toString() })));
    }
    expect(found).toEqual(texts);
  });

  test('with a code are not named in entries; others are', () => {
    const bytes = Buffer.from('x\ny');
    for (const channel of names) {
      const entry = entryBytes({ channel, bytes });
      expect(entryLength({ channel, bytes })).toBe(entry.length);
      if (entry === bytes) expect(CHANNELS).toContain(channel);
      else expect(readOtherEntry(entry)).toEqual({ channel, bytes: new Uint8Array(bytes) });
    }
  });

  test.each(['', 'x', '\n', 'a b\n', 'protocol\nx', `${'x'.repeat(65)}\n`, 'é\n'])('refuses the entry %j', (text) => {
    expect(() => readOtherEntry(Buffer.from(text))).toThrow(RangeError);
  });
});

describe('readUntrustedBatch', () => {
  const message = batch(['{"id":1}', '', 'x']);
  const table = 4 + new DataView(message).getUint32(0, true);

  test('returns the header', () => {
    expect(readUntrustedBatch(message)).toEqual({ connection: 'd1', first: 1, count: 3, last: 3 });
    expect(readUntrustedBatch(batch(['x'.repeat(BATCH_BYTES * 2)]))).toMatchObject({ count: 1 });
  });

  test.each([
    ['of a connection that belongs to the proxy', batch(['x'], 'c1')],
    ['whose connection id is a path', batch(['x'], '../d1')],
    ['whose time is not a number', batch(['x'], 'd1', Number.NaN)],
    ['with a fraction of a microsecond', batch(['x'], 'd1', 1.5)],
    ['with a negative time', batch(['x'], 'd1', -1)],
    ['with an unknown channel', changed(message, table + 13, 9)],
    ['with a channel that only recordings have', changed(message, table + 13, 255)],
    ['with an unknown direction', changed(message, table + 12, 2)],
    ['with an unknown flag', changed(message, table + 14, 128)],
    ['with a part of a frame between whole frames', changed(message, table + 15, 1)],
    ['whose frames are longer than the message', changed(message, table + 8, 255, 255)],
    ['whose frames are shorter than the message', changed(message, table + 8, 1, 0)],
    ['that was cut off', message.slice(0, -1)],
    ['with an extra byte at its end', Uint8Array.from([...new Uint8Array(message), 0]).buffer],
    ['whose header is longer than the message', changed(message, 0, 255, 3)],
    ['whose header is not JSON', changed(message, 4, 0)],
    ['that is empty', new ArrayBuffer(0)],
  ])('refuses a batch %s', (_what, bad) => expect(readUntrustedBatch(bad)).toBeUndefined());

  test('refuses a batch with changed bytes, unless it can still be read safely', () => {
    const index = fc.nat(message.byteLength - 1);
    fc.assert(
      fc.property(fc.array(fc.tuple(index, fc.nat(255)), { minLength: 1, maxLength: 6 }), (changes) => {
        const bad = changes.reduce((before, [at, byte]) => changed(before, at, byte), message);
        const header = readUntrustedBatch(bad);
        if (header) expect(new BatchReader().read(bad).frames.length).toBeLessThanOrEqual(header.count);
      }),
    );
  });
});
