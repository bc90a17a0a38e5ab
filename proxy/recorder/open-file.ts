import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import { RecordingError } from '@/lib/recording/errors';
import type { RandomAccess } from '@/lib/recording/large/random-access';
import { isFailure } from '@/lib/wire/lifecycle';
import { markShown } from './in-use';
import { RecordingAppender } from './recording-appender';

/** Why a file can't be opened as a recording, and what to do, for people. `where` says which part of the command line named it. */
export function openErrorText(error: unknown, where: string): string {
  if (isFailure(error)) return `${error.message} ${error.advice}`;
  const { code, message } = error as NodeJS.ErrnoException;
  return OPEN_REASONS.get(code ?? '')?.(where) ?? `${message}: check the path ${where}.`;
}

const OPEN_REASONS = new Map<string, (where: string) => string>([
  ['ENOENT', (where) => `There is no such file: check the path ${where}.`],
  ['EACCES', () => 'You may not read it: change its permissions, or ask whom it belongs to.'],
  ['EINVAL', (where) => `It is no file: name one ${where}.`],
  ['EISDIR', () => 'It is a directory: name a file in it.'],
]);

/** A file that is there to be read. */
export interface OpenedFile {
  readonly name: string;
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** How many there are now, and are read: a file may grow. */
  readonly length: number;
  /** By which the system knows it. */
  readonly ino: number;
  /** It is shown from now on, and not deleted by age and size, until the function that is returned is called. */
  shown(): () => void;
  /** Opens it once more, to read any part. Rejects with the system's error, and with {@link openFile}'s. */
  parts(): Promise<RandomAccess>;
  /** Adds frames to it. Rejects with a ConnectionError. */
  add(frames: readonly FrameToRecord[]): Promise<void>;
}

/**
 * Opens a file to be read as a recording; the stream closes it. `before`: the same as it was then, and as long, if that is said. Rejects
 * with the system's error, with EINVAL for what
 * is no file, and with a RecordingError `recording-replaced` for another one, or less of it, than before.
 */
export async function openFile(path: string, before?: Before): Promise<OpenedFile> {
  const { handle, length, ino } = await opened(path, before);
  const bytes = Readable.toWeb(handle.createReadStream({ end: Math.max(0, length - 1) })) as ReadableStream<
    Uint8Array<ArrayBuffer>
  >;
  const appender = new RecordingAppender(path);
  const parts = async () => access(await opened(path, { ino, length }));
  const shown = () => markShown(path);
  return { name: basename(path), bytes, length, ino, shown, parts, add: (frames) => appender.appendFrames(frames) };
}

type Before = Pick<OpenedFile, 'ino'> & Partial<Pick<OpenedFile, 'length'>>;

interface Handle extends Pick<OpenedFile, 'ino' | 'length'> {
  readonly handle: FileHandle;
}

async function opened(path: string, before: Before | undefined): Promise<Handle> {
  // Without O_NONBLOCK a pipe that nobody writes to would hold us up.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const facts = await handle.stat();
  if (!facts.isFile()) {
    await handle.close();
    throw Object.assign(new Error('not a file'), { code: 'EINVAL' });
  }
  if (before && (facts.ino !== before.ino || facts.size < (before.length ?? 0))) {
    await handle.close();
    throw REPLACED;
  }
  return { handle, ino: facts.ino, length: before?.length ?? facts.size };
}

function access({ handle, length }: Handle): RandomAccess {
  return {
    size: length,
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

const REPLACED = new RecordingError(
  'recording-replaced',
  'There is another file now than when it was looked at first.',
  'Do it again, while nobody else writes it.',
);
