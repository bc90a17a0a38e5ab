import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { note } from '../terminal/note';
import { EXIT, type ExitCode, Stop } from './exit-code';

/** Says on stderr what ended a subcommand, in one sentence or two; returns the exit code. `codeOf`: that of a failure. */
export function tellFailure(error: unknown, codeOf: (failure: Failure) => ExitCode): ExitCode {
  if (error instanceof Stop) {
    note(`mcp-inspect: ${error.message}`);
    return error.exitCode;
  }
  if (isFailure(error)) {
    note(`mcp-inspect: ${error.message} ${error.advice}`);
    return codeOf(error);
  }
  note(`mcp-inspect itself failed: ${(error instanceof Error && error.stack) || String(error)}`);
  return EXIT.internal;
}
