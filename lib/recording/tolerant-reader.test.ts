import { describe, expect, test } from 'vitest';
import { encodeFrame, encodeHeaderOrEnd } from './encode-lines';
import { FRAMELESS_LINES } from './recording-reader';
import { TEST_HEADER } from './test-header';
import { RECORDED_PORTION_BYTES, TolerantReader } from './tolerant-reader';

const header = encodeHeaderOrEnd(TEST_HEADER);
const line = (n: number) =>
  encodeFrame(n, { time: 0, channel: 'protocol', direction: 'to-client', flags: 0, bytes: Buffer.from('{}') });

const read = (...chunks: readonly (Uint8Array | Error)[]) => readBy(new TolerantReader(), ...chunks);

async function readBy(recorded: TolerantReader, ...chunks: readonly (Uint8Array | Error)[]) {
  const portions: number[][] = [];
  const bytes = async function* () {
    for (const chunk of chunks) {
      if (chunk instanceof Error) throw chunk;
      yield chunk;
    }
  };
  for await (const frames of recorded.portions(bytes())) portions.push(frames.map((frame) => frame.bytes.length));
  return { portions, frames: portions.flat().length, failure: recorded.failure, report: recorded.report };
}

describe('reads a recording as far as possible', () => {
  test('reports an error after the first frame instead of throwing it', async () => {
    const file = Buffer.concat([header, line(1)]);
    const { frames, failure, report } = await read(file, new Error('no disk'), line(2));
    expect([frames, failure]).toEqual([1, 'Could not read the rest of the file: Error: no disk.']);
    expect(report).toMatchObject({ frames: 1, ended: false });
  });

  test('reports an error in the last bytes instead of throwing it', async () => {
    const blanks = Buffer.alloc(FRAMELESS_LINES + 10, '\n');
    const { frames, failure } = await read(Buffer.concat([header, line(1), blanks, line(2)]));
    expect(frames).toBe(1);
    expect(failure).toContain('Most lines of this recording are unreadable');
  });

  test('throws an error before the first frame', async () => {
    await expect(read(header, new Error('no disk'))).rejects.toThrow('no disk');
    await expect(read(Buffer.from('hello\n'))).rejects.toMatchObject({ code: 'not-a-recording' });
    await expect(read(header)).rejects.toMatchObject({ code: 'recording-empty' });
  });
});

test('stops when the receiver is full', async () => {
  const blob = `{"k":"blob","b":"b1","s":"${'x'.repeat(1000)}"}\n`;
  const cut = (n: number) => `{"n":${n},"t":1,"c":"protocol","d":"<","blobs":[[2,"b1"]],"cut":[""]}\n`;
  const lines = Array.from({ length: 10 }, (_, index) => Buffer.from(cut(index + 1)));
  const most: { recorded?: TolerantReader } = {};
  most.recorded = new TolerantReader(undefined, () => most.recorded!.reader.position.n === 4);
  const holding = await readBy(most.recorded, header, Buffer.from(blob), ...lines);
  expect(holding).toMatchObject({ frames: 4, report: { frames: 4, complete: false } });
  expect(holding.failure).toContain('of frames, so the rest was skipped.');
  expect(await read(header, Buffer.from(blob), ...lines)).toMatchObject({ frames: 10, failure: undefined });
});

test('ends with placeholders for the frames that are missing at the end', async () => {
  const { portions, report } = await read(header, line(1), Buffer.from('{"k":"end","t":1,"frames":3}\n'));
  expect(portions.map((portion) => portion.length)).toEqual([0, 1, 0, 2]);
  expect(report).toMatchObject({ frames: 1, missing: 2 });
});

test('yields a small chunk of large frames in portions', async () => {
  const size = RECORDED_PORTION_BYTES / 4;
  const blob = `{"k":"blob","b":"b1","s":"${'x'.repeat(size)}"}\n`;
  const cut = (n: number) => `{"n":${n},"t":1,"c":"protocol","d":"<","blobs":[[2,"b1"]],"cut":[""]}\n`;
  const lines = Array.from({ length: 10 }, (_, index) => cut(index + 1)).join('');
  const { portions, report } = await read(header, Buffer.from(blob), Buffer.from(lines));
  expect(portions.map((portion) => portion.length)).toEqual([0, 0, 4, 4, 2]);
  expect(report).toMatchObject({ frames: 10 });
});
