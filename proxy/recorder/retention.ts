import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isCount, isObject, own } from '@/lib/json/value';
import { decodeLine } from '@/lib/recording/decode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { DAY_MS, isRetention, recordingsToDelete } from '@/lib/recording/retention';
import type { DeletedRecordings, RecordingsTotal, RetentionSettings } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { outboxFolder, readBeside, removeBeside, writeBeside } from '@/proxy/files/data-folder';
import { deleteNow, type OpenNow, readNow } from '@/proxy/files/existing-files';
import { readFileName } from './file-names';
import { isBeingRecorded, isShown, RECORDING_GLANCE_BYTES } from './in-use';
import { readOutbox } from './outbox';
import { readSettingsFile } from './settings-file';

/** Bytes of recordings kept, unless the user chose otherwise. */
const RECORDINGS_KEPT_BYTES = 1_000_000_000;
/** If nothing was written for this long, apart from the last day, the clock may have been set forward. */
const CLOCK_LEAP_MS = 60 * DAY_MS;
/** A temporary file or a lock this old was left by a process that was killed. */
const LEFTOVER_MS = DAY_MS;

/** The retention of a user who chose none. */
export const DEFAULT_RETENTION: RetentionSettings = {
  days: LIMITS.recordingsKeptMs / DAY_MS,
  bytes: RECORDINGS_KEPT_BYTES,
};

/** Returns the chosen retention; undefined if the settings can't be read. Never throws. */
export function readRetention(folder: string): RetentionSettings | undefined {
  try {
    const keep = own(readSettingsFile(folder), 'keep');
    return isRetention(keep) ? keep : DEFAULT_RETENTION;
  } catch {
    return undefined;
  }
}

/** Returns what retention has deleted since the user last dismissed the note. Never throws. */
export function readDeletedRecordings(folder: string): DeletedRecordings | undefined {
  const noted = readBeside(folder, 'deleted.json');
  if (!isObject(noted)) return undefined;
  const [at, old, large, bytes, keep] = ['at', 'old', 'large', 'bytes', 'keep'].map((key) => own(noted, key));
  const sound = typeof at === 'string' && !Number.isNaN(Date.parse(at)) && isCount(old) && isCount(large);
  return sound && isCount(bytes) && isRetention(keep) ? { at, old, large, bytes, keep } : undefined;
}

/** Adds to the note of deleted recordings. Never throws: the recordings are gone anyway. */
export function addDeletedRecordings(folder: string, more: DeletedRecordings): void {
  const before = readDeletedRecordings(folder) ?? { old: 0, large: 0, bytes: 0 };
  const [old, large, bytes] = [before.old + more.old, before.large + more.large, before.bytes + more.bytes];
  try {
    writeBeside(folder, 'deleted.json', { ...more, old, large, bytes } satisfies DeletedRecordings);
  } catch {
    // For example, the disk is full.
  }
}

/** Dismisses the note of deleted recordings. Throws the system's error. */
export function clearDeletedRecordings(folder: string): void {
  removeBeside(folder, 'deleted.json');
}

