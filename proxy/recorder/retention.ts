import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, own } from '@/lib/json/value';
import { decodeLine } from '@/lib/recording/decode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { recordingsToDelete } from '@/lib/recording/retention';
import type { DeletedRecordings, RecordingsTotal, RetentionSettings } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { readBeside, removeBeside, writeBeside } from '@/proxy/files/data-folder';
import { readFileName } from './file-names';
import { isBeingRecorded, isShown, RECORDING_GLANCE_BYTES } from './in-use';

const RECORDINGS_KEPT_BYTES = 1_000_000_000;
/** Was nothing written for longer, but in the last day, then it may be the clock that leapt; files that nobody finished for so long are left. */
const CLOCK_LEAP_MS = 60 * 24 * 60 * 60_000;
const LEFTOVER_MS = 24 * 60 * 60_000;

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT: RetentionSettings = { days: LIMITS.recordingsKeptMs / DAY_MS, bytes: RECORDINGS_KEPT_BYTES };

/** How long and how much is kept, as it was chosen; what is not said, or makes no sense, is as always. Never throws. */
export function readRetention(folder: string): RetentionSettings {
  const settings = readBeside(folder, 'settings.json');
  const keep = isObject(settings) ? own(settings, 'keep') : undefined;
  return isRetention(keep) ? keep : DEFAULT;
}

/** True for what can be kept by: whole days and bytes, within bounds. */
export function isRetention(value: unknown): value is RetentionSettings {
  if (!isObject(value)) return false;
  const within = (number: unknown, most: number) =>
    Number.isSafeInteger(number) && (number as number) >= 1 && (number as number) <= most;
  return within(own(value, 'days'), LIMITS.keepDaysMost) && within(own(value, 'bytes'), LIMITS.keepBytesMost);
}

/** Keeps what was chosen, beside the folder of recordings, for its owner alone. Throws the system's error. */
export function writeRetention(folder: string, { days, bytes }: RetentionSettings): void {
  writeBeside(folder, 'settings.json', { keep: { days, bytes } });
}

/** What was deleted by age and size since somebody last saw it. Never throws. */
export function readDeletedRecordings(folder: string): DeletedRecordings | undefined {
  const noted = readBeside(folder, 'deleted.json');
  if (!isObject(noted)) return undefined;
  const [at, old, large, bytes, keep] = ['at', 'old', 'large', 'bytes', 'keep'].map((key) => own(noted, key));
  const sound = typeof at === 'string' && !Number.isNaN(Date.parse(at)) && isCount(old) && isCount(large);
  return sound && isCount(bytes) && isRetention(keep) ? { at, old, large, bytes, keep } : undefined;
}

/** Adds to it. Never throws: what can't be noted is gone all the same. */
export function addDeletedRecordings(folder: string, more: DeletedRecordings): void {
  const before = readDeletedRecordings(folder) ?? { old: 0, large: 0, bytes: 0 };
  const [old, large, bytes] = [before.old + more.old, before.large + more.large, before.bytes + more.bytes];
  try {
    writeBeside(folder, 'deleted.json', { ...more, old, large, bytes } satisfies DeletedRecordings);
  } catch {
    // A full disk, say.
  }
}

