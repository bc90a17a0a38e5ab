import { COMPARE_OPTIONS } from './compare-options';
import { OPTIONS, type Option } from './options';
import { tokensOf } from './tokens';

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
