import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { recordingFile, recordingFiles, withLocalFile, withStdinCopied } from './recording-files';
import { recorded } from './test-recordings';

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
  const file = await recordingFile('-', { ...access, stdin: stdin() });
  expect(file).toMatchObject({ shown: '-', isNamed: true });
  expect(await withLocalFile(file, async (path) => readFileSync(path))).toEqual(readFileSync(two));
  await expect(names(['-', one, '-'])).rejects.toThrow('`-` is stdin, which can be read only once');
});

test('copies stdin for a command that opens paths', async () => {
  const stdin = async function* () {
    yield readFileSync(two);
  };
  const [first, copy] = await withStdinCopied([one, '-'], stdin());
  expect(first).toBe(one);
  expect(readFileSync(copy!)).toEqual(readFileSync(two));
  expect(await withStdinCopied([one])).toEqual([one]);
  await expect(withStdinCopied(['-', '-'])).rejects.toThrow('`-` is stdin, which can be read only once');
});

test('leaves out recordings that began earlier', async () => {
  expect(await names([folder], { since: '2000-01-01T00:00:00.000Z' })).toHaveLength(2);
  expect(await names([folder], { since: '2100-01-01T00:00:00.000Z' })).toEqual([]);
});

test('downloads a recording of a bucket for as long as it is used', async () => {
  const remote = {
    ...{ digest: '', day: '2026-01-02' },
    spool: async (path: string) => writeFileSync(path, 'bytes'),
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
