import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Failure } from '@/lib/wire/lifecycle';
import type { SpawnRequest } from './spawn-request';

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
