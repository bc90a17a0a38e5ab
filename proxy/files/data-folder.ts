import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, posix, win32 } from 'node:path';
import { ConnectionError } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';

/** What decides where recordings are. */
export interface HostFacts {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Where recordings are kept: below `MCP_INSPECT_HOME`, else where the platform keeps what programs make for their user. */
export function recordingsFolder({ platform, env, home }: HostFacts): string {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  if (env.MCP_INSPECT_HOME) return join(env.MCP_INSPECT_HOME, 'recordings');
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData/Local'), 'mcp-inspect/recordings');
  if (platform === 'darwin') return join(home, 'Library/Application Support/mcp-inspect/recordings');
  // The XDG specification has relative paths ignored.
  const data = env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(home, '.local/share');
  return join(data, 'mcp-inspect/recordings');
}

/** The same for who runs this process. */
export function ownRecordingsFolder(): string {
  return recordingsFolder({ platform: process.platform, env: process.env, home: homedir() });
}

/** Why nothing can be recorded in a folder of this name, and nothing is listed of it: a link stands there. undefined if none does. */
export function linkedFolder(folder: string): Failure | undefined {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined;
  return {
    code: 'linked-folder',
    message: `\`${folder}\` is a link, and links are not followed, so nothing is recorded there.`,
    advice: 'Make it a folder, or name another place for it by MCP_INSPECT_HOME.',
  };
}

/** Makes the folder, for its owner alone. Throws the system's error, ConnectionError `linked-folder`, and EPERM for one that is not ours. */
export function makeFolder(folder: string): void {
  const linked = linkedFolder(folder);
  if (linked) throw new ConnectionError(linked);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const uid = process.getuid?.();
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid)) {
    throw Object.assign(new Error(`${folder} is not a folder of yours`), { code: 'EPERM' });
  }
  if ((found.mode & 0o077) !== 0 && uid !== undefined) chmodSync(folder, 0o700);
}

/** What is kept beside the folder of recordings. */
type Beside = 'settings.json' | 'deleted.json' | 'calls.json' | 'eras.json';

/** The JSON in a file there; undefined if there is none, or none that can be read. */
export function readBeside(folder: string, name: Beside): unknown {
  try {
    return JSON.parse(readFileSync(join(dirname(folder), name), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Puts JSON in a file there, for its owner alone, as a whole or not at all. Throws the system's error. */
export function writeBeside(folder: string, name: Beside, content: object): void {
  makeFolder(folder);
  const file = join(dirname(folder), name);
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

/** Takes a file there away, if there is one. Throws the system's error. */
export function removeBeside(folder: string, name: Beside): void {
  rmSync(join(dirname(folder), name), { force: true });
}
