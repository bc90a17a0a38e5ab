import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Attempt } from '@/lib/evals/attempt';
import type { EvalHead } from '@/lib/evals/evals-api';
import { isAttempt, isEvalHead } from '@/lib/evals/kept-lines';
import { ConnectionError } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';
import { AppendOnlyFile } from '@/proxy/files/append-only-file';
import { makeFolder, removeFolder } from '@/proxy/files/data-folder';
import { FileLock } from '@/proxy/files/file-lock';
import { readNamedFileNow } from '@/proxy/files/named-files';

/** Evals that are kept. The oldest is deleted for a new one. */
const MOST_KEPT = 50;
/** Bytes of the results of one eval. */
const MOST_BYTES = 64 * 1024 * 1024;
const ID = /^\d{8}-\d{6}-[0-9a-f]{4}$/;
const PART = /^run-(\d{1,4})\.jsonl$/;

/** A finished attempt with the digest of its case, which says whether it still counts when an eval is resumed. */
export interface KeptAttempt {
  readonly key: string;
  readonly attempt: Attempt;
}

/** An eval that was read from its folder. */
export interface KeptEval {
  readonly head: EvalHead;
  readonly attempts: readonly KeptAttempt[];
  /** All planned attempts were made. */
  readonly isDone: boolean;
}

/** Returns the folder of evals, beside that of recordings. */
export function evalsFolder(recordings: string): string {
  return join(dirname(recordings), 'evals');
}

/**
 * The evals in the data folder. Each has a folder: `run-1.jsonl` begins with a line about the eval, and gets a line for
 * each finished attempt. Resuming adds `run-2.jsonl`, so nothing that was written is ever changed. Recordings of the
 * attempts are beside it.
 */
export class KeptEvals {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Begins to keep an eval. Throws the system's error, and ConnectionError `linked-folder`. */
  async create(about: Omit<EvalHead, 'id'>): Promise<EvalWriter> {
    makeFolder(this.folder);
    const stamp = about.at.slice(0, 19).replace(/\D/g, '');
    const id = `${stamp.slice(0, 8)}-${stamp.slice(8)}-${randomBytes(2).toString('hex')}`;
    const head: EvalHead = { ...about, id };
    makeFolder(this.pathOf(id));
    for (const old of this.ids().slice(MOST_KEPT)) await this.delete(old).catch(() => {});
    return this.#write(head, 1);
  }

  /** Continues an eval, in a new file. Rejects with a ConnectionError if another mcp-inspect runs it. */
  async continue(id: string): Promise<{ readonly kept: KeptEval; readonly writer: EvalWriter }> {
    const kept = this.read(id);
    const writer = await this.#write(kept.head, this.#parts(id).length + 1);
    return { kept, writer };
  }

  /** Returns the ids, newest first. */
  ids(): readonly string[] {
    try {
      return readdirSync(this.folder)
        .filter((name) => ID.test(name))
        .sort()
        .reverse();
    } catch {
      return [];
    }
  }

  /** Reads an eval. Throws a ConnectionError. */
  read(id: string): KeptEval {
    if (!ID.test(id)) throw new ConnectionError(GONE);
    let head: EvalHead | undefined;
    let isDone = false;
    const attempts = new Map<string, KeptAttempt>();
    for (const name of this.#parts(id)) {
      const { text = '' } = readNamedFileNow(join(this.pathOf(id), name), MOST_BYTES);
      for (const value of jsonLines(text)) {
        if (isEvalHead(value)) head ??= value;
        else if (isKeptAttempt(value) && !attempts.has(value.key)) attempts.set(value.key, value);
        else if (isDoneLine(value)) isDone = true;
      }
    }
    if (!head) throw new ConnectionError(GONE);
    return { head, attempts: [...attempts.values()], isDone };
  }

  /** Deletes an eval with its recordings. Rejects with a ConnectionError while it runs. */
  async delete(id: string): Promise<void> {
    if (!ID.test(id)) throw new ConnectionError(GONE);
    const lock = await this.#lock(id);
    removeFolder(this.pathOf(id));
    await lock.release();
  }

  pathOf(id: string): string {
    return join(this.folder, id);
  }

  #parts(id: string): readonly string[] {
    const numberOf = (name: string) => Number(PART.exec(name)?.[1]);
    try {
      return readdirSync(this.pathOf(id))
        .filter((name) => PART.test(name))
        .sort((a, b) => numberOf(a) - numberOf(b));
    } catch {
      return [];
    }
  }

  async #write(head: EvalHead, part: number): Promise<EvalWriter> {
    const lock = await this.#lock(head.id);
    try {
      const path = join(this.pathOf(head.id), `run-${part}.jsonl`);
      return new EvalWriter(head, this.pathOf(head.id), part, AppendOnlyFile.create(path, lineOf(head)), lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async #lock(id: string): Promise<FileLock> {
    const lock = await FileLock.acquire(join(this.folder, id), 0);
    if (!lock) throw new ConnectionError(RUNS_ELSEWHERE);
    return lock;
  }
}

/** Keeps the attempts of an eval that runs. */
export class EvalWriter {
  readonly head: EvalHead;
  readonly folder: string;
  /** Number of its file: how often the eval was begun. */
  readonly part: number;
  readonly #file: AppendOnlyFile;
  readonly #lock: FileLock;

  constructor(head: EvalHead, folder: string, part: number, file: AppendOnlyFile, lock: FileLock) {
    this.head = head;
    this.folder = folder;
    this.part = part;
    this.#file = file;
    this.#lock = lock;
  }

  /** A sentence for people if the attempts can no longer be kept. */
  get failure(): string | undefined {
    return this.#file.failure === undefined
      ? undefined
      : `The results in \`${this.folder}\` are no longer kept, so this eval can’t be resumed from here on.`;
  }

  add(kept: KeptAttempt): void {
    this.#file.appendLines([lineOf(kept)]);
  }

  /** `isDone`: all planned attempts were made. */
  async end(isDone: boolean): Promise<void> {
    if (isDone) this.#file.appendLines([lineOf({ done: true })]);
    this.#file.close();
    await this.#lock.release();
  }
}

function lineOf(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** Returns the values of whole lines. A crash may have torn the last one. */
function* jsonLines(text: string): Generator<object> {
  for (const line of text.split('\n')) {
    try {
      const value: unknown = JSON.parse(line);
      if (typeof value === 'object' && value !== null) yield value;
    } catch {
      // The line was not written to its end.
    }
  }
}

function isKeptAttempt(value: object): value is KeptAttempt {
  return 'key' in value && typeof value.key === 'string' && 'attempt' in value && isAttempt(value.attempt);
}

function isDoneLine(value: object): boolean {
  return 'done' in value && value.done === true;
}

const GONE: Failure = {
  code: 'no-eval',
  message: 'That eval is gone, or it can’t be read.',
  advice: 'Start a new one.',
};

const RUNS_ELSEWHERE: Failure = {
  code: 'eval-runs',
  message: 'This eval is still running.',
  advice: 'Wait until it ends, or stop it where it runs.',
};
