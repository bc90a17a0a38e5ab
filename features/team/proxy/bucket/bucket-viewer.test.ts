import { afterEach, expect, test, vi } from 'vitest';
import { RecordedConnection } from '@/lib/hub/recorded-connection';
import { TEST_HEADER } from '@/lib/recording/test-header';
import type { BucketRecordings } from './bucket-recordings';
import { bucketRoute } from './bucket-route';
import { BucketViewer, openRemote } from './bucket-viewer';
import type { ReadOptions } from './object-store';
import type { BucketRecording } from './remote-recording';
import { readS3Address } from './s3-address';

const KEY = `recordings/v1/2026/11/26/${'a'.repeat(64)}.mcpr.jsonl`;
const address = readS3Address('s3://team/mcp', { endpoint: 'http://127.0.0.1:1' }, {});

/** A viewer whose store must not be asked for anything. */
function viewer() {
  const store = { read: vi.fn(), head: vi.fn(async () => undefined) };
  const page = { open: vi.fn(), openDownload: vi.fn(), keep: vi.fn() };
  const recordings = { recordings: [], unlisted: 0, fill: vi.fn() } as unknown as BucketRecordings;
  return { store, page, viewer: new BucketViewer({ store, address, recordings, page }) };
}

afterEach(() => vi.restoreAllMocks());

test.each([
  'summaries/v1/2026/11/26/x.json',
  `summaries/v1/2026/11/26/${'a'.repeat(64)}.json`,
  '../other/x.mcpr.jsonl',
  `../${KEY}`,
  `${KEY}/..`,
  's3://other/x.mcpr.jsonl',
  '',
])('attack: opens only recordings below the prefix of the command line: %j', async (key) => {
  const { store, page, viewer: bucket } = viewer();
  await expect(bucket.open(key, true)).rejects.toMatchObject({ code: 'not-listed' });
  await expect(bucket.run({ kind: 'save', key })).rejects.toMatchObject({ code: 'not-listed' });
  expect([store.read, store.head, page.open, page.keep].every((asked) => asked.mock.calls.length === 0)).toBe(true);
});

test('says that a recording is gone', async () => {
  const { viewer: bucket } = viewer();
  await expect(bucket.open(KEY, false)).rejects.toMatchObject({
    code: 'store-missing',
    message: `There is no s3://team/mcp/${KEY}.`,
  });
});

test('downloads a recording that has no index', async () => {
  const line = `${JSON.stringify({ k: 'frame', x: 'x'.repeat(1000) })}\n`;
  const content = Buffer.from(`${JSON.stringify(TEST_HEADER)}\n${line.repeat(3000)}`);
  const object = { key: KEY, bytes: content.length, etag: 'a', at: '' };
  const read = vi.fn(async (_: string, { range }: ReadOptions = {}) => content.subarray(range![0], range![1]));
  const page = {
    open: ({ source: { bytes, reader, hold: _, ...deps } }: BucketRecording) =>
      RecordedConnection.open('c1', bytes(), { ...deps, reader: reader(), onGrown() {}, onChanged() {} }).then(
        () => 'c1',
      ),
    openDownload: vi.fn(async (name: string, bytes: AsyncIterable<Uint8Array>) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      return `${name} ${Buffer.concat(chunks).length}`;
    }),
    keep: vi.fn(),
  };
  const key = 'archive/one.mcpr.jsonl';
  const opened = await openRemote({ read, head: async () => object }, { address, key }, page);
  expect(opened).toBe(`one.mcpr.jsonl ${content.length}`);
});

test.each([
  {},
  { kind: 'constructor' },
  { kind: 'list', query: 'x'.repeat(501), from: 0, most: 100 },
  { kind: 'list', query: '', from: -1, most: 100 },
  { kind: 'list', query: '', from: 0, most: 100_000 },
  { kind: 'fill', all: 1 },
  { kind: 'open', key: 'x'.repeat(2000), whole: false },
])('refuses the malformed request %j', async (request) => {
  const run = vi.fn();
  const route = bucketRoute(run);
  const reply = await route.handle({ path: '/api/bucket', base: '', query: '', body: JSON.stringify(request) });
  expect(reply.status).toBe(400);
  expect(run).not.toHaveBeenCalled();
});
