import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { lstat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FrameLog } from '@/lib/hub/frame-log';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError } from '@/lib/transports/transport';
import { systemClock } from '@/lib/wire/clock';
import { newFileName } from './file-names';
import { KeptRecordings } from './kept-recordings';
import { openFile } from './open-file';
import { createRecording, Recorder } from './recorder';
import { RecordingAppender } from './recording-appender';
import { deleteExpired } from './retention';

/** A process id above what any system assigns. */
const NOBODY = 2 ** 31 - 2;

let base: string;
let folder: string;
let kept: KeptRecordings;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  folder = join(base, 'recordings');
  mkdirSync(folder);
  writeFileSync(join(base, 'secret.mcpr.jsonl'), 'x');
  kept = new KeptRecordings(folder);
});
afterEach(() => rmSync(base, { recursive: true }));

function record(name: string, at: string, pid: number, ends: boolean): string {
  const id = newFileName(at, name, pid);
  const file = createRecording(join(folder, id), {
    name,
    transport: 'stdio',
    at,
    version: '0.0.0-test',
    redactor: new CaptureRedactor([]),
  });
  const frame = (text: string, time: number) =>
    ({ time, channel: 'protocol', direction: 'to-client', flags: 0, bytes: Buffer.from(text) }) as const;
  file.add([frame('{}', 5), frame(`{"x":"${'x'.repeat(10_000)}"}`, 42_000)]);
  if (ends) file.end();
  return id;
}

test('lists recordings with and without an end, newest first', async () => {
  const old = record('old', '2026-01-01T00:00:00.000Z', NOBODY, true);
  const young = record('Young Server', '2026-01-02T00:00:00.000Z', process.pid, false);
  writeFileSync(join(folder, 'broken.mcpr.jsonl'), 'no header\n');
  writeFileSync(join(folder, 'notes.txt'), 'x');
  mkdirSync(join(folder, 'folder.mcpr.jsonl'));
  const { recordings } = await kept.list();
  expect(recordings).toEqual([
    expect.objectContaining({ id: 'broken.mcpr.jsonl', unreadable: true }),
    expect.objectContaining({ id: young, name: 'Young Server', frames: 2, durationUs: 42_000, live: true }),
    expect.objectContaining({ id: old, name: 'old', frames: 2, durationUs: 42_000, live: false, incomplete: false }),
  ]);
  expect(recordings[1]!.bytes).toBeGreaterThan(10_000);
});

test.each([
  ['legacy', { serverInfo: { name: 'Lighthouse', version: '1' } }],
  ['modern', { _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'Lighthouse', version: '1' } } }],
])('lists the name that the server gave itself, gzipped or not, cut off or not: %s', async (_era, result) => {
  const id = newFileName('2026-01-01T00:00:00.000Z', 'server.mjs', NOBODY);
  const redactor = new CaptureRedactor([]);
  const file = createRecording(join(folder, id), {
    name: 'server.mjs',
    transport: 'stdio',
    at: '2026-01-01T00:00:00.000Z',
    version: '0.0.0-test',
    redactor,
  });
  const frame = (channel: 'protocol' | 'lifecycle', content: object) =>
    ({ time: 5, channel, direction: 'to-client', flags: 0, bytes: Buffer.from(JSON.stringify(content)) }) as const;
  file.add([
    frame('protocol', {
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: '"serverInfo":{"name":"no"}' }] },
    }),
    frame('protocol', { jsonrpc: '2.0', id: 2, result }),
  ]);
  expect((await kept.list()).recordings).toMatchObject([{ server: 'Lighthouse', frames: 2, incomplete: true }]);
  file.end();
  await kept.describe(id, { name: 'mine', text: '' });
  await new RecordingAppender(join(folder, id)).appendFrames([
    frame('lifecycle', { event: 'note', on: 1, text: 'x', bookmark: false }),
  ]);
  writeFileSync(join(folder, 'z.mcpr.gz'), gzipSync(readFileSync(join(folder, id))));
  const told = { name: 'server.mjs', server: 'Lighthouse', about: { name: 'mine' }, frames: 2, incomplete: false };
  expect((await kept.list()).recordings).toMatchObject([told, told]);
});

