import { closeSync, constants, fstatSync, ftruncateSync, futimesSync, openSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { runningSha256 } from './native-codecs';
import { writeErrorReason } from './private-files';

/**
 * Whoever records touches the file so often. Of who can't be looked for, on another machine or in another container, it is taken that
 * they still write a file without an end, or hold a lock, that was touched so lately.
 */
export const TOUCH_MS = 60_000;

/** Absolute paths of the files that this process writes right now. */
const written = new Set<string>();

/** Whether this process writes the file at `path` right now. */
export function isWrittenHere(path: string): boolean {
  return written.has(resolve(path));
}

/** Writes `bytes` from `offset` on and returns how many it took. Throws the system's error. */
export type Write = (file: number, bytes: Uint8Array, offset: number) => number;

/**
 * The file of a recording: made anew, readable for its owner alone, it grows by whole lines, each on its way to disk before the next thing
 * happens. What goes wrong closes it, and is told by `failure`; nothing throws.
 */
export class AppendOnlyFile {
  readonly #path: string;
  readonly #write: Write;
  readonly #onClosed: (() => void)[] = [];
  /** The system counts the names of files, as not all do. */
  readonly #named: boolean;
  /** Whoever can't see our process sees by this that the file is written, however long nothing is said. */
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

  /** Makes the file with its first line; it must not be there yet, not even as a link. Throws the system's error. */
  static create(path: string, first: Uint8Array, write: Write = writeSync): AppendOnlyFile {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    // Windows knows no O_NOFOLLOW; O_EXCL refuses links by itself.
    const flags = O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0);
    const lines = new AppendOnlyFile(path, openSync(path, flags, 0o600), write);
    lines.appendLines([first]);
    if (lines.#cause !== undefined) {
      rmSync(path, { force: true });
      throw lines.#cause;
    }
    return lines;
  }

  /** It can be written to. */
  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** Bytes of all its lines: where the next one begins. */
  get length(): number {
    return this.#length;
  }

  /** A sentence for people once something went wrong. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Of all that is in it, in hexadecimal digits. */
  get sha256(): string {
    return this.#digest.hex();
  }

  /** Writes lines in one go; nothing once it is closed. */
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
      // What is written to a file without a name is nowhere once it is closed.
      if (this.#named && fstatSync(file).nlink === 0) throw Object.assign(new Error('deleted'), { code: 'ENOENT' });
    } catch (error) {
      if (lines && at < lines.length) this.#length += lines.subarray(0, at).lastIndexOf(LINE_FEED) + 1;
      this.fail(error);
    }
  }

  /** Closes it for this reason, and takes away the part of a line that did get there: what stays are whole lines. */
  fail(error: unknown): void {
    const file = this.#file;
    if (file === undefined) return;
    this.#cause = error;
    this.#failure =
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? `The recording \`${this.#path}\` was deleted, and this connection is not recorded any further.`
        : this.#incomplete(error);
    for (const tidy of [() => ftruncateSync(file, this.#length), () => closeSync(file)]) {
      try {
        tidy();
      } catch {
        // A disk that fails may fail here as well; readers leave a torn line out.
      }
    }
    this.#closed();
  }

  /** Idempotent. */
  close(): void {
    const file = this.#file;
    if (file !== undefined) {
      try {
        closeSync(file);
      } catch (error) {
        // Some systems find out only now that what was written has no room.
        this.#failure ??= this.#incomplete(error);
      }
    }
    this.#closed();
  }

  /** Calls back when nothing is written any more, for whatever reason. */
  onClosed(run: () => void): void {
    this.#onClosed.push(run);
  }

  #touch(): void {
    try {
      if (this.#file !== undefined) futimesSync(this.#file, new Date(), new Date());
    } catch {
      // A file system that can't have that done; what is written touches it as well.
    }
  }

  #closed(): void {
    clearInterval(this.#touching);
    this.#file = undefined;
    written.delete(resolve(this.#path));
    for (const run of this.#onClosed.splice(0)) run();
  }

  #incomplete(error: unknown): string {
    return `The recording \`${this.#path}\` is incomplete: ${writeErrorReason(error)}. What it has can be read.`;
  }
}

const LINE_FEED = 10;
