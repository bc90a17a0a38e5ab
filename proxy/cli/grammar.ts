import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bareUrl } from '@/lib/wire/url';
import { closest, suggestion } from './closest';
import { type ExitCode, type ExitError, usageError } from './exit-code';
import type { Line } from './output';
import { programOnPath } from './program-on-path';
import type { Status } from './status-line';

/** One option of the command line. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value in the help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
  /** Keys of its values `KEY=VALUE`. The request has each as an option of its own: `auth.client-id`. */
  readonly keys?: readonly OptionKey[];
  /** The topic that describes it, so that the help of a command only names the topic. */
  readonly topic?: string;
  /** Commands that do not list it accept it without effect. */
  readonly ignorable?: true;
}

/** A key of an option, such as `client-id` of `--auth client-id=me`. */
export interface OptionKey {
  readonly name: string;
  /** Placeholder of its value; absent for a key that stands alone, such as `--auth dpop`. */
  readonly value?: string;
  readonly help: string;
}

/** A command line, without `mcp-inspect` at its beginning, and what it does. */
export type Example = readonly [line: string, purpose: string];

/** The grammar and help of a subcommand. Its code is loaded when it runs. */
export interface Subcommand {
  /** The word that selects it, or two such as `tap add`; '' for the command line without a subcommand. */
  readonly name: string;
  /** Its purpose, for the list of all subcommands. */
  readonly summary: string;
  /** Words after the name as the help writes them, such as `TOOL [--arg K=V …]`. */
  readonly usage: string;
  /** The fewest and the most positional words. */
  readonly words: readonly [fewest: number, most: number];
  /** Whether it takes a server: a URL, or a command after `--`. Absent: it takes none. */
  readonly server?: 'required' | 'optional';
  /** Words `K=V` and `K:=JSON` after the positional ones are values of `--arg`. */
  readonly argumentWords?: true;
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** The page of the documentation that says more. */
  readonly docs?: string;
  /** Further lines of its help, of at most 100 columns. */
  readonly notes?: readonly string[];
  /** Commands that a second word selects, such as `tap add`. */
  readonly verbs?: readonly Subcommand[];
  load(): Promise<{ readonly run: RunCommand }>;
}

/** A page of the help about something that several commands share. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
  /** Its text, in lines of at most 100 columns. The options of the topic follow. */
  readonly lines?: readonly string[];
  readonly examples?: readonly Example[];
  readonly notes?: readonly string[];
}

/** All commands: the one that runs without a subcommand, and the subcommands by task. */
export interface CommandTable {
  readonly main: Subcommand;
  readonly tasks: readonly { readonly heading: string; readonly commands: readonly Subcommand[] }[];
  readonly topics: readonly Topic[];
  /** Names that commands had before the first release, and what does the same now. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Words for commands of a later version. They start no program, so that nobody comes to rely on it. */
  readonly reserved: ReadonlySet<string>;
}

/** Values of each option given, in their order; '' for a switch. */
export type ParsedOptions = ReadonlyMap<string, readonly string[]>;

/** A parsed command line. The files and programs in it have not been looked up yet. */
export interface CommandRequest {
  readonly command: string;
  /** Positional words, such as the name of a tool or a file. */
  readonly words: readonly string[];
  readonly given: ParsedOptions;
  /** The server's own command line, or its URL alone; empty if none is given. */
  readonly server: readonly string[];
}

/** Everything that a subcommand runs with. */
export interface CommandContext {
  readonly request: CommandRequest;
  /** Version of mcp-inspect. */
  readonly version: string;
  /** Folder of the built bin. */
  readonly home: string;
  /** Writes text for people to stdout. */
  printText(text: string): void;
  /** Writes lines to stdout, in colours where the terminal has them. */
  printLines(lines: readonly Line[]): void;
  /** Writes a line to stderr, beside the results. */
  printNote(line: string): void;
  readonly status: Status;
}

/** Runs a subcommand to its end. Throws an ExitError or a Failure for what can't be done. */
export type RunCommand = (context: CommandContext) => Promise<ExitCode>;

