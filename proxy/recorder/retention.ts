import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, readFileName } from './file-names';

/** How much is kept. */
export interface Retention {
  readonly ms: number;
  readonly bytes: number;
}

/** A file of ours, as it is on disk. */
interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was last written to, in ms since 1970. */
  readonly changedAt: number;
}

/**
 * Deletes the recordings that are too old, and the oldest ones beyond the size. Touches only files that it named, and none of
 * a process that lives. Never throws: what can't be deleted stays.
 */
export function prune(folder: string, { ms, bytes }: Retention, now: number): void {
  let room = bytes;
  for (const { path, bytes: size, changedAt } of deadFiles(folder).sort((a, b) => b.changedAt - a.changedAt)) {
    room -= size;
    if (room >= 0 && now - changedAt <= ms) continue;
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
    const file = readFileName(name);
    const path = join(folder, name);
    const facts = file && !isAlive(file.pid) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
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
