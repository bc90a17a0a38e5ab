import { closeSync, constants, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

// Windows has neither flag. Without O_NONBLOCK, opening a pipe that nobody writes to would block.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/** Opens a file of ours for reading. Rejects with the system's error. A link is an error. */
export function openToRead(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT);
}

/** Opens a file of ours for reading and writing. Rejects with the system's error. A link is an error. */
export function openToUpdate(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDWR | NO_FOLLOW | NO_WAIT);
}

/** A file open for reading, for as long as the callback of {@link readNow} runs. */
export interface OpenNow {
  readonly size: number;
  /** Returns up to `length` bytes from `at` on. */
  read(at: number, length: number): Buffer;
}

/** Opens a file of ours, calls `use`, and closes the file. Throws the system's error. A link is an error. */
export function readNow<Result>(path: string, use: (file: OpenNow) => Result): Result {
  const file = openSync(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT);
  try {
    return use({
      size: fstatSync(file).size,
      read(at, length) {
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, readSync(file, bytes, 0, length, at));
      },
    });
  } finally {
    closeSync(file);
  }
}

/** A file of ours that is read while it grows. */
export class GrowingFile {
  readonly #file: number;

  /** Throws the system's error. A link is an error. */
  constructor(path: string) {
    this.#file = openSync(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT);
  }

  /** Fills `bytes` with what is at `at`, and returns them. Throws the system's error, and if the file is shorter. */
  read<Bytes extends Uint8Array>(at: number, bytes: Bytes): Bytes {
    for (let filled = 0; filled < bytes.length; ) {
      const more = readSync(this.#file, bytes, filled, bytes.length - filled, at + filled);
      if (more === 0) throw new Error('the file is shorter than expected');
      filled += more;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Deletes a file. Returns false if it could not be deleted. */
export function deleteNow(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Deletes a file. Rejects with the system's error. */
export function deleteFile(path: string): Promise<void> {
  return rm(path);
}

/** Deletes a file if it exists. Rejects with the system's error. */
export function deleteIfThere(path: string): Promise<void> {
  return rm(path, { force: true });
}

/** Renames a file, replacing what has the new name. Rejects with the system's error. */
export function renameFile(from: string, to: string): Promise<void> {
  return rename(from, to);
}
