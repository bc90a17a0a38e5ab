import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bodyOf, type UploadState } from './object-store';
import { openStore } from './open-store';
import { PART_BYTES, type S3Store } from './s3-store';
import { noStore, refuse, startTestBucket, TEST_BUCKET, TEST_KEYS, type TestBucket } from './test-bucket';

let bucket: TestBucket;

beforeAll(async () => {
  if (noStore === undefined) bucket = await startTestBucket();
});
afterAll(() => bucket?.close());
beforeEach(() => {
  if (!bucket) return;
  bucket.fault = undefined;
  bucket.seen.length = 0;
});

async function opened(prefix: string, env: NodeJS.ProcessEnv = bucket.env): Promise<S3Store> {
  const { store } = await openStore(`s3://${TEST_BUCKET}/${prefix}`, { version: '0.0.0-test', env });
  return store as S3Store;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe.skipIf(noStore !== undefined)('a real store', () => {
  test('writes, lists, reads ranges and heads, and every request is signed', async () => {
    const store = await opened('a/b');
    const bytes = randomBytes(1000);
    expect(await store.write('recordings/v1/x', bodyOf(bytes, 'text/plain'), { ifNoneMatch: '*' })).toBe('written');
    await store.write("odd/it's=1+1@(home)!*", bodyOf(Buffer.from('odd'), 'text/plain'));
    expect(Buffer.from(await store.read('recordings/v1/x'))).toEqual(bytes);
    expect(Buffer.from(await store.read('recordings/v1/x', { range: [10, 20] }))).toEqual(bytes.subarray(10, 20));
    expect(Buffer.from(await store.read("odd/it's=1+1@(home)!*")).toString()).toBe('odd');
    expect(await store.head('nothing')).toBeUndefined();
    const { at, etag, ...head } = (await store.head('recordings/v1/x'))!;
    expect(head).toEqual({ key: 'recordings/v1/x', bytes: 1000 });
    expect(await all(store.list('rec'))).toEqual([
      { key: 'recordings/v1/x', bytes: 1000, etag, at: expect.any(String) },
    ]);
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
    expect(bucket.seen.length).toBe(8);
    expect(bucket.seen.every(({ isSigned }) => isSigned)).toBe(true);
    store.close();
  });

  test('lists thousands in order, from any key on', async () => {
    const store = await opened('many');
    const keys = Array.from({ length: 1205 }, (_, index) => `s/${String(index).padStart(5, '0')}`);
    for (let at = 0; at < keys.length; at += 50) {
      await Promise.all(keys.slice(at, at + 50).map((key) => store.write(key, bodyOf(Buffer.from('x'), 'text/plain'))));
    }
    expect((await all(store.list('s/'))).map(({ key }) => key)).toEqual(keys);
    expect((await all(store.list('s/', { after: 's/01199' }))).map(({ key }) => key)).toEqual(keys.slice(1200));
    store.close();
  });

  test('writes in parts, and resumes after those that the store has', async () => {
    const store = await opened('parts');
    const bytes = randomBytes(2 * PART_BYTES + 5);
    const body = bodyOf(bytes, 'text/plain');
    const states: (UploadState | undefined)[] = [];
    bucket.fault = ({ target }, response) => target.includes('partNumber=3') && refuse(response, 403, 'AccessDenied');
    const onState = (state: UploadState | undefined) => void states.push(state);
    await expect(store.write('big', body, { ifNoneMatch: '*', onState })).rejects.toThrow(
      /denied access to s3:\/\/team\/parts\/big/,
    );
    expect(await all(store.list(''))).toEqual([]);
    const [resume] = states.slice(-1);
    expect(resume?.parts).toHaveLength(2);
    bucket.fault = undefined;
    bucket.seen.length = 0;
    expect(await store.write('big', body, { ifNoneMatch: '*', resume, onState })).toBe('written');
    expect(bucket.seen.filter(({ target }) => target.includes('partNumber')).map(({ bytes }) => bytes)).toEqual([5]);
    expect(states.at(-1)).toBeUndefined();
    expect(Buffer.from(await store.read('big')).equals(bytes)).toBe(true);
    expect(await store.write('big', body, { ifNoneMatch: '*' })).toBe('existed');
    store.close();
  });

  test('begins again when the store has deleted the parts', async () => {
    const store = await opened('gone');
    const bytes = randomBytes(PART_BYTES + 5);
    const resume = { id: '0'.repeat(32), partBytes: PART_BYTES, parts: ['a'] };
    bucket.fault = ({ target }, response) => target.includes(resume.id) && refuse(response, 404, 'NoSuchUpload');
    expect(await store.write('big', bodyOf(bytes, 'text/plain'), { resume })).toBe('written');
    expect(Buffer.from(await store.read('big')).equals(bytes)).toBe(true);
    store.close();
  });

  test('no credential is in the store’s folder or in a URL', () => {
    const names = readdirSync(bucket.folder, { recursive: true }).join('\n');
    const said = names + bucket.seen.map(({ target }) => target).join('\n');
    expect(said).not.toContain(TEST_KEYS.secretAccessKey);
    expect(said).not.toContain(TEST_KEYS.accessKeyId);
  });
});
