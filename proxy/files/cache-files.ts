import { constants } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './data-folder';
import { openToRead } from './existing-files';

const { O_WRONLY, O_CREAT, O_APPEND } = constants;
/** Windows has no O_NOFOLLOW. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * A folder of text files that can be made again: a cache. Only its owner can read it. Links are not followed. Methods
 * reject with the system's error.
 */
export class CacheFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the names of its files, sorted; none if there is no folder. */
  async names(): Promise<readonly string[]> {
    const entries = await readdir(this.#path, { withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  }

  /** Returns a file's text; undefined if it is missing, unreadable or longer than `most` bytes. */
  async read(name: string, most: number): Promise<string | undefined> {
    try {
      const file = await openToRead(join(this.#path, name));
      try {
        return (await file.stat()).size > most ? undefined : await readFile(file, 'utf8');
      } finally {
        await file.close();
      }
    } catch {
      return undefined;
    }
  }

  /** Appends to a file in one write, so that two processes do not mix their lines. */
  async append(name: string, text: string): Promise<void> {
    makeFolder(this.#path);
    const file = await open(join(this.#path, name), O_WRONLY | O_CREAT | O_APPEND | NO_FOLLOW, 0o600);
    try {
      await file.write(text);
    } finally {
      await file.close();
    }
  }

  /** Replaces a file in one step. */
  async replace(name: string, text: string): Promise<void> {
    const beside = `${name}.${process.pid}.new`;
    await this.remove(beside);
    await this.append(beside, text);
    await rename(join(this.#path, beside), join(this.#path, name));
  }

  /** Deletes a file if it exists. */
  async remove(name: string): Promise<void> {
    await rm(join(this.#path, name), { force: true });
  }
}
