import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readStartNow } from '@/proxy/files/user-files';

/** Name of the variable that marks the processes of one run, so that they can be found without their parents. */
export const MARK = 'MCP_INSPECT_RUN';

/** Part of util-linux. It sets a limit of its own process, then becomes the program: no shell, and the same pid. */
const PRLIMIT = '/usr/bin/prlimit';

let settable: boolean | undefined;

/**
 * Returns the command that starts a server with its lasting mark, or the same command if it can't have one.
 *
 * The mark is the limit of file locks, which Linux has ignored since 2.4. Programs can clear their environment and
 * leave their session, but each process inherits this limit, and everybody can read it. Before it is set, the process
 * is prlimit, which keeps the variable.
 */
export function markedCommand(
  { command, args, cwd, env }: { command: string; args: readonly string[]; cwd: string; env: NodeJS.ProcessEnv },
  run: string,
): [string, readonly string[]] {
  const words = [`--locks=${lockLimit(run)}:`, '--'];
  // Some containers and sandboxes lack the program, or don't allow this limit.
  settable ??= process.platform === 'linux' && spawnSync(PRLIMIT, [...words, '/bin/true']).status === 0;
  return settable && canStart(command, cwd, env.PATH) ? [PRLIMIT, [...words, command, ...args]] : [command, args];
}

/** Returns the limit that marks a run: 60 bits of its id, so that no process has it by chance. */
export function lockLimit(run: string): string {
  return BigInt(`0x${run.slice(0, 15)}`).toString();
}

/** Bytes of a script’s first line that the system reads. */
const FIRST_LINE_BYTES = 256;

/** Returns true if the system would probably start the command. If not, Node has to start it, and tells the reason. */
function canStart(command: string, cwd: string, path = '/bin:/usr/bin'): boolean {
  const folders = command.includes('/') ? [''] : path.split(':');
  const file = folders.map((folder) => resolve(cwd, folder, command)).find(isProgram);
  if (file === undefined) return false;
  const [, interpreter] = /^#![ \t]*([^ \t\n]+)/.exec(readStartNow(file, FIRST_LINE_BYTES)) ?? [];
  return interpreter === undefined || isProgram(resolve(cwd, interpreter));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
