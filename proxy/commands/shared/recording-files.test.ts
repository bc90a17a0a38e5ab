import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { recorded } from '@/features/team/proxy/query/test-recordings';
import { type FileAccess, localFile, localFiles, recordingFiles, startedSince, withLocalFile } from './recording-files';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
const empty = join(folder, 'empty');
mkdirSync(empty);
const [one, two] = ['one', 'two'].map((name) => recorded(folder, name)) as [string, string];
afterAll(() => rmSync(folder, { recursive: true }));

const access = { version: '0', env: process.env };
const names = async (words: readonly string[], more: object = {}) =>
  (await recordingFiles(words, { ...access, ...more })).map(({ path, isNamed }) => [basename(path), isNamed]);

test('reads files and folders', async () => {
  expect(await names([one, folder])).toEqual([
    ['one.mcpr.jsonl', true],
    ['one.mcpr.jsonl', false],
    ['two.mcpr.jsonl', false],
  ]);
  // A command says why a file can’t be opened.
  expect(await names(['/nowhere/a.mcpr.jsonl'])).toEqual([['a.mcpr.jsonl', true]]);
  await expect(names([empty])).rejects.toThrow(
    `There is no recording (NAME.mcpr.jsonl or NAME.mcpr.gz) in \`${empty}\``,
  );
});

test('reads stdin once, as a file that can be read again', async () => {
  const stdin = async function* () {
    yield readFileSync(two);
  };
  const file = await localFile('-', { ...access, stdin: stdin() });
  expect(file.shown).toBe('-');
  expect(readFileSync(file.path)).toEqual(readFileSync(two));
  await expect(names(['-', one, '-'])).rejects.toThrow('`-` is stdin, which can be read only once');
});

test('names a path as it is, also that of a folder or of another file', async () => {
  for (const word of [one, folder, 'nowhere.pins.json'])
    expect(await localFile(word, access)).toMatchObject({ path: resolve(word), shown: word });
  expect((await localFiles([folder], access)).map(({ path }) => path)).toEqual([one, two]);
});

test('leaves out recordings that began earlier', async () => {
  expect(await names([folder], { since: '2000-01-01T00:00:00.000Z' })).toHaveLength(2);
  expect(await names([folder], { since: '2100-01-01T00:00:00.000Z' })).toEqual([]);
});

test('chooses some of the files by their place', async () => {
  const limited = (first: number, last: number, more: Partial<FileAccess> = {}) =>
    names([folder], { ...more, limit: { first, last } });
  const [whole, since] = [await names([folder]), '2100-01-01T00:00:00.000Z'];
  expect(await limited(1, 1)).toEqual(whole.slice(0, 1));
  expect(await limited(2, 9)).toEqual(whole.slice(1));
  expect(await limited(1, 9)).toEqual(whole);
  await expect(limited(3, 4)).rejects.toThrow('`--limit 3-4` chooses none of 2 files');
  await expect(limited(1, 9, { since })).rejects.toThrow('No recording began since then');
});

test('downloads a recording of a bucket for as long as it is used', async () => {
  const remote = {
    digest: '',
    day: '2026-01-02',
    spool: async (path: string) => writeFileSync(path, 'bytes'),
    startedAt: async () => '2026-01-02T12:00:00.000Z',
    pushed: async () => ({}),
  };
  const file = { path: 'recordings/v1/a.mcpr.jsonl', shown: 's3://b/a', isNamed: false, remote };
  let used = '';
  await withLocalFile(file, async (path) => {
    used = path;
    expect(readFileSync(path, 'utf8')).toBe('bytes');
  });
  expect(() => readFileSync(used)).toThrow('ENOENT');
});

test('leaves out recordings of a bucket by their start, and reads it only for those of the same day', async () => {
  const read: string[] = [];
  const remote = (name: string, at: string) => ({
    path: name,
    shown: name,
    isNamed: false,
    remote: {
      digest: '',
      day: at.slice(0, 10),
      spool: async () => {},
      pushed: async () => ({}),
      startedAt: async () => {
        read.push(name);
        return at;
      },
    },
  });
  const files = [
    remote('before', '2026-01-01T23:00:00.000Z'),
    remote('early', '2026-01-02T08:00:00.000Z'),
    remote('late', '2026-01-02T12:00:00.000Z'),
    remote('after', '2026-01-03T00:00:00.000Z'),
  ];
  const later = await startedSince(files, '2026-01-02T10:00:00.000Z');
  expect(later.map(({ path }) => path)).toEqual(['late', 'after']);
  expect(read).toEqual(['early', 'late']);
});

test('says that no store reads an address', async () => {
  const sentence = '`gs://team/a.mcpr.jsonl` can’t be read: mcp-inspect reads no gs:// addresses. Name a file.';
  await expect(names(['gs://team/a.mcpr.jsonl'])).rejects.toThrow(sentence);
  // A drive of Windows, and a file whose name has a colon.
  expect(await names(['C://a.mcpr.jsonl', './a:b'])).toHaveLength(2);
});
