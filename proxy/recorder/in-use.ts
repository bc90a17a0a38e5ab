import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { decodeLine } from '@/lib/recording/decode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { LineSplitter } from '@/lib/recording/line-splitter';
import { LIMITS } from '@/lib/wire/limits';
import { isWrittenHere } from '@/proxy/files/append-only-file';
import { hasFileOpen, isAlive, PID_NAMESPACE } from '@/proxy/files/process-identity';
import { readFileName } from './file-names';

export const RECORDING_GLANCE_BYTES = 64 * 1024;

/** Of recordings that this process shows to somebody. */
const shown = new Set<{ readonly path: string }>();

/** From now on this process shows a recording, whose file may be read anew, and noted on, until the function that is returned is called. */
export function markShown(path: string): () => void {
  const one = { path: resolve(path) };
  shown.add(one);
  return () => void shown.delete(one);
}

/** Whether anybody has it open here. */
export function isShown(path: string): boolean {
  const absolute = resolve(path);
  return [...shown].some((one) => one.path === absolute);
}

/**
 * Whether somebody still writes a file that an mcp-inspect named: its process lives, has it open, as far as the system tells that, and has not
 * written its end. Of our own process we know. Whether one on another machine or in another container lives, nobody can tell here: it shows
 * that it does by touching its file now and then (see {@link LinesFile}). False for files that we did not name.
 */
export function isBeingRecorded(path: string): boolean {
  const file = readFileName(basename(path));
  if (!file) return false;
  if (file.space !== PID_NAMESPACE) return isTouched(path) && !hasEnd(path);
  if (file.pid === process.pid) return isWrittenHere(path);
  if (!isAlive(file.pid)) return false;
  return hasFileOpen(file.pid, path) !== false && !hasEnd(path);
}

/** A time to come is that of another clock, and what nobody lets us look at may be. */
function isTouched(path: string): boolean {
  try {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    return facts !== undefined && Date.now() - facts.mtimeMs < LIMITS.strangeWriterMs;
  } catch {
    return true;
  }
}

/** Whether the last line is an end. A file that can't be read has none. */
function hasEnd(path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, RECORDING_GLANCE_BYTES));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    const last = [...new LineSplitter(RECORDING_GLANCE_BYTES).splitChunk(bytes.subarray(0, read))].at(-1);
    return last !== undefined && decodeLine(last, RECORDING_VERSION).is === 'end';
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
