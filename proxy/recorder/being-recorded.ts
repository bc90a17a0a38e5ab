import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { decodeLine } from '@/lib/recording/decode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { LineCutter } from '@/lib/recording/line-cutter';
import { LIMITS } from '@/lib/wire/limits';
import { isAlive, readFileName } from './file-names';
import { hasOpen } from './open-files';
import { PID_SPACE } from './pid-space';

/** Absolute paths of the recordings that this process writes right now. */
const written = new Set<string>();

/** From now on this process writes a recording, until the function that is returned is called. */
export function nowWritten(path: string): () => void {
  const absolute = resolve(path);
  written.add(absolute);
  return () => void written.delete(absolute);
}

/**
 * Whether somebody still writes a file that an mcp-inspect named: its process lives, has it open, as far as the system tells that, and has not
 * written its end. Of our own process we know. Whether one on another machine or in another container lives, nobody can tell here: it shows
 * that it does by touching its file now and then (see {@link LinesFile}). False for files that we did not name.
 */
export function isBeingRecorded(path: string): boolean {
  const file = readFileName(basename(path));
  if (!file) return false;
  if (file.space !== PID_SPACE) return isTouched(path) && !hasEnd(path);
  if (file.pid === process.pid) return written.has(resolve(path));
  if (!isAlive(file.pid)) return false;
  return hasOpen(file.pid, path) !== false && !hasEnd(path);
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
    const bytes = Buffer.alloc(Math.min(size, LIMITS.recordingGlanceBytes));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    const last = [...new LineCutter(LIMITS.recordingGlanceBytes).push(bytes.subarray(0, read))].at(-1);
    return last !== undefined && decodeLine(last, RECORDING_VERSION).is === 'end';
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
