import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_RECORDING } from '@/lib/recording/no-recording';
import { ConnectionError } from '@/lib/transports/transport';
import type { RecordingAbout, RecordingsKeepReply, RecordingsKept, RecordingsReply } from '@/lib/wire/api';
import { isFailure, type LifecycleEvent } from '@/lib/wire/lifecycle';
import { isBeingRecorded } from './being-recorded';
import { forgetDeleted, readDeleted } from './deleted-note';
import { importRecording } from './import-recording';
import { readKept, writeKept } from './keep-settings';
import { isFolder, isRecordingName, listRecordings } from './list-recordings';
import { type OpenedFile, openFile } from './open-file';
import { RecordingAppender } from './recording-appender';
import { linkedFolder } from './recordings-folder';
import { prune, wouldLeave } from './retention';
import { writeFailure } from './write-failure';

/** The folder of recordings, as the page may use it: by names that it was told, and nothing else. */
export class KeptRecordings {
  readonly #folder: string;
  readonly #records: boolean;

  /** `records`: whether this run adds to them. */
  constructor(folder: string, records = true) {
    this.#folder = folder;
    this.#records = records;
  }

  /** The newest `most`. */
  async list(most?: number): Promise<RecordingsReply> {
    const folder = this.#folder;
    const deleted = readDeleted(folder);
    const unusable = linkedFolder(folder);
    const off = !this.#records && ({ off: true } as const);
    return {
      ...{ folder, keep: readKept(folder), ...off },
      ...(deleted && { deleted }),
      ...(unusable && { unusable }),
      ...(await listRecordings(folder, most)),
    };
  }

  /** Rejects with a ConnectionError `no-recording`. */
  async open(id: string): Promise<OpenedFile> {
    const { path, ino } = await this.#file(id);
    return openFile(path, { ino });
  }

  /** Rejects with a ConnectionError: `no-recording`, or `still-recorded` while it is written. */
  async delete(id: string): Promise<void> {
    const { path } = await this.#file(id);
    if (isBeingRecorded(path)) throw new ConnectionError(STILL_RECORDED);
    await rm(path);
  }

  /** Says of a recording what it is called, and whatever else. Rejects with a ConnectionError. */
  async describe(id: string, { name, text }: RecordingAbout): Promise<void> {
    const event: LifecycleEvent = { event: 'about', name, text };
    const bytes = Buffer.from(JSON.stringify(event));
    const frame = { time: 0, channel: 'lifecycle', direction: 'to-client', flags: 0, bytes } as const;
    await new RecordingAppender((await this.#file(id)).path).add([frame]);
  }

  /** Copies a recording here and returns its id. Rejects with a RecordingError or a ConnectionError. */
  async import(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    return importRecording(this.#folder, bytes).catch(unwritten);
  }

  /**
   * Keeps so much from now on; what is too old or too much goes at once. If that would delete some, it does so only with `anyway`, and
   * otherwise changes nothing and says what would go. Rejects with a ConnectionError.
   */
  async keep(kept: RecordingsKept, anyway: boolean): Promise<RecordingsKeepReply> {
    const now = Date.now();
    const would = wouldLeave(this.#folder, kept, now);
    if (would.count > 0 && !anyway) return { ...would, saved: false };
    try {
      writeKept(this.#folder, kept);
      const { old, large, bytes } = prune(this.#folder, kept, now);
      return { count: old + large, bytes, saved: true };
    } catch (error) {
      unwritten(error);
    }
  }

  /** Somebody saw what was deleted by age and size. Rejects with a ConnectionError. */
  async seen(): Promise<void> {
    try {
      forgetDeleted(this.#folder);
    } catch (error) {
      unwritten(error);
    }
  }

  /** `ino`: by which the system knows it, wherever its name may lead a moment later. */
  async #file(id: string): Promise<{ readonly path: string; readonly ino: number }> {
    const path = join(this.#folder, id);
    if (isRecordingName(id) && (await isFolder(this.#folder))) {
      const facts = await lstat(path).catch(() => undefined);
      if (facts?.isFile()) return { path, ino: facts.ino };
    }
    throw new ConnectionError(NO_RECORDING);
  }
}

function unwritten(error: unknown): never {
  if (isFailure(error)) throw error;
  throw new ConnectionError({
    code: 'not-written',
    message: `Nothing can be written where recordings are kept: ${writeFailure(error)}.`,
    advice: 'Make room there, or see to whom the folder belongs.',
  });
}

const STILL_RECORDED = {
  code: 'still-recorded',
  message: 'The mcp-inspect that records it still runs.',
  advice:
    'End that first, then delete it. Of one on another machine or in a container that is known ten minutes later.',
};
