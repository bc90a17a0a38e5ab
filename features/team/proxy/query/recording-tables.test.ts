import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FRAME_TABLES, TABLES_VERSION } from '@/features/team/lib/tables/columns';
import { recordingFiles } from '@/proxy/commands/shared/recording-files';
import { tablePath } from './build-tables';
import { recordingTables } from './recording-tables';
import { TableCache } from './table-cache';
import { fileOf, recorded, SESSION, TOLD } from './test-recordings';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

let homes = 0;
const newCache = (most?: number) => {
  const recordings = join(folder, `home${++homes}`, 'recordings');
  return { cache: new TableCache(recordings, most), kept: join(dirname(recordings), 'tables', `v${TABLES_VERSION}`) };
};
const never = new AbortController().signal;

test('several processes can build the tables of one recording at the same time', async () => {
  const { cache, kept } = newCache();
  const facts = { path: '/r', bytes: 1, mtimeMs: 1, ino: 1 };
  const [{ row } = { row: undefined }] = await recordingTables([fileOf(recorded(folder, 'raced'))], cache, TOLD, never);
  const parts = Array.from({ length: 20 }, (_, number) => cache.begin(100 + number));
  for (const part of parts) for (const table of FRAME_TABLES) writeFileSync(tablePath(part, table), 'x');
  const all = await Promise.all(parts.map((part) => cache.keep(part, facts, { row: row! })));
  expect(new Set(all.map((one) => one.folder)).size).toBe(1);
  expect((await cache.find(facts))?.row.recording).toBe('raced');
  // As a folder that was there when the folder was read, and is gone.
  symlinkSync(join(kept, 'nothing'), join(kept, 'gone.part'));
  await cache.trim(new Set());
});

test('says what named recordings lack, and how many others lack something', async () => {
  const { cache } = newCache();
  const [file, other] = [recorded(folder, 'cut'), recorded(folder, 'cut-too')];
  for (const path of [file, other]) appendFileSync(path, '{"n":');
  const notes: string[] = [];
  const told = { ...TOLD, printNote: (note: string) => notes.push(note) };
  const read = () => recordingTables([fileOf(file), { ...fileOf(other), isNamed: false }], cache, told, never);
  const said = [
    expect.stringMatching(/cut.mcpr.jsonl: .*The recording is incomplete: its last line was cut off\.$/),
    'mcp-inspect: 1 of 2 recordings is incomplete: frames or the end are missing.',
  ];
  await read();
  expect(notes).toEqual(said);
  // From tables that are there.
  await read();
  expect(notes).toEqual([...said, ...said]);
});

test('builds tables once, and again when the file has changed', async () => {
  const { cache, kept } = newCache();
  const file = recorded(folder, 'again');
  const build = async () => {
    const [tables] = await recordingTables([fileOf(file)], cache, TOLD, never);
    return { ...tables!, built: statSync(join(tables!.folder, 'frames.parquet')).ino };
  };
  const first = await build();
  expect(first.row).toMatchObject({
    recording: 'again',
    frames: SESSION.length,
    complete: true,
    server: 's',
    host: 'c',
  });
  expect((await build()).built).toBe(first.built);
  utimesSync(file, 1, 1);
  const later = await build();
  expect(later.built).not.toBe(first.built);
  appendFileSync(file, 'damaged\n');
  const damaged = await build();
  expect(damaged.built).not.toBe(later.built);
  expect(damaged.row).toMatchObject({ complete: false });
  expect(readdirSync(kept)).toHaveLength(1);
  expect(statSync(first.folder).mode & 0o077).toBe(0);
});

test('the host of a session with a borrowed name is the writer', async () => {
  const [tables] = await recordingTables(
    [fileOf(recorded(folder, 'as', { as: 'vscode' }))],
    newCache().cache,
    TOLD,
    never,
  );
  expect(tables!.row).toMatchObject({ host: 'mcp-inspect', host_version: '0.0.0-test', connected_as: 'vscode' });
});

test('a recording with gaps has no problems that need every frame', async () => {
  const { cache } = newCache();
  const files = [fileOf(recorded(folder, 'whole')), fileOf(recorded(folder, 'gaps', { without: [2] }))];
  const [whole, gaps] = await recordingTables(files, cache, TOLD, never);
  expect([whole!.row.complete, gaps!.row.complete]).toEqual([true, false]);
  const bytes = [whole!, gaps!].map((tables) => statSync(join(tables.folder, 'problems.parquet')).size);
  expect(bytes[0]).toBeGreaterThan(bytes[1]!);
});

test('deletes the tables that were used least recently', async () => {
  const { cache, kept } = newCache(1);
  const [first, second] = [fileOf(recorded(folder, 'one')), fileOf(recorded(folder, 'two'))];
  await recordingTables([first, second], cache, TOLD, never);
  // Those in use stay, although they are too large.
  expect(readdirSync(kept)).toHaveLength(2);
  await recordingTables([fileOf(recorded(folder, 'three'))], cache, TOLD, never);
  expect(readdirSync(kept)).toHaveLength(1);
});

test('a recording with the same id counts once', async () => {
  const { cache } = newCache();
  const notes: string[] = [];
  const files = ['a', 'b'].map((name) => fileOf(recorded(folder, name, { id: 'same' })));
  const tables = await recordingTables(files, cache, { ...TOLD, printNote: (note) => notes.push(note) }, never);
  expect(tables).toHaveLength(1);
  expect(notes).toEqual([
    expect.stringMatching(/^mcp-inspect: `.*b\.mcpr\.jsonl` is left out: it is the same recording/),
  ]);
});

describe('a file that is not a recording', () => {
  const path = join(folder, 'wrong.mcpr.jsonl');
  writeFileSync(path, 'nothing\n');

  test('ends the query if it is named', async () => {
    const { cache, kept } = newCache();
    await expect(recordingTables([fileOf(path)], cache, TOLD, never)).rejects.toThrow(
      /can’t be opened\. .*not a recording/,
    );
    expect(readdirSync(kept)).toEqual([]);
  });

  test('is skipped in a folder', async () => {
    const { cache } = newCache();
    const inFolder = mkdtempSync(join(folder, 'many-'));
    recorded(inFolder, 'good');
    writeFileSync(join(inFolder, 'bad.mcpr.jsonl'), 'nothing\n');
    writeFileSync(join(inFolder, 'other.txt'), 'nothing\n');
    const notes: string[] = [];
    const files = await recordingFiles([inFolder], { version: '0', env: process.env, signal: never });
    const tables = await recordingTables(files, cache, { ...TOLD, printNote: (note) => notes.push(note) }, never);
    expect([files.length, tables.length, notes.length]).toEqual([2, 1, 1]);
  });
});

test('stops when it is interrupted, and leaves nothing behind', async () => {
  const { cache, kept } = newCache();
  const stop = new AbortController();
  const told = { ...TOLD, status: { show: () => stop.abort(new Error('stopped')), end: () => {} } };
  const files = ['x', 'y', 'z', 'u', 'v'].map((name) => fileOf(recorded(folder, name)));
  await expect(recordingTables(files, cache, told, stop.signal)).rejects.toThrow('stopped');
  expect(readdirSync(kept).filter((name) => name.endsWith('.part'))).toEqual([]);
});
