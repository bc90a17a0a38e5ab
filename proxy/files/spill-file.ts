import { readSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A private scratch file for the part of a log that exceeds its memory. On POSIX it is unlinked as soon as it is open,
 * so a crash can't leave it behind; on Windows, `close` deletes it.
 */
export class SpillFile {
  readonly #directory: Promise<string>;
  readonly #handle: Promise<FileHandle>;
  /** Descriptor of the open file. */
  #descriptor: number | undefined;
  #end = 0;

  constructor() {
    this.#directory = mkdtemp(join(tmpdir(), 'mcp-inspect-'));
    this.#handle = this.#directory.then(async (directory) => {
      const handle = await open(join(directory, 'frames'), 'wx+', 0o600);
      this.#descriptor = handle.fd;
      if (process.platform !== 'win32') await rm(directory, { recursive: true });
      return handle;
    });
    // Each write awaits the handle and reports its failure, so nothing else has to.
    this.#handle.catch(() => {});
  }

  /** Appends the pieces in order and returns the offset of the first. Rejects with the system's error. */
  async append(pieces: readonly Uint8Array[]): Promise<number> {
    const at = this.#end;
    this.#end += pieces.reduce((sum, piece) => sum + piece.length, 0);
    const { bytesWritten } = await (await this.#handle).writev(pieces as Uint8Array[], at);
    if (at + bytesWritten < this.#end) throw new Error('short write');
    return at;
  }

  /** Reads `length` bytes at `at`. */
  async read(at: number, length: number): Promise<Buffer<ArrayBuffer>> {
    const buffer = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await (await this.#handle).read(buffer, 0, length, at);
    if (bytesRead < length) throw TRUNCATED;
    return buffer;
  }

  /** Does the same as {@link read}, for bytes that were appended, while everything else waits. */
  readNow(at: number, length: number): Buffer<ArrayBuffer> {
    const buffer = Buffer.allocUnsafeSlow(length);
    if (readSync(this.#descriptor!, buffer, 0, length, at) < length) throw TRUNCATED;
    return buffer;
  }

  /** Frees the disk space. Never rejects: a file that could not be made takes none. */
  async close(): Promise<void> {
    await this.#handle.then((handle) => handle.close()).catch(() => {});
    await this.#directory.then((directory) => rm(directory, { recursive: true, force: true })).catch(() => {});
  }
}

const TRUNCATED = new Error('the spill file was truncated');
