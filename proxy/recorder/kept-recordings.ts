import { randomBytes } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { RECORDING_GONE } from '@/lib/recording/errors';
import type { HeaderFacts } from '@/lib/recording/read-header';
import { decompressedBytes, isHar, recordingBytes } from '@/lib/recording/recording-bytes';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { ConnectionError } from '@/lib/transports/transport';
import type { RecordingAbout, RecordingsReply, RetentionReply, RetentionSettings } from '@/lib/wire/api';
import { isGzip } from '@/lib/wire/gzip';
import { isFailure, type LifecycleEvent } from '@/lib/wire/lifecycle';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { linkedFolder, makeFolder } from '@/proxy/files/data-folder';
import { deleteFile, deleteIfThere, renameFile } from '@/proxy/files/existing-files';
import { writeErrorReason, writeNewFile } from '@/proxy/files/private-files';
import { importedFileName } from './file-names';
import { isBeingRecorded } from './in-use';
import { isFolder, isRecordingName, listRecordings } from './list-recordings';
import { type OpenedFile, openFile } from './open-file';
import { RecordingAppender } from './recording-appender';
import {
  clearDeletedRecordings,
  countExpired,
  DEFAULT_RETENTION,
  deleteExpired,
  readDeletedRecordings,
  readRetention,
} from './retention';
import { changeSettingsFile } from './settings-file';

/** The folder of recordings as the page may use it: only by names that were listed. */
export class KeptRecordings {
  readonly #folder: string;
  readonly #records: boolean;

  /** `records` is false if this run records nothing. */
  constructor(folder: string, records = true) {
    this.#folder = folder;
    this.#records = records;
  }

  /** Lists the newest `most` recordings. */
  async list(most?: number): Promise<RecordingsReply> {
    const folder = this.#folder;
    const deleted = readDeletedRecordings(folder);
    const unusable = linkedFolder(folder);
    const off = !this.#records && ({ off: true } as const);
    return {
      folder,
      keep: readRetention(folder) ?? DEFAULT_RETENTION,
      ...off,
      ...(deleted && { deleted }),
      ...(unusable && { unusable }),
      ...(await listRecordings(folder, most)),
    };
  }

  /** Opens a recording. Rejects with a ConnectionError `no-recording`. */
  async open(id: string): Promise<OpenedFile> {
    const { path, ino } = await this.#file(id);
    return openFile(path, { ino });
  }

  /** Deletes a recording. Rejects with a ConnectionError: `no-recording`, or `still-recorded` while it is written. */
  async delete(id: string): Promise<void> {
    const { path } = await this.#file(id);
    if (isBeingRecorded(path)) throw new ConnectionError(STILL_RECORDED);
    await deleteFile(path);
  }

