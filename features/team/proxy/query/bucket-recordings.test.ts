import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { summaryWith } from '@/features/team/lib/summary/test-summaries';
import { recordingKey, summaryKey } from '@/features/team/proxy/bucket/keys';
import { bodyOf, type ObjectStore } from '@/features/team/proxy/bucket/object-store';
import { openStore } from '@/features/team/proxy/bucket/open-store';
import {
  noStore,
  refuse,
  startTestBucket,
  TEST_BUCKET,
  type TestBucket,
} from '@/features/team/proxy/bucket/test-bucket';
import { recordingFiles } from '@/proxy/commands/shared/recording-files';
import { bucketRecordings } from './bucket-recordings';
import { recordingTables } from './recording-tables';
import { TableCache } from './table-cache';
import { recorded, TOLD } from './test-recordings';

const ADDRESS = `s3://${TEST_BUCKET}/mcp`;
const DAY = '2026-01-01';

describe.skipIf(noStore !== undefined)(`recordings in a bucket (${noStore ?? 'a real store'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  const cache = new TableCache(join(folder, 'recordings'));
  const { signal } = new AbortController();
  let bucket: TestBucket;

  const access = () => ({ version: '0', env: bucket.env, signal });
  const readsOfRecordings = () =>
    bucket.seen.splice(0).filter(({ method, target }) => method === 'GET' && target.includes('.mcpr.jsonl')).length;

  async function push(name: string, summary?: object, sha256?: string): Promise<void> {
    const bytes = readFileSync(recorded(folder, name));
    const of = { day: DAY, sha256: sha256 ?? createHash('sha256').update(bytes).digest('hex') };
    const { store } = await openStore(ADDRESS, access());
    await store.write(recordingKey(of), bodyOf(bytes, 'application/x-ndjson'));
    if (summary) await store.write(summaryKey(of), bodyOf(Buffer.from(JSON.stringify(summary)), 'application/json'));
    store.close();
  }

  beforeAll(async () => {
    bucket = await startTestBucket();
    const pushed = { tags: ['slow', 'ci'], author: 'a', commit: 'c'.repeat(40), ci: { name: 'github' } };
    await push('one', summaryWith(pushed));
    await push('other', { summary: 99 });
    await push('unfinished');
  }, 60_000);
  afterAll(async () => {
    await bucket?.close();
    rmSync(folder, { recursive: true });
  });

  test('are downloaded once, with the facts of their summaries', async () => {
    readsOfRecordings();
    const tables = await recordingTables(await recordingFiles([ADDRESS], access()), cache, TOLD, signal);
    const rows = new Map(tables.map(({ row }) => [row.recording, row]));
    expect([...rows.keys()].sort()).toEqual(['one', 'other']);
    const pushed = { author: 'a', git_commit: 'c'.repeat(40), ci: 'github', tags: 'slow ci' };
    expect(rows.get('one')).toMatchObject({ ...pushed, server: 's', complete: true });
    expect(rows.get('other')).not.toHaveProperty('author', 'a');
    expect(readsOfRecordings()).toBe(2);
    // Nothing of the downloads is left.
    for (const table of tables) expect(readdirSync(table.folder).some((name) => name.includes('.mcpr'))).toBe(false);
    expect(readdirSync(dirname(tables[0]!.folder))).toHaveLength(2);

    const again = await recordingTables(await recordingFiles([ADDRESS], access()), cache, TOLD, signal);
    expect(again).toHaveLength(2);
    expect(readsOfRecordings()).toBe(0);
  });

  test('that are not what their name says are left out, with a note', async () => {
    await push('forged', summaryWith({}), 'f'.repeat(64));
    const notes: string[] = [];
    const files = await recordingFiles([ADDRESS], access());
    const tables = await recordingTables(files, cache, { ...TOLD, printNote: (note) => notes.push(note) }, signal);
    expect(tables).toHaveLength(2);
    expect(notes).toEqual([
      expect.stringMatching(/f{64}\.mcpr\.jsonl` can’t be opened\. It is not what its name says\./),
    ]);
  });

  test('attack: an object of terabytes is not downloaded', async () => {
    const { store } = await openStore(ADDRESS, access());
    const huge: ObjectStore = {
      list: store.list.bind(store),
      write: store.write.bind(store),
      abandon: store.abandon.bind(store),
      head: async (key) => ({ key, bytes: 5e12, etag: '', at: '' }),
      read: () => Promise.reject(new Error('was read')),
      close: () => store.close(),
    };
    const [file] = await bucketRecordings(ADDRESS, huge, signal);
    const stopped = file!.remote!.spool(join(folder, 'huge'));
    await expect(stopped).rejects.toMatchObject({ code: 'store-damaged', message: expect.stringContaining('larger') });
    store.close();
  });

  test('of a store that refuses end the query', async () => {
    const fresh = new TableCache(join(folder, 'fresh', 'recordings'));
    const files = await recordingFiles([ADDRESS], access());
    bucket.fault = (_request, response) => refuse(response, 403, 'AccessDenied');
    await expect(recordingTables(files, fresh, TOLD, signal)).rejects.toMatchObject({ code: 'store-denied' });
    bucket.fault = undefined;
  });

  test('of an empty prefix are a clear sentence', async () => {
    await expect(recordingFiles([`s3://${TEST_BUCKET}/empty`], access())).rejects.toMatchObject({
      code: 'store-missing',
      message: `There are no recordings at s3://${TEST_BUCKET}/empty.`,
    });
  });
});
