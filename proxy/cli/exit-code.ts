import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { printNote } from './output';

/** What the exit code of a subcommand says. A signal is 128 and its number. */
export const EXIT = {
  fine: 0,
  /** A protocol error, a tool's own error, an invalid result, or a question instead of a result. */
  serverError: 1,
  usage: 2,
  noConnection: 3,
  timeout: 5,
  /** mcp-inspect itself failed. */
  internal: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Thrown to end a subcommand with an exit code and a sentence for people. */
export class ExitError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, sentence: string) {
    super(sentence);
    this.name = 'Stop';
    this.exitCode = exitCode;
  }
}

/** The command line makes no sense: what is wrong, and what to do. */
export function usageError(sentence: string): ExitError {
  return new ExitError(EXIT.usage, sentence);
}

/** Says on stderr what ended a subcommand, in one sentence or two; returns the exit code. `codeOf`: that of a failure. */
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