test('lists a gzipped file by its name if it unpacks to too much or is cut off', async () => {
  writeFileSync(join(folder, 'bomb.mcpr.gz'), gzipSync(Buffer.alloc(64 * 1024 * 1024)));
  writeFileSync(join(folder, 'cut.mcpr.gz'), gzipSync(Buffer.from('{"mcpr":1}\n')).subarray(0, 12));
  expect((await kept.list()).recordings).toMatchObject([
    { id: 'cut.mcpr.gz', name: 'cut.mcpr.gz', unreadable: true },
    { id: 'bomb.mcpr.gz', name: 'bomb.mcpr.gz', unreadable: true },
  ]);
});

test('lists nothing for a missing folder', async () => {
  expect(await new KeptRecordings(join(base, 'none')).list()).toMatchObject({ recordings: [] });
});

test('deletes a recording, but not while it is recorded', async () => {
  const dead = record('a', '2026-01-01T00:00:00.000Z', NOBODY, true);
  const live = record('b', '2026-01-01T00:00:00.000Z', process.pid, false);
  const ended = record('c', '2026-01-01T00:00:00.000Z', process.pid, true);
  await kept.delete(dead);
  await kept.delete(ended);
  await expect(kept.delete(live)).rejects.toMatchObject({ code: 'still-recorded' });
  expect(readdirSync(folder)).toEqual([live]);
});

