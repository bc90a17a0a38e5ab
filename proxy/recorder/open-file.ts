import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import { RecordingError } from '@/lib/recording/errors';
import type { FileAtHand } from '@/lib/recording/large/recorded-lines';
import { type ConvertElsewhere, type ConvertOptions, recordingBytes } from '@/lib/recording/recording-bytes';
import { isFailure } from '@/lib/wire/lifecycle';
import { openNamedFile } from '@/proxy/files/user-files';
import { convertArchive } from './convert-archive';
import { markShown } from './in-use';
import { RecordingAppender } from './recording-appender';

/**
 * Returns why a file can't be opened as a recording, and what to do. `where` is the part of the command line that named
 * it.
 */
export function openErrorText(error: unknown, where: string): string {
  if (isFailure(error)) return `${error.message} ${error.advice}`;
  const { code, message, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && BUCKET_PATH.test(path ?? '')) return IN_BUCKET;
  return OPEN_REASONS.get(code ?? '')?.(where) ?? `${message}. Check the path ${where}.`;
}

/** The address of an object in a bucket, taken for a path. */
const BUCKET_PATH = /(?:^|[\\/])s3:[\\/]/i;
const IN_BUCKET = 'It is in a bucket. Download it with `mcp-inspect recordings pull`, then name the file.';

const OPEN_REASONS = new Map<string, (where: string) => string>([
  ['ENOENT', (where) => `File not found. Check the path ${where}.`],
  ['EACCES', () => 'Permission denied. Change the permissions of the file, or ask its owner.'],
  ['EINVAL', (where) => `Not a file. Name a file ${where}.`],
  ['ENXIO', (where) => `Not a file, but a socket. Name a file ${where}.`],
  ['ELOOP', (where) => `A link that leads nowhere. Check the path ${where}.`],
  ['EISDIR', () => 'This is a directory. Name a file in it.'],
]);

/** A file opened as a recording. */
export interface OpenedFile {
  readonly name: string;
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Bytes that are read. The file can grow meanwhile. */
  readonly length: number;
  /** Inode number. */
  readonly ino: number;
  /** Protects the file from retention until the returned function is called. */
  shown(): () => void;
  /** Opens the file again, to read any part. Rejects as {@link openFile} does. */
  parts(): Promise<FileAtHand>;
  /** Converts the file, if it is an HTTP Archive, in a worker. Throws as `recordingBytes` does. */
  readonly convertArchive: ConvertElsewhere;
  /** Appends frames to the file. Rejects with a ConnectionError. */
  add(frames: readonly FrameToRecord[]): Promise<void>;
}

/**
 * Opens a file as a recording. `before` is what was seen of the file earlier. Rejects, like the stream of its bytes,
 * as {@link openNamedFile} does, and with a RecordingError `recording-replaced` if it is another file than before, or
 * shorter.
 */
export async function openFile(path: string, before?: Before): Promise<OpenedFile> {
  const { handle, length, ino } = await opened(path, before);
  // Not everybody reads the stream, which would leave the file open.
  await handle.close();
  const appender = new RecordingAppender(path);
  return {
    name: basename(path),
    bytes: streamOf(() => opened(path, { ino, length })),
    length,
    ino,
    shown: () => markShown(path),
    parts: async () => access(await opened(path, { ino, length })),
    convertArchive: (options) => convertArchive({ path, ino, length }, options, () => convertHere(path, ino, options)),
    add: (frames) => appender.appendFrames(frames),
  };
}

async function* convertHere(path: string, ino: number, options: ConvertOptions): AsyncGenerator<Uint8Array> {
  yield* recordingBytes(
    streamOf(() => opened(path, { ino })),
    options,
  );
}

/** Bytes read at a time. */
const CHUNK_BYTES = 64 * 1024;

/** Returns the bytes of a file, open while they are read. Node's own stream throws when it is cancelled early. */
function streamOf(open: () => Promise<Handle>): OpenedFile['bytes'] {
  let at = 0;
  let file: Handle | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        file ??= await open();
        const { handle, length } = file;
        try {
          const bytes = new Uint8Array(Math.min(CHUNK_BYTES, length - at));
          const { bytesRead } = await handle.read(bytes, 0, bytes.length, at);
          at += bytesRead;
          if (bytesRead > 0) controller.enqueue(bytes.subarray(0, bytesRead));
          if (bytesRead > 0 && at < length) return;
          if (at < length) throw TRUNCATED;
          await handle.close();
          controller.close();
        } catch (error) {
          await handle.close().catch(() => {});
          throw error;
        }
      },
      cancel: () => file?.handle.close(),
    },
    { highWaterMark: 0 },
  );
}

type Before = Pick<OpenedFile, 'ino'> & Partial<Pick<OpenedFile, 'length'>>;

interface Handle extends Pick<OpenedFile, 'ino' | 'length'> {
  readonly handle: FileHandle;
}

async function opened(path: string, before: Before | undefined): Promise<Handle> {
  const handle = await openNamedFile(path);
  const facts = await handle.stat();
  if (before && (facts.ino !== before.ino || facts.size < (before.length ?? 0))) {
    await handle.close();
    throw REPLACED;
  }
  return { handle, ino: facts.ino, length: before?.length ?? facts.size };
}

function access({ handle, length }: Handle): FileAtHand {
  return {
    size: length,
    read: async (from, to) => {
      const bytes = new Uint8Array(to - from);
      for (let at = 0; at < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, from + at);
        if (bytesRead === 0) throw TRUNCATED;
        at += bytesRead;
      }
      return bytes;
    },
    readNow: (from, to) => {
      const bytes = new Uint8Array(to - from);
      for (let at = 0; at < bytes.length; ) {
        const read = readSync(handle.fd, bytes, at, bytes.length - at, from + at);
        if (read === 0) throw TRUNCATED;
        at += read;
      }
      return bytes;
    },
    close: () => handle.close().catch(() => {}),
  };
}

const TRUNCATED = Object.assign(new Error('the file was truncated'), { code: 'EIO' });

const REPLACED = new RecordingError(
  'recording-replaced',
  'The file was replaced while it was being read.',
  'Try again when nothing else writes it.',
);
