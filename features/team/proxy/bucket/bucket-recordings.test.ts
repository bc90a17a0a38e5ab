import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findRecordings, readQuery, type WantedRecordings } from '@/features/team/lib/summary/find-recordings';
import { summaryWith } from '@/features/team/lib/summary/test-summaries';
import { BucketRecordings, type FillProgress, WRITTEN_AT_ONCE } from './bucket-recordings';
import { recordingKey, summaryKey } from './keys';
import { bodyOf, type ObjectStore } from './object-store';
import { openStore } from './open-store';
import { type S3Address, s3Url } from './s3-address';
import { MOST_SUMMARIES, SummaryCache } from './summary-cache';
import { noStore, startTestBucket, type TestBucket } from './test-bucket';

const JSON_TYPE = 'application/json';
const DAY_MS = 24 * 60 * 60_000;
/** Most summaries in the cache whose limit is tested: a few, or as many as ours takes. */
const MOST = process.env.TEST_LONG ? MOST_SUMMARIES : 2000;
/** Summaries that are written to the cache together when somebody cancels, and all that are read. */
const [WRITTEN, READ] = process.env.TEST_LONG ? [WRITTEN_AT_ONCE, 450] : [20, 60];
const NOW = Date.parse('2026-11-26T12:00:00Z');

