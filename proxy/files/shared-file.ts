import { dirname, join } from 'node:path';
import { isObject, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import { isFailure } from '@/lib/wire/lifecycle';
import { type Beside, makeFolder, writeBeside } from './data-folder';
import { openToRead } from './existing-files';
import { FileLock } from './file-lock';
import { writeErrorReason } from './private-files';

interface SharedFileOptions {
  /** Folder of recordings. The file is beside it. */
  readonly folder: string;
  readonly name: Beside;
  /** Begins the codes of failures: `calls-unreadable`. */
  readonly code: string;
  /** Names the content in failures: `saved calls`. */
  readonly what: string;
  /** A longer file is not read. */
  readonly mostBytes: number;
}

/**
 * A JSON file of the data folder that every mcp-inspect of this user shares. A change reads the file and replaces it,
 * under a lock. A file that can't be read is never overwritten.
 */
export class SharedFile {
  readonly #options: SharedFileOptions;
  readonly #file: string;

  constructor(options: SharedFileOptions) {
    this.#options = options;
    this.#file = join(dirname(options.folder), options.name);
  }

  /** Returns the parsed file; undefined if there is none. Rejects with ConnectionError `…-unreadable`. */
  async read(): Promise<unknown> {
    const text = await this.#text().catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw this.unreadable;
    });
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      throw this.unreadable;
    }
  }

  /**
   * Writes what `update` makes of the file, and returns its `result`. Writes nothing without `content`. Rejects with a
   * ConnectionError, also with that of `update`, if nothing was changed.
   */
  async change<R>(update: (before: unknown) => { readonly content?: object; readonly result: R }): Promise<R> {
    const { folder, name, code } = this.#options;
    let lock: FileLock | undefined;
    try {
      makeFolder(folder);
      lock = await FileLock.acquire(this.#file);
      if (!lock) throw this.#busy;
      const { content, result } = update(await this.read());
      if (content === undefined) return result;
      if (!(await lock.isHeld())) throw this.#busy;
      writeBeside(folder, name, content);
      return result;
    } catch (error) {
      if (isFailure(error)) throw error;
      throw new ConnectionError({
        code: `${code}-not-kept`,
        message: `Could not write \`${this.#file}\`: ${writeErrorReason(error)}.`,
        advice: 'Free some space there, or name another folder with MCP_INSPECT_HOME.',
      });
    } finally {
      await lock?.release();
    }
  }

  /** The failure for a file with invalid content. */
  get unreadable(): ConnectionError {
    const { code, what } = this.#options;
    return new ConnectionError({
      code: `${code}-unreadable`,
      message: `Could not read the ${what} in \`${this.#file}\`.`,
      advice: 'Move that file away, or repair it. mcp-inspect then starts a new one.',
    });
  }

  /** Returns the failure for content that is not in the format `version`: invalid, or of a newer mcp-inspect. */
  refusal(content: unknown, version: number): ConnectionError {
    const found = isObject(content) ? own(content, 'version') : undefined;
    if (typeof found !== 'number' || found <= version) return this.unreadable;
    const { code, what } = this.#options;
    return new ConnectionError({
      code: `${code}-unreadable`,
      message: `A newer mcp-inspect wrote the ${what} in \`${this.#file}\`: format ${found}, and this one reads ${version}.`,
      advice: 'Update mcp-inspect. It leaves the file as it is.',
    });
  }

  get #busy(): ConnectionError {
    const { code, what } = this.#options;
    return new ConnectionError({
      code: `${code}-busy`,
      message: `Could not save: another mcp-inspect is writing the ${what}.`,
      advice: 'Try again in a moment.',
    });
  }

  async #text(): Promise<string> {
    const file = await openToRead(this.#file);
    try {
      const facts = await file.stat();
      if (!facts.isFile() || facts.size > this.#options.mostBytes) throw this.unreadable;
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  }
}
