import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { LIMITS } from '@/lib/wire/limits';
import { deleteIfThere, openToRead } from './existing-files';
import { isAlive, PID_NAMESPACE, processStat } from './process-identity';

/** How long to wait for a lock that another process holds. A change takes milliseconds. */
const LOCK_WAIT_MS = 10_000;
/** Time between two attempts to take it. */
const LOCK_RETRY_MS = 20;
/** Bytes read of a lock: more than a mark has. */
const MARK_BYTES = 200;

/**
 * Grants the right to write the file `NAME` to the process that created `NAME.lock`. The lock of a dead process is
 * removed.
 */
export class FileLock {
  readonly #path: string;
  readonly #mark: string;

  private constructor(path: string, mark: string) {
    this.#path = path;
    this.#mark = mark;
  }

  /**
   * Takes the lock, waiting for another process; undefined after `waitMs`, or once `signal` is aborted. Rejects with
   * the system's error.
   */
  static async acquire(
    file: string,
    waitMs: number = LOCK_WAIT_MS,
    signal?: AbortSignal,
  ): Promise<FileLock | undefined> {
    const path = `${file}.lock`;
    const mark = `${process.pid} ${processStat(process.pid)?.start ?? ''} ${PID_NAMESPACE} ${randomUUID()}`;
    for (let waited = 0; ; waited += LOCK_RETRY_MS) {
      if (await createLock(path, mark)) return new FileLock(path, mark);
      const found = await readLock(path);
      // If two processes do this at once, one can remove the other's new lock. The other notices it with `isHeld`.
      if (found && isAbandoned(found)) await deleteIfThere(path);
      else if (waited >= waitMs || signal?.aborted) return undefined;
      else await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
    }
  }

  /** Returns false if another process removed the lock because it looked abandoned. */
  async isHeld(): Promise<boolean> {
    return (await readLock(this.#path))?.mark === this.#mark;
  }

  /** Releases the lock. Never rejects. */
  async release(): Promise<void> {
    if (await this.isHeld()) await deleteIfThere(this.#path).catch(() => {});
  }
}

/** The content of a lock, and its age. */
interface FoundLock {
  readonly mark: string;
  readonly ageMs: number;
}

async function createLock(path: string, mark: string): Promise<boolean> {
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

/** Returns undefined if the lock is gone. */
async function readLock(path: string): Promise<FoundLock | undefined> {
  const file = await openToRead(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MARK_BYTES), 0, MARK_BYTES, 0);
    return { mark: buffer.toString('utf8', 0, bytesRead), ageMs: Date.now() - (await file.stat()).mtimeMs };
  } catch {
    return undefined;
  } finally {
    await file.close().catch(() => {});
  }
}

function isAbandoned({ mark, ageMs }: FoundLock): boolean {
  const [, pid, start, space] = /^(\d{1,10}) ([\d.]*) ([0-9a-f]{6}) /.exec(mark) ?? [];
  // A lock is created before its mark is written, so an empty one can be new.
  if (pid === undefined) return ageMs > LOCK_WAIT_MS;
  // We can't see processes on another machine or in another container.
  if (space !== PID_NAMESPACE) return ageMs > LIMITS.strangeWriterMs;
  if (!isAlive(Number(pid))) return true;
  const now = processStat(Number(pid))?.start;
  return now !== undefined && start !== '' && start !== String(now);
}
