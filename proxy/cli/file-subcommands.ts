import type { Option } from './options';

/** What the command line knows of a subcommand on recordings before its code is loaded. */
interface FileSubcommandRow {
  readonly name: string;
  /** The words after it, as the help writes them. */
  readonly words: string;
  /** How many words it needs, and how many it takes. */
  readonly least: number;
  readonly most: number;
  /** A command may follow `--`. */
  readonly takesCommand: boolean;
  readonly help: string;
  /** All of them; no other option is taken. */
  readonly options: readonly Option[];
  /** Command lines that teach it, and what they do. */
  readonly examples: readonly (readonly [string, string])[];
}

/** Every subcommand that is about recordings in files, in the order the help shows them. */
export const FILE_SUBCOMMANDS = [
  {
    name: 'share',
    words: 'FILE --out FILE',
    least: 1,
    most: 1,
    takesCommand: false,
    help: 'write a recording anew, to be given away',
    options: [
      { name: 'out', value: 'FILE', help: 'a new file: NAME.mcpr.jsonl, or gzipped NAME.mcpr.gz' },
      { name: 'frames', value: 'A-B', help: 'only these frames, and what says which server it was' },
      { name: 'no-stderr', help: 'leave out what the server wrote to stderr' },
      { name: 'no-http', help: 'leave out what happened around messages on HTTP' },
    ],
    examples: [
      ['mcp-inspect share a.mcpr.jsonl --out b.mcpr.gz', 'all of it, gzipped'],
      ['mcp-inspect share a.mcpr.jsonl --out b.mcpr.gz --frames 10-40', 'a part of it'],
    ],
  },
] as const satisfies readonly FileSubcommandRow[];

export type FileSubcommandName = (typeof FILE_SUBCOMMANDS)[number]['name'];

/** A subcommand on recordings and the rest of the line, without its name. */
export interface FoundFileSubcommand {
  readonly name: FileSubcommandName;
  readonly argv: readonly string[];
}

/** The subcommand on recordings that a command line asks for: its very first word. */
export function findFileSubcommand([first, ...argv]: readonly string[]): FoundFileSubcommand | undefined {
  const row = FILE_SUBCOMMANDS.find(({ name }) => name === first);
  return row && { name: row.name, argv };
}
