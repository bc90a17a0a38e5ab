import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { FrameToRecord } from '@/lib/recording/encode-line';
import type { RandomAccess } from '@/lib/recording/random-access';
import { RecordingAppender } from './recording-appender';

/** A file that is there to be read. */
export interface OpenedFile {
  readonly name: string;
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** How many there are now, and are read: a file may grow. */
  readonly length: number;
  /** Opens it once more, to read any part. Rejects with the system's error, and with ENOENT if another file is there now. */
  parts(): Promise<RandomAccess>;
  /** Adds frames to it. Rejects with a ConnectionError. */
  add(frames: readonly FrameToRecord[]): Promise<void>;
}

/** Opens a file to be read as a recording; the stream closes it. Rejects with the system's error, and with EINVAL for what is no file. */
export async function openFile(path: string): Promise<OpenedFile> {
  const { handle, size, ino } = await opened(path);
  const bytes = Readable.toWeb(handle.createReadStream({ end: Math.max(0, size - 1) })) as ReadableStream<
    Uint8Array<ArrayBuffer>
  >;
  const appender = new RecordingAppender(path);
  const parts = async () => {
    const again = await opened(path);
    if (again.ino === ino && again.size >= size) return access(again.handle, size);
    await again.handle.close();
    throw Object.assign(new Error('another file'), { code: 'ENOENT' });
  };
  return { name: basename(path), bytes, length: size, parts, add: (frames) => appender.add(frames) };
}

async function opened(path: string): Promise<{ handle: FileHandle; size: number; ino: number }> {
  // Without O_NONBLOCK a pipe that nobody writes to would hold us up.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const facts = await handle.stat();
  if (facts.isFile()) return { handle, size: facts.size, ino: facts.ino };
  await handle.close();
  throw Object.assign(new Error('not a file'), { code: 'EINVAL' });
}

function access(handle: FileHandle, size: number): RandomAccess {
  return {
    size,
    read: async (from, to) => {
      const bytes = new Uint8Array(to - from);
      for (let at = 0; at < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, from + at);
        if (bytesRead === 0) throw Object.assign(new Error('it is shorter than it was'), { code: 'EIO' });
        at += bytesRead;
      }
      return bytes;
    },
    close: () => handle.close().catch(() => {}),
  };
}
