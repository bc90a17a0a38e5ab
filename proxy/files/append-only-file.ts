import { closeSync, constants, fstatSync, ftruncateSync, futimesSync, openSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { runningSha256 } from './native-codecs';
import { writeErrorReason } from './private-files';

/**
 * How often a file that is being written is touched. An mcp-inspect process on another machine or in another container
 * can't see our process, but it sees a recent time of change.
 */
export const TOUCH_MS = 60_000;

/** Absolute paths of the files that this process is writing. */
const written = new Set<string>();

/** Returns true while this process writes the file at `path`. */
export function isWrittenHere(path: string): boolean {
  return written.has(resolve(path));
}

/** Writes `bytes` from `offset` on and returns how many were written. Throws the system's error. */
export type Write = (file: number, bytes: Uint8Array, offset: number) => number;

/**
 * The file of a recording, readable only by its owner. It grows by whole lines, and each write returns once the system
 * has the bytes. An error closes the file and is reported by `failure`; nothing throws.
 */
export class AppendOnlyFile {
  readonly #path: string;
  readonly #write: Write;
  readonly #onClosed: (() => void)[] = [];
  /** True if the file system counts links, so that a deleted file can be noticed. */
  readonly #named: boolean;
  readonly #touching: NodeJS.Timeout;
  readonly #digest = runningSha256();
  #file: number | undefined;
  /** Bytes of whole lines. */
  #length = 0;
  #failure: string | undefined;
  #cause: unknown;

  private constructor(path: string, file: number, write: Write) {
    this.#path = path;
    written.add(resolve(path));
    this.#file = file;
    this.#named = fstatSync(file).nlink > 0;
    this.#write = write;
    this.#touching = setInterval(() => this.#touch(), TOUCH_MS).unref();
  }

  /**
   * Creates the file with its first line. Nothing may exist at the path, not even a link. Throws the system's error.
   */
  static create(path: string, first: Uint8Array, write: Write = writeSync): AppendOnlyFile {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    // Windows has no O_NOFOLLOW, but O_EXCL refuses links too.
    const flags = O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0);
    const lines = new AppendOnlyFile(path, openSync(path, flags, 0o600), write);
    lines.appendLines([first]);
    if (lines.#cause !== undefined) {
      rmSync(path, { force: true });
      throw lines.#cause;
    }
    return lines;
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** Bytes of all lines, which is the offset of the next one. */
  get length(): number {
    return this.#length;
  }

  /** A sentence for people once something went wrong. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Digest of the whole content, in hexadecimal digits. */
  get sha256(): string {
    return this.#digest.hex();
  }

  /** Writes lines in one go. Does nothing once the file is closed. */
  appendLines(each: readonly Uint8Array[]): void {
    const file = this.#file;
    if (file === undefined) return;
    let lines: Uint8Array | undefined;
    let at = 0;
    try {
      lines = each.length === 1 ? each[0]! : Buffer.concat(each);
      while (at < lines.length) at += this.#write(file, lines, at);
      this.#digest.update(lines);
      this.#length += lines.length;
      // The bytes of a deleted file are lost once it is closed.
      if (this.#named && fstatSync(file).nlink === 0) throw Object.assign(new Error('deleted'), { code: 'ENOENT' });
    } catch (error) {
      if (lines && at < lines.length) this.#length += lines.subarray(0, at).lastIndexOf(LINE_FEED) + 1;
      this.fail(error);
    }
  }

  /** Writes one line in pieces, and yields after each. Write nothing else in between. Does nothing once closed. */
  *appendInPieces(pieces: Iterable<Uint8Array>): Generator<void> {
    let length = 0;
    for (const piece of pieces) {
      const file = this.#file;
      if (file === undefined) return;
      try {
        for (let at = 0; at < piece.length; ) at += this.#write(file, piece, at);
        this.#digest.update(piece);
        length += piece.length;
      } catch (error) {
        this.fail(error);
      }
      yield;
    }
    this.#length += length;
    // Checks that the file still has a name.
    this.appendLines([]);
  }

  /** Closes the file because of `error`, and cuts off a line that was written only in part. */
  fail(error: unknown): void {
    const file = this.#file;
    if (file === undefined) return;
    this.#cause = error;
    this.#failure =
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? `The recording \`${this.#path}\` was deleted, so recording stopped.`
        : this.#incomplete(error);
    for (const tidy of [() => ftruncateSync(file, this.#length), () => closeSync(file)]) {
      try {
        tidy();
      } catch {
        // A failing disk may fail here too. Readers ignore a torn last line.
      }
    }
    this.#closed();
  }

  /** Closes the file. Idempotent. */
  close(): void {
    const file = this.#file;
    if (file !== undefined) {
      try {
        closeSync(file);
      } catch (error) {
        // Some systems notice only now that the disk is full.
        this.#failure ??= this.#incomplete(error);
      }
    }
    this.#closed();
  }

  /** Calls back once the file is closed, for any reason. */
  onClosed(run: () => void): void {
    this.#onClosed.push(run);
  }

  #touch(): void {
    try {
      if (this.#file !== undefined) futimesSync(this.#file, new Date(), new Date());
    } catch {
      // Not every file system supports this. Writing changes the time too.
    }
  }

  #closed(): void {
    clearInterval(this.#touching);
    this.#file = undefined;
    written.delete(resolve(this.#path));
    for (const run of this.#onClosed.splice(0)) run();
  }

  #incomplete(error: unknown): string {
    return `The recording \`${this.#path}\` is incomplete: ${writeErrorReason(error)}. The part already written can be opened.`;
  }
}

const LINE_FEED = 10;
