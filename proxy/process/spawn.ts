import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { resolve, win32 } from 'node:path';
import { ConnectionError } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';
import { readNamedFileNow } from '@/proxy/files/user-files';
import { helperEnvironment, windowsProgram } from './environment';
import { MARK, markedCommand } from './mark';
import { ProcessGroup, type ProcessTree, WindowsTree } from './process-tree';

/** A server to start: an argv, never a command line, so that no shell parses it. */
export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const WINDOWS = process.platform === 'win32';

/** A running process with its three pipes, and the tree that it leads. */
export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  readonly tree: ProcessTree;
}

/** Ends the servers if this process is killed. */
export interface ServerWatch {
  /** Called before a server starts. Returns the id of the run, which marks the server’s processes. */
  prepare(): string;
  /** Called synchronously after the start. */
  add(pid: number): void;
}

/**
 * Starts a server as the leader of its own process group, so that a Ctrl-C in our terminal does not reach it and all of
 * it can be ended. Rejects with a {@link ConnectionError} that explains the cause.
 */
export async function spawnServer(request: SpawnRequest, watch: ServerWatch): Promise<ServerProcess> {
  const { cwd } = request;
  const run = watch.prepare();
  const env: NodeJS.ProcessEnv = Object.assign(Object.create(null), request.env, WINDOWS ? {} : { [MARK]: run });
  let child: ChildProcessWithoutNullStreams;
  try {
    const [command, args] = WINDOWS ? resolveWindowsCommand(request) : markedCommand(request, run);
    // Node throws some errors and emits others.
    child = spawn(command, args, { ...DETACHED, cwd, env, stdio: 'pipe' });
    if (child.pid !== undefined) watch.add(child.pid);
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  } catch (error) {
    throw error instanceof ConnectionError ? error : new ConnectionError(explainSpawnError(error, request));
  }
  const pid = child.pid!;
  const tree = WINDOWS
    ? new WindowsTree((args) =>
        startHelper(windowsProgram('taskkill.exe'), ['/pid', String(pid), ...args], helperEnvironment(process.env)),
      )
    : new ProcessGroup(pid);
  return { child, pid, tree };
}

/** Not on Windows, where a detached console process would open a window. */
const DETACHED = { shell: false, detached: !WINDOWS, windowsHide: true } as const satisfies SpawnOptions;

/** A helper process of our own. */
export interface Helper {
  /** Writes to its stdin. Does nothing once it is gone. */
  write(text: string): void;
  readonly lives: boolean;
}

/**
 * Starts a helper process in its own session. It never keeps us running, and its failures are ignored. Calls `onExit`
 * if it started and has ended.
 */
