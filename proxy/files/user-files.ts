import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { isWithin } from './repository-folders';

// Windows does not have it. Elsewhere, opening a pipe that nobody writes to would block.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file that a person or a config named for reading; links are followed. Rejects with the system's error: EISDIR
 * for a directory, EINVAL for anything else that is not a file, such as a pipe or a device.
 */
export async function openNamedFile(path: string): Promise<FileHandle> {
  const handle = await open(path, FLAGS);
  const wrong = notFile(await handle.stat());
  if (!wrong) return handle;
  await handle.close();
  throw wrong;
}

function notFile(facts: Stats): Error | undefined {
  if (facts.isFile()) return undefined;
  return Object.assign(new Error('not a file'), { code: facts.isDirectory() ? 'EISDIR' : 'EINVAL' });
}

/** Resolves a path that a person typed: against the working directory, or the home directory after `~`. */
export function typedPath(path: string): string {
  return resolve(path.replace(/^~(?=\/|$)/, homedir()));
}

/** Conditions for reading a file. */
export interface NamedFileRules {
  /** Most bytes. */
  readonly most: number;
  /** Id of the user who must be the only one who can change the file. undefined: anyone may. */
  readonly uid?: number | undefined;
  /** Folder that the path must not lead out of, for a file that nobody named. */
  readonly within?: string | undefined;
}

/** The text of a file, or why it was not read. Without either, there is no file. */
export interface NamedFile {
  /** Its path without links. */
  readonly path: string;
  readonly text?: string;
  /** The bytes of the text, which may be UTF-16 or invalid. */
  readonly bytes?: Buffer;
  /** A sentence about “it”, without the path. */
  readonly wrong?: string;
}

/**
 * Reads a file that a person or a config named. The path can lead anywhere, such as to a pipe or a device that never
 * ends, so only a file is read, and only so much of it. Never rejects.
 */
export async function readNamedFile(path: string, { most, uid, within }: NamedFileRules): Promise<NamedFile> {
  if (within !== undefined && !isWithin(within, path)) return { path, wrong: LEADS_OUT };
  let real = path;
  try {
    real = await realpath(path);
    const handle = await openNamedFile(real);
    try {
      const facts = await handle.stat();
      const folders = [dirname(path), dirname(real)];
      const writer = uid === undefined ? undefined : await whoElseWrites(facts, folders, uid);
      const wrong = writer ?? tooLarge(facts.size, most);
      if (wrong !== undefined) return { path: real, wrong };
      const bytes = await readUpTo(handle, most + 1);
      const grown = tooLarge(bytes.length, most);
      return grown === undefined ? { path: real, text: decodeText(bytes), bytes } : { path: real, wrong: grown };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { path: real, ...reasonOf(error) };
  }
}

/** Decodes UTF-16 if a byte order mark says so, as PowerShell writes it, and else UTF-8. Keeps the mark. */
function decodeText(bytes: Buffer): string {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8') return bytes.toString();
  const even = bytes.subarray(0, bytes.length & ~1);
  return encoding === 'utf-16le' ? even.toString('utf16le') : Buffer.from(even).swap16().toString('utf16le');
}

/** Returns the encoding of a file that `decodeText` uses. */
export function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** Reads as {@link readNamedFile} does, at once. For small files of this machine, where nobody can wait. */
export function readNamedFileNow(path: string, most: number): NamedFile {
  try {
    const file = openSync(path, FLAGS);
    try {
      const facts = fstatSync(file);
      const unfit = notFile(facts);
      if (unfit) throw unfit;
      const wrong = tooLarge(facts.size, most);
      if (wrong !== undefined) return { path, wrong };
      const chunks: Buffer[] = [];
      let length = 0;
      for (let read = -1; read !== 0 && length <= most; length += read) {
        const chunk = Buffer.alloc(CHUNK_BYTES);
        read = readSync(file, chunk);
        chunks.push(chunk.subarray(0, read));
      }
      const grown = tooLarge(length, most);
      return grown === undefined ? { path, text: Buffer.concat(chunks).toString() } : { path, wrong: grown };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { path, ...reasonOf(error) };
  }
}

/** Returns the first bytes of a file, a character each; '' if it can’t be read. */
export function readStartNow(path: string, bytes: number): string {
  try {
    const file = openSync(path, FLAGS);
    try {
      const start = Buffer.alloc(bytes);
      return start.toString('latin1', 0, readSync(file, start));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

const LEADS_OUT = 'It leads out of its project, where only files that you name are read.';

function reasonOf(error: unknown): Pick<NamedFile, 'wrong'> {
  const { code = 'error' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return {};
  return { wrong: REASONS.get(code) ?? `It can’t be read (${code}).` };
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'It can’t be read: permission denied.'],
  ['EPERM', 'It can’t be read: permission denied.'],
  ['EINVAL', 'It is not a file, but a pipe or a device.'],
  ['EISDIR', 'It is not a file, but a directory.'],
  ['ENXIO', 'It is not a file, but a socket.'],
  ['ELOOP', 'It is a link that leads nowhere.'],
]);

function tooLarge(bytes: number, most: number): string | undefined {
  if (bytes <= most) return undefined;
  return `It is larger than ${most >= MIB ? `${most / MIB} MiB` : `${most / 1024} KiB`}.`;
}

const MIB = 1024 * 1024;

/** Permission bits of POSIX. */
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;
const ROOT = 0;

/** Returns who else can change a file. Root can change every file anyway. */
async function whoElseWrites(facts: Stats, folders: readonly string[], uid: number): Promise<string | undefined> {
  if (facts.uid !== uid && facts.uid !== ROOT) return 'Another user owns it.';
  // Many systems give each user a group of the same number with no other members, and make its files writable for it.
  const isShared = (facts.mode & GROUP_WRITES) !== 0 && facts.gid !== uid;
  if (isShared || (facts.mode & OTHERS_WRITE) !== 0) return 'Other users can change it. Run `chmod go-w` on it.';
  for (const folder of new Set(folders)) {
    const { mode } = await stat(folder);
    // In a folder with the sticky bit, such as /tmp, only the owner can replace a file.
    const isOpen = (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0;
    if (isOpen) return 'Other users can replace it. Run `chmod o-w` on its folder.';
  }
  return undefined;
}

/** Reads at most `most` bytes from the start. The size that the system gives is not reliable, for example in /proc. */
async function readUpTo(handle: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(CHUNK_BYTES, most - length)));
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(chunks);
}

/** Bytes read at a time. Most configs fit into one chunk. */
const CHUNK_BYTES = 64 * 1024;