/** The meaning of a command line. Help without `command` and `topic` is the help of mcp-inspect. */
export type CommandLine =
  | { readonly kind: 'run'; readonly command: Subcommand; readonly request: CommandRequest }
  | { readonly kind: 'help'; readonly command?: Subcommand; readonly topic?: Topic }
  | { readonly kind: 'version' };

/** Options of every command. */
export const GENERAL_OPTIONS: readonly Option[] = [
  { name: 'version', short: 'v', help: 'print the version' },
  { name: 'help', short: 'h', help: 'print this help' },
];

/** The last value of an option; undefined if it was not given. */
export function lastValue(given: ParsedOptions, name: string): string | undefined {
  return given.get(name)?.at(-1);
}

/** Returns true if an option, or one of its keys, was given. */
export function isGiven(given: ParsedOptions, name: string): boolean {
  return [...given.keys()].some((key) => key.split('.')[0] === name);
}

/** Reads the whole number of an option, from 0 to `most`. Throws an ExitError. */
export function readNumberOption(name: string, text: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  const option = name.includes('.') ? `${name.replace('.', ' ')}=` : `${name} `;
  throw usageError(`\`--${option}${text}\` is invalid: give a whole number from 0 to ${most}.`);
}

/** Reads a whole number of at least 1. Throws an ExitError. */
export function readCountOption(option: string, text: string, most: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= most) return count;
  throw usageError(`\`--${option} ${text.slice(0, 60)}\` is not a number from 1 to ${most}.`);
}

/** All subcommands, in the order of the help, each followed by its verbs. */
export function subcommandsOf({ tasks }: CommandTable): readonly Subcommand[] {
  return tasks.flatMap(({ commands }) => commands).flatMap((command) => [command, ...(command.verbs ?? [])]);
}

/** Finds the subcommand that the first words select: a verb such as `tap add`, or else the first word alone. */
export function commandNamed(
  [first, second]: readonly (string | undefined)[],
  table: CommandTable,
): Subcommand | undefined {
  const command = subcommandsOf(table).find(({ name }) => name === first);
  return command?.verbs?.find(({ name }) => name === `${first} ${second}`) ?? command;
}

/** Formats how a subcommand is used: `call TOOL [--arg K=V …] SERVER`. */
export function usageOf({ name, usage, server }: Subcommand): string {
  return [name, usage, server === 'required' ? 'SERVER' : ''].filter(Boolean).join(' ');
}

/**
 * Reads a command line: `[options] SUBCOMMAND [options] [words] [-- server]`, or without a subcommand
 * `[options] [--] [command args… | url]`, where everything from the command on belongs to the server. `isProgram` tells
 * whether a program exists. Throws an ExitError.
 */
export function parseCommandLine(
  argv: readonly string[],
  table: CommandTable,
  isProgram: (word: string) => boolean = isOnPath,
): CommandLine {
  const subcommands = subcommandsOf(table);
  const options = [table.main, ...subcommands].flatMap((command) => command.options).concat(GENERAL_OPTIONS);
  const tokens = tokensOf(argv, options);
  const [first, second] = tokens.filter(({ kind }) => kind !== 'option');
  const word = first?.kind === 'positional' ? first.value : undefined;
  if (first && word === 'help') return helpAbout(argv.slice(first.index + 1), table, isProgram);
  const next = second?.kind === 'positional' ? second.value : undefined;
  const command = commandNamed([word, next], table) ?? table.main;
  const sorted = sortTokens(argv, tokens, command, options);
  if (sorted.given.has('help')) return { kind: 'help', ...(command !== table.main && { command }) };
  const isVersion = word === 'version' && first?.index === argv.length - 1;
  if (sorted.given.has('version') || isVersion) return { kind: 'version' };
  if (command === table.main && word !== undefined) requireStart(word, table, isProgram);
  return { kind: 'run', command, request: toRequest(command, sorted, isProgram) };
}

