import { type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { type Option, tokensOf, unknownOption } from '@/proxy/cli/options';
import type { Line } from '@/proxy/cli/output';
import { FILE_SUBCOMMANDS, type FileSubcommandName, type FoundFileSubcommand } from '@/proxy/cli/subcommands';

/** What the command line of a subcommand on recordings asks for; nothing in it has been looked up. */
export interface FileRequest {
  readonly name: FileSubcommandName;
  /** Files, mostly. */
  readonly words: readonly string[];
  /** The values of each option given, in their order; '' for a switch. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** What follows `--`, if there was one. */
  readonly command?: readonly string[];
}

/** Every subcommand has it. */
export const HELP: Option = { name: 'help', short: 'h', help: 'print this help' };

/** Reads what follows the name. Throws {@link Stop} for what makes no sense. */
export function parseFileRequest({ name, argv }: FoundFileSubcommand): FileRequest | 'help' {
  const row = FILE_SUBCOMMANDS.find((known) => known.name === name)!;
  const options: readonly Option[] = [...row.options, HELP];
  const words: string[] = [];
  const given = new Map<string, string[]>();
  let command: readonly string[] | undefined;
  for (const token of tokensOf(argv, options)) {
    if (token.kind === 'option-terminator') {
      command = argv.slice(token.index + 1);
      break;
    }
    if (token.kind === 'positional') words.push(token.value);
    else {
      const option = options.find((known) => known.name === token.name);
      if (!option) throw usageError(unknownOption(token.rawName, options, `see \`mcp-inspect ${name} --help\``));
      given.set(option.name, [...(given.get(option.name) ?? []), givenValue(option, token, name)]);
    }
  }
  if (given.has('help')) return 'help';
  if (words.length < row.least) throw usageError(`\`${name}\` needs more: write \`mcp-inspect ${name} ${row.words}\`.`);
  if (words.length > row.most) throw usageError(`\`${words[row.most]}\` is one word too many: leave it out.`);
  if (command && !row.takesCommand)
    throw usageError(`\`${name}\` takes no command: leave \`--\` and what follows it out.`);
  return { name, words, given, ...(command && { command }) };
}

function givenValue(option: Option, token: { readonly value?: string | undefined }, name: string): string {
  if (option.value === undefined) {
    if (token.value === undefined) return '';
    throw usageError(`\`--${option.name}\` takes no value: leave \`=${token.value}\` out.`);
  }
  if (token.value !== undefined && token.value !== '') return token.value;
  throw usageError(`\`--${option.name}\` needs a value: see \`mcp-inspect ${name} --help\`.`);
}

/** Where a subcommand on recordings runs. */
export interface FileRun {
  readonly request: FileRequest;
  /** Of mcp-inspect. */
  readonly version: string;
  /** Directory of the built bin. */
  readonly home: string;
  /** Writes lines for people to stdout. */
  printText(text: string): void;
  /** The same, in colours where there are any. */
  printLines(lines: readonly Line[]): void;
  /** Writes a line beside the results, to stderr. */
  printNote(line: string): void;
  /** Shows a terminal how far something is, 0 to 1, that takes long. Absent: nobody wants to know. */
  readonly progress?: (share: number) => void;
}

/** What one word of the command line does with recordings. Throws Stop for what makes no sense, or can't be done. */
export type FileSubcommand = (run: FileRun) => Promise<ExitCode>;
