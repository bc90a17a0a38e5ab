import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import { hasCurrentLines } from '@/lib/recording/format';
import { RecordingTail } from '@/lib/recording/recording-tail';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError } from '@/lib/transports/transport';
import { isFailure } from '@/lib/wire/lifecycle';
import { openToUpdate } from '@/proxy/files/existing-files';
import { FileLock } from '@/proxy/files/file-lock';
import { runningSha256 } from '@/proxy/files/native-codecs';
import { writeErrorReason } from '@/proxy/files/private-files';
import { readFileName } from './file-names';
import { isBeingRecorded } from './in-use';

/** The state in which we left a file. */
interface Known {
  readonly ino: number;
  length: number;
  readonly tail: RecordingTail;
}

/** Appends in this process run one at a time. */
let turn: Promise<void> = Promise.resolve();

/**
 * Adds frames, such as notes, to a finished recording: after its end, none earlier than its last frame, and then a new
 * end. A recording without an end gets none. A torn last line is removed.
 */
export class RecordingAppender {
  readonly #path: string;
  readonly #redactor: CaptureRedactor;
  #known: Known | undefined;

  /** `redactor` is the one that wrote the recording, if it still exists, because it knows the secrets. */
  constructor(path: string, redactor = new CaptureRedactor([])) {
    this.#path = path;
    this.#redactor = redactor;
  }

  /**
   * Appends all frames, none earlier than the last one there. Rejects with a ConnectionError if none could be added.
   */
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
    if (!facts.isFile()) throw refused('it is not a file');
    return facts;
  }

  /** Throws if the writer still runs. It numbers frames itself, so other lines in between would be damage. */
  #checkWriterGone(): void {
    const isOurs = readFileName(basename(this.#path)) !== undefined;
    if (!isOurs || isBeingRecorded(this.#path)) throw refused('it has no end, so it may still be written');
  }

  async #write(file: FileHandle, known: Known, frames: readonly FrameToRecord[]): Promise<void> {
    const { tail } = known;
    const from = tail.position.end;
    const added = tail.appendFrames(frames.map((frame) => this.#redactor.apply(frame)));
    // New lines would join a torn line.
    if (known.length > from) await file.truncate(from);
    await writeAll(file, added, from);
    known.length = tail.position.end;
  }
}

/** Reads the whole file, because the digest of its end line covers all of it. */
async function scan(file: FileHandle, ino: number): Promise<Known> {
  const tail = new RecordingTail(runningSha256());
  const chunk = Buffer.allocUnsafeSlow(READ_BYTES);
  let length = 0;
  for (let read = 1; read > 0; length += read) {
    read = (await file.read(chunk, 0, chunk.length, length)).bytesRead;
    try {
      // A copy, because the reader may keep the bytes.
      tail.addChunk(Uint8Array.prototype.slice.call(chunk, 0, read));
    } catch (error) {
      throw refused(isFailure(error) && error.code === 'recording-newer' ? OTHER_VERSION : PLAIN);
    }
    if (tail.failure) throw refused(NOT_READ);
  }
  if (!tail.header) throw refused(PLAIN);
  if (!hasCurrentLines(tail.header.version)) throw refused(OTHER_VERSION);
  return { ino, length, tail };
}

const OTHERS = 'another mcp-inspect is writing to it';
const OTHER_VERSION = 'it has a different format version';
const NOT_READ = 'it can’t be read completely';
const PLAIN = 'only plain `.mcpr.jsonl` files can be changed';
const READ_BYTES = 256 * 1024;

/** Writes all bytes, or restores the file. */
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
    message: `Could not add to the recording: ${why}.`,
    advice: 'Use a plain recording that has an end.',
  });
}
