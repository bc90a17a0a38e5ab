import { COMPARE_OPTIONS, OPTIONS, type Option, tokensOf } from './options';

/** What the command line knows of a subcommand before its code is loaded. */
interface SubcommandRow {
  readonly name: string;
  /** The words between it and the server, as the help writes them. */
  readonly words: string;
  /** How many words it needs, and how many it takes. */
  readonly least: number;
  readonly most: number;
  /** Takes arguments: `--arg`, `--args`, and `--json VALUE`. */
  readonly takesArguments: boolean;
  readonly help: string;
  /** Options that no other has. */
  readonly options?: readonly Option[];
}

/** Every subcommand, in the order the help shows them. */
export const SUBCOMMANDS = [
  {
    name: 'list',
    words: '[tools|resources|templates|prompts]',
    least: 0,
    most: 1,
    takesArguments: false,
    help: 'list what the server has',
  },
  {
    name: 'call',
    words: 'TOOL [--arg K=V …]',
    least: 1,
    most: 1,
    takesArguments: true,
    help: 'call a tool',
  },
  { name: 'read', words: 'URI', least: 1, most: 1, takesArguments: false, help: 'read a resource' },
  {
    name: 'prompt',
    words: 'NAME [--arg K=V …]',
    least: 1,
    most: 1,
    takesArguments: true,
    help: 'get a prompt',
  },
  {
    name: 'forms',
    words: '',
    least: 0,
    most: 0,
    takesArguments: false,
    help: 'tell of the tools’ forms',
  },
  {
    name: 'raw',
    words: "'JSON' …",
    least: 1,
    most: 100,
    takesArguments: false,
    help: 'send messages as they stand',
  },
  {
    name: 'doctor',
    words: '',
    least: 0,
    most: 0,
    takesArguments: false,
    help: 'say step by step what fails',
  },
  {
    name: 'verify',
    words: 'FILE',
    least: 1,
    most: 1,
    takesArguments: false,
    help: 'play a recording again, and compare',
    options: [
      ...COMPARE_OPTIONS,
      { name: 'secret', value: 'DIGITS=VALUE', help: 'a value for [redacted:…:DIGITS] in what is sent; repeatable' },
    ],
  },
] as const satisfies readonly SubcommandRow[];

export type SubcommandName = (typeof SUBCOMMANDS)[number]['name'];

/** Options that only subcommands have. */
export const SUBCOMMAND_OPTIONS = [
  { name: 'arg', value: 'K=V', help: 'an argument, typed by the tool’s schema; K:=V takes V as JSON' },
  { name: 'args', value: 'JSON', help: 'all arguments at once: {…}, @FILE or - (stdin); --json takes them too' },
  { name: 'json', help: 'print the exact result' },
  { name: 'timeout', value: 'SECONDS', help: 'the longest that all of it may take' },
  { name: 'record', value: 'FILE', help: 'write everything that was said to a new file, NAME.mcpr.jsonl' },
] as const satisfies readonly Option[];

/** The options that one subcommand alone has. */
export function ownOptions(row: { readonly name: string; readonly options?: readonly Option[] }): readonly Option[] {
  return row.options ?? [];
}

/** A subcommand and the rest of the line, without its name. */
export interface FoundSubcommand {
  readonly name: SubcommandName;
  readonly argv: readonly string[];
}

/** The subcommand a command line asks for: its first word that is no option. What stands after `--` is a program. */
export function findSubcommand(argv: readonly string[]): FoundSubcommand | undefined {
  const first = subcommandTokens(argv).find(({ kind }) => kind !== 'option');
  if (first?.kind !== 'positional') return undefined;
  const row = SUBCOMMANDS.find(({ name }) => name === argv[first.index]);
  return row && { name: row.name, argv: argv.filter((_, index) => index !== first.index) };
}

/** A subcommand's command line, cut into pieces. */
export function subcommandTokens(argv: readonly string[]) {
  return tokensOf(argv, [...OPTIONS, ...SUBCOMMAND_OPTIONS, ...SUBCOMMANDS.flatMap(ownOptions)]);
}

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
