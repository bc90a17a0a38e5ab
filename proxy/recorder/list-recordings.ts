import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeLine } from '@/lib/recording/decode-line';
import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { LineCutter } from '@/lib/recording/line-cutter';
import { readHeader } from '@/lib/recording/read-header';
import type { RecordingEntry } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { isBeingRecorded } from './being-recorded';

/** A name that can be one of a recording in our folder: no separator, no dot before it, of a length that systems take. */
const NAME = /^[\w-][\w.-]{0,200}\.mcpr\.(?:jsonl|gz)$/;

/** True for what may be the name of a recording in our folder. */
export function isRecordingName(name: string): boolean {
  return NAME.test(name);
}

/** Whether it is there, and no link to elsewhere. */
export async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** The recordings in a folder, newest first. What can't be read is left out; a folder that is not there, or a link, has none. */
export async function listRecordings(folder: string): Promise<readonly RecordingEntry[]> {
  if (!(await isFolder(folder))) return [];
  const names = (await readdir(folder).catch(() => [])).filter(isRecordingName);
  // Ours begin with the time.
  const newest = names.sort().reverse().slice(0, LIMITS.recordingsListed);
  const entries = await Promise.all(newest.map((name) => entryOf(folder, name).catch(() => undefined)));
  return entries.filter((entry) => entry !== undefined);
}

async function entryOf(folder: string, id: string): Promise<RecordingEntry | undefined> {
  const path = join(folder, id);
  const facts = await lstat(path);
  if (!facts.isFile()) return undefined;
  const entry = { id, bytes: facts.size, at: facts.mtime.toISOString(), live: isBeingRecorded(path) };
  if (id.endsWith('.gz')) return { ...entry, name: id };
  const { name, at, version, last } = await readEnds(path, facts.size);
  return { ...entry, name: name || id, ...(at !== '' && { at }), ...lastFacts(last, version) };
}

/** The header, and the last whole line, if that is short enough to be found. */
async function readEnds(path: string, size: number) {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const part = async (from: number) => {
      const bytes = Buffer.alloc(Math.min(LIMITS.recordingGlanceBytes, size - from));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return bytes.subarray(0, bytesRead);
    };
    const cutter = () => new LineCutter(LIMITS.recordingGlanceBytes);
    const [first] = cutter().push(await part(0));
    const tail = [...cutter().push(await part(Math.max(0, size - LIMITS.recordingGlanceBytes)))];
    return { ...readHeader(first), last: tail.at(-1) };
  } finally {
    await file.close();
  }
}

type LastFacts = Pick<RecordingEntry, 'frames' | 'durationUs' | 'about'>;

function lastFacts(line: Uint8Array | undefined, version: number): LastFacts {
  const last = line && decodeLine(line, version);
  if (last?.is === 'end') {
    return { frames: last.frames, durationUs: last.time, ...(last.about && { about: last.about }) };
  }
  if (last?.is !== 'frame') return {};
  // One without an end that was named has its name there, if nothing came after.
  const event = last.frame.channel === 'lifecycle' ? lifecycleEventOf(last.frame.bytes) : undefined;
  const about = event?.event === 'about' && { about: { name: event.name, text: event.text } };
  return { frames: last.n, durationUs: last.frame.time, ...about };
}
