import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordingsKept } from '@/lib/wire/api';
import { isBeingRecorded } from './being-recorded';
import { readFileName } from './file-names';

const DAY_MS = 24 * 60 * 60_000;

/** A file of ours, as it is on disk. */
interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was last written to, in ms since 1970. */
  readonly changedAt: number;
}

/**
 * Deletes the recordings that are too old, and the oldest ones beyond the size, but never the newest for its size alone: somebody has
 * just made it. Touches only files that it named, and none that is still written. Never throws: what can't be deleted stays.
 */
export function prune(folder: string, { days, bytes }: RecordingsKept, now: number): void {
  let room = bytes;
  const newestFirst = deadFiles(folder).sort((a, b) => b.changedAt - a.changedAt);
  for (const [place, { path, bytes: size, changedAt }] of newestFirst.entries()) {
    room -= size;
    if ((room >= 0 || place === 0) && now - changedAt <= days * DAY_MS) continue;
    try {
      rmSync(path);
    } catch {
      // Somebody else has deleted it, or may not let us.
    }
  }
}

function deadFiles(folder: string): KeptFile[] {
  const found: KeptFile[] = [];
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const facts = readFileName(name) && !isBeingRecorded(path) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
    if (facts?.isFile()) found.push({ path, bytes: facts.size, changedAt: facts.mtimeMs });
  }
  return found;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
