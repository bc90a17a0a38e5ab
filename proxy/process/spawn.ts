import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { resolve, win32 } from 'node:path';
import { ConnectionError } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';
import { ProcessGroup, type ProcessTree, WindowsTree } from './process-tree';

/** What to start: an argv, never a command line; no shell reads any of it. */
export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

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

/** The little of the file system that is needed; replaced in tests. */
interface Files {
  exists(path: string): boolean;
  read(path: string): string;
}

const realFiles: Files = { exists: existsSync, read: (path) => readFileSync(path, 'utf8') };

/**
 * Program and arguments to hand to the system on Windows, where `npx` is `npx.cmd` and a batch file can only run in a
 * shell that reads its arguments as code (CVE-2024-27980). The shims that npm writes are looked into and the script
 * behind them is run with this Node instead; any other batch file is refused with a {@link ConnectionError}.
 */
export function resolveWindowsCommand(request: SpawnRequest, files = realFiles): [string, readonly string[]] {
  const found = findOnPath(request, files);
  if (found === undefined || !/\.(cmd|bat)$/i.test(found)) return [found ?? request.command, request.args];
  const script = scriptBehindShim(found, files);
  if (script === undefined) {
    throw new ConnectionError({
      code: 'batch-file',
      message: `${found} is a batch file, and a shell would read its arguments as code.`,
      advice: 'Start the program that the batch file starts, for example node followed by the path of a script.',
    });
  }
  return [process.execPath, [script, ...request.args]];
}

function findOnPath({ command, cwd, env }: SpawnRequest, files: Files): string | undefined {
  const variable = (wanted: string): string =>
    Object.entries(env).find(([name]) => name.toUpperCase() === wanted)?.[1] ?? '';
  const endings = (variable('PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';');
  const names = /\.[a-z0-9]+$/i.test(command)
    ? [command, ...endings.map((end) => command + end)]
    : endings.map((end) => command + end);
  const folders = /[/\\]/.test(command) ? [cwd] : variable('PATH').split(';').filter(Boolean);
  for (const folder of folders) {
    for (const name of names) {
      const path = win32.resolve(cwd, folder, name);
      if (files.exists(path)) return path;
    }
  }
  return undefined;
}

/** The one script that a shim of npm's runs: `"%dp0%\node_modules\x\cli.js"`. */
function scriptBehindShim(shim: string, files: Files): string | undefined {
  const folder = win32.dirname(shim);
  const base = win32
    .basename(shim)
    .replace(/\.[^.]+$/, '')
    .toLowerCase();
  const scripts = [...files.read(shim).matchAll(/%(?:~dp0|dp0%)\\?([^"%\r\n]+\.[cm]?js)"/gi)]
    .map((match) => win32.resolve(folder, match[1]!))
    .filter((path, at, all) => all.indexOf(path) === at && files.exists(path));
  // npx.cmd also mentions the scripts that it finds npm with.
  return scripts.length === 1 ? scripts[0] : scripts.find((path) => win32.basename(path).startsWith(`${base}-cli.`));
}

/** What there is at a path. */
type PathKind = 'nothing' | 'directory' | 'executable' | 'plain';

/**
 * Why a server could not be started, for people. The system says ENOENT for a missing command, a missing working
 * directory and a missing script interpreter alike, so the paths are looked at again.
 */
export function explainSpawnError(error: unknown, request: SpawnRequest, look = pathKind): Failure {
  const { command, cwd } = request;
  const code = errorCode(error);
  const directory = look(cwd);
  if (directory === 'nothing') {
    return {
      code: 'cwd-not-found',
      message: `The working directory ${cwd} does not exist.`,
      advice: 'Create it, or choose another working directory.',
    };
  }
  if (directory !== 'directory') {
    return {
      code: 'cwd-not-directory',
      message: `The working directory ${cwd} is not a directory.`,
      advice: 'Choose the directory that the server should start in.',
    };
  }
  // A name without a slash is looked up on PATH; only a path can be looked at.
  const kindOf = (word: string): PathKind | undefined => (/[/\\]/.test(word) ? look(resolve(cwd, word)) : undefined);
  const asked: Asked = { target: kindOf(command), ...request, first: kindOf(command.trim().split(/\s/, 1)[0]!) };
  return REASONS.find((reason) => reason.applies(code, asked))!.explain(asked, error);
}

interface Asked extends SpawnRequest {
  /** The kind of file at the command's path; undefined for a bare name. */
  readonly target: PathKind | undefined;
  /** The same for its first word, if it has several. */
  readonly first: PathKind | undefined;
}

interface Reason {
  applies(code: string, asked: Asked): boolean;
  explain(asked: Asked, error: unknown): Failure;
}

const isMissing = (code: string): boolean => code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES';

/** The first that applies explains. */
const REASONS: readonly Reason[] = [
  {
    applies: (_, { target }) => target === 'directory',
    explain: ({ command }) => ({
      code: 'command-is-directory',
      message: `${command} is a directory, not a program.`,
      advice: 'Name the program in it, for example node followed by the path of a script.',
    }),
  },
  {
    applies: (code, { target }) => code === 'EACCES' && target !== 'nothing',
    explain: ({ command }) => ({
      code: 'command-not-executable',
      message: `${command} may not be executed.`,
      advice: 'Make it executable with chmod +x, or start it with its interpreter, for example node or python3.',
    }),
  },
  {
    applies: (code, { target }) => code === 'ENOENT' && (target === 'executable' || target === 'plain'),
    explain: ({ command }) => ({
      code: 'interpreter-not-found',
      message: `${command} exists, but the interpreter that its first line names does not.`,
      advice: 'Correct the #! line or its line endings, or start the script with its interpreter yourself.',
    }),
  },
  {
    applies: (code, { command, first }) => isMissing(code) && /\S\s+\S/.test(command) && first !== 'nothing',
    explain: ({ command, args }) => ({
      code: 'command-not-found',
      message: `\`${command}\` came as one word, so it was looked up as one program name.`,
      advice: `Remove the quotes: \`${command}${args.length > 0 ? ' …' : ''}\`. In a config, move all but the first word into \`args\`.`,
    }),
  },
  {
    applies: isMissing,
    explain: ({ command }) => ({
      code: 'command-not-found',
      message: `The command ${command} was not found.`,
      advice: 'Is it installed and on PATH? Give its full path if it is somewhere else.',
    }),
  },
  {
    applies: (code) => code === 'ERR_INVALID_ARG_VALUE' || code === 'ERR_INVALID_ARG_TYPE',
    explain: () => ({
      code: 'command-invalid',
      message: 'The command is empty, or it, an argument or a variable holds a NUL character.',
      advice: 'Take that character out: no system can pass it to a program.',
    }),
  },
  {
    applies: (code) => code === 'E2BIG',
    explain: () => ({
      code: 'command-too-long',
      message: 'The arguments and the environment are longer than the system allows.',
      advice: 'Shorten the arguments, or hand large values over in a file.',
    }),
  },
  {
    applies: () => true,
    explain: ({ command }, error) => ({
      code: 'spawn-failed',
      message: `The system could not start ${command} (${errorCode(error)}).`,
      advice: 'Try the same command in a terminal: it may say more.',
    }),
  },
];

function errorCode(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code ?? 'unknown error';
}

function pathKind(path: string): PathKind {
  try {
    if (statSync(path).isDirectory()) return 'directory';
    accessSync(path, constants.X_OK);
    return 'executable';
  } catch (error) {
    return errorCode(error) === 'EACCES' ? 'plain' : 'nothing';
  }
}
