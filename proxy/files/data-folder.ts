import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, posix, win32 } from 'node:path';
import { ConnectionError } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';
import { readNamedFileNow } from './user-files';

/** The facts of the host that decide where recordings are. */
export interface HostFacts {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * Returns the folder of recordings: below `MCP_INSPECT_HOME` if set, otherwise in the platform's folder for user data.
 * Throws ConnectionError `relative-home` if it would be below the working directory, where others may write.
 */
export function recordingsFolder(facts: HostFacts): string {
  const { isAbsolute, dirname } = facts.platform === 'win32' ? win32 : posix;
  const folder = namedFolder(facts);
  if (isAbsolute(folder)) return folder;
  throw new ConnectionError({
    code: 'relative-home',
    message: `The data folder of mcp-inspect would be \`${dirname(folder)}\`, in any directory that it runs in.`,
    advice: 'Set MCP_INSPECT_HOME to a full path.',
  });
}

function namedFolder({ platform, env, home }: HostFacts): string {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  if (env.MCP_INSPECT_HOME) return join(env.MCP_INSPECT_HOME, 'recordings');
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData/Local'), 'mcp-inspect/recordings');
  if (platform === 'darwin') return join(home, 'Library/Application Support/mcp-inspect/recordings');
  // The XDG specification says to ignore relative paths.
  const data = env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(home, '.local/share');
  return join(data, 'mcp-inspect/recordings');
}

/** Returns the recordings folder of the user who runs this process. */
export function ownRecordingsFolder(): string {
  return recordingsFolder({ platform: process.platform, env: process.env, home: homedir() });
}

/** Returns the folder with all that mcp-inspect keeps for this user: recordings, and what is beside them. */
export function dataFolder(): string {
  return dirname(ownRecordingsFolder());
}

/** Returns the folder of uploads that wait, beside the folder of recordings. */
export function outboxFolder(recordings: string): string {
  return join(dirname(recordings), 'outbox');
}

/** Returns a failure if `folder` is a link: nothing is recorded or listed there. */
export function linkedFolder(folder: string): Failure | undefined {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined;
  return {
    code: 'linked-folder',
    message: `\`${folder}\` is a link. mcp-inspect does not follow links, so nothing is recorded.`,
    advice: 'Replace it with a folder, or set MCP_INSPECT_HOME to another place.',
  };
}

/**
 * Makes the folder if it is missing, readable only by its owner. Throws the system's error, ConnectionError
 * `linked-folder`, and EPERM if the folder belongs to somebody else.
 */
export function makeFolder(folder: string): void {
  const linked = linkedFolder(folder);
  if (linked) throw new ConnectionError(linked);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const uid = process.getuid?.();
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid)) {
    throw Object.assign(new Error(`${folder} does not belong to you`), { code: 'EPERM' });
  }
  if ((found.mode & 0o077) !== 0 && uid !== undefined) chmodSync(folder, 0o700);
}

/** Deletes a folder of ours with everything in it, if it exists. Follows no link. Throws the system's error. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** JSON files that are kept beside the folder of recordings. */
export type Beside =
  | 'settings.json'
  | 'deleted.json'
  | 'calls.json'
  | 'eras.json'
  | 'standing-answers.json'
  | 'servers.json'
  | 'project-configs.json'
  | 'installs.json'
  | 'sign-ins.json'
  | 'summaries.json';

/** Most bytes that are read of one of these files. */
const BESIDE_BYTES = 64 * 1024 * 1024;

/** Returns the JSON in one of these files; undefined if it is missing or unreadable. */
export function readBeside(folder: string, name: Beside): unknown {
  try {
    return JSON.parse(readNamedFileNow(join(dirname(folder), name), BESIDE_BYTES).text ?? '');
  } catch {
    return undefined;
  }
}

/** Replaces one of these files, readable only by its owner, in one step. Throws the system's error. */
export function writeBeside(folder: string, name: Beside, content: object): void {
  makeFolder(folder);
  replaceJson(join(dirname(folder), name), content);
}

/** Writes or replaces a JSON file of ours, readable only by its owner, in one step. Throws the system's error. */
export function replaceJson(file: string, content: object): void {
  const part = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(part, `${JSON.stringify(content)}\n`, { flag: 'wx', mode: 0o600 });
    chmodSync(part, 0o600);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Deletes one of these files if it exists. Throws the system's error. */
export function removeBeside(folder: string, name: Beside): void {
  rmSync(join(dirname(folder), name), { force: true });
}
