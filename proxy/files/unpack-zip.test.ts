import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { withTemporaryFolder } from './temporary-folder';
import { unpackZip } from './unpack-zip';

vi.mock('fflate', async (original) => {
  const fflate = await original<typeof import('fflate')>();
  return { ...fflate, unzipSync: vi.fn(fflate.unzipSync) };
});

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true });
});

/** Unpacks an archive with these bytes. */
async function unpack(bytes: Uint8Array): Promise<string> {
  return withTemporaryFolder(async (folder) => {
    const path = join(folder, 'a.mcpb');
    writeFileSync(path, bytes);
    const unpacked = await unpackZip(path);
    made.push(unpacked);
    return unpacked;
  });
}

/** Changes every copy of some text in an archive, which has names twice. */
function replaced(archive: Uint8Array, from: string, to: string): Uint8Array {
  return new Uint8Array(Buffer.from(Buffer.from(archive).toString('latin1').replaceAll(from, to), 'latin1'));
}

test('unpacks files in folders, readable only by this user', async () => {
  const folder = await unpack(zipSync({ 'manifest.json': text('{}'), server: { 'index.js': text('1'), empty: {} } }));
  expect(readFileSync(join(folder, 'server/index.js'), 'utf8')).toBe('1');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'server/index.js')).mode & 0o077).toBe(0);
});

test('unpacks a part at a time, so that others have their turn', async () => {
  const parts = Object.fromEntries(Array.from({ length: 3 }, (_, n) => [`f${n}`, randomBytes(9 * 1024 * 1024)]));
  const unpackAtOnce = vi.mocked(unzipSync);
  unpackAtOnce.mockClear();
  const folder = await unpack(zipSync(parts, { level: 0 }));
  expect(readdirSync(folder)).toEqual(['f0', 'f1', 'f2']);
  expect(readFileSync(join(folder, 'f2')).equals(parts.f2!)).toBe(true);
  expect(unpackAtOnce.mock.results.map(({ value }) => Object.keys(value).length)).toEqual([0, 1, 1, 1]);
});

test('a link becomes a plain file', async () => {
  const link = { attrs: 0o120777 << 16, os: 3 } as const;
  const folder = await unpack(zipSync({ link: [text('/etc/passwd'), link] }));
  expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(false);
  expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('/etc/passwd');
});

describe('an archive is refused', () => {
  test('with a file where a folder is needed', async () => {
    for (const names of [
      ['a', 'a/b/c'],
      ['a/b/c', 'a/b'],
    ]) {
      const archive = zipSync(Object.fromEntries(names.map((name) => [name, text('1')])));
      await expect(unpack(archive)).rejects.toThrow('is in a folder that is a file, too.');
    }
  });

  test.each([
    ['../x', 'leads out of its folder'],
    ['a/../../x', 'leads out of its folder'],
    ['/etc/x', 'leads out of its folder'],
    ['a//x', 'leads out of its folder'],
    ['a\\x', 'has a character'],
    ['C:x', 'has a character'],
    ['a\0x', 'has a character'],
    ['a.', 'leads out of its folder'],
  ])('with the name %j', async (name, problem) => {
    const plain = 'q'.repeat(name.length);
    const archive = replaced(zipSync({ [plain]: text('1') }), plain, name);
    await expect(unpack(archive)).rejects.toThrow(problem);
  });

  test('that declares more than it may have, before anything is unpacked', async () => {
    const archive = zipSync({ a: new Uint8Array(100) });
    const end = Buffer.from(archive).indexOf('PK\x01\x02');
    // The size in the central directory, which a bomb has large.
    Buffer.from(archive.buffer).writeUInt32LE(0x7fff_ffff, end + 24);
    await expect(unpack(archive)).rejects.toThrow('larger than 512 MB together');
  });

  test('that becomes more than 100 times as large, before anything is unpacked', async () => {
    const bomb = zipSync({ 'manifest.json': text('{}'), zeros: new Uint8Array(20 * 1024 * 1024) });
    await expect(unpack(bomb)).rejects.toThrow('more than 100 times as large as it, like those of a zip bomb');
  });

  test('with a name twice', async () => {
    const archive = replaced(zipSync({ aa: text('1'), ab: text('2') }), 'ab', 'aa');
    await expect(unpack(archive)).rejects.toThrow('It has `aa` twice.');
  });

  test('with more files than it may have', async () => {
    const files = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`f${n}`, new Uint8Array()]));
    await expect(unpack(zipSync(files, { level: 0 }))).rejects.toThrow('more than 20000 files');
  });

  test.each([[new Uint8Array()], [text('PK not an archive')], [zipSync({ a: text('1') }).subarray(0, 20)]])(
    'that is broken',
    async (bytes) => expect(unpack(bytes)).rejects.toThrow('not a valid ZIP archive'),
  );

  test('that does not exist', () => expect(unpackZip('/nowhere.mcpb')).rejects.toThrow('does not exist'));
});

test('a file is never larger than it declares', async () => {
  const archive = zipSync({ a: new Uint8Array(1_000_000).fill(65) });
  const at = Buffer.from(archive).indexOf('PK\x01\x02');
  Buffer.from(archive.buffer).writeUInt32LE(10, at + 24);
  const folder = await unpack(archive).catch(() => undefined);
  if (folder !== undefined) expect(statSync(join(folder, 'a')).size).toBeLessThanOrEqual(10);
});

test('nothing is left in the folder of an archive that is refused', async () => {
  await withTemporaryFolder(async (folder) => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    const path = join(inner, 'a.mcpb');
    writeFileSync(path, replaced(zipSync({ qqqq: text('1') }), 'qqqq', '../x'));
    await expect(unpackZip(path)).rejects.toThrow();
    expect(readdirSync(inner)).toEqual(['a.mcpb']);
    expect(readdirSync(folder)).toEqual(['inner']);
  });
});
