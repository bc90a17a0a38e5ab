import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type UnzipFileFilter, type UnzipFileInfo, unzipSync } from 'fflate';
import { writeNewFile } from './private-files';
import { folderUntilExit } from './temporary-folder';
import { openNamedFile } from './user-files';

/** Most bytes of an archive, and of all its files together. A bundle has the packages of its server. */
export const MOST_ARCHIVE = 128 * 1024 * 1024;
const MOST_UNPACKED = 512 * 1024 * 1024;
/** How many times its own size an archive may become beyond {@link SMALL}. Packages become ten times as large. */
const MOST_RATIO = 100;
const SMALL = 16 * 1024 * 1024;
/** Bytes that are unpacked at a time, unless one file has more, so that others have their turn. */
const AT_ONCE = 8 * 1024 * 1024;
/** Most files. A folder of packages has thousands. */
const MOST_FILES = 20_000;
/** Longest name of a file in an archive, in characters. */
const LONGEST_NAME = 1000;

/** Why an archive was not unpacked: a sentence about "it". */
export class UnpackError extends Error {}

/** Unpacks the archive in a file, as {@link unpackArchive} does. Throws UnpackError. */
export async function unpackZip(path: string): Promise<string> {
  return unpackArchive(await readArchive(path));
}

/**
 * Unpacks a ZIP archive into a new folder that only this user can read, and that is removed when this process exits.
 * Checks all names and declared sizes before it unpacks anything; no file becomes larger than declared. Links in an
 * archive become plain files. Throws UnpackError.
 */
export async function unpackArchive(archive: Uint8Array): Promise<string> {
  const names = checkedNames(archive);
  const folder = await folderUntilExit();
  for (const [name, bytes] of unpacked(archive, names)) {
    const file = join(folder, name);
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      // The archive's modes are not known, and one of the files may be the program.
      await writeNewFile(file, [bytes], 0o700);
    } catch (error) {
      throw new UnpackError(`\`${shortName(name)}\` can’t be unpacked: ${(error as NodeJS.ErrnoException).code}.`);
    }
  }
  return folder;
}

async function readArchive(path: string): Promise<Uint8Array> {
  const handle = await openNamedFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnpackError(error.code === 'ENOENT' ? 'It does not exist.' : `It can’t be read: ${error.code}.`);
  });
  try {
    const { size } = await handle.stat();
    if (size > MOST_ARCHIVE) throw new UnpackError(`It is larger than ${MOST_ARCHIVE / 1024 / 1024} MB.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Returns the names of all files, without unpacking any: nothing is unpacked of an archive that is refused. */
function checkedNames(archive: Uint8Array): Set<string> {
  let total = 0;
  let count = 0;
  const files = new Set<string>();
  const check = ({ name, originalSize, size }: UnzipFileInfo): boolean => {
    const wrong = nameProblem(name);
    if (wrong !== undefined) throw new UnpackError(`\`${shortName(name)}\` ${wrong}`);
    if (++count > MOST_FILES) throw new UnpackError(`It has more than ${MOST_FILES} files.`);
    total += Math.max(originalSize, size);
    if (total > MOST_UNPACKED) {
      throw new UnpackError(`Its files are larger than ${MOST_UNPACKED / 1024 / 1024} MB together.`);
    }
    if (total > Math.max(SMALL, archive.length * MOST_RATIO)) {
      throw new UnpackError(`Its files are more than ${MOST_RATIO} times as large as it, like those of a zip bomb.`);
    }
    if (files.has(name)) throw new UnpackError(`It has \`${shortName(name)}\` twice.`);
    if (!name.endsWith('/')) files.add(name);
    return false;
  };
  unzip(archive, check);
  const inFile = [...files].find((name) => foldersOf(name).some((folder) => files.has(folder)));
  if (inFile !== undefined) throw new UnpackError(`\`${shortName(inFile)}\` is in a folder that is a file, too.`);
  return files;
}

function* unpacked(archive: Uint8Array, names: Set<string>): Iterable<readonly [string, Uint8Array]> {
  while (names.size > 0) {
    let bytes = 0;
    yield* unzip(archive, ({ name, originalSize }) => {
      if (bytes >= AT_ONCE || !names.delete(name)) return false;
      bytes += originalSize;
      return true;
    });
  }
}

function unzip(archive: Uint8Array, filter: UnzipFileFilter): readonly (readonly [string, Uint8Array])[] {
  try {
    return Object.entries(unzipSync(archive, { filter }));
  } catch (error) {
    if (error instanceof UnpackError) throw error;
    throw new UnpackError('It is not a valid ZIP archive.');
  }
}

/** Returns the folders of a file, the outermost first. */
function foldersOf(name: string): readonly string[] {
  return [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index));
}

/** Returns why a name could lead out of the folder, or can't be a file everywhere. */
function nameProblem(name: string): string | undefined {
  if (name === '' || name.length > LONGEST_NAME) return 'is not the name of a file.';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused
  if (/[\\:\x00-\x1f\x7f]/.test(name)) return 'has a character that names of files can’t have.';
  const parts = name.replace(/\/$/, '').split('/');
  const leads = parts.some((part) => part === '' || part === '.' || part === '..' || /[. ]$/.test(part));
  return leads ? 'leads out of its folder.' : undefined;
}

function shortName(name: string): string {
  return JSON.stringify(name.slice(0, 100)).slice(1, -1);
}
