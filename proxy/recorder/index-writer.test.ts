import { expect, test } from 'vitest';
import { IndexWriter } from './recording-file';

const frame = (text: string) => ({
  frame: { time: 1, channel: 'protocol', direction: 'to-client', flags: 0, bytes: Buffer.from(text) } as const,
  at: 0,
  blobsAt: [],
  isJson: true,
});

test('writes no index if one can’t be made, and affects nothing else', async () => {
  const written: Uint8Array[] = [];
  const writer = new IndexWriter((line) => written.push(line), 1);
  writer.addFrame(frame('no JSON'));
  await new Promise(setImmediate);
  writer.addFrame(frame('{}'));
  await new Promise(setImmediate);
  expect(writer.end()).toBeUndefined();
  expect(written).toEqual([]);
});
