import { lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { leaving } from '@/lib/recording/leaving';
import type { RecordingsDeleted, RecordingsKept, RecordingsLeaving } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { isBeingRecorded } from './being-recorded';
import { readFileName } from './file-names';
import { isShown } from './shown-files';
import { isSpokenOf } from './spoken-of';

const DAY_MS = 24 * 60 * 60_000;

/** A file of ours, as it is on disk. */
interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was last written to, in ms since 1970. */
  readonly changedAt: number;
}

/**
 * Deletes the recordings that are too old, and those that the size has no room for (see {@link leaving}). Touches only files that it
 * named, none that is still written or shown here, and none that somebody named, noted or bookmarked: these take no room either. Never
 * throws: what can't be deleted stays. Returns what went.
 */
export function prune(folder: string, keep: RecordingsKept, now: number): RecordingsDeleted {
  const gone = leavingOf(folder, keep, now).filter(({ one }) => isDeleted(one.path));
  const old = gone.filter((each) => each.for === 'age').length;
  return { at: new Date(now).toISOString(), old, large: gone.length - old, bytes: bytesOf(gone), keep };
}

/** What {@link prune} would delete. */
export function wouldLeave(folder: string, keep: RecordingsKept, now: number): RecordingsLeaving {
  const files = leavingOf(folder, keep, now);
  return { count: files.length, bytes: bytesOf(files) };
}

/**
 * The same settings, but that nothing is too old, if the clock may have leapt: of what was not written within the last day, nothing was for
 * longer than `LIMITS.clockLeapMs`. One start with a clock that is a year ahead would delete all there is, and who was away for so long
 * loses what is too old a day later.
 */
export function withoutLeap(folder: string, keep: RecordingsKept, now: number): RecordingsKept {
  const ages = namesIn(folder)
    .map((name) => factsOf(join(folder, name)))
    .flatMap((facts) => (facts?.isFile() ? now - facts.mtimeMs : []))
    .filter((age) => age > DAY_MS);
  return Math.min(...ages) > LIMITS.clockLeapMs ? { ...keep, days: Number.POSITIVE_INFINITY } : keep;
}

function bytesOf(files: ReturnType<typeof leavingOf>): number {
  return files.reduce((sum, { one }) => sum + one.bytes, 0);
}

function leavingOf(folder: string, keep: RecordingsKept, now: number) {
  const files = deadFiles(folder);
  // Mostly there is room, and nobody need look into them.
  const isRoomy = files.reduce((sum, { bytes }) => sum + bytes, 0) <= keep.bytes;
  if (isRoomy && leaving(files, keep, now).length === 0) return [];
  return leaving(
    files.filter(({ path }) => !isSpokenOf(path)),
    keep,
    now,
  );
}

function isDeleted(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    // Somebody else has deleted it, or may not let us.
    return false;
  }
}

function deadFiles(folder: string): KeptFile[] {
  const found: KeptFile[] = [];
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (!readFileName(name) || isBeingRecorded(path) || isShown(path)) continue;
    const facts = factsOf(path);
    if (facts?.isFile()) found.push({ path, bytes: facts.size, changedAt: facts.mtimeMs });
  }
  return found;
}

/** undefined for what is gone meanwhile, or nobody lets us look at. */
function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
