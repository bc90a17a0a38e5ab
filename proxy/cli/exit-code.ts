import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { printNote } from './output';

/** Exit codes of subcommands. After a signal it is 128 plus the signal’s number. */
export const EXIT = {
  fine: 0,
  /** The server answered with an error, a tool error, an invalid result or a question. */
  serverError: 1,
  usage: 2,
  noConnection: 3,
  timeout: 5,
  /** mcp-inspect itself failed, or its output could not be written. */
  internal: 70,
  /** Ctrl-C, after which the command still printed what it had. */
  interrupted: 130,
  /** The reader of our stdout closed it: 128 plus SIGPIPE. */
  stdoutClosed: 141,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a subcommand with an exit code and a sentence for people. */
export class ExitError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, sentence: string) {
    super(sentence);
    this.name = 'ExitError';
    this.exitCode = exitCode;
  }
}

/** Makes an error for an invalid command line. The sentence says what is wrong and what to do. */
export function usageError(sentence: string): ExitError {
  return new ExitError(EXIT.usage, sentence);
}

/** Failures of a bucket that the command line is the cause of. */
const WRONG_ADDRESS: ReadonlySet<string> = new Set(['store-address', 'store-credentials', 'store-missing']);

/** Returns the exit code of a failure of a bucket; undefined for any other. */
export function storeExitCode({ code }: Failure): ExitCode | undefined {
  if (!code.startsWith('store-')) return undefined;
  if (code === 'store-cancelled') return EXIT.interrupted;
  return WRONG_ADDRESS.has(code) ? EXIT.usage : EXIT.noConnection;
}

/** Prints on stderr what ended a subcommand, and returns the exit code. `codeOf` gives the code of a failure. */
export function printFailure(error: unknown, codeOf: (failure: Failure) => ExitCode): ExitCode {
  if (error instanceof ExitError) {
    printNote(`mcp-inspect: ${error.message}`);
    return error.exitCode;
  }
  if (isFailure(error)) {
    printNote(`mcp-inspect: ${error.message} ${error.advice}`);
    return codeOf(error);
  }
  printNote(selfFailure(error));
  return EXIT.internal;
}

/** Describes an error that is not about the command line or the server. */
export function selfFailure(error: unknown): string {
  if (isFileLimit(error)) return `mcp-inspect: ${FILE_LIMIT}`;
  return `mcp-inspect itself failed: ${(error instanceof Error && error.stack) || String(error)}`;
}

/** Returns true if an error is that this process, or the system, has no descriptor left. */
function isFileLimit(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EMFILE' || code === 'ENFILE';
}

export const FILE_LIMIT = 'This shell allows too few open files. Run `ulimit -n 4096`, then start again.';

/**
 * Returns how a command ends whose stdout can't be written: silently if the reader closed it, as `head` does, otherwise
 * with a sentence.
 */
export function stdoutEnd(error: unknown): { readonly exitCode: ExitCode; readonly sentence?: string } {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EPIPE') return { exitCode: EXIT.stdoutClosed };
  const reason = code === 'ENOSPC' ? 'the disk is full' : message;
  const sentence = `mcp-inspect: Could not write to stdout: ${reason}. Make room, or send the output elsewhere.`;
  return { exitCode: EXIT.internal, sentence };
}
