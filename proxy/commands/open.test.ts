import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommandContext } from '@/proxy/cli/grammar';
import { writePacked } from '@/proxy/files/test-packed';
import { openingOf, run } from './open';
import { requestOf } from './test-command-line';

let base: string;
let notes: string[];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  notes = [];
  mkdirSync(join(base, 'home/ui'), { recursive: true });
  writeFileSync(join(base, 'THIRD-PARTY-LICENSES.txt'), 'MIT');
  writeFileSync(join(base, 'home/ui/index.html'), '<p>page</p>');
  writePacked(join(base, 'home/ui'), { 'monaco/editor.js': 'editor()' });
});
afterEach(() => rmSync(base, { recursive: true }));

const context = (...words: string[]) =>
  ({
    request: requestOf('open', ...words),
    version: '1',
    home: join(base, 'home'),
    printNote: (line: string) => notes.push(line),
  }) as unknown as CommandContext;

const write = (folder: string) => run(context('--write', folder));

test('opens files, those of a folder, recordings of a bucket, and lists a prefix', async () => {
  const folder = join(base, 'recordings');
  mkdirSync(folder);
  const files = ['a.mcpr.jsonl', 'b.mcpr.gz'].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, '');
  const url = 's3://team/x/5b43157eeb39';
  const { files: opened, from } = await openingOf([files[0]!, folder, url, 's3://team/x'], context(folder));
  expect(opened.map(({ shown }) => shown)).toEqual([files[0], ...files, url]);
  expect(from).toBe('s3://team/x');
  await expect(openingOf(['s3://a', 's3://b'], context(folder))).rejects.toThrow('name only one of them');
  for (let at = 0; at < 50; at++) writeFileSync(join(folder, `${at}.mcpr.gz`), '');
  await expect(openingOf([folder], context(folder))).rejects.toThrow('There are 52 recordings, but the page opens 50');
});

test.each([
  [[], '`open` needs recordings'],
  [['--write', 'site', 'a.mcpr.jsonl'], '`--write` writes the page without recordings'],
])('%j is refused', async (words, sentence) => {
  await expect(run(context(...words))).rejects.toThrow(sentence);
});

test('writes nothing if the licences are missing', async () => {
  rmSync(join(base, 'THIRD-PARTY-LICENSES.txt'));
  await expect(write(join(base, 'site'))).rejects.toThrow('THIRD-PARTY-LICENSES.txt` is missing');
  expect(existsSync(join(base, 'site'))).toBe(false);
});

test('writes every file of the page, unpacked', async () => {
  const out = join(base, 'new/site');
  expect(await write(out)).toBe(0);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toBe('<p>page</p>');
  expect(readFileSync(join(out, 'monaco/editor.js'), 'utf8')).toBe('editor()');
  for (const name of ['later.br', 'packed.json']) expect(existsSync(join(out, name))).toBe(false);
  expect(readFileSync(join(out, 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toBe('MIT');
  expect(notes).toEqual([`Wrote the page, 3 files, to ${out}. Serve it at the root of a host.`]);
});

test('overwrites nothing', async () => {
  mkdirSync(join(base, 'mine'));
  writeFileSync(join(base, 'mine/index.html'), 'mine');
  await expect(write(join(base, 'mine'))).rejects.toThrow('the folder is not empty');
  expect(readFileSync(join(base, 'mine/index.html'), 'utf8')).toBe('mine');
});

test('says why it can’t write', async () => {
  writeFileSync(join(base, 'file'), '');
  await expect(write(join(base, 'file/site'))).rejects.toThrow(
    /can’t be written to .*file.site`: a part of the path is not a folder\. Choose/,
  );
});
