import { closeSync, constants, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/**
 * A file that is written from its beginning to its end, readable only by its owner. It gets its name once it is whole,
 * and then replaces what had that name. Errors of the system are thrown.
 */
export class OutputFile {
  readonly #path: string;
  readonly #beside: string;
  readonly #file: number;
  #length = 0;

  constructor(path: string) {
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    this.#path = path;
    this.#beside = `${path}.${process.pid}.new`;
    rmSync(this.#beside, { force: true });
    // O_EXCL refuses links too.
    this.#file = openSync(this.#beside, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.#length += bytes.length;
  }

  /** Gives the file its name. */
  finish(): void {
    closeSync(this.#file);
    renameSync(this.#beside, this.#path);
  }

  /** Deletes what was written. */
  discard(): void {
    closeSync(this.#file);
    rmSync(this.#beside, { force: true });
  }
}

/** Makes a folder that a person named, if it is missing. One that exists keeps its mode. Throws the system's error. */
export function makeOutputFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
