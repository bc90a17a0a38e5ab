import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './process-identity';
import { readNamedFileNow } from './user-files';

const { O_WRONLY, O_CREAT, O_EXCL, W_OK } = constants;
/** Windows has no O_NOFOLLOW. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Backups that are kept of each config. */
const BACKUPS_KEPT = 5;

/** Returns why a config of another program must not be replaced, as a sentence about “it”. `path` has no links. */
export function whyNotReplace(path: string): string | undefined {
  const { mode, nlink } = statSync(path);
  if ((mode & 0o222) === 0 || !isWritable(path)) return 'It is read-only. Make it writable first.';
  // The new file would have only one of the names.
  return nlink > 1 ? 'It has several names (hard links), and only one would change. Copy it first.' : undefined;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Replaces a config of another program in one step, if it still has the bytes `before`. Owner and mode stay. Returns
 * false if the file has changed. Throws the system's error, and then the file is as it was. `path` has no links.
 * `onWritten` is called once the new file is complete, for tests.
 */
export function replaceIfSame(path: string, before: Buffer, after: Buffer, onWritten?: () => void): boolean {
  const { mode, uid, gid } = statSync(path);
  const part = `${path}${PART}${process.pid}`;
  removeAbandoned(path);
  try {
    const file = openSync(part, O_WRONLY | O_CREAT | O_EXCL | NO_FOLLOW, 0o600);
    try {
      writeFileSync(file, after);
      const isOurs = uid === process.getuid?.() && gid === process.getgid?.();
      if (process.getuid && !isOurs) fchownSync(file, uid, gid);
      fchmodSync(file, mode & 0o7777);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    onWritten?.();
    // Programs rewrite their configs at any time, so this is the last step before the rename.
    if (readNamedFileNow(path, before.length).text === before.toString()) {
      renameSync(part, path);
      return true;
    }
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  rmSync(part);
  return false;
}

/** Stands between the name of a config and the id of the process that writes the new one. */
const PART = '.mcp-inspect-';

/** Deletes the new configs of processes that were killed before the rename. */
function removeAbandoned(path: string): void {
  const start = `${basename(path)}${PART}`;
  for (const name of readdirSync(dirname(path))) {
    const pid = name.startsWith(start) ? name.slice(start.length) : '';
    if (/^\d{1,10}$/.test(pid) && !isAlive(Number(pid))) rmSync(join(dirname(path), name), { force: true });
  }
}

/**
 * Copies the bytes of a config into the data folder, readable only by its owner, and deletes older copies than the last
 * {@link BACKUPS_KEPT}. Returns the path of the copy. Throws the system's error. `folder` is the folder of recordings.
 */
export function backUp(folder: string, path: string, bytes: Buffer, now: Date): string {
  const backups = join(dirname(folder), 'config-backups');
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  chmodSync(backups, 0o700);
  const end = `-${createHash('sha256').update(path).digest('hex').slice(0, 8)}-${basename(path)}`;
  const older = readdirSync(backups)
    .filter((name) => name.endsWith(end))
    .sort()
    .reverse();
  const newest = older[0];
  if (newest !== undefined && readFileSync(join(backups, newest)).equals(bytes)) return join(backups, newest);
  const copy = join(backups, `${now.toISOString().replace(/[:.]/g, '')}${end}`);
  writeFileSync(copy, bytes, { mode: 0o600 });
  for (const name of older.slice(BACKUPS_KEPT - 1)) rmSync(join(backups, name), { force: true });
  return copy;
}
