import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { decodeLine } from '@/lib/recording/decode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { LIMITS } from '@/lib/wire/limits';

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
export function isSpokenOf(path: string): boolean {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return saidAtEnd(file) ?? hasNote(file);
    } finally {
      closeSync(file);
    }
  } catch {
    return true;
  }
}

/** undefined if it has no end. */
function saidAtEnd(file: number): boolean | undefined {
  const { size } = fstatSync(file);
  const tail = Buffer.alloc(Math.min(LIMITS.recordingGlanceBytes, size));
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
