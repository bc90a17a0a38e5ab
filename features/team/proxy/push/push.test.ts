import { type ChildProcess, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readSummary } from '@/features/team/lib/summary/read-summary';
import { SUMMARIES } from '@/features/team/proxy/bucket/keys';
import { openStore } from '@/features/team/proxy/bucket/open-store';
import { noStore, refuse, startTestBucket, TEST_KEYS, type TestBucket } from '@/features/team/proxy/bucket/test-bucket';
import { objectsIn, requireWhole } from '@/features/team/proxy/bucket/test-objects';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { findIndexes, readIndexChunks } from '@/lib/recording/large/indexes';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { PLANTED } from '@/lib/redact/test-planted';
import { survivors } from '@/lib/redact/test-survivors';
import { requireShape } from '@/proxy/commands/test-output-shape';
import { FileLock } from '@/proxy/files/file-lock';
import { runningSha256 } from '@/proxy/files/native-codecs';
import { openFile } from '@/proxy/recorder/open-file';
import { type TestPush, testPush } from './test-push';
import { writeRecording } from './test-recording';

/** Rounds in which an upload of 3 parts is killed: at each request, or where it has to go on in another way. */
const KILLS: readonly Kill[] = process.env.TEST_LONG
  ? Array.from({ length: 40 }, (_, round) => ({ request: 1 + (round >> 1), isAnswered: round % 2 === 1 }))
  : [
      // The second part arrived, the third did not.
      { request: 3, isAnswered: true },
      // All parts arrived, but nobody put them together.
      { request: 2, isAnswered: false },
      // They were put together.
      { request: 1, isAnswered: true },
    ];

/** Kills an upload at a request: before the store gets it, or once it has answered and another request comes. */
interface Kill {
  readonly request: number;
  readonly isAnswered: boolean;
}

let bucket: TestBucket;
let push: TestPush;
/** Everything that any run printed. */
let allSaid = '';

beforeAll(async () => {
  if (noStore !== undefined) return;
  bucket = await startTestBucket();
  push = await testPush();
}, 60_000);
afterAll(async () => {
  await bucket?.close();
  push?.remove();
});
beforeEach(() => {
  if (!bucket) return;
  bucket.fault = undefined;
  bucket.seen.length = 0;
});

const NEVER: Kill = { request: Number.POSITIVE_INFINITY, isAnswered: false };

async function run(...words: string[]): Promise<{ code: number | null; said: string }> {
  const done = await push.run(words, bucket.env);
  allSaid += done.said;
  return done;
}

/** Runs `recordings outbox`. */
const outbox = (...words: string[]) => push.run(words, bucket.env, 'recordings outbox');

const at = (name: string): string => join(push.folder, name);

