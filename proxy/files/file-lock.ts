import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { LIMITS } from '@/lib/wire/limits';
import { isAlive, PID_NAMESPACE, processStart } from './process-identity';

/** Whoever adds to a recording waits so long for another who does, and looks so often. */
const LOCK_WAIT_MS = 10_000;
const LOCK_LOOK_MS = 20;

/** Whoever has made the file `NAME.lock` may write to the file `NAME`. One that a dead process left is taken away. */
export class FileLock {
  readonly #path: string;
  readonly #mark: string;

  private constructor(path: string, mark: string) {
    this.#path = path;
    this.#mark = mark;
  }

  /** Waits while somebody else has it; undefined if that takes longer than `waitMs`. Rejects with the system's error. */
  static async acquire(file: string, waitMs: number = LOCK_WAIT_MS): Promise<FileLock | undefined> {
    const path = `${file}.lock`;
    const mark = `${process.pid} ${processStart(process.pid) ?? ''} ${PID_NAMESPACE} ${randomUUID()}`;
    for (let waited = 0; ; waited += LOCK_LOOK_MS) {
      if (await made(path, mark)) return new FileLock(path, mark);
      const found = await look(path);
      // Of two who do this at once one may take the other's new lock: that one sees, before it writes, that it has none.
      if (found && isAbandoned(found)) await rm(path, { force: true });
      else if (waited >= waitMs) return undefined;
      else await new Promise((resolve) => setTimeout(resolve, LOCK_LOOK_MS));
    }
  }

  /** False if somebody took it for one that was left. */
  async isHeld(): Promise<boolean> {
    return (await look(this.#path))?.mark === this.#mark;
  }

  /** Gives it back. Never rejects. */
  async release(): Promise<void> {
    if (await this.isHeld()) await rm(this.#path, { force: true }).catch(() => {});
  }
}

/** What stands in a lock, and how old it is. */
interface FoundLock {
  readonly mark: string;
  readonly ageMs: number;
}

async function made(path: string, mark: string): Promise<boolean> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  try {
    const file = await open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    await file.writeFile(mark).finally(() => file.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** undefined if there is none any more. */
async function look(path: string): Promise<FoundLock | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0)).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MARK_BYTES), 0, MARK_BYTES, 0);
    return { mark: buffer.toString('utf8', 0, bytesRead), ageMs: Date.now() - (await file.stat()).mtimeMs };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

const MARK_BYTES = 200;

function isAbandoned({ mark, ageMs }: FoundLock): boolean {
  const [, pid, start, space] = /^(\d{1,10}) ([\d.]*) ([0-9a-f]{6}) /.exec(mark) ?? [];
  // It is made before it is written: a moment without a mark is not yet one that was left.
  if (pid === undefined) return ageMs > LOCK_WAIT_MS;
  // Of another machine, or another container, nobody here knows who lives.
  if (space !== PID_NAMESPACE) return ageMs > LIMITS.strangeWriterMs;
  if (!isAlive(Number(pid))) return true;
  const now = processStart(Number(pid));
  return now !== undefined && start !== '' && start !== String(now);
}
