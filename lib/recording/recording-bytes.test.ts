import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encodeFrame, encodeHeaderOrEnd } from './encode-lines';
import { recordingBytes } from './recording-bytes';
import { TEST_HEADER } from './test-header';
import { TolerantReader } from './tolerant-reader';

const bytes = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}');
const frame = encodeFrame(1, { time: 0, channel: 'protocol', direction: 'to-client', flags: 0, bytes });

async function read(file: Uint8Array): Promise<{ frames: number; unpacked: number; failure: string | undefined }> {
  const reader = new TolerantReader();
  let [frames, unpacked] = [0, 0];
  async function* counted() {
    for await (const chunk of recordingBytes(new Blob([file as never]).stream() as never, {
      mostLineBytes: 1_000_000,
    })) {
      unpacked += chunk.length;
      yield chunk;
    }
  }
  for await (const portion of reader.portions(counted())) frames += portion.length;
  return { frames, unpacked, failure: reader.failure };
}

test('stops unpacking a line without an end, and keeps the frames before it', async () => {
  const zeros = Buffer.alloc(100_000_000);
  const { frames, unpacked, failure } = await read(
    gzipSync(Buffer.concat([encodeHeaderOrEnd(TEST_HEADER), frame, zeros])),
  );
  expect(frames).toBe(1);
  expect(failure).toContain('endless line');
  expect(unpacked).toBeLessThan(2_000_000);
});

test('reads on after a long line of a plain file', async () => {
  const long = Buffer.concat([Buffer.alloc(3_000_000, 'x'), Buffer.from('\n')]);
  const { frames, failure } = await read(Buffer.concat([encodeHeaderOrEnd(TEST_HEADER), long, frame]));
  expect(frames).toBe(1);
  expect(failure).toBeUndefined();
});

test('cancels its source when nobody wants more than the first chunk', async () => {
  let cancelled = false;
  const line = new Uint8Array(encodeHeaderOrEnd(TEST_HEADER));
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(line),
    cancel() {
      cancelled = true;
    },
  });
  for await (const _ of recordingBytes(source)) break;
  expect(cancelled).toBe(true);
});
