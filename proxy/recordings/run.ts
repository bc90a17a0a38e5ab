import { EXIT, type ExitCode } from '../cli/exit-code';
import type { FoundFileSubcommand } from '../cli/file-subcommands';
import { tellFailure } from '../cli/tell-failure';
import { note } from '../terminal/note';
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
    // What can't be done with this file or these options, whoever found out.
    return tellFailure(error, () => EXIT.usage);
  }
}
