import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type EvalAttempt, isAttempt } from '@/features/evals/lib/eval-attempt';
import { type EvalHead, type EvalState, type EvalSummary, isEvalHead } from '@/features/evals/lib/evals-api';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';
import { AppendOnlyFile } from '@/proxy/files/append-only-file';
import { makeFolder, removeFolder } from '@/proxy/files/data-folder';
import { FileLock } from '@/proxy/files/file-lock';
import { readNamedFile } from '@/proxy/files/user-files';

/** Evals that are kept, and their bytes with recordings. The oldest are deleted for a new one. */
const MOST_KEPT = 50;
const MOST_FOLDER_BYTES = 2 * 1024 ** 3;
/** Bytes of one file of results. Then no further ones are kept. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Lines that are read before other work has its turn. */
const LINES_AT_ONCE = 100;
const ID = /^\d{8}-\d{6}-[0-9a-f]{4,6}$/;
const PART = /^run-(\d{1,4})\.jsonl$/;

/** A finished attempt with the digest of its case, which says whether it still counts when an eval is resumed. */
export interface KeptAttempt {
  readonly key: string;
  readonly attempt: EvalAttempt;
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
  readonly #mostBytes: number;
  /** Summaries, with the sizes and times of the files that they are of. */
  readonly #summaries = new Map<string, { readonly files: string; readonly summary: EvalSummary }>();

  constructor(folder: string, mostBytes = MOST_FOLDER_BYTES) {
    this.folder = folder;
    this.#mostBytes = mostBytes;
  }

  /**
   * Begins to keep an eval. What `secrets` finds is masked. Rejects with the system's error, and ConnectionError
   * `linked-folder`.
   */
  async create(about: Omit<EvalHead, 'id'>, secrets: CaptureRedactor): Promise<EvalWriter> {
    makeFolder(this.folder);
    // Milliseconds come first, so that the newest is the last by name.
    const stamp = about.at.replace(/\D/g, '').padEnd(17, '0');
    const id = `${stamp.slice(0, 8)}-${stamp.slice(8, 14)}-${stamp.slice(14, 17)}${randomBytes(2).toString('hex').slice(0, 3)}`;
    makeFolder(this.pathOf(id));
    const lock = await this.#lock(id);
    await this.#makeRoom();
    return this.#write(maskedHead({ ...about, id }, secrets), 1, lock);
  }

