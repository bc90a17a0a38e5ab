import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { RecordedConnection } from '@/lib/hub/recorded-connection';
import { back, event, out, type Said } from '@/lib/hub/test-recordings';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { RecordingFile } from '@/proxy/recorder/recording-file';
import { recordingKey } from './keys';
import { bodyOf, type ObjectStore } from './object-store';
import { openStore } from './open-store';
import { remoteFile } from './remote-file';
import { download, findRemote, type RemoteName } from './remote-recording';
import type { S3Address } from './s3-address';
import { noStore, startTestBucket, type TestBucket } from './test-bucket';

const RECORDING = 'application/x-ndjson';

describe.skipIf(noStore)('a recording in a bucket', () => {
  let bucket: TestBucket;
  let store: ObjectStore;
  let address: S3Address;
  let name: RemoteName;
  let bytes: Buffer;
  beforeAll(async () => {
    bucket = await startTestBucket();
    const env = { ...process.env, ...bucket.env };
    ({ store, address } = await openStore('s3://team/mcp', { version: '0', env }));
    bytes = recorded(6000);
    const key = recordingKey({ day: '2026-11-26', sha256: createHash('sha256').update(bytes).digest('hex') });
    name = { address, key };
    await store.write(key, bodyOf(bytes, RECORDING));
  }, 60_000);
  afterAll(async () => {
    store.close();
    await bucket.close();
  });
  beforeEach(() => {
    bucket.fault = undefined;
  });

  test('shows its first message after reading little of it', async () => {
    const remote = await findRemote(store, name, { indexBytes: 50_000 });
    const { connection, opened } = await open(remote.source);
    await vi.waitFor(() => expect(connection.summary.recording?.waiting?.frames).toBe(6002), WAIT);
    const first = await connection.log.wholeOf(2, 2);
    expect(JSON.parse(Buffer.from(first.frame(0).bytes).toString())).toEqual(call(1));
    expect(connection.summary.recording?.reading).toBeUndefined();
    expect(remote.requestedBytes).toBeLessThan(bytes.length / 4);
    const { rows } = opened;
    expect(rows()).toBeLessThan(6002);
    remote.budget.allowAll();
    await vi.waitFor(() => expect(connection.log.inFile).toBe(6002), WAIT);
    expect(connection.summary.recording?.from).toBe(`s3://team/mcp/${name.key}`);
    const last = await connection.log.wholeOf(6001, 6001);
    expect(JSON.parse(Buffer.from(last.frame(0).bytes).toString())).toEqual(answer(3000));
    expect(remote.requestedBytes).toBeLessThan(bytes.length * 0.6);
    await connection.log.close();
  });

  test('attack: is never mixed with an object that took its place', async () => {
    const remote = await findRemote(store, name);
    remote.budget.allowAll();
    const { connection } = await open(remote.source);
    await vi.waitFor(() => expect(connection.log.inFile).toBe(6002), WAIT);
    await replaceIn(bucket, name, recorded(5000));
    const read = (async () => connection.log.wholeOf(3500, 3500))();
    const failure = await read.catch((error: unknown) => error);
    await replaceIn(bucket, name, bytes);
    expect(failure).toMatchObject({ code: 'store-missing' });
    await connection.log.close();
  });

  test('attack: is downloaded whole, and its bytes have to be those of its name', async () => {
    const read: Uint8Array[] = [];
    for await (const chunk of download(store, name)) read.push(chunk);
    expect(Buffer.concat(read).equals(bytes)).toBe(true);
    await replaceIn(bucket, name, recorded(5000));
    const failure = await all(download(store, name)).catch((error: unknown) => error);
    await replaceIn(bucket, name, bytes);
    expect(failure).toMatchObject({ code: 'store-damaged' });
  });

  test('attack: does not open if it is compressed, whatever its key says', async () => {
    const key = recordingKey({ day: '2026-11-26', sha256: 'e'.repeat(64) });
    await store.write(key, bodyOf(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0]), RECORDING));
    const { source } = await findRemote(store, { address, key });
    await expect(open(source)).rejects.toMatchObject({ code: 'recording-without-index' });
    await expect(findRemote(store, { address, key: 'recordings/v1/none' })).rejects.toMatchObject({
      code: 'store-missing',
      message: 'There is no s3://team/mcp/recordings/v1/none.',
    });
  });

  test('is read again after a request that failed', async () => {
    const file = remoteFile(store, (await store.head(name.key))!);
    bucket.fault = (_, response) => {
      response.writeHead(403).end();
      return true;
    };
    await expect(file.read(0, 10)).rejects.toMatchObject({ code: 'store-denied' });
    bucket.fault = undefined;
    expect(Buffer.from(await file.read(0, 10)).equals(bytes.subarray(0, 10))).toBe(true);
    await file.close();
  });
});

const WAIT = { timeout: 30_000 };
const call = (n: number) => ({
  jsonrpc: '2.0',
  id: n,
  method: 'tools/call',
  params: { name: 'add', arguments: { n } },
});
const answer = (n: number) => ({ jsonrpc: '2.0', id: n, result: { content: [{ type: 'text', text: noise(n) }] } });

/** Text that does not compress well, the same for each number. */
function noise(n: number): string {
  const parts = Array.from({ length: 10 }, (_, part) => createHash('sha512').update(`${n}/${part}`).digest('base64'));
  return parts.join('');
}

/** Returns the bytes of a recording with an index every 1500 frames. */
function recorded(frames: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  const path = join(folder, 'a.mcpr.jsonl');
  const said: Said[] = [
    event({ event: 'start', name: 'files', transport: 'stdio', command: 'node', args: [], cwd: '/', at: '' }),
  ];
  for (let n = 1; n <= frames / 2; n++) said.push(out(call(n)), back(answer(n)));
  said.push(event({ event: 'closed' }));
  const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]), undefined, {
    framesEach: 1500,
    fromBytes: 0,
  });
  file.add(said.map((frame, index) => ({ ...frame, time: index * 10 })));
  expect(file.end()).toBeUndefined();
  expect(statSync(path).size).toBeGreaterThan(2_000_000);
  const content = readFileSync(path);
  rmSync(folder, { recursive: true });
  return content;
}

/** Somebody replaces an object, with the tools of the store. */
async function replaceIn(bucket: TestBucket, { address, key }: RemoteName, content: Buffer): Promise<void> {
  const env = { ...process.env, ...bucket.env };
  const { store } = await openStore('s3://team/mcp', { version: '0', env });
  await store.write(key, bodyOf(content, RECORDING));
  store.close();
  expect(address.bucket).toBe('team');
}

async function all(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

async function open(source: Awaited<ReturnType<typeof findRemote>>['source']) {
  const { bytes, reader, hold: _, ...deps } = source;
  const connection = await RecordedConnection.open('c1', bytes(), {
    ...deps,
    reader: reader(),
    onGrown: () => {},
    onChanged: () => {},
  });
  return { connection, opened: { rows: () => connection.log.last } };
}
