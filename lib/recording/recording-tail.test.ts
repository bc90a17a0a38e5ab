import { expect, test } from 'vitest';
import { runningDigest } from './digests';
import { encodeFrame, encodeHeaderOrEnd } from './encode-lines';
import { encodeEvent } from './lifecycle-event';
import { RecordingReader } from './recording-reader';
import { appendNotes } from './recording-tail';
import { TEST_HEADER } from './test-header';

const framed = (bytes: Uint8Array) =>
  ({ time: 5, channel: 'lifecycle', direction: 'to-client', flags: 0, bytes }) as const;
const opened = framed(encodeEvent({ event: 'closed' }));
const noteOn = (on: number) => framed(encodeEvent({ event: 'note', on, text: 'Look here', bookmark: false }));

/** Frames 1 and 3 of a recording that lacks frame 2. */
const HEAD = [encodeHeaderOrEnd(TEST_HEADER), encodeFrame(1, opened), encodeFrame(3, opened)];
const END = encodeHeaderOrEnd({ k: 'end', t: 5, frames: 3 });

async function saved(lines: readonly Uint8Array[], notes: readonly ReturnType<typeof noteOn>[]) {
  const file = new Blob(lines as Uint8Array<ArrayBuffer>[]).stream();
  const bytes = new Uint8Array(await (await appendNotes(file, notes)).arrayBuffer());
  const reader = new RecordingReader(runningDigest());
  const frames = reader.readChunk(bytes).map((frame) => new TextDecoder().decode(frame.bytes));
  return { text: new TextDecoder().decode(bytes), frames, report: reader.finish() };
}

test('appends notes on the same frames, and an end line for the whole file', async () => {
  const { text, frames, report } = await saved([...HEAD, END], [noteOn(3), noteOn(2)]);
  expect(frames.slice(3)).toEqual(
    [3, 2].map((on) => `{"event":"note","on":${on},"text":"Look here","bookmark":false}`),
  );
  expect(text).toContain('{"n":5,"t":5,');
  expect(report).toMatchObject({ frames: 4, last: 5, ended: true, changed: false, missing: 1, damaged: { count: 0 } });
});

test('drops a torn line and adds no end line to an incomplete file', async () => {
  const { frames, report } = await saved([...HEAD, new TextEncoder().encode('{"n":4,"t')], [noteOn(1)]);
  expect(frames).toHaveLength(4);
  expect(report).toMatchObject({ ended: false, torn: false, damaged: { count: 0 } });
});

test('changes nothing without notes, and drops notes on unknown frames', async () => {
  const before = await new Blob([...HEAD, END] as Uint8Array<ArrayBuffer>[]).text();
  expect((await saved([...HEAD, END], [])).text).toBe(before);
  expect((await saved([...HEAD, END], [noteOn(9)])).frames).toHaveLength(3);
});

test('accepts a note on a frame that the end line counts but the file lacks', async () => {
  const { text, report } = await saved([...HEAD, encodeHeaderOrEnd({ k: 'end', t: 5, frames: 4 })], [noteOn(4)]);
  expect(text).toContain('{"n":5,"t":5,"c":"lifecycle","d":"<","m":{"event":"note","on":4,');
  expect(report).toMatchObject({ frames: 3, last: 5, missing: 2 });
});
