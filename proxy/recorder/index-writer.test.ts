import { expect, test } from 'vitest';
import { IndexWriter } from './recording-file';

const frame = (text: string) => ({
  frame: { time: 1, channel: 'protocol', direction: 'to-client', flags: 0, bytes: Buffer.from(text) } as const,
  at: 0,
  blobsAt: [],
  isJson: true,
});

test('where an index can’t be made there is none, and whoever else runs hears nothing of it', async () => {
  const written: Uint8Array[] = [];
  const writer = new IndexWriter((line) => written.push(line), 1);
  writer.addFrame(frame('no JSON'));
  await new Promise(setImmediate);
  writer.addFrame(frame('{}'));
  await new Promise(setImmediate);
  expect(writer.end()).toBeUndefined();
  expect(written).toEqual([]);
});
