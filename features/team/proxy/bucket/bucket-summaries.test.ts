import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { summaryWith, tool } from '@/features/team/lib/summary/test-summaries';
import { readBucketSummaries } from './bucket-summaries';
import { dayOf, summaryKey } from './keys';
import { bodyOf, type ObjectStore } from './object-store';
import { openStore } from './open-store';
import type { S3Address } from './s3-address';
import { noStore, refuse, startTestBucket, TEST_BUCKET, type TestBucket } from './test-bucket';

describe.skipIf(noStore)('summaries of a bucket', () => {
  let bucket: TestBucket;
  let opened: { readonly store: ObjectStore; readonly address: S3Address };
  let home: string;
  let made = 0;

  beforeAll(async () => {
    bucket = await startTestBucket();
  });
  afterAll(() => bucket.close());
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
    // A prefix of its own for each test.
    opened = await openStore(`s3://${TEST_BUCKET}/t${++made}`, { version: '1', env: bucket.env });
    bucket.fault = undefined;
    bucket.seen.length = 0;
    return () => {
      opened.store.close();
      rmSync(home, { recursive: true });
    };
  });

  async function push(count: number, at: string, content?: (sha256: string) => string): Promise<void> {
    for (let each = 0; each < count; each++) {
      const sha256 = (++made).toString(16).padStart(64, 'e');
      const text = content?.(sha256) ?? JSON.stringify(summaryWith({ sha256, at, tools: [tool('scan', [1])] }));
      await opened.store.write(summaryKey({ day: dayOf(at), sha256 }), bodyOf(Buffer.from(text), 'application/json'));
    }
  }
  const read = (since = '') => readBucketSummaries(opened, home, { since, onProgress: () => {} });
  const reads = () => bucket.seen.filter(({ method, target }) => method === 'GET' && target.includes('.json'));

  test('reads each once, and only those since a day', async () => {
    await push(3, '2026-01-30T12:00:00.000Z');
    await push(2, '2026-01-31T12:00:00.000Z');
    const { summaries, unreadable } = await read();
    expect([summaries.length, unreadable]).toEqual([5, 0]);
    expect(summaries[0]!.key).toMatch(/^recordings\/v1\/2026\/01\/30\/[0-9a-f]{64}\.mcpr\.jsonl$/);
    expect(summaries[0]!.summary.tools[0]).toMatchObject({ name: 'scan', times: [[39, 1]] });
    expect(reads()).toHaveLength(5);
    await push(1, '2026-01-31T13:00:00.000Z');
    expect((await read()).summaries).toHaveLength(6);
    expect(reads()).toHaveLength(6);
    expect((await read('2026-01-31')).summaries).toHaveLength(3);
  });

  test('counts what is not the summary that its key names', async () => {
    const at = '2026-01-31T12:00:00.000Z';
    await push(1, at);
    await push(1, at, () => 'hello');
    await push(1, at, () => JSON.stringify(summaryWith({ sha256: 'f'.repeat(64), at })));
    await push(1, at, (sha256) => JSON.stringify({ ...summaryWith({ sha256, at }), x: 'x'.repeat(70_000) }));
    const { summaries, unreadable } = await read();
    expect([summaries.length, unreadable]).toEqual([1, 3]);
  });

  test('fails with the failure of the store, and keeps what it has read', async () => {
    await push(2, '2026-01-30T12:00:00.000Z');
    await push(2, '2026-01-31T12:00:00.000Z');
    bucket.fault = (request, response) =>
      request.target.includes('/01/31/') && request.method === 'GET' && !request.target.includes('list-type')
        ? refuse(response, 403, 'AccessDenied')
        : false;
    await expect(read()).rejects.toMatchObject({ code: 'store-denied' });
    bucket.fault = undefined;
    bucket.seen.length = 0;
    expect((await read()).summaries).toHaveLength(4);
    expect(reads()).toHaveLength(2);
    const [cache] = readdirSync(join(home, 'buckets'));
    expect(readdirSync(join(home, 'buckets', cache!))).toEqual(['2026-01-30.jsonl', '2026-01-31.jsonl']);
  });
});
