import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { FrameToRecord } from '@/lib/recording/encode-line';
import { RecordingError } from '@/lib/recording/read-header';
import { RecordingAppender } from './recording-appender';

/** A file that is there to be read. */
export interface OpenedFile {
  readonly name: string;
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** How many there are now, and are read: a file may grow. */
  readonly length: number;
  /** By which the system knows it. */
  readonly ino: number;
  /** Adds frames to it. Rejects with a ConnectionError. */
  add(frames: readonly FrameToRecord[]): Promise<void>;
}

/**
 * Opens a file to be read as a recording; the stream closes it. `before`: only as long as it was then. Rejects with the system's error, with EINVAL for what
 * is no file, and with a RecordingError `recording-replaced` for another one, or less of it, than before.
 */
export async function openFile(path: string, before?: Pick<OpenedFile, 'ino' | 'length'>): Promise<OpenedFile> {
  // Without O_NONBLOCK a pipe that nobody writes to would hold us up.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const facts = await handle.stat();
  if (!facts.isFile()) {
    await handle.close();
    throw Object.assign(new Error('not a file'), { code: 'EINVAL' });
  }
  if (before && (facts.ino !== before.ino || facts.size < before.length)) {
    await handle.close();
    throw REPLACED;
  }
  const length = before?.length ?? facts.size;
  const bytes = Readable.toWeb(handle.createReadStream({ end: Math.max(0, length - 1) })) as ReadableStream<
    Uint8Array<ArrayBuffer>
  >;
  const appender = new RecordingAppender(path);
  return { name: basename(path), bytes, length, ino: facts.ino, add: (frames) => appender.add(frames) };
}

const REPLACED = new RecordingError(
  'recording-replaced',
  'There is another file now than when it was looked at first.',
  'Do it again, while nobody else writes it.',
);
