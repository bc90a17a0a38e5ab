import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { parseBounded } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { decodeLine } from '@/lib/recording/decode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { isNote, recordingAbout } from '@/lib/recording/lifecycle-event';
import { LineSplitter } from '@/lib/recording/line-splitter';
import { readHeader } from '@/lib/recording/read-header';
import { toServerFacts } from '@/lib/store/state/connection-facts';
import type { RecordingEntry, RecordingsReply } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { serverLabel } from '@/lib/wire/server-label';
import { openToRead } from '@/proxy/files/existing-files';
import { runningSha256 } from '@/proxy/files/native-codecs';
import { readFileName } from './file-names';
import { isBeingRecorded, RECORDING_GLANCE_BYTES } from './in-use';

/** Bytes unpacked of the beginning of a gzipped recording. */
const RECORDING_GLANCE_UNPACKED = 4 * 1024 * 1024;

/** Both ends of a file. */
interface FileEnds {
  /** First bytes, unpacked. */
  readonly head: Uint8Array;
  /** Last bytes; absent if the whole file would have to be unpacked. */
  readonly tail?: Uint8Array;
}

/** Reads both ends of a recording, or the beginning of a gzipped one. Rejects with the system's error. */
async function readEnds(path: string): Promise<FileEnds> {
  const file = await openToRead(path);
  try {
    const { size } = await file.stat();
    const part = async (from: number) => {
      const bytes = Buffer.alloc(Math.min(RECORDING_GLANCE_BYTES, size - from));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return bytes.subarray(0, bytesRead);
    };
    const head = await part(0);
    if (head[0] !== 0x1f || head[1] !== 0x8b) {
      return { head, tail: await part(Math.max(0, size - RECORDING_GLANCE_BYTES)) };
    }
    // Unpacks as far as possible, because the data is cut off.
    const limits = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: RECORDING_GLANCE_UNPACKED };
    const unpacked = gunzipSync(head, limits);
    return { head: unpacked, ...(size <= RECORDING_GLANCE_BYTES && { tail: unpacked }) };
  } finally {
    await file.close();
  }
}

/**
 * Returns true if the digest in the last line of a plain recording does not match: lines were changed, damaged or lost.
 * Returns false if it can't tell, and for files larger than `LIMITS.pageDigestBytes`.
 */