describe.skipIf(noStore)('recordings of a bucket', () => {
  let bucket: TestBucket;
  let store: ObjectStore;
  let address: S3Address;
  let data: string;
  let now = NOW;
  let prefixes = 0;
  beforeAll(async () => {
    bucket = await startTestBucket();
  }, 60_000);
  afterAll(() => bucket.close());
  beforeEach(async () => {
    now = NOW;
    data = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
    const env = { ...process.env, ...bucket.env };
    ({ store, address } = await openStore(`s3://team/list${++prefixes}`, { version: '0', env }));
    bucket.seen.length = 0;
    bucket.fault = undefined;
  });
  afterEach(() => {
    store.close();
    rmSync(data, { recursive: true });
  });

  const opened = async () => new BucketRecordings(store, await SummaryCache.open(data, address), () => now, WRITTEN);
  const requests = () => {
    const targets = bucket.seen.splice(0).map(({ target }) => target);
    return {
      lists: targets.filter((one) => one.includes('list-type')),
      reads: targets.filter((one) => /json/.test(one)),
    };
  };
  /** Writes a summary of a recording that began then. `n` gives it its digest. */
  const push = async (n: number, at: string, more: object = {}) => {
    const sha256 = n.toString(16).padStart(64, '0');
    const summary = { ...summaryWith({}), sha256, at, id: `id-${n}`, ...more };
    const body = bodyOf(Buffer.from(JSON.stringify(summary)), JSON_TYPE);
    await store.write(summaryKey({ day: at.slice(0, 10), sha256 }), body);
    requests();
  };
  const cacheFolder = () => join(data, 'buckets', readdirSync(join(data, 'buckets'))[0]!);

  test('reads only summaries that are new, and lists the last days only', async () => {
    for (let n = 1; n <= 30; n++) await push(n, new Date(NOW - n * DAY_MS).toISOString());
    const progress: FillProgress[] = [];
    const first = await opened();
    await first.fill({ onProgress: (one) => progress.push(one) });
    expect(first.recordings.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, at) => `id-${at + 1}`));
    expect(progress.at(-1)).toEqual({ done: 30, of: 30, listing: false });
    expect(requests().reads).toHaveLength(30);

    await push(100, new Date(NOW - 5 * DAY_MS).toISOString());
    await push(101, new Date(NOW).toISOString());
    const second = await opened();
    expect(second.recordings).toHaveLength(30);
    now += 1000;
    await second.fill();
    expect(second.checkedAt).toBe(new Date(now).toISOString());
    const { lists, reads } = requests();
    expect(reads).toHaveLength(2);
    expect(lists).toHaveLength(1);
    expect(decodeURIComponent(lists[0]!)).toContain(`start-after=list${prefixes}/summaries/v1/2026/11/18/`);
    expect(second.recordings.map(({ id }) => id).slice(0, 2)).toEqual(['id-101', 'id-1']);

    // A recording that was pushed weeks after it was made appears with the listing of the next day.
    await push(102, new Date(NOW - 29 * DAY_MS).toISOString());
    await second.fill();
    expect(second.recordings).toHaveLength(32);
    requests();
    now += DAY_MS + 1;
    await second.fill();
    expect(second.recordings).toHaveLength(33);
    expect(requests().reads).toHaveLength(1);
  });

  test('lists from a day on, and older ones only when they are wanted', async () => {
    for (let n = 1; n <= 5; n++) await push(n, new Date(NOW - n * 10 * DAY_MS).toISOString());
    const recordings = await opened();
    await recordings.fill({ since: '2026-11-01' });
    expect(recordings.recordings.map(({ id }) => id)).toEqual(['id-1', 'id-2']);
    await recordings.fill();
    expect(recordings.recordings).toHaveLength(5);
    expect(requests().reads).toHaveLength(5);
  });

  test('keeps the newest of more than it can list', { timeout: 120_000 }, async () => {
    const cache = await SummaryCache.open(data, address, MOST);
    const old = Array.from({ length: MOST }, (_, n) => {
      return { day: '2025-01-01', sha256: n.toString(16).padStart(64, '0') };
    });
    await cache.add(old.map((of) => ({ key: recordingKey(of), unlisted: 'large' })));
    const recordings = new BucketRecordings(store, cache, () => now);
    await push(1, new Date(NOW).toISOString());
    await recordings.fill({ since: '2026-11-01' });
    expect(recordings.recordings.map(({ id }) => id)).toEqual(['id-1']);
    expect(cache.size).toBe(MOST);

    // All of them are still in the bucket.
    async function* list() {
      for (const of of old) yield { key: summaryKey(of), bytes: 1e9, etag: '', at: '' };
      yield* store.list('summaries/v1/');
    }
    const crowded = new BucketRecordings({ list, read: (...args) => store.read(...args) }, cache, () => now);
    await push(2, new Date(NOW).toISOString());
    await expect(crowded.fill()).rejects.toMatchObject({
      message: expect.stringContaining('older ones are not listed'),
    });
    expect(crowded.recordings.map(({ id }) => id).sort()).toEqual(['id-1', 'id-2']);
    expect(cache.size).toBe(MOST);
  });

  test('forgets those that expired in the bucket', async () => {
    for (let n = 1; n <= 3; n++) await push(n, new Date(NOW - n * DAY_MS).toISOString());
    const recordings = await opened();
    await recordings.fill();
    const { rmObject } = removal(bucket);
    rmObject(`list${prefixes}/${summaryKey({ day: '2026-11-24', sha256: '2'.padStart(64, '0') })}`);
    await recordings.fill({ all: true });
    expect(recordings.recordings.map(({ id }) => id)).toEqual(['id-1', 'id-3']);
    expect((await opened()).recordings).toHaveLength(2);
  });

  test('keeps what was read when it is cancelled, and goes on from there', async () => {
    const numbers = Array.from({ length: READ }, (_, at) => at + 1);
    for (let at = 0; at < READ; at += 50) {
      await Promise.all(numbers.slice(at, at + 50).map((n) => push(n, new Date(NOW - n * 1000).toISOString())));
    }
    const stop = new AbortController();
    const recordings = await opened();
    const cancelled = recordings.fill({
      signal: stop.signal,
      onProgress: ({ done }) => done >= WRITTEN + 2 && stop.abort(),
    });
    await expect(cancelled).rejects.toMatchObject({ code: 'store-cancelled' });
    const kept = (await opened()).recordings.length;
    expect(kept).toBeGreaterThanOrEqual(WRITTEN + 2);
    expect(kept).toBeLessThan(READ);
    requests();
    const again = await opened();
    await again.fill();
    expect(again.recordings).toHaveLength(READ);
    expect(requests().reads).toHaveLength(READ - kept);
  });

  test('attack: counts summaries that are damaged, newer, huge or of another recording', {
    timeout: 60_000,
  }, async () => {
    const at = new Date(NOW).toISOString();
    await push(1, at);
    await push(2, at, { sha256: 'f'.repeat(64) });
    await push(3, at, { summary: 99 });
    await push(4, at, { server: 7 });
    await push(5, at, { tags: ['x'.repeat(200_000)] });
    await store.write(
      summaryKey({ day: '2026-11-26', sha256: '6'.padStart(64, '0') }),
      bodyOf(Buffer.from('{'), JSON_TYPE),
    );
    // Keys that are not ours are not read at all.
    await store.write('summaries/v1/..etc..passwd', bodyOf(Buffer.from('{}'), JSON_TYPE));
    await store.write('summaries/v1/2026/11/26/note.json', bodyOf(Buffer.from('{}'), JSON_TYPE));
    requests();
    const recordings = await opened();
    await recordings.fill();
    expect(recordings.recordings.map(({ id }) => id)).toEqual(['id-1']);
    expect(recordings.unlisted).toBe(5);
    // The huge one is not fetched, and none is read again.
    expect(requests().reads).toHaveLength(5);
    await recordings.fill({ all: true });
    expect(requests().reads).toHaveLength(0);
  });

  test('attack: ends a list that never ends', async () => {
    let token = 0;
    bucket.fault = ({ target }, response) => {
      if (!target.includes('list-type')) return false;
      const key = `list${prefixes}/${summaryKey({ day: '2026-11-26', sha256: '1'.repeat(64) })}`;
      response.end(
        `<ListBucketResult><Contents><Key>${key}</Key><Size>9</Size><ETag>"a"</ETag><LastModified>2026-11-26T00:00:00Z</LastModified></Contents><IsTruncated>true</IsTruncated><NextContinuationToken>${++token}</NextContinuationToken></ListBucketResult>`,
      );
      return true;
    };
    await expect((await opened()).fill()).rejects.toMatchObject({ code: expect.stringMatching(/^store-/) });
    expect(token).toBeLessThan(5);
  });

  test('attack: does not expand entities in a list, and bounds its length', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1000)}">${Array.from({ length: 20 }, (_, n) => `<!ENTITY b${n} "${'&a;'.repeat(1000)}">`).join('')}]>`;
    bucket.fault = ({ target }, response) => {
      if (!target.includes('list-type')) return false;
      response.end(
        `${bomb}<ListBucketResult><Contents><Key>list${prefixes}/summaries/v1/&b1;</Key><Size>9</Size></Contents><IsTruncated>false</IsTruncated></ListBucketResult>`,
      );
      return true;
    };
    const recordings = await opened();
    await recordings.fill();
    expect(recordings.recordings).toEqual([]);
    bucket.fault = ({ target }, response) => {
      if (!target.includes('list-type')) return false;
      response.write('<ListBucketResult>');
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(256 * 1024, 0x20)));
      };
      response.on('drain', more);
      more();
      return true;
    };
    await expect((await opened()).fill({ all: true })).rejects.toMatchObject({
      code: expect.stringMatching(/^store-/),
    });
  });

  test('attack: lists today’s recordings beside one from the future', async () => {
    await push(1, '9999-12-31T00:00:00.000Z');
    const recordings = await opened();
    await recordings.fill();
    await push(2, new Date(NOW - DAY_MS).toISOString());
    await recordings.fill();
    expect(recordings.recordings.map(({ id }) => id)).toEqual(['id-1', 'id-2']);
  });

  test('has a cache that only its owner can read, and survives a damaged one', async () => {
    await push(1, new Date(NOW).toISOString());
    await (await opened()).fill();
    const day = join(cacheFolder(), '2026-11-26.jsonl');
    expect(statSync(day).mode & 0o077).toBe(0);
    expect(statSync(cacheFolder()).mode & 0o077).toBe(0);
    const line = readFileSync(day, 'utf8');
    writeFileSync(day, `${line.slice(0, 40)}\n{"key":"../../x"}\n[1]\n\n`);
    const recordings = await opened();
    expect(recordings.recordings).toEqual([]);
    await recordings.fill();
    expect(recordings.recordings).toHaveLength(1);
    expect(s3Url(address)).toBe(`s3://team/list${prefixes}`);
  });

  test('attack: a cache that was filled in the future is filled again', async () => {
    await push(1, new Date(NOW).toISOString());
    await (await opened()).fill();
    writeFileSync(join(cacheFolder(), 'state.json'), '{"from":"","at":"2999-01-01T00:00:00.000Z"}');
    await push(2, '2026-01-02T00:00:00.000Z');
    const recordings = await opened();
    await recordings.fill();
    expect(recordings.recordings).toHaveLength(2);
  });

  test('finds recordings by what a person remembers', async () => {
    await push(1, '2026-11-25T10:00:00.000Z', {
      server: { name: 'files', info: 'secure-filesystem', version: '1.2.3', transport: 'stdio' },
      host: { name: 'claude-code' },
      tags: ['nightly', 'eu'],
      author: 'Ada Lovelace',
      commit: 'abcdef0123456789abcdef0123456789abcdef01',
      tools: [{ name: 'read_file', calls: 3, errors: 1 }],
      requests: { calls: 4, errors: 1 },
    });
    await push(2, '2026-11-20T10:00:00.000Z', {
      server: { name: 'search', transport: 'http' },
      tools: [
        { name: 'find', calls: 2, errors: 0 },
        { name: 'read_file', calls: 0, errors: 0 },
      ],
      requests: { calls: 2, errors: 0 },
    });
    const recordings = await opened();
    await recordings.fill();
    const found = (query: string) =>
      findRecordings(recordings.recordings, readQuery(query, NOW) as WantedRecordings).map(({ id }) => id);
    expect(found('')).toEqual(['id-1', 'id-2']);
    expect(found('server:FILES')).toEqual(['id-1']);
    expect(found('server:secure')).toEqual(['id-1']);
    expect(found('tool:read_file')).toEqual(['id-1']);
    expect(found('is:failed')).toEqual(['id-1']);
    expect(found('tool:read is:ok')).toEqual([]);
    expect(found('is:ok')).toEqual(['id-2']);
    expect(found('host:claude tag:Nightly')).toEqual(['id-1']);
    expect(found('tag:night')).toEqual([]);
    expect(found('author:"ada love" commit:ABCDEF')).toEqual(['id-1']);
    expect(found('since:3d')).toEqual(['id-1']);
    expect(found('until:2026-11-21')).toEqual(['id-2']);
    expect(found('lovelace 1.2.3')).toEqual(['id-1']);
    expect(found('0'.repeat(10))).toEqual(['id-1', 'id-2']);
    expect(readQuery('is:new', NOW)).toEqual({ wrong: '`is:new` is unknown. Write is:failed or is:ok.' });
    expect(readQuery('since:soon', NOW)).toEqual({ wrong: '`soon` is not a time. Write 2026-11-26, 7d or 12h.' });
    expect(readQuery('tag:', NOW)).toEqual({ wrong: 'Write a value after `tag:`.' });
  });
});

/** Deletes objects as a lifecycle rule does, behind the store's back. */
function removal(bucket: TestBucket) {
  return {
    rmObject(key: string) {
      const names = readdirSync(bucket.folder, { recursive: true }) as string[];
      const mine = names.filter(
        (name) => name.includes(key.slice(key.lastIndexOf('/') + 1)) && name.includes(key.split('/')[0]!),
      );
      expect(mine.length).toBeGreaterThan(0);
      for (const name of mine) rmSync(join(bucket.folder, name), { recursive: true, force: true });
    },
  };
}
