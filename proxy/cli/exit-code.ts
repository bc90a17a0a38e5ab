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
  /** mcp-inspect itself failed. */
  internal: 70,
  /** Ctrl-C, after which the command still printed what it had. */
  interrupted: 130,
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
  printNote(`mcp-inspect itself failed: ${(error instanceof Error && error.stack) || String(error)}`);
  return EXIT.internal;
}