/** Somebody saw it. Throws the system's error. */
export function clearDeletedRecordings(folder: string): void {
  removeBeside(folder, 'deleted.json');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The line of a note or a name as we write it; what a server says has no line feed within. */
const NOTE = /\n\{"n":\d{1,16},"t":\d{1,16},"c":"lifecycle","d":"[<>]"(?:,"f":\d{1,3})?,"m":\{"event":"(?:note|about)"/;
/** More characters than any of it has. */
const NOTE_CHARS = 160;
const READ_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/**
 * True for a recording of ours that somebody named, noted or bookmarked, even if that was taken back. Its last line tells; one without an end is
 * read through. True as well for what can't be read: nobody knows.
 */
function isAnnotated(path: string): boolean {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return annotatedAtEnd(file) ?? hasNote(file);
    } finally {
      closeSync(file);
    }
  } catch {
    return true;
  }
}

/** undefined if it has no end. */
function annotatedAtEnd(file: number): boolean | undefined {
  const { size } = fstatSync(file);
  const tail = Buffer.alloc(Math.min(RECORDING_GLANCE_BYTES, size));
  const read = tail.subarray(0, readSync(file, tail, 0, tail.length, size - tail.length));
  if (read.at(-1) !== LINE_FEED) return undefined;
  const last = decodeLine(read.subarray(read.lastIndexOf(LINE_FEED, -2) + 1, -1), RECORDING_VERSION);
  return last.is === 'end' ? last.notes > 0 || last.about !== undefined : undefined;
}

function hasNote(file: number): boolean {
  const chunk = Buffer.alloc(READ_BYTES);
  let before = '';
  for (let at = 0, read = 1; read > 0; at += read) {
    read = readSync(file, chunk, 0, chunk.length, at);
    const text = before + chunk.toString('latin1', 0, read);
    if (NOTE.test(text)) return true;
    before = text.slice(-NOTE_CHARS);
  }
  return false;
}

/** What is written under a name for the time being, and the locks, in the folder of recordings and beside it: we named them. */
const IN_FOLDER = /^[0-9a-f]{16}\.part$|\.mcpr\.(?:jsonl|gz)\.lock$/;
const BESIDE = /^(?:settings|deleted)\.json\.[0-9a-f]{8}$/;

/** Deletes what processes left that were killed: nobody lists it, and nobody works on it for so long. Never throws. */
export function deleteLeftovers(folder: string, now: number): void {
  deleteOldFiles(folder, IN_FOLDER, now);
  deleteOldFiles(dirname(folder), BESIDE, now);
}

function deleteOldFiles(folder: string, ours: RegExp, now: number): void {
  try {
    for (const name of readdirSync(folder).filter((each) => ours.test(each))) {
      const facts = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (facts?.isFile() && now - facts.mtimeMs > LEFTOVER_MS) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // There is no such folder, or nothing may be deleted there.
  }
}

/** A file of ours, as it is on disk. */
interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was last written to, in ms since 1970. */
  readonly changedAt: number;
}

/**
 * Deletes the recordings that are too old, and those that the size has no room for (see {@link recordingsToDelete}). Touches only files that it
 * named, none that is still written or shown here, and none that somebody named, noted or bookmarked: these take no room either. Never
 * throws: what can't be deleted stays. Returns what went.
 */
export function deleteExpired(folder: string, keep: RetentionSettings, now: number): DeletedRecordings {
  const gone = expiredIn(folder, keep, now).filter(({ one }) => deleteFile(one.path));
  const old = gone.filter((each) => each.for === 'age').length;
  return { at: new Date(now).toISOString(), old, large: gone.length - old, bytes: bytesOf(gone), keep };
}

/** What {@link deleteExpired} would delete. */
export function countExpired(folder: string, keep: RetentionSettings, now: number): RecordingsTotal {
  const files = expiredIn(folder, keep, now);
  return { count: files.length, bytes: bytesOf(files) };
}

/**
 * The same settings, but that nothing is too old, if the clock may have leapt: of what was not written within the last day, nothing was for
 * longer than `CLOCK_LEAP_MS`. One start with a clock that is a year ahead would delete all there is, and who was away for so long
 * loses what is too old a day later.
 */
export function ignoreClockLeap(folder: string, keep: RetentionSettings, now: number): RetentionSettings {
  const ages = namesIn(folder)
    .map((name) => factsOf(join(folder, name)))
    .flatMap((facts) => (facts?.isFile() ? now - facts.mtimeMs : []))
    .filter((age) => age > DAY_MS);
  return Math.min(...ages) > CLOCK_LEAP_MS ? { ...keep, days: Number.POSITIVE_INFINITY } : keep;
}

function bytesOf(files: ReturnType<typeof expiredIn>): number {
  return files.reduce((sum, { one }) => sum + one.bytes, 0);
}

function expiredIn(folder: string, keep: RetentionSettings, now: number) {
  const files = finishedFiles(folder);
  // Mostly there is room, and nobody need look into them.
  const isRoomy = files.reduce((sum, { bytes }) => sum + bytes, 0) <= keep.bytes;
  if (isRoomy && recordingsToDelete(files, keep, now).length === 0) return [];
  return recordingsToDelete(
    files.filter(({ path }) => !isAnnotated(path)),
    keep,
    now,
  );
}

function deleteFile(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    // Somebody else has deleted it, or may not let us.
    return false;
  }
}

function finishedFiles(folder: string): KeptFile[] {
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