  /** Sets the name and note of a recording. Rejects with a ConnectionError. */
  async describe(id: string, { name, text }: RecordingAbout): Promise<void> {
    const event: LifecycleEvent = { event: 'about', name, text };
    const bytes = Buffer.from(JSON.stringify(event));
    const frame = { time: 0, channel: 'lifecycle', direction: 'to-client', flags: 0, bytes } as const;
    await new RecordingAppender((await this.#file(id)).path).appendFrames([frame]);
  }

  /**
   * Imports a recording and returns its id. Rejects with a RecordingError or a ConnectionError. Leaves nothing behind
   * if it rejects, as it does once `gone` is aborted. `onConverted` gets the progress of an HTTP Archive.
   */
  async import(bytes: AsyncIterable<Uint8Array>, options: ImportOptions = {}): Promise<string> {
    return importRecording(this.#folder, bytes, options).catch(throwNotWritten);
  }

  /**
   * Sets the retention and deletes expired recordings. Unless `anyway`, does nothing if recordings would be deleted,
   * and the reply counts them. Rejects with a ConnectionError.
   */
  async keep(kept: RetentionSettings, anyway: boolean): Promise<RetentionReply> {
    const now = Date.now();
    const would = countExpired(this.#folder, kept, now);
    if (would.count > 0 && !anyway) return { ...would, saved: false };
    try {
      await changeSettingsFile(this.#folder, { keep: { days: kept.days, bytes: kept.bytes } });
      const { old, large, bytes } = deleteExpired(this.#folder, kept, now);
      return { count: old + large, bytes, saved: true };
    } catch (error) {
      throwNotWritten(error);
    }
  }

  /** Dismisses the note of deleted recordings. Rejects with a ConnectionError. */
  async clearDeleted(): Promise<void> {
    try {
      clearDeletedRecordings(this.#folder);
    } catch (error) {
      throwNotWritten(error);
    }
  }

  /** Returns the path and inode of a recording. The inode stays the same even if the name is replaced. */
  async #file(id: string): Promise<{ readonly path: string; readonly ino: number }> {
    const path = join(this.#folder, id);
    if (isRecordingName(id) && (await isFolder(this.#folder))) {
      const facts = await lstat(path).catch(() => undefined);
      if (facts?.isFile()) return { path, ino: facts.ino };
    }
    throw new ConnectionError(RECORDING_GONE);
  }
}

interface ImportOptions {
  readonly gone?: AbortSignal | undefined;
  readonly onConverted?: ((progress: ReadingProgress) => void) | undefined;
}

/**
 * Copies a recording into a folder and returns its new name. Converts an HTTP Archive. Rejects with a RecordingError
 * for an invalid file, with the system's error, with that of `bytes`, and when `gone` is aborted; then no file is left.
 */
async function importRecording(
  folder: string,
  bytes: AsyncIterable<Uint8Array>,
  { gone, onConverted }: ImportOptions,
): Promise<string> {
  makeFolder(folder);
  // A temporary name, so that the file is not listed before it is complete.
  const part = newPart(folder);
  await writeNewFile(part, bytes);
  if (!(await isArchive(part))) return adopt(folder, part, gone);
  const made = newPart(folder);
  try {
    const { bytes: archive, length: of, convertArchive } = await openFile(part);
    const onRead = (done: number) => onConverted?.({ done, of });
    await writeNewFile(made, recordingBytes(archive, { onRead, signal: gone, convertArchive }));
  } finally {
    await deleteIfThere(part);
  }
  return adopt(folder, made, gone);
}

function newPart(folder: string): string {
  return join(folder, `${randomBytes(8).toString('hex')}.part`);
}

/** Renames a temporary file to a recording of the folder. */
async function adopt(folder: string, part: string, gone: AbortSignal | undefined): Promise<string> {
  try {
    const { at, name } = await headerOf(part);
    const id = importedFileName(at || new Date().toISOString(), name, await isGzipped(part));
    gone?.throwIfAborted();
    await renameFile(part, join(folder, id));
    return id;
  } catch (error) {
    await deleteIfThere(part);
    throw error;
  }
}

/** Reads up to the first frame. */
async function headerOf(path: string): Promise<HeaderFacts> {
  const reader = new RecordingReader();
  for await (const chunk of decompressedBytes((await openFile(path)).bytes)) {
    if (!reader.read(chunk).next().done) break;
  }
  reader.finish();
  return reader.header!;
}

async function isArchive(path: string): Promise<boolean> {
  for await (const chunk of decompressedBytes((await openFile(path)).bytes)) return isHar(chunk);
  return false;
}

async function isGzipped(path: string): Promise<boolean> {
  const stream = (await openFile(path)).bytes.getReader();
  const { value } = await stream.read();
  await stream.cancel();
  return value !== undefined && isGzip(value);
}

function throwNotWritten(error: unknown): never {
  if (isFailure(error)) throw error;
  throw new ConnectionError({
    code: 'not-written',
    message: `Could not write to the recordings folder: ${writeErrorReason(error)}.`,
    advice: 'Free some space there, or check who owns the folder.',
  });
}

const STILL_RECORDED = {
  code: 'still-recorded',
  message: 'A running mcp-inspect is still writing this recording.',
  advice: 'Stop that mcp-inspect first. If it ran on another machine, wait ten minutes after its end.',
};