describe('nothing outside is read or deleted', () => {
  test.each([
    '../secret.mcpr.jsonl',
    '..\\secret.mcpr.jsonl',
    '/etc/passwd',
    'CON',
    'a\0b.mcpr.jsonl',
    `${'a'.repeat(300)}.mcpr.jsonl`,
    '\u2024\u2024/secret.mcpr.jsonl',
    '.mcpr.jsonl',
    '',
    '__proto__',
    'link.mcpr.jsonl',
    'folder.mcpr.jsonl',
    'none.mcpr.jsonl',
  ])('%j', async (id) => {
    symlinkSync(join(base, 'secret.mcpr.jsonl'), join(folder, 'link.mcpr.jsonl'));
    mkdirSync(join(folder, 'folder.mcpr.jsonl'));
    await expect(kept.open(id)).rejects.toMatchObject({ code: 'no-recording' });
    await expect(kept.delete(id)).rejects.toMatchObject({ code: 'no-recording' });
    await expect(kept.describe(id, { name: 'x', text: '' })).rejects.toMatchObject({ code: 'no-recording' });
    expect(readFileSync(join(base, 'secret.mcpr.jsonl'), 'utf8')).toBe('x');
    expect(existsSync(join(base, 'secret.mcpr.jsonl'))).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('a folder that is swapped for a link to elsewhere', () => {
  test('after it was listed, has no recordings', async () => {
    const id = record('a', '2026-01-01T00:00:00.000Z', NOBODY, true);
    expect((await kept.list()).recordings).toHaveLength(1);
    const elsewhere = join(base, 'elsewhere');
    renameSync(folder, elsewhere);
    symlinkSync(elsewhere, folder);
    const before = readFileSync(join(elsewhere, id));
    const doings = [() => kept.open(id), () => kept.delete(id), () => kept.describe(id, { name: 'x', text: '' })];
    for (const doing of doings) await expect(doing()).rejects.toMatchObject({ code: 'no-recording' });
    expect((await kept.list()).recordings).toEqual([]);
    expect(readFileSync(join(elsewhere, id))).toEqual(before);
  });

  test('while a file is opened, is not followed', async () => {
    const id = record('a', '2026-01-01T00:00:00.000Z', NOBODY, true);
    const looked = await lstat(join(folder, id));
    rmSync(join(folder, id));
    symlinkSync(join(base, 'secret.mcpr.jsonl'), join(folder, id));
    await expect(openFile(join(folder, id), { ino: looked.ino })).rejects.toMatchObject({
      code: 'recording-replaced',
    });
  });
});

describe('the name and note of a recording', () => {
  const entryOf = async (id: string) => (await kept.list()).recordings.find((entry) => entry.id === id);

  test('are in the file and the list, even after many notes on frames', async () => {
    const id = record('a', '2026-01-01T00:00:00.000Z', NOBODY, true);
    await kept.describe(id, { name: 'Before the fix', text: 'look at #2' });
    const add = (text: string) =>
      new RecordingAppender(join(folder, id)).appendFrames([
        {
          time: 0,
          channel: 'lifecycle',
          direction: 'to-client',
          flags: 0,
          bytes: Buffer.from(JSON.stringify({ event: 'note', on: 1, text, bookmark: false })),
        },
      ]);
    for (let note = 0; note < 12; note++) await add('x'.repeat(9000));
    expect(await entryOf(id)).toMatchObject({ name: 'a', about: { name: 'Before the fix', text: 'look at #2' } });
    await kept.describe(id, { name: '', text: '' });
    expect(await entryOf(id)).toMatchObject({ name: 'a', about: { name: '', text: '' }, frames: 2 });
  });

  test('are kept in a recording without an end', async () => {
    const id = record('a', '2026-01-01T00:00:00.000Z', NOBODY, false);
    await kept.describe(id, { name: 'cut off', text: '' });
    expect(await entryOf(id)).toMatchObject({ about: { name: 'cut off' }, frames: 2 });
  });

  test('can’t be set while it is being recorded', async () => {
    const id = record('a', '2026-01-01T00:00:00.000Z', process.pid, false);
    await expect(kept.describe(id, { name: 'x', text: '' })).rejects.toMatchObject({ code: 'not-in-file' });
  });
});

describe('an import', () => {
  async function* bytesOf(...pieces: readonly Uint8Array[]) {
    yield* pieces;
  }

  test.each([
    ['plain', (bytes: Buffer) => bytes, /^20260101T000000Z-a-b-imported-[0-9a-f]{8}\.mcpr\.jsonl$/],
    ['gzipped', gzipSync, /^20260101T000000Z-a-b-imported-[0-9a-f]{8}\.mcpr\.gz$/],
  ] as const)('%s, is a copy that only its owner can read and that is never deleted', async (_, pack, name) => {
    const id = record('A & B', '2026-01-01T00:00:00.000Z', NOBODY, true);
    const bytes = pack(
      Buffer.from(readFileSync(join(folder, id), 'utf8').replace(/"at":"[^"]*"/, '"at":"2026-01-01T00:00:00.000Z"')),
    );
    const imported = await kept.import(bytesOf(bytes.subarray(0, 10), bytes.subarray(10)));
    expect(imported).toMatch(name);
    expect(readFileSync(join(folder, imported))).toEqual(bytes);
    expect(statSync(join(folder, imported)).mode & 0o777).toBe(0o600);
    deleteExpired(folder, { days: 1, bytes: 0 }, Date.now() + 1e12);
    expect(readdirSync(folder)).toEqual([imported]);
  });

  test.each([
    ['plain', (bytes: Buffer) => bytes],
    ['gzipped', gzipSync],
  ] as const)('of an HTTP Archive, %s, is the recording made from it', async (_, pack) => {
    const [method, url, text] = ['POST', 'http://h.test/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}'];
    const request = { method, url, headers: [], postData: { text } };
    const entry = { startedDateTime: '2026-01-01T00:00:00Z', time: 5, request, response: { status: 202 } };
    const imported = await kept.import(bytesOf(pack(Buffer.from(JSON.stringify({ log: { entries: [entry] } })))));
    expect(imported).toMatch(/^20260101T000000Z-h-test-imported-[0-9a-f]{8}\.mcpr\.jsonl$/);
    expect(readFileSync(join(folder, imported), 'utf8')).toContain(`"m":${text}}`);
    expect(readdirSync(folder)).toEqual([imported]);
  });

  test.each([
    ['an HTTP Archive without MCP', Buffer.from('{"log":{"entries":[]}}'), 'har-without-mcp'],
    ['no recording', Buffer.from('hello\n'), 'not-a-recording'],
    ['nothing', Buffer.alloc(0), 'not-a-recording'],
    ['a header alone', Buffer.from('{"mcpr":1}\n'), 'recording-empty'],
  ])('of %s is refused, and leaves no file', async (_, bytes, code) => {
    await expect(kept.import(bytesOf(bytes))).rejects.toMatchObject({ code });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that breaks off leaves no file', async () => {
    const broken = async function* () {
      yield Buffer.from('{"mcpr":1}\n');
      throw new ConnectionError({ code: 'file-too-large', message: 'x', advice: 'y' });
    };
    await expect(kept.import(broken())).rejects.toMatchObject({ code: 'file-too-large' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['at the end', '{"mcpr":1}\n{"n":1,"t":0,"c":"stderr","d":"<","text":"a"}\n'],
    ['of an HTTP Archive, while it is converted', `{"log":{"entries":[${' '.repeat(1000)}]}}`],
  ])('whose browser goes away %s leaves no file', async (_, text) => {
    const gone = new AbortController();
    const arriving = async function* () {
      yield Buffer.from(text);
      gone.abort();
    };
    await expect(kept.import(arriving(), { gone: gone.signal })).rejects.toMatchObject({ code: 'not-written' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('follows no link in place of the folder', async () => {
    const linked = join(base, 'linked');
    symlinkSync(folder, linked);
    await expect(new KeptRecordings(linked).import(bytesOf(Buffer.from('x')))).rejects.toMatchObject({
      code: 'linked-folder',
    });
    expect(readdirSync(folder)).toEqual([]);
    expect(await new KeptRecordings(linked).list()).toMatchObject({
      unusable: { code: 'linked-folder' },
      recordings: [],
    });
    const told: string[] = [];
    const recorder = new Recorder({ clock: systemClock, version: '0.0.0-test', folder: linked });
    const about = {
      name: 'x',
      transport: 'stdio',
      at: '2026-01-01T00:00:00Z',
      redactor: new CaptureRedactor([]),
    } as const;
    recorder.record({} as FrameLog, about, (sentence) => told.push(sentence));
    expect(told).toEqual([
      `This connection is not recorded: \`${linked}\` is a link. mcp-inspect does not follow links, so nothing is recorded. Replace it with a folder, or set MCP_INSPECT_HOME to another place.`,
    ]);
  });
});

test('counts the recordings beyond the listed ones, and lists all on request', async () => {
  const ids = ['01', '02', '03'].map((day) => newFileName(`2026-01-${day}T00:00:00Z`, 'x', NOBODY));
  for (const id of ids) writeFileSync(join(folder, id), '{"mcpr":1}\n');
  const [first, second, third] = ids;
  expect(await kept.list(2)).toMatchObject({
    recordings: [{ id: third }, { id: second }],
    older: { count: 1, bytes: 11 },
  });
  const all = await kept.list();
  expect(all.recordings.map(({ id }) => id)).toEqual([third, second, first]);
  expect(all).not.toHaveProperty('older');
});

describe('the retention settings', () => {
  const file = () => join(base, 'settings.json');

  test('are the default until some are chosen, and are stored privately beside the folder', async () => {
    expect((await kept.list()).keep).toEqual({ days: 30, bytes: 1_000_000_000 });
    expect(await kept.keep({ days: 7, bytes: 1e6 }, false)).toEqual({ saved: true, count: 0, bytes: 0 });
    expect((await kept.list()).keep).toEqual({ days: 7, bytes: 1e6 });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(base).sort()).toEqual(['recordings', 'secret.mcpr.jsonl', 'settings.json']);
  });

  test('delete nothing until the person confirms', async () => {
    const [old, newest] = ['a', 'b'].map((name) => record(name, '2026-01-01T00:00:00.000Z', NOBODY, true));
    const named = record('c', '2026-01-01T00:00:00.000Z', NOBODY, true);
    await kept.describe(named, { name: 'mine', text: '' });
    for (const id of [old!, named]) utimesSync(join(folder, id), 1e9, 1e9);
    const { size } = statSync(join(folder, old!));
    const less = { days: 3650, bytes: size };
    expect(await kept.keep({ days: 3650, bytes: 1e6 }, false)).toMatchObject({ saved: false, count: 1 });
    expect(await kept.keep({ ...less, days: 3650 }, false)).toEqual({ saved: false, count: 1, bytes: size });
    expect((await kept.list()).keep.days).toBe(30);
    expect(readdirSync(folder)).toHaveLength(3);
    expect(await kept.keep(less, true)).toEqual({ saved: true, count: 1, bytes: size });
    const { recordings, keep, deleted } = await kept.list();
    expect(recordings.map(({ id, stays }) => [id, stays]).sort()).toEqual(
      [
        [newest, undefined],
        [named, true],
      ].sort(),
    );
    expect(keep).toEqual(less);
    // The person who confirmed it needs no note.
    expect(deleted).toBeUndefined();
  });

  test.each(['{', '[]', '{"keep":{"days":0,"bytes":1}}', '{"keep":{"days":1e9,"bytes":1}}', '{"keep":{"days":"7"}}'])(
    'are the default if the file says %s',
    async (text) => {
      writeFileSync(file(), text);
      expect((await kept.list()).keep.days).toBe(30);
    },
  );
});
