import { afterEach, expect, test, vi } from 'vitest';
import { encodeHeaderOrEnd, FrameEncoder } from '@/lib/recording/encode-lines';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { reviewSource } from './review-source';
import type { ShareSource } from './share-job';
import { writeSharedCopy } from './shared-recording';

afterEach(() => vi.restoreAllMocks());

const SECRET = 'sk-proj-Zx9Rt4Lw8Vb3Np6Ys1Hd5Gf0Jc2Km7Qa';

/** Returns a recording whose results share a string of more than 256 KB. */
function recording(results: number): Uint8Array {
  const text = `${'The quick brown fox. '.repeat(8000)}key ${SECRET} ${'jumps over the lazy dog. '.repeat(8000)}`;
  const encoder = new FrameEncoder();
  const lines = Array.from({ length: results }, (_, id) => {
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }));
    return encoder.encodeLines(id + 1, { time: id, channel: 'protocol', direction: 'to-client', flags: 0, bytes });
  });
  const end = encodeHeaderOrEnd({ k: 'end', t: results, frames: results });
  return Buffer.concat([encodeHeaderOrEnd(TEST_HEADER), ...lines.flat(), end]);
}

test('results that share a long string are reviewed, redacted and written without being put together', async () => {
  const file = recording(200);
  const copied = vi.spyOn(Uint8Array.prototype, 'set');
  const longCopies = () => copied.mock.calls.filter(([from]) => from.length > 300_000).length;
  const source: ShareSource = {
    about: { id: TEST_HEADER.id, at: TEST_HEADER.at, mode: 'client', name: 'a', transport: 'stdio' },
    async *frames() {
      yield* new RecordingReader().readChunk(file);
    },
  };
  const { review, selection, of, frames, bytes } = await reviewSource(source, { without: [] });
  expect({ of, frames }).toEqual({ of: 200, frames: 200 });
  expect(bytes).toBeGreaterThan(200 * 360_000);
  expect(review.findings().list).toMatchObject([
    { count: 200, places: Array.from({ length: 20 }, () => ({ path: 'result.content[0].text' })) },
  ]);
  const options = { selection, of, redaction: review.createRedaction(), by: 'test' };
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeSharedCopy(source, options)) chunks.push(chunk);
  const shared = Buffer.concat(chunks);
  expect(shared.length).toBeLessThan(file.length + 1000);
  expect(shared.includes(SECRET)).toBe(false);
  // Two messages are put together for the review, one for the redaction. Then the string is redacted and written.
  expect(longCopies()).toBeLessThan(10);
  const texts = new RecordingReader().readChunk(shared).map((frame) => Buffer.from(frame.bytes).toString());
  expect(texts).toHaveLength(200);
  expect(texts[199]).toMatch(/^\{"jsonrpc":"2\.0","id":199,.*key \[redacted:[a-z-]+:[0-9a-f]{8}\] jumps/);
});

test('a copy has the borrowed name, and the messages that were not passed on, without their secrets', async () => {
  const event = {
    event: 'intercepted',
    did: 'drop',
    direction: 'to-client',
    delivered: 0,
    withheld: true,
    original: true,
  };
  const result = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: `key ${SECRET}` }] } };
  const encoder = new FrameEncoder();
  const lines = [event, result].map((body, index) => {
    const channel = index === 0 ? ('lifecycle' as const) : ('intercept' as const);
    const bytes = Buffer.from(JSON.stringify(body));
    return encoder.encodeLines(index + 1, { time: index, channel, direction: 'to-client', flags: 0, bytes });
  });
  const end = encodeHeaderOrEnd({ k: 'end', t: 1, frames: 2 });
  const file = Buffer.concat([encodeHeaderOrEnd(TEST_HEADER), ...lines.flat(), end]);
  const source: ShareSource = {
    about: { id: TEST_HEADER.id, at: TEST_HEADER.at, mode: 'client', as: 'vscode', name: 'a', transport: 'stdio' },
    async *frames() {
      yield* new RecordingReader().readChunk(file);
    },
  };
  const { review, selection, of } = await reviewSource(source, { without: [] });
  expect(review.findings().list).toMatchObject([{ places: [{ channel: 'intercept' }] }]);
  const chunks: Uint8Array[] = [];
  const options = { selection, of, redaction: review.createRedaction(), by: 'test' };
  for await (const chunk of writeSharedCopy(source, options)) chunks.push(chunk);
  const reader = new RecordingReader();
  const frames = reader.readChunk(Buffer.concat(chunks));
  expect(reader.header?.as).toBe('vscode');
  expect(frames.map(({ channel }) => channel)).toEqual(['lifecycle', 'intercept']);
  expect(Buffer.concat(chunks).includes(SECRET)).toBe(false);
});