describe.skipIf(noStore !== undefined)('push', () => {
  test('uploads what share writes, and its summary, in two requests', async () => {
    writeRecording(at('a.mcpr.jsonl'), 5, 100);
    const env = { ...bucket.env, GITHUB_ACTIONS: 'true', GITHUB_SHA: 'a'.repeat(40), GITHUB_ACTOR: 'mona' };
    const { code, said } = await push.run([at('a.mcpr.jsonl'), 's3://team/two', '--s3', 'tag=x', '--s3', 'tag=y'], env);
    expect(code, said).toBe(0);
    expect(bucket.seen.map(({ method }) => method)).toEqual(['PUT', 'PUT']);
    expect(await requireWhole(bucket, 'two')).toEqual({ recordings: 1, summaries: 1 });
    const [[key, bytes], [, summary]] = [...(await objectsIn(bucket))]
      .filter(([name]) => name.startsWith('two/'))
      .sort() as [...[[string, Buffer], [string, Buffer]]];
    expect(said).toContain(`s3://team/${key}`);
    await push.run([at('a.mcpr.jsonl'), '--out', at('shared.mcpr.jsonl')], bucket.env, 'share');
    expect(bytes.equals(readFileSync(at('shared.mcpr.jsonl')))).toBe(true);
    const reader = new RecordingReader();
    expect(reader.readChunk(bytes)).toHaveLength(5);
    expect(reader.header?.policy).toBe('share/1');
    expect(reader.finish()).toMatchObject({ complete: true });
    expect(readSummary(summary)).toMatchObject({
      bytes: bytes.length,
      frames: 5,
      tags: ['x', 'y'],
      author: 'mona',
      commit: 'a'.repeat(40),
      ci: { name: 'github' },
    });
    expect(push.outbox()).toEqual([]);
  });

  test('a file that is missing is one after `recordings push`', async () => {
    const { code, said } = await run(at('nothere.mcpr.jsonl'), 's3://team/two');
    expect(code).toBe(1);
    expect(said).toContain('Check the path after `recordings push`.');
  });

  test('an empty list names the prefix, and says what to check', async () => {
    const { code, said } = await push.runProcess(['s3://team/wrongprefix'], bucket.env, 'recordings');
    expect([code, said]).toEqual([0, expect.stringContaining('Only the prefix wrongprefix was looked at')]);
  });

  test('the outbox shows what waits and why, and drop gives it up', async () => {
    writeRecording(at('l.mcpr.jsonl'), 2, 10);
    const dead = ['--s3', 'endpoint=http://127.0.0.1:9'];
    const failed = await run(at('l.mcpr.jsonl'), 's3://nobucket/x', ...dead);
    expect(failed.code).toBe(3);
    expect(failed.said).toContain('`mcp-inspect recordings outbox`');
    const listed = await outbox();
    expect(listed.code).toBe(0);
    expect(listed.said).toContain(at('l.mcpr.jsonl'));
    expect(listed.said).toContain('s3://nobucket/x');
    const [entry] = JSON.parse((await outbox('--json')).said);
    expect(entry).toMatchObject({ recording: at('l.mcpr.jsonl'), to: 's3://nobucket/x', why: expect.any(String) });
    expect(listed.said).toContain(entry.id);
    expect((await outbox('drop', 'nothing')).code).toBe(2);
    expect((await outbox('s3://team')).code).toBe(2);
    const dropped = await outbox('drop', entry.id);
    expect([dropped.code, dropped.said]).toEqual([
      0,
      expect.stringContaining('1 recording is no longer to be uploaded'),
    ]);
    expect(existsSync(at('l.mcpr.jsonl'))).toBe(true);
    expect(push.outbox()).toEqual([]);
    await run(at('l.mcpr.jsonl'), 's3://nobucket/x', ...dead);
    const all = await outbox('drop', 'all', '--json');
    expect(all.code).toBe(0);
    requireShape('outbox', all.said.split('\n')[0]!);
    expect(JSON.parse(all.said.split('\n')[0]!)).toMatchObject([{ to: 's3://nobucket/x' }]);
    expect(push.outbox()).toEqual([]);
  });

  test('the same recording has the same key each time', async () => {
    const secret = `ghp_${'aB3dE6gH9'.repeat(4)}`;
    writeRecording(at('b.mcpr.jsonl'), 2, 10, secret);
    const first = await run(at('b.mcpr.jsonl'), 's3://team/same', '--json');
    const second = await run(at('b.mcpr.jsonl'), 's3://team/same', '--json');
    expect(JSON.parse(first.said)).toMatchObject({ masked: 1, possible: 0 });
    expect(JSON.parse(second.said).url).toBe(JSON.parse(first.said).url);
    expect(await requireWhole(bucket, 'same')).toEqual({ recordings: 1, summaries: 1 });
    const listed = await push.run(['s3://team/same', '--json'], bucket.env, 'recordings');
    expect(JSON.parse(listed.said)).toHaveLength(1);
    requireShape('recordings', listed.said);
    expect([...(await objectsIn(bucket)).values()].join()).not.toContain(secret);
  });

  test('no planted secret is uploaded', { timeout: 120_000 }, async () => {
    const frames = PLANTED.flatMap((planted) => planted.frames);
    const lines = frames.map((frame, index) => encodeFrame(index + 1, { ...frame, time: index }));
    const end = encodeHeaderOrEnd({ k: 'end', t: 9, frames: lines.length });
    writeFileSync(at('p.mcpr.jsonl'), Buffer.concat([encodeHeaderOrEnd(TEST_HEADER), ...lines, end]));
    expect((await run(at('p.mcpr.jsonl'), 's3://team/planted')).code).toBe(0);
    for (const [key, bytes] of await objectsIn(bucket)) {
      if (key.startsWith('planted/')) expect(survivors(bytes.toString(), PLANTED), key).toEqual([]);
    }
  });

  test('--mask strict refuses, and a policy decides', async () => {
    writeRecording(at('c.mcpr.jsonl'), 1, 10, 'kX93ffQ2zz8177TqbV4mPw0L');
    const refused = await run(at('c.mcpr.jsonl'), 's3://team/strict', '--mask', 'strict');
    expect(refused.code).toBe(1);
    expect(refused.said).toMatch(/1 possible secret left in .*c\.mcpr\.jsonl., so it was not uploaded/);
    expect(bucket.seen).toEqual([]);
    writeFileSync(at('p.json'), '{"mask":["random"]}');
    const { code } = await run(at('c.mcpr.jsonl'), 's3://team/strict', '--mask', 'strict', '--policy', at('p.json'));
    expect(code).toBe(0);
    const uploaded = [...(await objectsIn(bucket))]
      .filter(([key]) => key.startsWith('strict/'))
      .map(([, bytes]) => bytes);
    expect(uploaded).toHaveLength(2);
    expect(uploaded.join()).not.toContain('kX93ffQ2zz8177TqbV4mPw0L');
    expect(push.outbox()).toEqual([]);
  });

  test.each<[string, string[], RegExp, number]>([
    ['a missing file', ['none.mcpr.jsonl', 's3://team/x'], /can’t be opened\. File not found/, 1],
    ['no file', ['s3://team/x'], /`recordings push` needs files and then a bucket/, 2],
    ['a wrong address', ['a.mcpr.jsonl', 's3://team/a b'], /The prefix of/, 2],
    ['keys in the address', ['a.mcpr.jsonl', 's3://AKIA:planted@team'], /does not name a bucket/, 2],
    ['another addressing', ['a.mcpr.jsonl', 's3://team', '--s3', 'addressing=dns'], /Choose from path, host/, 2],
    ['nothing that waits', [], /Nothing waits to be uploaded/, 0],
  ])('says what is wrong with %s', async (_, words, sentence, expected) => {
    const { code, said } = await run(...words);
    expect(said).toMatch(sentence);
    expect(said).not.toContain('planted');
    expect(code).toBe(expected);
  });

  test('a subcommand that uploads receives the telemetry of its server, and one that keeps nothing turns it off', async () => {
    const shown = '["OTEL_EXPORTER_OTLP_ENDPOINT","OTEL_TRACES_EXPORTER"].map((name) => process.env[name] ?? "unset")';
    const server = ['--', process.execPath, '-e', `console.error(${shown}.join(" and ")); process.stdin.resume()`];
    const list = (...words: string[]) =>
      push.runProcess([...words, '--protocol', '2025-11-25', '--timeout', '1', ...server], bucket.env, 'list');
    const [uploads, keepsNothing, isOff] = await Promise.all([
      list('--to', 's3://team/otel'),
      list(),
      list('--otel', 'off'),
    ]);
    expect(uploads.said).toMatch(/http:\/\/127\.0\.0\.1:\d+\/otel\/\S+ and unset/);
    expect(keepsNothing.said).toContain('unset and none');
    expect(isOff.said).toContain('unset and unset');
  });

  test('keeps what a busy store did not take, and goes on later', async () => {
    writeRecording(at('d.mcpr.jsonl'), 2, 10);
    bucket.fault = (_, response) => refuse(response, 503, 'SlowDown', { 'retry-after': '0' });
    const failed = await run(at('d.mcpr.jsonl'), 's3://team/busy');
    expect(failed).toMatchObject({ code: 3, said: expect.stringContaining('1 recording kept in the outbox') });
    expect(push.outbox()).toHaveLength(3);
    bucket.fault = undefined;
    expect((await run()).code).toBe(0);
    expect(await requireWhole(bucket, 'busy')).toEqual({ recordings: 1, summaries: 1 });
    expect(push.outbox()).toEqual([]);
  });

  test('attack: a copy that an earlier version made, and masked less, is made again', async () => {
    const secret = `ghp_${'aB3dE6gH9'.repeat(4)}`;
    writeRecording(at('e.mcpr.jsonl'), 2, 10, secret);
    bucket.fault = (_, response) => refuse(response, 503, 'SlowDown', { 'retry-after': '0' });
    await run(at('e.mcpr.jsonl'), 's3://team/earlier');
    bucket.fault = undefined;
    const [entry, copy] = ['.json', '.copy'].map((end) =>
      join(push.home, 'outbox', push.outbox().find((name) => name.endsWith(end))!),
    ) as [string, string];
    const kept = JSON.parse(readFileSync(entry, 'utf8'));
    const open = readFileSync(at('e.mcpr.jsonl'));
    writeFileSync(copy, open);
    const prepared = { ...kept.prepared, sha256: createHash('sha256').update(open).digest('hex'), by: '0.0.1' };
    writeFileSync(entry, JSON.stringify({ ...kept, prepared }));
    expect((await run()).code).toBe(0);
    expect([...(await objectsIn(bucket)).values()].join()).not.toContain(secret);
  });

  test('--require-upload ends with 3 if the copy is not there; in CI, an annotation says so', async () => {
    const server = [
      '--',
      process.execPath,
      join(import.meta.dirname, '../../../../proxy/commands/fixtures/results-server.mjs'),
    ];
    const list = (more: string[], env: object) =>
      push.runProcess(['tools', '--to', 's3://nobucket/x', ...more, ...server], { ...bucket.env, ...env }, 'list');
    const [here, ci, github, required] = await Promise.all([
      list([], {}),
      list([], { CI: '1' }),
      list([], { CI: '1', GITHUB_ACTIONS: 'true' }),
      list(['--require-upload'], { CI: '1' }),
    ]);
    expect([here.code, ci.code, github.code, required.code]).toEqual([0, 0, 0, 3]);
    expect(here.said).toMatch(/The recording was not uploaded\. .* `mcp-inspect recordings push` tries again\./);
    expect(ci.said).toMatch(/The recording was not uploaded\. .* outbox, which goes with this runner\./);
    expect(github.said).toMatch(/^::warning title=mcp-inspect::The recording was not uploaded\. /m);
    const none = await push.runProcess(['--require-upload', ...server], bucket.env, 'list');
    expect([none.code, none.said]).toEqual([2, expect.stringContaining('`--require-upload` needs a bucket')]);
    await outbox('drop', 'all');
  });

  test('an upload that is killed at any request loses nothing', { timeout: 240_000 }, async () => {
    writeRecording(at('big.mcpr.jsonl'), 180, 100_000);
    let words = [at('big.mcpr.jsonl'), 's3://team/killed'];
    const kinds = new Set<string>();
    for (let round = 0; ; round++) {
      const { request, isAnswered } = KILLS[round] ?? NEVER;
      const child = push.start(words, bucket.env);
      const kill = (): true => {
        child.kill('SIGKILL');
        return true;
      };
      let left = request;
      let late = false;
      bucket.fault = ({ method, target }) => {
        if (late) return kill();
        kinds.add(
          `${method} ${target.replace(/^[^?]*\/(recordings|summaries)\/[^?]*/, '$1').replace(/=[0-9a-f]{32}/, '')}`,
        );
        if (--left > 0) return false;
        late = isAnswered;
        if (!isAnswered) return kill();
        return false;
      };
      const [code] = (await once(child, 'close')) as [number | null];
      bucket.fault = undefined;
      await requireWhole(bucket, 'killed');
      words = [];
      if (code === 0) break;
      expect(code).toBe(null);
      expect(push.outbox().length).toBeGreaterThan(0);
      expect(round).toBeLessThan(KILLS.length);
    }
    expect(await requireWhole(bucket, 'killed')).toEqual({ recordings: 1, summaries: 1 });
    expect(push.outbox()).toEqual([]);
    expect([...kinds].sort()).toEqual([
      'HEAD recordings',
      'POST recordings?uploadId',
      'POST recordings?uploads=',
      ...[1, 2, 3].map((part) => `PUT recordings?partNumber=${part}&uploadId`),
      'PUT summaries',
    ]);
    // A large copy has indexes, so that a part of it can be read.
    const [key, bytes] = [...(await objectsIn(bucket))].find(([name]) => name.startsWith('killed/recordings'))!;
    writeFileSync(at('fetched.mcpr.jsonl'), bytes);
    const file = await (await openFile(at('fetched.mcpr.jsonl'))).parts();
    const indexes = await findIndexes(file);
    const counts: (number | undefined)[] = [];
    for await (const chunk of readIndexChunks(file, indexes!)) counts.push(chunk?.count);
    expect(counts, key).toEqual([90, 90]);
    await file.close();
    const reader = new RecordingReader(runningSha256());
    reader.readChunk(bytes);
    expect(reader.finish()).toMatchObject({ complete: true, frames: 180 });
    expect(reader.finish().changed).toBeFalsy();
  });

  test('Ctrl-C leaves nothing behind', async () => {
    writeRecording(at('cancel.mcpr.jsonl'), 90, 100_000);
    const child = push.start([at('cancel.mcpr.jsonl'), 's3://team/cancelled'], bucket.env);
    bucket.fault = ({ target }) => {
      if (target.includes('partNumber=2')) child.kill('SIGINT');
      return false;
    };
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).toBe(130);
    expect(bucket.seen.at(-1)?.method).toBe('DELETE');
    expect(await requireWhole(bucket, 'cancelled')).toEqual({ recordings: 0, summaries: 0 });
    expect(push.outbox()).toEqual([]);
  });

  test('Ctrl-C ends it also while it redacts, and while it waits for its turn', async () => {
    writeRecording(at('long.mcpr.jsonl'), 200, 200_000);
    const words = [at('long.mcpr.jsonl'), 's3://team/never'];
    const ended = async (child: ChildProcess) => {
      await vi.waitFor(() => expect(push.outbox().some((name) => name.endsWith('.json'))).toBe(true), { interval: 5 });
      child.kill('SIGINT');
      const [code] = (await once(child, 'close')) as [number | null];
      return code;
    };
    expect(await ended(push.start(words, bucket.env))).toBe(130);
    expect(push.outbox()).toEqual([]);
    const lock = await FileLock.acquire(join(push.home, 'outbox', 'uploads'));
    const code = await ended(push.start(words, bucket.env)).finally(() => lock!.release());
    expect(code).toBe(130);
    expect(push.outbox()).toEqual([]);
    expect(bucket.seen).toEqual([]);
  });

  test('commands on recordings read one of a bucket, and those of a prefix', async () => {
    writeRecording(at('read.mcpr.jsonl'), 3, 10);
    const { said } = await run(at('read.mcpr.jsonl'), 's3://team/read');
    const [url] = said.split('\n');
    const short = `s3://team/read/${url!.slice(url!.lastIndexOf('/') + 1).slice(0, 12)}`;
    for (const word of [url!, short, 's3://team/read']) {
      const found = await push.run(['seq:1', word, '--json'], bucket.env, 'search');
      expect([found.code, found.said], found.said).toEqual([0, expect.stringContaining(`{"file":"s3://team/read`)]);
      expect((await push.run([word], bucket.env, 'check')).said).toContain('3 frames');
      expect((await push.run([word], bucket.env, 'report')).said).toContain('Report on 1 recording\n');
    }
    const out = at('read-shared.mcpr.jsonl');
    expect((await push.run([short, '--out', out], bucket.env, 'share')).code).toBe(0);
    expect(new RecordingReader().readChunk(readFileSync(out))).toHaveLength(3);
    const tables = await push.run(['s3://team/read', '--format', 'parquet', '--out', at('t')], bucket.env, 'export');
    expect([tables.code, tables.said]).toEqual([0, expect.stringContaining('Wrote the tables of 1 recording')]);
    const none = await push.run(['seq:1', 's3://team/nothing-here'], bucket.env, 'search');
    expect([none.code, none.said]).toEqual([3, expect.stringContaining('There are no recordings at')]);
  });

  test('Ctrl-C during a download leaves no file', async () => {
    writeRecording(at('pulled.mcpr.jsonl'), 90, 100_000);
    const { said } = await push.runProcess([at('pulled.mcpr.jsonl'), 's3://team/pulled'], bucket.env);
    allSaid += said;
    const [url] = said.split('\n');
    const child = push.start([url!, 'got.mcpr.jsonl'], bucket.env, 'recordings pull');
    let reads = 0;
    bucket.fault = ({ method }) => {
      if (method !== 'GET' || ++reads < 2) return false;
      child.kill('SIGINT');
      // The rest never comes.
      return true;
    };
    const [code] = (await once(child, 'close')) as [number | null];
    bucket.fault = undefined;
    expect(code).toBe(130);
    expect(existsSync(at('got.mcpr.jsonl'))).toBe(false);
  });

  test('two at the same time upload everything once', async () => {
    const files = ['m1', 'm2', 'm3', 'm4'].map((name) => at(`${name}.mcpr.jsonl`));
    for (const [index, file] of files.entries()) writeRecording(file, 3 + index, 50);
    const all = await Promise.all(files.map((file) => push.runProcess([file, 's3://team/many'], bucket.env)));
    for (const { said } of all) allSaid += said;
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(bucket.seen).toHaveLength(8);
    expect(await requireWhole(bucket, 'many')).toEqual({ recordings: 4, summaries: 4 });
  });

  test('no credential was printed or kept', async () => {
    expect(allSaid).not.toContain(TEST_KEYS.secretAccessKey);
    expect(allSaid).not.toContain(TEST_KEYS.accessKeyId);
    for (const bytes of (await objectsIn(bucket)).values())
      expect(bytes.includes(TEST_KEYS.secretAccessKey)).toBe(false);
  });
});

