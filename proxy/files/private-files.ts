import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';

/** Why a file can't be written, for the middle of a sentence. */
export function writeErrorReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return WRITE_REASONS.get(code ?? '') ?? message;
}

const WRITE_REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file is as large as it may get'],
  ['EIO', 'the disk failed'],
  ['EACCES', 'nothing may be written'],
  ['EPERM', 'nothing may be written'],
  ['EROFS', 'nothing can be written'],
  ['EEXIST', 'there is such a file already'],
]);

/**
 * Writes a file that must not be there yet, not even as a link, for its owner alone. What can't be written to its end is taken
 * away again. Rejects with the system's error, or that of `chunks`. Returns how many bytes it has.
 */
export async function writeNewFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
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
 * Writes a report, readable for its owner alone, since it has what a server answered: over the one of the last run if there is one,
 * and through no link. Rejects with the system's error.
 */
export async function writeReport(path: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0), 0o600);
  try {
    // That of an earlier version.
    await file.chmod(0o600);
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