  /** Continues an eval, in a new file. Rejects with a ConnectionError if another mcp-inspect runs it. */
  async continue(id: string): Promise<{ readonly kept: KeptEval; readonly writer: EvalWriter }> {
    if (!this.ids().includes(id)) throw new ConnectionError(GONE);
    const lock = await this.#lock(id);
    const kept = await this.readToResume(id).catch(async (error: unknown) => {
      await lock.release();
      throw error;
    });
    return { kept, writer: await this.#write(kept.head, this.#parts(id).length + 1, lock) };
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

  /** Reads an eval that is to be resumed. Rejects with a ConnectionError, also if secrets in it were masked. */
  async readToResume(id: string): Promise<KeptEval> {
    const kept = await this.read(id);
    if (kept.head.isMasked) throw new ConnectionError(MASKED);
    return kept;
  }

  /** Returns what is listed of an eval. Its files are read again once they have changed. Rejects as `read` does. */
  async summary(id: string): Promise<EvalSummary> {
    const facts = await Promise.all(this.#parts(id).map((name) => stat(join(this.pathOf(id), name)).catch(() => {})));
    const files = facts.map((one) => `${one?.size} ${one?.mtimeMs}`).join();
    const known = this.#summaries.get(id);
    if (known?.files === files) return known.summary;
    const { head, attempts, isDone } = await this.read(id);
    const made = attempts.map(({ attempt }) => attempt);
    const summary = summaryOf(head, made, isDone ? 'done' : 'stopped');
    this.#summaries.set(id, { files, summary });
    return summary;
  }

  /** Reads an eval. An error is replaced by what came of it later. Rejects with a ConnectionError. */
  async read(id: string): Promise<KeptEval> {
    if (!ID.test(id)) throw new ConnectionError(GONE);
    let head: EvalHead | undefined;
    let isDone = false;
    const attempts = new Map<string, KeptAttempt>();
    for (const name of this.#parts(id)) {
      const { text = '', wrong } = await readNamedFile(join(this.pathOf(id), name), { most: MOST_BYTES });
      if (wrong !== undefined) throw new ConnectionError(UNREADABLE(join(this.pathOf(id), name), wrong));
      let lines = 0;
      for (const value of jsonLines(text)) {
        if (++lines % LINES_AT_ONCE === 0) await setImmediate();
        if (isEvalHead(value)) head ??= value;
        else if (isKeptAttempt(value)) {
          const before = attempts.get(value.key)?.attempt;
          if (!before || before.error !== undefined) attempts.set(value.key, value);
        } else if (isDoneLine(value)) isDone = true;
      }
    }
    if (!head) throw new ConnectionError(GONE);
    return { head, attempts: [...attempts.values()], isDone };
  }

  /** Deletes an eval with its recordings. Rejects with a ConnectionError while it runs. */
  async delete(id: string): Promise<void> {
    if (!ID.test(id)) throw new ConnectionError(GONE);
    const lock = await this.#lock(id);
    this.#summaries.delete(id);
    try {
      removeFolder(this.pathOf(id));
    } finally {
      await lock.release();
    }
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

  /** Deletes the oldest evals that are too many or too large. The newest earlier one stays. */
  async #makeRoom(): Promise<void> {
    let bytes = 0;
    for (const [at, id] of this.ids().entries()) {
      if (at < MOST_KEPT && bytes <= this.#mostBytes) bytes += await bytesIn(this.pathOf(id));
      const isTooMuch = at >= MOST_KEPT || (at > 1 && bytes > this.#mostBytes);
      if (isTooMuch) await this.delete(id).catch(() => {});
    }
  }

  async #write(head: EvalHead, part: number, lock: FileLock): Promise<EvalWriter> {
    try {
      // Two processes may both remove a lock that looks abandoned.
      if (!(await lock.isHeld())) throw new ConnectionError(RUNS_ELSEWHERE);
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
  #isFull = false;

  constructor(head: EvalHead, folder: string, part: number, file: AppendOnlyFile, lock: FileLock) {
    this.head = head;
    this.folder = folder;
    this.part = part;
    this.#file = file;
    this.#lock = lock;
  }

  /** A sentence for people if the attempts can no longer be kept. */
  get failure(): string | undefined {
    return this.#file.failure === undefined && !this.#isFull
      ? undefined
      : `The results in \`${this.folder}\` are no longer kept, ${this.#isFull ? 'because they are too large' : 'so resuming makes later ones again'}.`;
  }

  add(kept: KeptAttempt): void {
    const line = lineOf(kept);
    // A larger file would not be read again.
    this.#isFull ||= this.#file.length + line.length > MOST_BYTES;
    if (!this.#isFull) this.#file.appendLines([line]);
  }

  /** `isDone`: all planned attempts were made. Never rejects. */
  async end(isDone: boolean): Promise<void> {
    if (isDone && !this.#isFull) this.#file.appendLines([lineOf({ done: true })]);
    this.#file.close();
    await this.#lock.release();
  }
}

/** Returns what is listed of an eval. */
export function summaryOf({ from, ...head }: EvalHead, made: readonly EvalAttempt[], state: EvalState): EvalSummary {
  const passed = made.filter(({ reasons }) => reasons.length === 0).length;
  return { ...head, from: 'page' in from ? 'page' : 'command', made: made.length, passed, state };
}

/** Masks secrets in the cases and options. */
function maskedHead(head: EvalHead, secrets: CaptureRedactor): EvalHead {
  const bytes = Buffer.from(JSON.stringify(head.from));
  const masked = Buffer.from(secrets.fork().apply({ bytes }).bytes);
  return masked.equals(bytes) ? head : { ...head, from: JSON.parse(masked.toString()), isMasked: true };
}

/** Returns the bytes of the files in a folder; 0 for those that are gone. */
async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let bytes = 0;
  for (const name of names) bytes += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
  return bytes;
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

const UNREADABLE = (path: string, wrong: string): Failure => ({
  code: 'no-eval',
  message: `The results in \`${path}\` can’t be read. ${wrong}`,
  advice: 'Start a new eval.',
});

const MASKED: Failure = {
  code: 'masked-eval',
  message: 'This eval can’t be resumed: its cases or options have a secret, which is not kept.',
  advice: 'Start it again.',
};

const RUNS_ELSEWHERE: Failure = {
  code: 'eval-runs',
  message: 'This eval is still running.',
  advice: 'Wait until it ends, or stop it where it runs.',
};
