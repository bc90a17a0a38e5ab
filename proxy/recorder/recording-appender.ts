import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { RecordingTail } from '@/lib/recording/recording-tail';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError } from '@/lib/transports/transport';
import { openToUpdate } from '@/proxy/files/existing-files';
import { FileLock } from '@/proxy/files/file-lock';
import { runningSha256 } from '@/proxy/files/native-codecs';
import { writeErrorReason } from '@/proxy/files/private-files';
import { readFileName } from './file-names';
import { isBeingRecorded } from './in-use';

/** A file as we left it. */
interface Known {
  readonly ino: number;
  length: number;
  readonly tail: RecordingTail;
}

/** One file of this process is added to at a time, by whomever. */
let turn: Promise<void> = Promise.resolve();

/**
 * Adds what is said afterwards to a recording that nobody writes any more: frames behind its end, none before the time of its last one,
 * and a new end. One that never had an end gets none. A torn last line is taken away.
 */
export class RecordingAppender {
  readonly #path: string;
  readonly #redactor: CaptureRedactor;
  #known: Known | undefined;

  /** `redactor`: the one that the recording was written with, if it is still here; it knows what must not get into the file. */
  constructor(path: string, redactor = new CaptureRedactor([])) {
    this.#path = path;
    this.#redactor = redactor;
  }

  /** Resolves when all frames are in the file, none at an earlier time than what is there. Rejects with a ConnectionError, and then none is. */
  appendFrames(frames: readonly FrameToRecord[]): Promise<void> {
    const adding = turn.then(() => this.#add(frames)).catch(refuse);
    turn = adding.catch(() => {});
    return adding;
  }

  async #add(frames: readonly FrameToRecord[]): Promise<void> {
    const file = await openToUpdate(this.#path);
    let lock: FileLock | undefined;
    try {
      lock = await FileLock.acquire(this.#path);
      if (!lock) throw refused(OTHERS);
      const { ino, size } = await this.#factsOf(file);
      const same = this.#known?.ino === ino && this.#known.length === size;
      const known = same ? this.#known! : await scan(file, ino);
      this.#known = undefined;
      if (known.tail.position.declaredFrames === undefined) this.#checkWriterGone();
      const isLeftAlone = (await this.#factsOf(file)).size === known.length && (await lock.isHeld());
      if (!isLeftAlone) throw refused(OTHERS);
      await this.#write(file, known, frames);
      this.#known = known;
    } finally {
      await lock?.release();
      await file.close();
    }
  }

  async #factsOf(file: FileHandle) {
    const facts = await file.stat();
    if (!facts.isFile()) throw refused('it is no file');
    return facts;
  }

  /** Who writes a file keeps count by itself: anything put in between would be damage. */
  #checkWriterGone(): void {
    const isOurs = readFileName(basename(this.#path)) !== undefined;
    if (!isOurs || isBeingRecorded(this.#path)) throw refused('it has no end, so somebody may still write it');
  }

  async #write(file: FileHandle, known: Known, frames: readonly FrameToRecord[]): Promise<void> {
    const { tail } = known;
    const from = tail.position.end;
    const added = tail.appendFrames(frames.map((frame) => this.#redactor.apply(frame)));
    // A torn line would be one with what is written behind it.
    if (known.length > from) await file.truncate(from);
    await writeAll(file, added, from);
    known.length = tail.position.end;
  }
}

/** Reads the whole file, since the digest of its end line is about all of it. */
async function scan(file: FileHandle, ino: number): Promise<Known> {
  const tail = new RecordingTail(runningSha256());
  const chunk = Buffer.allocUnsafeSlow(READ_BYTES);
  let length = 0;
  for (let read = 1; read > 0; length += read) {
    read = (await file.read(chunk, 0, chunk.length, length)).bytesRead;
    try {
      // The reader may keep what it is given.
      tail.addChunk(Uint8Array.prototype.slice.call(chunk, 0, read));
    } catch {
      throw refused(PLAIN);
    }
    if (tail.failure) throw refused(NOT_READ);
  }
  if (!tail.header) throw refused(PLAIN);
  if (tail.header.version !== RECORDING_VERSION) throw refused('it has another version of the format');
  return { ino, length, tail };
}

const OTHERS = 'another mcp-inspect adds to it right now';
const NOT_READ = 'it can not be read to its end';
const PLAIN = 'only plain `.mcpr.jsonl` can be added to';
const READ_BYTES = 256 * 1024;

/** Writes all, or leaves the file as it was. */
async function writeAll(file: FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  try {
    for (let at = 0; at < bytes.length; )
      at += (await file.write(bytes, at, bytes.length - at, from + at)).bytesWritten;
  } catch (error) {
    await file.truncate(from).catch(() => {});
    throw error;
  }
}

function refuse(error: unknown): never {
  throw error instanceof ConnectionError ? error : refused(writeErrorReason(error));
}

function refused(why: string): ConnectionError {
  return new ConnectionError({
    code: 'not-in-file',
    message: `Nothing can be added to the recording’s file: ${why}.`,
    advice: 'Use a plain recording that came to its end.',
  });
}