describe.skipIf(noStore !== undefined)('other clients', () => {
  const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

  test.skipIf(!has('s3cmd'))('s3cmd lists, fetches and verifies what we push', async () => {
    writeRecording(at('s.mcpr.jsonl'), 4, 100);
    expect((await run(at('s.mcpr.jsonl'), 's3://team/s3cmd')).code).toBe(0);
    const host = new URL(bucket.store).host;
    const args = ['--no-ssl', `--host=${host}`, `--host-bucket=${host}`, '--access_key=S3RVER', '--secret_key=S3RVER'];
    const listed = spawnSync('s3cmd', [...args, 'ls', '-r', 's3://team/s3cmd/'], { encoding: 'utf8' }).stdout;
    expect(listed.trim().split('\n')).toHaveLength(2);
    const url = /s3:\S+\.jsonl/.exec(listed)![0];
    const got = spawnSync('s3cmd', [...args, 'get', '--force', url, at('got.jsonl')], { encoding: 'utf8' });
    expect(got.status, got.stderr).toBe(0);
    const sha256 = createHash('sha256')
      .update(readFileSync(at('got.jsonl')))
      .digest('hex');
    expect(url).toContain(sha256);
  });

  test.skipIf(!has('rclone'))('rclone copies what we push, and its hashes agree', async () => {
    writeRecording(at('r.mcpr.jsonl'), 180, 100_000);
    expect((await run(at('r.mcpr.jsonl'), 's3://team/rclone')).code).toBe(0);
    const env = {
      PATH: process.env.PATH,
      HOME: push.folder,
      RCLONE_CONFIG_T_TYPE: 's3',
      RCLONE_CONFIG_T_PROVIDER: 'Other',
      RCLONE_CONFIG_T_ACCESS_KEY_ID: 'S3RVER',
      RCLONE_CONFIG_T_SECRET_ACCESS_KEY: 'S3RVER',
      RCLONE_CONFIG_T_ENDPOINT: bucket.store,
    } as unknown as NodeJS.ProcessEnv;
    // This store lists no folders for rclone.
    const rclone = (...words: string[]) => spawnSync('rclone', ['--fast-list', ...words], { env, encoding: 'utf8' });
    const copied = rclone('copy', 'T:team/rclone', at('copy'));
    expect(copied.status, copied.stderr).toBe(0);
    const checked = rclone('check', 'T:team/rclone', at('copy'));
    expect(checked.status, checked.stderr).toBe(0);
    // And we read what it copies.
    const back = rclone('copy', at('copy'), 'T:team/back');
    expect(back.status, back.stderr).toBe(0);
    expect(await requireWhole(bucket, 'back')).toEqual({ recordings: 1, summaries: 1 });
    const { store } = await openStore('s3://team/back', { version: '0', env: bucket.env });
    const found: string[] = [];
    for await (const { key } of store.list(SUMMARIES)) found.push(readSummary(await store.read(key)).sha256);
    expect(found).toHaveLength(1);
    store.close();
    expect(existsSync(at('copy/recordings/v1'))).toBe(true);
  });
});
