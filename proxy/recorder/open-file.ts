import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { FrameToRecord } from '@/lib/recording/encode-line';
import { RecordingAppender } from './recording-appender';

/** A file that is there to be read. */
export interface OpenedFile {
  readonly name: string;
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** How many there are now, and are read: a file may grow. */
  readonly length: number;
  /** Adds frames to it. Rejects with a ConnectionError. */
  add(frames: readonly FrameToRecord[]): Promise<void>;
}

/** Opens a file to be read as a recording; the stream closes it. Rejects with the system's error, and with EINVAL for what is no file. */
export async function openFile(path: string): Promise<OpenedFile> {
  // Without O_NONBLOCK a pipe that nobody writes to would hold us up.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const facts = await handle.stat();
  if (!facts.isFile()) {
    await handle.close();
    throw Object.assign(new Error('not a file'), { code: 'EINVAL' });
  }
  const bytes = Readable.toWeb(handle.createReadStream({ end: Math.max(0, facts.size - 1) })) as ReadableStream<
    Uint8Array<ArrayBuffer>
  >;
  const appender = new RecordingAppender(path);
  return { name: basename(path), bytes, length: facts.size, add: (frames) => appender.add(frames) };
}
