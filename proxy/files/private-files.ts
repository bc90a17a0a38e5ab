import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';

const { O_WRONLY, O_CREAT, O_EXCL, O_TRUNC } = constants;
/** Windows has no O_NOFOLLOW. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Returns why a file can't be written, for the middle of a sentence. */
export function writeErrorReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return WRITE_REASONS.get(code ?? '') ?? message;
}

const WRITE_REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file has reached its maximum size'],
  ['EIO', 'the disk failed'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['EEXIST', 'the file already exists'],
  ['ENOTEMPTY', 'the folder is not empty'],
  ['ENOTDIR', 'a part of the path is not a folder'],
]);

/**
 * Creates a file that only its owner can read, unless `mode` says otherwise, and returns its length in bytes. The path
 * must be free: an existing file or link is refused. Deletes the file if it can't be written completely. Rejects with
 * the system's error, or that of `chunks`.
 */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  mode = 0o600,
): Promise<number> {
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | NO_FOLLOW, mode);
  try {
    let length = 0;
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      length += chunk.length;
    }
    return length;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Writes a report that only its owner can read, because it quotes the server's answers. Replaces the report of an
 * earlier run, but follows no link. Rejects with the system's error.
 */
export async function writeReport(path: string, text: string): Promise<void> {
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | NO_FOLLOW, 0o600);
  try {
    // An existing file keeps its mode.
    await file.chmod(0o600);
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** Makes a folder, and those above it. One that is there stays as it is. Rejects with the system's error. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/**
 * Replaces a file of the user's, which keeps its mode. A reader sees the old text or the new one. A link is replaced
 * itself, not what it leads to. Rejects with the system's error, and then the file is as it was.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const { mode } = await lstat(path);
  const beside = `${path}.${process.pid}.new`;
  const file = await open(beside, O_WRONLY | O_CREAT | O_EXCL | NO_FOLLOW, 0o600);
  try {
    await file.writeFile(text);
    await file.chmod(mode & 0o777);
  } finally {
    await file.close();
  }
  await rename(beside, path).catch(async (error: unknown) => {
    await rm(beside, { force: true });
    throw error;
  });
}
