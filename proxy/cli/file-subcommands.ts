import { COMPARE_OPTIONS } from './compare-options';
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
    words: 'FILE --out FILE|--html FILE|…',
    least: 1,
    most: 1,
    takesCommand: false,
    help: 'give a recording away, without its secrets',
    options: [
      { name: 'out', value: 'FILE', help: 'a new file: NAME.mcpr.jsonl, or gzipped NAME.mcpr.gz' },
      { name: 'html', value: 'FILE', help: 'a new page that is the viewer and the recording, and needs no network' },
      {
        name: 'link',
        value: 'URL',
        help: 'print a link to the inspector’s page at this address, with the recording in it',
      },
      { name: 'md', help: 'print a bug report in Markdown' },
      { name: 'har', value: 'FILE', help: 'a new HTTP Archive, of what went over HTTP' },
      { name: 'mermaid', help: 'print a sequence diagram in Mermaid’s language' },
      { name: 'review', help: 'print what was found that looks like a secret, and what is done with it' },
      {
        name: 'mask',
        value: 'PATTERN',
        help: 'take this out too: text, /regex/, or the number of a row of --review; repeatable',
      },
      { name: 'keep', value: 'N|RULE', help: 'leave this finding of --review in, or all of a rule; repeatable' },
      { name: 'frames', value: 'A-B', help: 'only these frames, and what happened to the connection' },
      { name: 'no-stderr', help: 'leave out what the server wrote to stderr' },
      { name: 'no-http', help: 'leave out what happened around messages on HTTP' },
    ],
    examples: [
      ['mcp-inspect share a.mcpr.jsonl --out b.mcpr.gz', 'all of it, gzipped'],
      ['mcp-inspect share a.mcpr.jsonl --review', 'what would be masked, and where it is'],
      ['mcp-inspect share a.mcpr.jsonl --md --mask acme', 'a bug report that does not name the customer'],
      ['mcp-inspect share a.mcpr.jsonl --html a.html', 'a page for whoever has a browser and nothing else'],
      ['mcp-inspect share a.mcpr.jsonl --out b.mcpr.gz --frames 10-40', 'a part of it'],
      ['mcp-inspect share a.mcpr.jsonl --mermaid --frames 10-40', 'the same as a picture'],
    ],
  },
  {
    name: 'replay',
    words: 'FILE [-- SERVER]',
    least: 1,
    most: 1,
    takesCommand: true,
    help: 'be an MCP server that answers from a recording',
    options: [
      {
        name: 'port',
        value: 'NUMBER',
        help: 'serve Streamable HTTP on 127.0.0.1 instead of stdio; 0 takes any free port',
      },
      {
        name: 'on-miss',
        value: 'WHAT',
        help: 'what answers a request that was not recorded: error (default), empty, or forward',
      },
      { name: 'pace', value: 'PACE', help: 'instant (default), real, or x4 for four times as fast' },
    ],
    examples: [
      ['mcp-inspect replay a.mcpr.jsonl', 'on stdio: this is what a client starts'],
      ['mcp-inspect replay a.mcpr.gz --port 8080', 'at http://127.0.0.1:8080/mcp'],
      ['mcp-inspect replay a.mcpr.jsonl --on-miss forward -- node server.js', 'the rest by a live server; also -- URL'],
      ['mcp-inspect -- mcp-inspect replay a.mcpr.jsonl', 'inspect it as if the server were there'],
    ],
  },
  {
    name: 'diff',
    words: 'A B',
    least: 2,
    most: 2,
    takesCommand: false,
    help: 'compare two recordings; exit code 1: they differ',
    options: [...COMPARE_OPTIONS, { name: 'json', help: 'print one line of JSON' }],
    examples: [
      ['mcp-inspect diff old.mcpr.jsonl new.mcpr.jsonl', 'what the server offers, and how it answers'],
      ['mcp-inspect diff a.mcpr.gz b.mcpr.gz --ignore version,hash', 'and what may differ besides times and ids'],
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
