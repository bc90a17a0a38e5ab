import { afterEach, expect, test, vi } from 'vitest';
import { bucketRoutes } from './bucket-route';
import type { BucketRecordings } from './bucket-recordings';
import { BucketViewer } from './bucket-viewer';
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
  for (const kind of ['open', 'save'] as const) {
    await expect(bucket.run({ kind, key, whole: true })).rejects.toMatchObject({ code: 'not-listed' });
  }
  expect([store.read, store.head, page.open, page.keep].every((asked) => asked.mock.calls.length === 0)).toBe(true);
});

test('says that a recording is gone', async () => {
  const { viewer: bucket } = viewer();
  await expect(bucket.run({ kind: 'open', key: KEY, whole: false })).rejects.toMatchObject({
    code: 'store-missing',
    message: `There is no s3://team/mcp/${KEY}.`,
  });
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
  const [route] = bucketRoutes(run);
  const reply = await route!.handle({ path: '/api/bucket', base: '', query: '', body: JSON.stringify(request) });
  expect(reply.status).toBe(400);
  expect(run).not.toHaveBeenCalled();
});