/** Matches the line of a note or a name as we write it. Text from a server can't match: it has no line feed. */
const NOTE = /\n\{"n":\d{1,16},"t":\d{1,16},"c":"lifecycle","d":"[<>]"(?:,"f":\d{1,3})?,"m":\{"event":"(?:note|about)"/;
/** Characters carried over between two reads: more than a match has. */
const NOTE_CHARS = 160;
/** Bytes of a recording searched at a time. */
const READ_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/**
 * Returns true if somebody named the recording, or noted or bookmarked a frame, even if that was undone. The last line
 * says so; a recording without an end is searched. Returns true also for a file that can't be read, to be safe.
 */
function isAnnotated(path: string): boolean {
  try {
    return readNow(path, (file) => annotatedAtEnd(file) ?? hasNote(file));
  } catch {
    return true;
  }
}

/** Returns undefined if the recording has no end. */
function annotatedAtEnd({ size, read }: OpenNow): boolean | undefined {
  const tail = read(Math.max(0, size - RECORDING_GLANCE_BYTES), RECORDING_GLANCE_BYTES);
  if (tail.at(-1) !== LINE_FEED) return undefined;
  const last = decodeLine(tail.subarray(tail.lastIndexOf(LINE_FEED, -2) + 1, -1), RECORDING_VERSION);
  return last.is === 'end' ? last.notes > 0 || last.about !== undefined : undefined;
}

function hasNote({ read }: OpenNow): boolean {
  let before = '';
  let at = 0;
  for (let chunk = read(at, READ_BYTES); chunk.length > 0; chunk = read(at, READ_BYTES)) {
    const text = before + chunk.toString('latin1');
    if (NOTE.test(text)) return true;
    before = text.slice(-NOTE_CHARS);
    at += chunk.length;
  }
  return false;
}

/** Names of our temporary files and locks, in the folder of recordings and beside it. */
const IN_FOLDER = /^[0-9a-f]{16}\.part$|\.mcpr\.(?:jsonl|gz)\.lock$/;
const BESIDE = /^(?:settings|deleted)\.json\.[0-9a-f]{8}$/;

/** Deletes temporary files and locks that killed processes left. Never throws. */
export function deleteLeftovers(folder: string, now: number): void {
  deleteOldFiles(folder, IN_FOLDER, now);
  deleteOldFiles(dirname(folder), BESIDE, now);
}

function deleteOldFiles(folder: string, ours: RegExp, now: number): void {
  try {
    for (const name of readdirSync(folder).filter((each) => ours.test(each))) {
      const facts = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (facts?.isFile() && now - facts.mtimeMs > LEFTOVER_MS) deleteNow(join(folder, name));
    }
  } catch {
    // The folder is missing or can't be read.
  }
}

/** A recording on disk. */
interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  /** Time of the last write, in ms since 1970. */
  readonly changedAt: number;
}

/**
 * Deletes recordings that are too old or exceed the size (see {@link recordingsToDelete}), and returns the totals.
 * Spares files that mcp-inspect did not name, that are being written or shown, and those that somebody named, noted or
 * bookmarked, whose size does not count. Those that wait to be uploaded are deleted only for their age. Never throws: a
 * file that can't be deleted stays.
 */
export function deleteExpired(folder: string, keep: RetentionSettings, now: number): DeletedRecordings {
  const gone = expiredIn(folder, keep, now).filter(({ one }) => deleteNow(one.path));
  const old = gone.filter((each) => each.for === 'age').length;
  return { at: new Date(now).toISOString(), old, large: gone.length - old, bytes: bytesOf(gone), keep };
}

/** Counts what {@link deleteExpired} would delete. */
export function countExpired(folder: string, keep: RetentionSettings, now: number): RecordingsTotal {
  const files = expiredIn(folder, keep, now);
  return { count: files.length, bytes: bytesOf(files) };
}

/**
 * Returns settings without an age limit if the clock may have been set forward: apart from the last day, nothing was
 * written for `CLOCK_LEAP_MS`. Otherwise one start with a clock a year ahead would delete everything. A user who was
 * really away that long loses old recordings a day later.
 */
export function ignoreClockLeap(folder: string, keep: RetentionSettings, now: number): RetentionSettings {
  const ages = namesIn(folder)
    .map((name) => factsOf(join(folder, name)))
    .flatMap((facts) => (facts?.isFile() ? now - facts.mtimeMs : []))
    .filter((age) => age > DAY_MS);
  return Math.min(...ages) > CLOCK_LEAP_MS ? { ...keep, days: Number.POSITIVE_INFINITY } : keep;
}

/**
 * Deletes one recording, unless mcp-inspect did not name it, it is being written or shown, or somebody named, noted or
 * bookmarked it. Never throws.
 */
export function deleteUnmarked(path: string): void {
  if (readFileName(basename(path)) && !isBeingRecorded(path) && !isShown(path) && !isAnnotated(path)) deleteNow(path);
}

function bytesOf(files: ReturnType<typeof expiredIn>): number {
  return files.reduce((sum, { one }) => sum + one.bytes, 0);
}

function expiredIn(folder: string, keep: RetentionSettings, now: number) {
  const files = finishedFiles(folder);
  // Usually nothing has to go, so no file needs to be opened.
  const isRoomy = files.reduce((sum, { bytes }) => sum + bytes, 0) <= keep.bytes;
  if (isRoomy && recordingsToDelete(files, keep, now).length === 0) return [];
  const waiting = waitingFor(outboxFolder(folder));
  return recordingsToDelete(
    files.filter(({ path }) => !isAnnotated(path)),
    keep,
    now,
  ).filter((each) => each.for === 'age' || !waiting.has(resolve(each.one.path)));
}

/** Returns the paths of recordings that will be uploaded without a person. */
function waitingFor(outbox: string): ReadonlySet<string> {
  return new Set(readOutbox(outbox).flatMap(({ entry }) => (entry.isRefused ? [] : entry.recording)));
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

/** Returns undefined for a file that is gone or can't be looked at. */
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
