import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import { ConnectionError } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';

/** What decides where recordings are. */
export interface Place {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Where recordings are kept: below `MCP_INSPECT_HOME`, else where the platform keeps what programs make for their user. */
export function recordingsFolder({ platform, env, home }: Place): string {
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