export function startHelper(
  command: string,
  args: readonly string[],
  env: NodeJS.Dict<string>,
  onExit?: () => void,
): Helper {
  const child = spawn(command, args, {
    ...DETACHED,
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
  if (onExit) child.on('exit', onExit);
  // There is no pipe if file descriptors ran out. Otherwise it is a net.Socket, despite its type, and would keep the
  // event loop alive.
  const stdin = child.stdin as Socket | undefined;
  stdin?.on('error', over).unref();
  return {
    write: (text) => void stdin?.write(text),
    get lives() {
      return lives;
    },
  };
}

/** The part of the file system that is needed here. Tests replace it. */
interface Files {
  exists(path: string): boolean;
  read(path: string): string;
}

/** Bytes of a batch file. Those of npm have a few hundred. */
const SHIM_BYTES = 64 * 1024;

const realFiles: Files = { exists: existsSync, read: (path) => readNamedFileNow(path, SHIM_BYTES).text ?? '' };

/**
 * Returns the program and arguments to run on Windows. There, `npx` is `npx.cmd`, and a batch file only runs in a shell
 * that parses its arguments as code (CVE-2024-27980). For shims written by npm, this Node runs the script behind them.
 * Throws a {@link ConnectionError} for other batch files, and ENOENT if PATH does not lead to the program: the system
 * would look for it in the working directory.
 */
export function resolveWindowsCommand(request: SpawnRequest, files = realFiles): [string, readonly string[]] {
  const found = findOnPath(request, files);
  if (found === undefined) throw Object.assign(new Error(`${request.command} was not found`), { code: 'ENOENT' });
  if (!/\.(cmd|bat)$/i.test(found)) return [found, request.args];
  const script = scriptBehindShim(found, files);
  if (script === undefined) {
    throw new ConnectionError({
      code: 'batch-file',
      message: `${found} is a batch file, which can’t be started safely: a shell would run its arguments as code.`,
      advice: 'Start the program inside the batch file instead, for example node with the path of a script.',
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
  const folders = /[/\\]/.test(command) ? [cwd] : variable('PATH').split(';').filter(win32.isAbsolute);
  for (const folder of folders) {
    for (const name of names) {
      const path = win32.resolve(cwd, folder, name);
      if (files.exists(path)) return path;
    }
  }
  return undefined;
}

/** Returns the script that an npm shim runs: `"%dp0%\node_modules\x\cli.js"`. */
function scriptBehindShim(shim: string, files: Files): string | undefined {
  const folder = win32.dirname(shim);
  const base = win32
    .basename(shim)
    .replace(/\.[^.]+$/, '')
    .toLowerCase();
  const scripts = [...files.read(shim).matchAll(/%(?:~dp0|dp0%)\\?([^"%\r\n]+\.[cm]?js)"/gi)]
    .map((match) => win32.resolve(folder, match[1]!))
    .filter((path, at, all) => all.indexOf(path) === at && files.exists(path));
  // npx.cmd also contains the scripts that it finds npm with.
  return scripts.length === 1 ? scripts[0] : scripts.find((path) => win32.basename(path).startsWith(`${base}-cli.`));
}

type PathKind = 'nothing' | 'directory' | 'executable' | 'plain';

/**
 * Explains why a server could not be started. The system reports ENOENT for a missing command, a missing working
 * directory and a missing interpreter alike, so the paths are checked again.
 */
export function explainSpawnError(error: unknown, request: SpawnRequest, look = pathKind): Failure {
  const { command, cwd } = request;
  const code = errorCode(error);
  const directory = look(cwd);
  if (directory === 'nothing') {
    return {
      code: 'cwd-not-found',
      message: `The working directory ${cwd} does not exist.`,
      advice: 'Create it, or choose another one.',
    };
  }
  if (directory !== 'directory') {
    return {
      code: 'cwd-not-directory',
      message: `The working directory ${cwd} is not a directory.`,
      advice: 'Choose the directory that the server should start in.',
    };
  }
  // The system looks up names without a slash on PATH. Only paths can be checked.
  const kindOf = (word: string): PathKind | undefined => (/[/\\]/.test(word) ? look(resolve(cwd, word)) : undefined);
  const beside = look(resolve(cwd, command));
  const asked: Asked = {
    target: kindOf(command),
    ...request,
    beside,
    first: kindOf(command.trim().split(/\s/, 1)[0]!),
  };
  return REASONS.find((reason) => reason.applies(code, asked))!.explain(asked, error);
}

interface Asked extends SpawnRequest {
  /** Kind of the file at the command's path. undefined for a bare name. */
  readonly target: PathKind | undefined;
  /** Kind of what has the command's name in the working directory, where the system does not look. */
  readonly beside: PathKind;
  /** Kind of the file at the path in the command’s first word. undefined for a bare name. */
  readonly first: PathKind | undefined;
}

interface Reason {
  applies(code: string, asked: Asked): boolean;
  explain(asked: Asked, error: unknown): Failure;
}

const isMissing = (code: string): boolean => code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES';

/** In order of precedence. */
const REASONS: readonly Reason[] = [
  {
    applies: (_, { target }) => target === 'directory',
    explain: ({ command }) => ({
      code: 'command-is-directory',
      message: `${command} is a directory, not a program.`,
      advice: 'Name a program instead, for example node with the path of a script.',
    }),
  },
  {
    applies: (code, { target }) => code === 'EACCES' && target !== 'nothing',
    explain: ({ command }) => ({
      code: 'command-not-executable',
      message: `${command} is not executable.`,
      advice: 'Run chmod +x on it, or start it with its interpreter, for example node or python3.',
    }),
  },
  {
    applies: (code, { target }) => code === 'ENOENT' && (target === 'executable' || target === 'plain'),
    explain: ({ command }) => ({
      code: 'interpreter-not-found',
      message: `${command} exists, but the interpreter in its first line does not.`,
      advice: 'Correct the #! line or its line ending, or start the script with its interpreter.',
    }),
  },
  {
    applies: (code, { command, first }) => isMissing(code) && /\S\s+\S/.test(command) && first !== 'nothing',
    explain: ({ command, args }) => ({
      code: 'command-not-found',
      message: `\`${command}\` was passed as one word, so it was looked up as one program name.`,
      advice: `Remove the quotes: \`${command}${args.length > 0 ? ' …' : ''}\`. In a config, move all but the first word into \`args\`.`,
    }),
  },
  {
    applies: (code, { command }) => isMissing(code) && /[/\\]/.test(command),
    explain: ({ command }) => ({
      code: 'command-not-found',
      message: `The command ${command} was not found.`,
      advice: 'Check the path: there is no such program.',
    }),
  },
  {
    applies: (code, { beside }) => isMissing(code) && (beside === 'executable' || beside === 'plain'),
    explain: ({ command, beside }) => ({
      code: 'command-not-found',
      message: `The command ${command} was not found on PATH, but the working directory has a file of that name.`,
      advice:
        beside === 'executable'
          ? `Write ./${command}.`
          : `Start it with its interpreter: \`${/\.pyw?$/i.test(command) ? 'python3' : 'node'} ${command}\`.`,
    }),
  },
  {
    applies: isMissing,
    explain: ({ command }) => ({
      code: 'command-not-found',
      message: `The command ${command} was not found.`,
      advice: 'Check that it is installed and on PATH, or give its full path.',
    }),
  },
  {
    applies: (code) => code === 'ERR_INVALID_ARG_VALUE' || code === 'ERR_INVALID_ARG_TYPE',
    explain: () => ({
      code: 'command-invalid',
      message: 'The command is empty, or the command, an argument or a variable contains a NUL character.',
      advice: 'Remove that character. Programs can’t receive it.',
    }),
  },
  {
    applies: (code) => code === 'E2BIG',
    explain: () => ({
      code: 'command-too-long',
      message: 'The arguments and the environment are longer than the system allows.',
      advice: 'Shorten the arguments, or pass large values in a file.',
    }),
  },
  {
    applies: (code) => code === 'EMFILE' || code === 'ENFILE',
    explain: ({ command }) => ({
      code: 'too-many-files',
      message: `Could not start ${command}: mcp-inspect has reached the limit of open files.`,
      advice: 'Run `ulimit -n 4096` in the shell, then start mcp-inspect again.',
    }),
  },
  {
    applies: () => true,
    explain: ({ command }, error) => ({
      code: 'spawn-failed',
      message: `The system could not start ${command} (${errorCode(error)}).`,
      advice: 'Run the same command in a terminal to see more.',
    }),
  },
];

function errorCode(error: unknown): string {
  // Jest runs us in a context where errors of the system are not instances of our Error.
  return (error as NodeJS.ErrnoException | null)?.code ?? 'unknown error';
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
