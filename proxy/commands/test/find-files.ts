import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseBounded } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { PINS_FILE } from '@/lib/pins/pins-file';
import { docsUrl } from '@/lib/wire/docs-url';
import { usageError } from '@/proxy/cli/exit-code';
import { type CommandRequest, lastValue } from '@/proxy/cli/grammar';
import { openNamedFile } from '@/proxy/files/named-files';
import { openErrorText } from '@/proxy/recorder/open-file';

/** A file to play. */
export interface TestFile {
  readonly file: string;
  readonly kind: 'pins' | 'recording';
}

/** Bytes that are read to tell what a file is. A header of a recording is much shorter. */
const LOOKED_AT_BYTES = 64 * 1024;

/**
 * Returns the files that words name: a file as it is, and the recordings and pins files directly in a folder by name;
 * without words, that of `--pins` or the usual one. Throws an ExitError.
 */
export async function findTestFiles({ words, given }: CommandRequest): Promise<readonly TestFile[]> {
  if (words.length === 0) return [{ file: lastValue(given, 'pins') ?? PINS_FILE, kind: 'pins' }];
  const files = (await Promise.all(words.map(filesAt))).flat();
  return Promise.all(files.map(async (file) => ({ file, kind: await kindOf(file) })));
}

async function filesAt(path: string): Promise<readonly string[]> {
  const names = await readdir(path).catch(() => undefined);
  if (!names) return [path];
  const found = names.filter((name) => /\.(?:mcpr\.jsonl|mcpr\.gz|pins\.json)$/.test(name)).sort();
  if (found.length > 0) return found.map((name) => join(path, name));
  throw usageError(
    `There is no recording (NAME.mcpr.jsonl, NAME.mcpr.gz) and no pins file (NAME.pins.json) in \`${path}\`.`,
  );
}

/** Tells what a file is from its beginning. JSON that is neither a header nor an HTTP Archive has pins. */
async function kindOf(file: string): Promise<TestFile['kind']> {
  const beginning = await readBeginning(file);
  if (beginning[0] === GZIP[0] && beginning[1] === GZIP[1]) return 'recording';
  const text = beginning.toString('utf8').replace(/^\ufeff/, '');
  if (hasMember(text.split('\n', 1)[0]!, 'mcpr') || /^\s*\{\s*"log"\s*:/.test(text)) return 'recording';
  if (/^\s*\{/.test(text)) return 'pins';
  throw usageError(`\`${file}\` is neither a recording nor a pins file. See ${docsUrl('pins')}.`);
}

/** The first bytes of a compressed file (RFC 1952). */
const GZIP = [0x1f, 0x8b] as const;

function hasMember(text: string, name: string): boolean {
  try {
    const value: unknown = parseBounded(text);
    return isObject(value) && own(value, name) !== undefined;
  } catch {
    return false;
  }
}

async function readBeginning(file: string): Promise<Buffer> {
  try {
    const handle = await openNamedFile(resolve(file));
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, 'after `test`')}`);
  }
}