export async function isChangedFile(path: string): Promise<boolean> {
  try {
    const file = await openToRead(path);
    try {
      if ((await file.stat()).size > LIMITS.pageDigestBytes) return false;
      const bytes = await file.readFile();
      const from = bytes.lastIndexOf(LINE_FEED, -2) + 1;
      const last = decodeLine(bytes.subarray(from, -1), RECORDING_VERSION);
      if (last.is !== 'end' || last.sha256 === undefined) return false;
      const digest = runningSha256();
      digest.update(bytes.subarray(0, from));
      return digest.hex() !== last.sha256;
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

const LINE_FEED = 10;

/** Names of recordings in our folder: no separator, no leading dot, and not too long for file systems. */
const NAME = /^[\w-][\w.-]{0,200}\.mcpr\.(?:jsonl|gz)$/;

/** Returns true for a possible name of a recording in our folder. */
export function isRecordingName(name: string): boolean {
  return NAME.test(name);
}

/** Returns true for an existing folder that is not a link. */
export async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Recordings in a folder. */
export type ListedRecordings = Pick<RecordingsReply, 'recordings' | 'older'>;

/**
 * Lists the newest `most` recordings in a folder, newest first, and counts the older ones. Includes unreadable ones, so
 * that they can be deleted. A missing folder or a link has none.
 */
export async function listRecordings(
  folder: string,
  most: number = LIMITS.recordingsListed,
): Promise<ListedRecordings> {
  if (!(await isFolder(folder))) return { recordings: [] };
  // Names begin with the time.
  const names = (await readdir(folder).catch(() => [])).filter(isRecordingName).sort().reverse();
  const recordings: RecordingEntry[] = [];
  // Each file is open for a moment, so the number of files read at once is bounded.
  for (let at = 0; at < Math.min(names.length, most); at += OPENED_AT_ONCE) {
    const some = names.slice(at, Math.min(at + OPENED_AT_ONCE, most));
    const entries = await Promise.all(some.map((name) => readRecordingEntry(folder, name).catch(() => undefined)));
    recordings.push(...entries.filter((entry) => entry !== undefined));
  }
  const sizes = await Promise.all(names.slice(most).map((name) => sizeOf(join(folder, name))));
  const older = sizes.filter((size) => size !== undefined);
  if (older.length === 0) return { recordings };
  return { recordings, older: { count: older.length, bytes: older.reduce((sum, size) => sum + size, 0) } };
}

/** Files open at the same time. */
const OPENED_AT_ONCE = 100;

/** Returns undefined for anything but a file. */
async function sizeOf(path: string): Promise<number | undefined> {
  const facts = await lstat(path).catch(() => undefined);
  return facts?.isFile() ? facts.size : undefined;
}

/** Reads the facts of a recording that a list shows; undefined for anything but a file. Rejects if there is none. */
export async function readRecordingEntry(folder: string, id: string): Promise<RecordingEntry | undefined> {
  const path = join(folder, id);
  const facts = await lstat(path);
  if (!facts.isFile()) return undefined;
  const live = isBeingRecorded(path);
  const isOurs = readFileName(id) !== undefined;
  const entry = { id, name: id, bytes: facts.size, at: facts.mtime.toISOString(), live, ...(!isOurs && STAYS) };
  const glance = await readEnds(path).catch(() => undefined);
  if (!glance) return { ...entry, unreadable: true };
  const head = lines(glance.head);
  try {
    const { name, at, version } = readHeader(head[0]);
    const server = serverNamed(head, version);
    return {
      ...entry,
      name: name || id,
      ...(at !== '' && { at }),
      ...(version > RECORDING_VERSION && { newer: version }),
      ...(server !== undefined && { server }),
      ...(glance.tail && endFacts(lines(glance.tail), version, live)),
    };
  } catch {
    return { ...entry, unreadable: true };
  }
}

/** Splits bytes into complete lines. */
function lines(bytes: Uint8Array): readonly Uint8Array[] {
  return [...new LineSplitter(Math.max(bytes.length, 1)).splitChunk(bytes)].filter((line) => line !== undefined);
}

/** A part of the member in which a server names itself. */
const IDENTITY = Buffer.from('erverInfo"');

/** Returns the server's name from its first response with one. */
function serverNamed(head: readonly Uint8Array[], version: number): string | undefined {
  for (const line of head) {
    if (Buffer.from(line.buffer, line.byteOffset, line.length).indexOf(IDENTITY) < 0) continue;
    const decoded = decodeLine(line, version);
    if (decoded.is !== 'frame' || decoded.frame.channel !== 'protocol' || decoded.frame.direction !== 'to-client')
      continue;
    const name = serverIn(decoded.frame.bytes);
    if (name) return name;
  }
  return undefined;
}

function serverIn(bytes: Uint8Array): string | undefined {
  try {
    const message = parseBounded(Buffer.from(bytes).toString());
    const info = isObject(message) ? toServerFacts(0, own(message, 'result'))?.info : undefined;
    return info && serverLabel(info);
  } catch {
    return undefined;
  }
}

type EndFacts = Pick<RecordingEntry, 'frames' | 'durationUs' | 'about' | 'incomplete' | 'stays'>;

const STAYS = { stays: true } as const;

/** Reads facts from the last lines, above all the very last. */
function endFacts(tail: readonly Uint8Array[], version: number, live: boolean): EndFacts {
  const last = tail.at(-1) && decodeLine(tail.at(-1)!, version);
  if (last?.is === 'end') {
    const frames = last.frames - last.notes;
    const { about, notes } = last;
    const isSpokenOf = notes > 0 || about !== undefined;
    return { frames, durationUs: last.time, incomplete: false, ...(about && { about }), ...(isSpokenOf && STAYS) };
  }
  if (last?.is !== 'frame') return { incomplete: !live };
  // In a recording without an end, the name can be the last line.
  const about = recordingAbout(last.frame);
  const notes = notesIn(tail, version);
  return {
    frames: last.n - notes,
    durationUs: last.frame.time,
    incomplete: !live,
    ...(about && { about }),
    ...(notes > 0 && STAYS),
  };
}

/** Matches lines that can be notes, before they are parsed. */
const NOTE = /"event":"(?:note|about)"/;

/** Counts the notes in the last lines of a file without an end. Later notes are its last lines. */
function notesIn(tail: readonly Uint8Array[], version: number): number {
  let notes = 0;
  for (const line of tail) {
    if (!NOTE.test(Buffer.from(line).toString('latin1'))) continue;
    const decoded = decodeLine(line, version);
    if (decoded.is === 'frame' && isNote(decoded.frame)) notes++;
  }
  return notes;
}
