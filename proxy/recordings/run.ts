import { isFailure } from '@/lib/wire/lifecycle';
import { EXIT, type ExitCode, Stop } from '../cli/exit-code';
import type { FoundFileSubcommand } from '../cli/file-subcommands';
import { plainText } from '../terminal/plain-text';
import { printLines } from '../terminal/print-lines';
import { terminalProgress } from '../terminal/terminal-progress';
import { FILE_COMMANDS } from './commands/registry';
import { fileSubcommandHelp } from './file-help';
import { parseFileRequest } from './file-request';

/** Runs a subcommand on recordings to its end and returns the exit code. `home` is the directory of the built bin. */
export async function runFileSubcommand(found: FoundFileSubcommand, version: string, home: string): Promise<ExitCode> {
  try {
    const request = parseFileRequest(found);
    if (request === 'help') {
      process.stdout.write(fileSubcommandHelp(found.name));
      return EXIT.fine;
    }
    const say = (text: string) => void process.stdout.write(`${plainText(text)}\n`);
    const run = { request, version, home, say, print: printLines, note };
    const progress = process.stderr.isTTY && {
      progress: terminalProgress(
        (text) => void process.stderr.write(text),
        () => performance.now(),
      ),
    };
    return await FILE_COMMANDS[found.name]({ ...run, ...progress });
  } catch (error) {
    return tell(error);
  }
}

/** Says what went wrong in one sentence or two; returns the exit code for it. */
function tell(error: unknown): ExitCode {
  if (error instanceof Stop) {
    note(`mcp-inspect: ${error.message}`);
    return error.exitCode;
  }
  // What can't be done with this file or these options, whoever found out.
  if (isFailure(error)) {
    note(`mcp-inspect: ${error.message} ${error.advice}`);
    return EXIT.usage;
  }
  note(`mcp-inspect itself failed: ${(error instanceof Error && error.stack) || String(error)}`);
  return EXIT.internal;
}

function note(line: string): void {
  process.stderr.write(`${plainText(line)}\n`);
}
