import { EXIT, type ExitCode, printFailure } from '@/proxy/cli/exit-code';
import { columns, label } from '@/proxy/cli/help';
import { plainText, printLines, printNote, terminalProgress } from '@/proxy/cli/output';
import { FILE_SUBCOMMANDS, type FileSubcommandName, type FoundFileSubcommand } from '@/proxy/cli/subcommands';
import { diff } from './diff';
import { type FileSubcommand, HELP, parseFileRequest } from './file-subcommand';
import { replay } from './replay/replay';
import { share } from './share/share';

/** The text of `mcp-inspect share --help` and its like: grammar, examples, options. */
export function fileSubcommandHelp(name: FileSubcommandName): string {
  const { words, help, examples, options } = FILE_SUBCOMMANDS.find((known) => known.name === name)!;
  return `Usage: mcp-inspect ${name} ${words}

To ${help}.

Examples:
${columns(examples)}

Options, in any order:
${columns([...options, HELP].map((option) => [label(option), option.help]))}

A program that is called like this word: mcp-inspect -- ${name}
`;
}

/** The code of each subcommand on recordings; one without does not compile. */
const FILE_COMMANDS: { readonly [Name in FileSubcommandName]: FileSubcommand } = { diff, replay, share };

/** Runs a subcommand on recordings to its end and returns the exit code. `home` is the directory of the built bin. */
export async function runFileSubcommand(found: FoundFileSubcommand, version: string, home: string): Promise<ExitCode> {
  try {
    const request = parseFileRequest(found);
    if (request === 'help') {
      process.stdout.write(fileSubcommandHelp(found.name));
      return EXIT.fine;
    }
    const printText = (text: string) => void process.stdout.write(`${plainText(text)}\n`);
    const run = { request, version, home, printText, printLines, printNote };
    const progress = process.stderr.isTTY && {
      progress: terminalProgress(
        (text) => void process.stderr.write(text),
        () => performance.now(),
      ),
    };
    return await FILE_COMMANDS[found.name]({ ...run, ...progress });
  } catch (error) {
    // What can't be done with this file or these options, whoever found out.
    return printFailure(error, () => EXIT.usage);
  }
}
