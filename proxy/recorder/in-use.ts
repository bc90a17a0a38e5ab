import { lstatSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { decodeLine } from '@/lib/recording/decode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { LineSplitter } from '@/lib/recording/line-splitter';
import { LIMITS } from '@/lib/wire/limits';
import { isWrittenHere } from '@/proxy/files/append-only-file';
import { readNow } from '@/proxy/files/existing-files';
import { hasFileOpen, isAlive, PID_NAMESPACE } from '@/proxy/files/process-identity';
import { readFileName } from './file-names';

/** Bytes read at either end of a recording to list it. Its header and its last line nearly always fit. */
export const RECORDING_GLANCE_BYTES = 64 * 1024;

/** Recordings that viewers of this process have open. */
const shown = new Set<{ readonly path: string }>();

/** Marks a recording as open in a viewer, so that it is not deleted, until the returned function is called. */
export function markShown(path: string): () => void {
  const one = { path: resolve(path) };
  shown.add(one);
  return () => void shown.delete(one);
}

/** Returns true if a viewer of this process has the recording open. */
export function isShown(path: string): boolean {
  const absolute = resolve(path);
  return [...shown].some((one) => one.path === absolute);
}

/**
 * Returns true while an mcp-inspect process still writes the recording: its process runs, has the file open as far as
 * the system can tell, and has not written the end. A process on another machine or in another container can't be
 * seen, so a file touched lately counts as being written. Returns false for files that mcp-inspect did not name.
 */
export function isBeingRecorded(path: string): boolean {
  const file = readFileName(basename(path));
  if (!file) return false;
  if (file.space !== PID_NAMESPACE) return isTouched(path) && !hasEnd(path);
  if (file.pid === process.pid) return isWrittenHere(path);
  if (!isAlive(file.pid)) return false;
  return hasFileOpen(file.pid, path) !== false && !hasEnd(path);
}

/** Returns true even for a time in the future, which comes from another clock, and for a file we may not look at. */
function isTouched(path: string): boolean {
  try {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    return facts !== undefined && Date.now() - facts.mtimeMs < LIMITS.strangeWriterMs;
  } catch {
    return true;
  }
}

/** Returns true if the last line is an end; false for a file that can't be read. */
export function hasEnd(path: string): boolean {
  try {
    const tail = readNow(path, ({ size, read }) =>
      read(Math.max(0, size - RECORDING_GLANCE_BYTES), RECORDING_GLANCE_BYTES),
    );
    const last = [...new LineSplitter(RECORDING_GLANCE_BYTES).splitChunk(tail)].at(-1);
    return last !== undefined && decodeLine(last, RECORDING_VERSION).is === 'end';
  } catch {
    return false;
  }
}
