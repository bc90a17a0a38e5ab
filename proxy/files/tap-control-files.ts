import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isObject, own } from '@/lib/json/value';
import { makeFolder } from './data-folder';
import { readNow } from './existing-files';
import { isAlive, PID_NAMESPACE } from './process-identity';

/** How a page reaches a tap. */
export interface TapControlAddress {
  /** The session of the tap, as its recording says. A tap of a URL has several, whose names begin with this and `.`. */
  readonly session: string;
  /** Path of the socket, or name of the pipe on Windows. */
  readonly path: string;
  /** Proves that the peer may read the file with the address. */
  readonly token: string;
  /** Set for a tap that has no recording until a host comes: a tap of a URL. */
  readonly about?: TapAbout;
}

/** How a tap shows itself before its first session. */
export interface TapAbout {
  /** Name of the server. */
  readonly name: string;
  readonly host?: string | undefined;
  /** Its start, in ISO 8601. */
  readonly at: string;
}

/** Bytes of the longest path of a socket: macOS allows 104 with the zero at the end, Linux 108. */
const SOCKET_PATH_BYTES = 103;
/** Most bytes that are read of an address. */
const ADDRESS_BYTES = 4096;
/** Beginning of the names of folders for sockets whose path would be too long in the data folder. */
const SHORT_FOLDER = 'mcp-inspect-';

const FILE_NAME = /^p(\d{1,10})\.([0-9a-f]{6})\.(?:json|sock)$/;

/** Returns the private folder beside the recordings in which taps say where they listen. */
function controlsFolder(recordings: string): string {
  return join(dirname(recordings), 'taps');
}

function nameOf(pid: number, space = PID_NAMESPACE): string {
  return `p${pid}.${space}`;
}

/** The files of the tap that this process is: a socket, and its address for the pages of this user. */
export class TapControlFiles {
  readonly #folder: string;
  #path: string | undefined;

  /** Makes the folder if it is missing. Throws as `makeFolder` does. */
  constructor(recordings: string) {
    this.#folder = controlsFolder(recordings);
    makeFolder(this.#folder);
  }

  /** Returns places for a socket, the best one first. Each is free, and in a folder that only this user can enter. */
  *places(): Generator<string> {
    if (process.platform === 'win32') {
      yield `\\\\.\\pipe\\mcp-inspect-${randomBytes(16).toString('hex')}`;
      return;
    }
    const here = join(this.#folder, `${nameOf(process.pid)}.sock`);
    if (Buffer.byteLength(here) <= SOCKET_PATH_BYTES) {
      // An earlier process had our id.
      rmSync(here, { force: true });
      yield here;
    }
    const short = join(mkdtempSync(join(tmpdir(), SHORT_FOLDER)), 'tap.sock');
    if (Buffer.byteLength(short) <= SOCKET_PATH_BYTES) yield short;
    removeSocket(short);
  }

  /** Writes the address of a socket that listens, and returns its token. Throws the system's error. */
  announce(session: string, path: string, about?: TapAbout): string {
    this.#path = path;
    if (process.platform !== 'win32') chmodSync(path, 0o600);
    const token = randomBytes(32).toString('hex');
    const file = join(this.#folder, `${nameOf(process.pid)}.json`);
    const part = `${file}.new`;
    rmSync(part, { force: true });
    writeFileSync(part, JSON.stringify({ session, path, token, ...(about && { about }) } satisfies TapControlAddress), {
      flag: 'wx',
      mode: 0o600,
    });
    renameSync(part, file);
    return token;
  }

  /** Deletes both. Never throws. */
  remove(): void {
    removeQuietly(join(this.#folder, `${nameOf(process.pid)}.json`));
    if (this.#path !== undefined) removeSocket(this.#path);
  }
}

/**
 * Reads where the tap of a session listens; undefined if it does not. `pid`, `space`: from the recording's file name.
 */
export function readTapControl(
  recordings: string,
  tap: { readonly pid: number; readonly space: string | undefined; readonly session: string },
): TapControlAddress | undefined {
  const address = readAddress(join(controlsFolder(recordings), `${nameOf(tap.pid, tap.space)}.json`));
  const isSame = address?.session === tap.session || tap.session.startsWith(`${address?.session}.`);
  return isSame ? address : undefined;
}

/** Lists the taps of URLs that run on this machine. Never throws. */
export function urlTaps(
  recordings: string,
): readonly (TapAbout & { readonly pid: number; readonly session: string })[] {
  const folder = controlsFolder(recordings);
  return namesIn(folder).flatMap((name) => {
    const [, pid, space] = FILE_NAME.exec(name) ?? [];
    if (!name.endsWith('.json') || pid === undefined || space !== PID_NAMESPACE || !isAlive(Number(pid))) return [];
    const { session, about } = readAddress(join(folder, name)) ?? {};
    return session !== undefined && about ? [{ ...about, pid: Number(pid), session }] : [];
  });
}

/** Deletes the sockets and addresses of taps that were killed. Never throws. */
export function removeStaleTapControls(recordings: string): void {
  const folder = controlsFolder(recordings);
  for (const name of namesIn(folder)) {
    const [, pid, space] = FILE_NAME.exec(name) ?? [];
    // The processes of other machines and containers can't be seen.
    if (pid === undefined || space !== PID_NAMESPACE || isAlive(Number(pid))) continue;
    const file = join(folder, name);
    const address = name.endsWith('.json') ? readAddress(file) : undefined;
    if (address && dirname(address.path) !== folder) removeSocket(address.path);
    removeQuietly(file);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

function readAddress(file: string): TapControlAddress | undefined {
  try {
    const read: unknown = JSON.parse(String(readNow(file, ({ read }) => read(0, ADDRESS_BYTES))));
    if (!isObject(read)) return undefined;
    const [session, path, token] = [own(read, 'session'), own(read, 'path'), own(read, 'token')];
    if (typeof session !== 'string' || typeof path !== 'string' || typeof token !== 'string') return undefined;
    const about = readAbout(own(read, 'about'));
    return { session, path, token, ...(about && { about }) };
  } catch {
    return undefined;
  }
}

function readAbout(value: unknown): TapAbout | undefined {
  if (!isObject(value)) return undefined;
  const [name, host, at] = [own(value, 'name'), own(value, 'host'), own(value, 'at')];
  if (typeof name !== 'string' || typeof at !== 'string' || Number.isNaN(Date.parse(at))) return undefined;
  return { name, at, ...(typeof host === 'string' && { host }) };
}

/** Deletes a socket, and the folder that was made for it. Deletes nothing else. */
function removeSocket(path: string): void {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path);
    if (basename(dirname(path)).startsWith(SHORT_FOLDER)) rmdirSync(dirname(path));
  } catch {
    // Somebody else uses it.
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The folder is gone, or not ours any more.
  }
}
