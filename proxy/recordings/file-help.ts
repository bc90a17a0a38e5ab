import { FILE_SUBCOMMANDS, type FileSubcommandName } from '../cli/file-subcommands';
import { columns, label } from '../cli/help';
import { HELP } from './file-request';

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
