import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StandingStore } from '@/lib/hub/standing-answers';
import { isObject, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import { readStandingAnswers, type StandingAnswer } from '@/lib/wire/standing-answers';
import { readBeside } from '@/proxy/files/data-folder';
import { SharedFile } from '@/proxy/files/shared-file';

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
  readonly #file: SharedFile;

  /** `folder` is the folder of recordings. The file is beside it. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#file = new SharedFile({
      folder,
      name: NAME,
      code: 'standing',
      what: 'standing answers',
      mostBytes: STANDING_FILE_BYTES,
    });
  }

  read(): readonly StandingAnswer[] {
    const facts = lstatSync(join(dirname(this.#folder), NAME), { throwIfNoEntry: false });
    if (!facts?.isFile() || facts.size > STANDING_FILE_BYTES) return [];
    return answersIn(readBeside(this.#folder, NAME)) ?? [];
  }

  change(next: (all: readonly StandingAnswer[]) => readonly StandingAnswer[]): Promise<void> {
    return this.#file.change((file) => {
      const before = file === undefined ? [] : answersIn(file);
      if (!before) throw this.#file.refusal(file, VERSION);
      const content = { version: VERSION, answers: next(before) };
      if (Buffer.byteLength(JSON.stringify(content)) >= STANDING_FILE_BYTES) throw new ConnectionError(FULL);
      return { content, result: undefined };
    });
  }
}

/** Reads the content of the file. undefined if it is invalid, so that it is never overwritten. */
function answersIn(content: unknown): readonly StandingAnswer[] | undefined {
  if (!isObject(content) || own(content, 'version') !== VERSION) return undefined;
  return readStandingAnswers(own(content, 'answers'));
}

const FULL = {
  code: 'standing-full',
  message: 'Could not save: there is no room for more standing answers.',
  advice: 'Delete some of them in the Inbox.',
};