/** True if a word starts a program: a name without slashes on PATH, or a path. */
export function isOnPath(
  word: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  cwd = process.cwd(),
): boolean {
  return /[/\\]/.test(word) ? existsSync(resolve(cwd, word)) : programOnPath(word, environment) !== undefined;
}

type Tokens = ReturnType<typeof tokensOf>;

/** Splits a command line into options, words and the `--`, without checking them. */
function tokensOf(argv: readonly string[], options: readonly Option[]) {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      options.map(({ name, short, value }) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens;
}

interface SortedTokens {
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly words: readonly string[];
  /** The rest after `--` or, without a subcommand, from the first word on. */
  readonly rest?: readonly string[];
}

function sortTokens(
  argv: readonly string[],
  tokens: Tokens,
  command: Subcommand,
  everything: readonly Option[],
): SortedTokens {
  const options = [...command.options, ...GENERAL_OPTIONS];
  const given = new Map<string, string[]>();
  const words: string[] = [];
  let named = command.name.split(' ').length;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') return { given, words, rest: argv.slice(token.index + 1) };
    if (token.kind === 'positional') {
      if (command.name === '') return { given, words, rest: argv.slice(token.index) };
      if (named === 0) words.push(token.value);
      else named--;
      continue;
    }
    const option = options.find(({ name }) => name === token.name);
    if (!option) {
      if (everything.some(({ name, ignorable }) => ignorable && name === token.name)) continue;
      throw unknownOption(token, command, everything);
    }
    const [name, value] = readOption(option, token, everything);
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  return { given, words };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** Returns the name under which an option is kept, and its value; '' for a switch. */
function readOption(option: Option, token: OptionToken, everything: readonly Option[]): readonly [string, string] {
  const { name, value: placeholder, keys } = option;
  if (placeholder === undefined) {
    if (token.value === undefined) return [name, ''];
    throw usageError(`\`--${name}\` takes no value: remove \`=${token.value}\`.`);
  }
  const { value = '', inlineValue } = token;
  if (value === '' || value === '--' || (!inlineValue && isTaken(value, placeholder, everything))) {
    throw usageError(`\`--${name}\` needs a value: write \`--${name} ${placeholder}\`.`);
  }
  return keys ? readKey(name, value, keys) : [name, value];
}

/** Reads a value `KEY=VALUE`, or a KEY that stands alone. */
function readKey(option: string, text: string, keys: readonly OptionKey[]): readonly [string, string] {
  const [, name = '', , value] = /^([^=]*)(=(.*))?$/s.exec(text)!;
  const key = keys.find((known) => known.name === name);
  if (!key) {
    const names = keys.map((known) => known.name);
    throw usageError(`\`--${option}\` has no key \`${name.slice(0, 60)}\`: ${suggestion(name, names)}`);
  }
  if (key.value === undefined && value !== undefined) {
    throw usageError(`\`--${option} ${name}\` takes no value: remove \`=\` and what follows.`);
  }
  if (key.value !== undefined && !value) {
    throw usageError(`\`--${option} ${name}\` needs a value: write \`--${option} ${name}=${key.value}\`.`);
  }
  return [`${option}.${name}`, value ?? ''];
}

/** Placeholders of values that are numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['SECONDS', 'N', 'M', 'NUMBER', 'MB', 'auto|MS']);

/** True for a word that can't be the value of the option before it: an option, or a server in place of a number. */
function isTaken(word: string, placeholder: string, everything: readonly Option[]): boolean {
  return isOption(word, everything) || (NUMBERS.has(placeholder) && isUrl(word));
}

/** True for a word that is one of our options. */
function isOption(word: string, everything: readonly Option[]): boolean {
  const [, long, short] = /^-(?:-([a-z][a-z0-9-]*)|([a-zA-Z]))(?:=|$)/.exec(word) ?? [];
  return everything.some((option) => option.name === long || (short !== undefined && option.short === short));
}

function unknownOption({ name, rawName }: OptionToken, command: Subcommand, everything: readonly Option[]): ExitError {
  const line = ['mcp-inspect', command.name].filter(Boolean).join(' ');
  if (everything.some((option) => option.name === name)) {
    return usageError(`\`${line}\` does not take \`--${name}\`: remove it, or see \`${line} --help\`.`);
  }
  const near = closest(
    rawName.replace(/^-+/, ''),
    [...command.options, ...GENERAL_OPTIONS].map((option) => option.name),
  );
  const behind = command.name === '' ? 'its command' : '`--`';
  const advice = `see \`${line} --help\`${command.server ? `, and put a server’s own options after ${behind}` : ''}.`;
  return usageError(`There is no option \`${rawName}\`: ${near ? `did you mean \`--${near}\`?` : advice}`);
}

/**
 * True for a word that names a file with a server: a bundle (`x.mcpb`), or a server.json by its path (`./server.json`).
 * Other JSON files are words of commands, such as pinned calls.
 */
export function isServerFile(word: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(word) && /\.(?:mcpb|dxt)$|[\\/](?:[\w.-]+[.-])?server\.json$/i.test(word);
}

/** A word `K=V` or `K:=JSON`. The key has no character of a URL or a path, so the word can't be a server. */
const ARGUMENT_WORD = /^[^\s:=/\\?]+:?=/;

/** Separates the words from the server. A bare URL may follow the words. A command must follow `--`. */
function toRequest(command: Subcommand, sorted: SortedTokens, isProgram: (word: string) => boolean): CommandRequest {
  const {
    name,
    words: [fewest, most],
    server,
  } = command;
  const { rest } = sorted;
  if (name === '') return { command: name, words: [], given: sorted.given, server: rest ?? [] };
  const all = server || !rest ? sorted.words : [...sorted.words, ...rest];
  const isArgument = (word: string, index: number): boolean =>
    command.argumentWords === true && index >= most && ARGUMENT_WORD.test(word);
  const last = all.at(-1);
  const isServer = last !== undefined && !isArgument(last, all.length - 1) && (isUrl(last) || isServerFile(last));
  const hasUrl = server === 'required' && !rest && all.length > fewest && isServer;
  const before = hasUrl ? all.slice(0, -1) : all;
  const words = before.filter((word, index) => !isArgument(word, index));
  const args = before.filter(isArgument);
  const given =
    args.length === 0
      ? sorted.given
      : new Map([...sorted.given, ['arg', [...(sorted.given.get('arg') ?? []), ...args]]]);
  const more = `See \`mcp-inspect help ${name}\`.${programHint(name, isProgram)}`;
  const extra = words[most];
  const early = server === 'required' && !rest && !hasUrl ? words.findIndex(isUrl) : -1;
  if (extra !== undefined && early >= 0) {
    // Without the URL itself, which may hold a secret.
    const others = [...words.toSpliced(early, 1), ...args].join(' ');
    throw usageError(`The URL comes last: write \`mcp-inspect ${name} ${others} URL\`. ${more}`);
  }
  const verb = extra === undefined ? undefined : nearVerb(words[0]!, command);
  if (verb !== undefined) {
    throw usageError(`\`${name}\` has no \`${words[0]!.slice(0, 60)}\`: did you mean \`${verb}\`? ${more}`);
  }
  if (extra !== undefined) {
    const needsServer = server && !rest && !hasUrl && !given.has('demo') && !given.has('server');
    throw usageError(`\`${extra}\` is one word too many: ${extraAdvice(extra, command, needsServer === true)} ${more}`);
  }
  if (words.length < fewest) {
    const taken = takenHint(given);
    throw usageError(`\`${name}\` needs more arguments: ${taken}write \`mcp-inspect ${usageOf(command)}\`. ${more}`);
  }
  return { command: name, words, given, server: (server && rest) || (hasUrl ? [last] : []) };
}

/** Returns the command with a verb that a mistyped one most likely means, such as `auth logout`. */
function nearVerb(word: string, { name, verbs = [] }: Subcommand): string | undefined {
  const near = closest(
    word,
    verbs.map((verb) => verb.name.slice(name.length + 1)),
  );
  return near && `${name} ${near}`;
}

/** Names the option that took a recording as its value, such as the file of `--out`; '' if none did. */
function takenHint(given: ParsedOptions): string {
  for (const [option, values] of given) {
    const file = values.find((value) => /\.mcpr\.(?:jsonl|gz)$/.test(value));
    if (file !== undefined) return `\`${file}\` was taken as the value of \`--${option}\`. So `;
  }
  return '';
}

/** Says what to do with a word too many. `needsServer`: no server is named, so the word may begin its command. */
function extraAdvice(word: string, { options }: Subcommand, needsServer: boolean): string {
  if (options.some(({ name }) => name === 'arg') && /^[^\s=]+=/.test(word)) {
    const plain = /^[\w@%+=:,./-]+$/.test(word);
    return `write arguments as \`--arg ${plain ? word : 'NAME=VALUE'}\`.`;
  }
  return needsServer ? 'put `--` before the command that starts the server.' : 'remove it.';
}

/** Says how to start a program that has the name of a subcommand, if there is one. */
function programHint(name: string, isProgram: (word: string) => boolean): string {
  return isProgram(name) ? ` To start the program \`${name}\`, write \`mcp-inspect -- ${name}\`.` : '';
}

/** True for a URL of any scheme but that of a bucket. Only http and https are supported, which is checked later. */
function isUrl(word: string): boolean {
  if (isBucketUrl(word)) return false;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word) || bareUrl(word) !== undefined;
}

/** True for the address of a bucket or of something in it, which is never a server. */
function isBucketUrl(word: string): boolean {
  return /^s3:\/\//i.test(word);
}

/** `help`, `help SUBCOMMAND [VERB]`, or `help TOPIC`. */
function helpAbout(
  [word, verb]: readonly string[],
  table: CommandTable,
  isProgram: (word: string) => boolean,
): CommandLine {
  if (word === undefined || word.startsWith('-')) return { kind: 'help' };
  const commands = subcommandsOf(table);
  const command = commandNamed([word, verb], table);
  if (command) return { kind: 'help', command };
  const topic = table.topics.find(({ name }) => name === word);
  if (topic) return { kind: 'help', topic };
  const now = table.renamed.get(word);
  if (now !== undefined) throw usageError(renamedText(word, now));
  const near = closest(
    word,
    [...commands, ...table.topics].map(({ name }) => name),
  );
  const advice = near ? `did you mean \`help ${near}\`?` : 'see `mcp-inspect help`.';
  throw usageError(`Unknown help topic \`${word}\`: ${advice}${programHint('help', isProgram)}`);
}

function renamedText(word: string, now: string): string {
  return `There is no command \`${word}\`: use \`mcp-inspect ${now}\`.`;
}

/**
 * Refuses the first word of a command line without `--` that names nothing to start: a command of before the first
 * release or of a later version, or a word that is neither a URL, a file nor a program.
 */
function requireStart(word: string, table: CommandTable, isProgram: (word: string) => boolean): void {
  const now = table.renamed.get(word);
  if (now !== undefined) throw usageError(`${renamedText(word, now)}${programHint(word, isProgram)}`);
  if (table.reserved.has(word)) {
    throw usageError(
      `\`${word}\` is reserved for a later version. To start a program of this name, write \`mcp-inspect -- ${word}\`.`,
    );
  }
  if (isBucketUrl(word)) throw usageError('This is in a bucket: write `mcp-inspect open` before it.');
  if (isUrl(word) || isServerFile(word) || isProgram(word) || existsSync(word)) return;
  const near = closest(
    word,
    subcommandsOf(table).map(({ name }) => name),
  );
  const advice = near ? `Did you mean \`${near}\`? To` : 'Check its spelling, or give the path of the program. To';
  throw usageError(
    `\`${word.slice(0, 200)}\` is neither a command of mcp-inspect, a URL, a file nor a program on PATH. ${advice} see all commands, run \`mcp-inspect help\`.`,
  );
}
