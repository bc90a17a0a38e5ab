import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { ConnectionError } from '@/lib/transports/transport';
import { ProcessGroup } from './process-group';
import type { ProcessTree } from './process-tree';
import { explainSpawnError } from './spawn-failure';
import type { SpawnRequest } from './spawn-request';
import { resolveWindowsCommand } from './windows-command';
import { WindowsTree } from './windows-tree';

const WINDOWS = process.platform === 'win32';

/** A process that runs, its three pipes, and the tree it leads. */
export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  readonly tree: ProcessTree;
}

/**
 * Starts a server as the leader of a process group of its own, so that a Ctrl-C in our terminal is not sent to it and
 * so that all of it can be ended. `born` hears of the process in the turn that started it. Rejects with a {@link ConnectionError} whose advice fits the cause.
 */
export async function spawnServer(request: SpawnRequest, born: (pid: number) => void): Promise<ServerProcess> {
  const { cwd, env } = request;
  const [command, args] = WINDOWS ? resolveWindowsCommand(request) : [request.command, request.args];
  let child: ChildProcessWithoutNullStreams;
  try {
    // Some errors are thrown, some are events: which, is up to the error number.
    child = spawn(command, args, { ...quiet, cwd, env, stdio: 'pipe' });
    if (child.pid !== undefined) born(child.pid);
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  } catch (error) {
    throw new ConnectionError(explainSpawnError(error, request));
  }
  const pid = child.pid!;
  const tree = WINDOWS
    ? new WindowsTree((args) => startHelper('taskkill', ['/pid', String(pid), ...args], process.env))
    : new ProcessGroup(pid);
  return { child, pid, tree };
}

/** A detached console process would open a window on Windows. */
const quiet = { shell: false, detached: !WINDOWS, windowsHide: true } as const satisfies SpawnOptions;

/** The writing end of a helper process. */
export interface Helper {
  /** Writes to the helper's stdin; lost without a word once it is gone. */
  write(text: string): void;
  readonly lives: boolean;
}

/** Starts a small process of our own in a session of its own. It never keeps us running, and its failing is silent. */
export function startHelper(command: string, args: readonly string[], env: NodeJS.Dict<string>): Helper {
  const child = spawn(command, args, {
    ...quiet,
    // Next's types say that every environment has NODE_ENV.
    env: env as NodeJS.ProcessEnv,
    cwd: WINDOWS ? undefined : '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  let lives = true;
  const over = (): void => {
    lives = false;
  };
  child.on('error', over).on('exit', over).unref();
  // Out of file descriptors there is no pipe at all. Else it is a net.Socket, whatever its type says, and it alone would
  // keep the event loop alive.
  const stdin = child.stdin as Socket | undefined;
  stdin?.on('error', over).unref();
  return {
    write: (text) => void stdin?.write(text),
    get lives() {
      return lives;
    },
  };
}
