import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StandingStore } from '@/lib/hub/standing-answers';
import { isObject, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { readStandingAnswers, type StandingAnswer } from '@/lib/wire/standing-answers';
import { makeFolder, readBeside, writeBeside } from '@/proxy/files/data-folder';
import { FileLock } from '@/proxy/files/file-lock';
import { writeErrorReason } from '@/proxy/files/private-files';

export const STANDING_FILE_BYTES = 4 * 1024 * 1024;

const NAME = 'standing-answers.json';
const VERSION = 1;

/**
 * Standing answers in one file of the data folder that every mcp-inspect of this user shares. It is read at each
 * question, so that an answer deleted in another mcp-inspect is not used any more. Changes happen under a lock.
 */
export class StandingAnswersFile implements StandingStore {
  readonly place = 'folder';
  readonly #folder: string;
  readonly #file: string;

  /** `folder` is the folder of recordings. The file is beside it. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(dirname(folder), NAME);
  }

  read(): readonly StandingAnswer[] {
    return this.#read() ?? [];
  }

  /** Returns undefined for an invalid file, so that it is never overwritten. */
  #read(): readonly StandingAnswer[] | undefined {
    const facts = lstatSync(this.#file, { throwIfNoEntry: false });
    if (!facts) return [];
    if (!facts.isFile() || facts.size > STANDING_FILE_BYTES) return undefined;
    const content = readBeside(this.#folder, NAME);
    if (!isObject(content) || own(content, 'version') !== VERSION) return undefined;
    return readStandingAnswers(own(content, 'answers'));
  }

  async change(next: (all: readonly StandingAnswer[]) => readonly StandingAnswer[]): Promise<void> {
    let lock: FileLock | undefined;
    try {
      makeFolder(this.#folder);
      lock = await FileLock.acquire(this.#file);
      if (!lock) throw new ConnectionError(BUSY);
      const before = this.#read();
      if (!before) throw new ConnectionError(unreadable(this.#file));
      const content = { version: VERSION, answers: next(before) };
      if (Buffer.byteLength(JSON.stringify(content)) >= STANDING_FILE_BYTES) throw new ConnectionError(FULL);
      if (!(await lock.isHeld())) throw new ConnectionError(BUSY);
      writeBeside(this.#folder, NAME, content);
    } catch (error) {
      if (isFailure(error)) throw error;
      throw new ConnectionError({
        code: 'standing-not-kept',
        message: `Could not write \`${this.#file}\`: ${writeErrorReason(error)}.`,
        advice: 'Free some space there, or name another folder with MCP_INSPECT_HOME.',
      });
    } finally {
      await lock?.release();
    }
  }
}

function unreadable(file: string): Failure {
  return {
    code: 'standing-unreadable',
    message: `Could not read the standing answers in \`${file}\`.`,
    advice: 'Move that file away, or repair it. mcp-inspect then starts a new one.',
  };
}

const FULL = {
  code: 'standing-full',
  message: 'Could not save: there is no room for more standing answers.',
  advice: 'Delete some of them in the Inbox.',
};

const BUSY = {
  code: 'standing-busy',
  message: 'Could not save: another mcp-inspect is writing the standing answers.',
  advice: 'Try again in a moment.',
};
