import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { bareUrl } from '@/lib/wire/url';
import { closest } from './closest';
import { ExitError, usageError } from './exit-code';
import { OPTIONS, type OptionName, tokensOf, unknownOption } from './options';
import { type GivenOptions, type NamedTarget, type RunOptions, readOptions } from './run-options';
import { FILE_SUBCOMMANDS, SUBCOMMANDS } from './subcommands';

/** True if `word` can be started: a name without slashes is looked for in the folders of PATH, a path from `cwd` on. */
export function isProgram(
  word: string,
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
): boolean {
  if (/[/\\]/.test(word)) return existsSync(resolve(cwd, word));
  const endings = ['', ...(environment.PATHEXT ?? '').split(';')];
  return (environment.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && endings.some((ending) => existsSync(join(folder, word + ending))));
}

/** What a command line asks for, as a value. `wrong` is for people: what is wrong, and what to do. */
export type Arguments =
  | { readonly kind: 'run'; readonly options: RunOptions }
  /** The recordings that are kept, as a table. */
  | { readonly kind: 'recordings' }
  /** `about`: of this word alone. */
  | { readonly kind: 'help'; readonly about?: RecordingsWord }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly sentence: string };

/**
 * Reads `[options] [--] [command args… | url]`. Options end at the first word that is not one, or at `--`: everything
 * after it belongs to the server, untouched. `isProgram`: whether there is a program of this name or at this path; one
 * that is there is never taken for a mistyped word of ours, or for a URL without its scheme.
 */
export function parseArguments(argv: readonly string[], isProgram: (name: string) => boolean = () => true): Arguments {
  try {
    const { given, rest, after } = splitArguments(argv);
    const about = after === 'word' ? RECORDINGS_WORDS.find((word) => word === rest[0]) : undefined;
    if (given.has('help')) return { kind: 'help', ...(about && { about }) };
    if (given.has('version')) return { kind: 'version' };
    if (after === 'word' && rest[0] === 'help') return helpAsked(rest.slice(1));
    if (after === 'word' && rest[0] === 'version' && rest.length === 1) return { kind: 'version' };
    if (after === 'word') refuseOurWord(rest[0]!, isProgram);
    if (about === 'recordings') return recordingsAsked(rest.slice(1));
    return {
      kind: 'run',
      options:
        about === 'open'
          ? { ...readOptions(given, undefined), recordings: readRecordings(rest.slice(1)) }
          : readOptions(given, readTarget(rest, isProgram)),
    };
  } catch (error) {
    if (error instanceof ExitError) return { kind: 'wrong', sentence: error.message };
    throw error;
  }
}

/**
 * `after`: whether `rest` begins with a word, or a `--` stood before it. Behind `open` are files, no server's command line, so
 * options may stand there as well; behind `recordings` is nothing else.
 */
function splitArguments(argv: readonly string[]): {
  given: GivenOptions;
  rest: readonly string[];
  after: 'word' | '--';
} {
  const given = new Map<OptionName, string[]>();
  const opened: string[] = [];
  for (const token of tokensOf(argv, OPTIONS)) {
    if (token.kind === 'positional') {
      if (opened.length === 0 && !RECORDINGS_WORDS.some((word) => word === token.value))
        return { given, rest: argv.slice(token.index), after: 'word' };
      opened.push(token.value);
      continue;
    }
    if (token.kind === 'option-terminator') {
      const rest = [...opened, ...argv.slice(token.index + 1)];
      return { given, rest, after: opened.length > 0 ? 'word' : '--' };
    }
    const option = OPTIONS.find((known) => known.name === token.name);
    if (!option) throw usageError(unknownOption(token.rawName, OPTIONS, SEE));
    const values = given.get(option.name) ?? [];
    given.set(option.name, [...values, 'value' in option ? requireValue(option, token) : refuseValue(option, token)]);
  }
  return { given, rest: opened, after: opened.length > 0 ? 'word' : '--' };
}

const SEE = 'see `mcp-inspect --help`, and put a server’s own options after its command';

/** First words that no server's command line follows. */
const RECORDINGS_WORDS = ['open', 'recordings'] as const;

export type RecordingsWord = (typeof RECORDINGS_WORDS)[number];

function recordingsAsked([more]: readonly string[]): Arguments {
  if (more === undefined) return { kind: 'recordings' };
  throw usageError(
    `\`${more}\` is one word too many: write \`recordings\`, or \`-- recordings\` for a program of this name.`,
  );
}

/** First words of command lines that have no options before them. */
const FIRST_WORDS: readonly string[] = [...SUBCOMMANDS, ...FILE_SUBCOMMANDS].map(({ name }) => name);

/** Rewrites `help WORD` as `WORD --help`, if it is a word of ours. Returns any other command line as it is. */
export function expandHelp(argv: readonly string[]): readonly string[] {
  const [first, word = ''] = argv;
  const known: readonly string[] = [...FIRST_WORDS, ...RECORDINGS_WORDS];
  return first === 'help' && known.includes(word) ? [word, '--help'] : argv;
}

/** `help` alone; {@link expandHelp} took the words that have a help of their own. */
function helpAsked([word]: readonly string[]): Arguments {
  if (word === undefined || word.startsWith('-')) return { kind: 'help' };
  const near = closest(word, [...FIRST_WORDS, ...RECORDINGS_WORDS]);
  throw usageError(
    `Unknown help topic \`${word}\`: ${near ? `did you mean \`help ${near}\`?` : '`mcp-inspect help` lists everything.'} A program called help: \`-- help\`.`,
  );
}

/** Behind an option a subcommand is no subcommand, and a word like one is most likely one mistyped: neither is a server. */
function refuseOurWord(word: string, isProgram: (name: string) => boolean): void {
  if (FIRST_WORDS.some((known) => known === word)) {
    throw usageError(
      `\`${word}\` has to come first: write \`mcp-inspect ${word}\` and its own options behind it, or \`-- ${word}\` for a program of this name.`,
    );
  }
  const known = [...FIRST_WORDS, ...RECORDINGS_WORDS];
  const near = /^[a-z]+$/.test(word) && !known.includes(word) ? closest(word, known) : undefined;
  if (near === undefined || isProgram(word)) return;
  throw usageError(
    `There is no program \`${word}\`: did you mean \`${near}\`? A server that is not on PATH goes after \`--\`.`,
  );
}

interface OptionToken {
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function requireValue(option: { name: string; value: string }, token: OptionToken): string {
  const forgotten = token.value === undefined || (!token.inlineValue && /^--?[a-z]/.test(token.value));
  if (forgotten || token.value === '') {
    throw usageError(`\`--${option.name}\` needs a value: write \`--${option.name} ${option.value}\`.`);
  }
  return token.value!;
}

function refuseValue(option: { name: string }, token: OptionToken): string {
  if (token.value === undefined) return '';
  throw usageError(`\`--${option.name}\` takes no value: leave \`=${token.value}\` out.`);
}

function readRecordings(files: readonly string[]): readonly string[] {
  if (files.length === 0)
    throw usageError('`open` needs a recording: write `open FILE`, or `-- open` for a program of this name.');
  return files;
}

const ALONE = 'A URL stands alone. Put options before it, and remove anything after it.';

function readTarget(rest: readonly string[], isProgram: (word: string) => boolean): NamedTarget | undefined {
  const [command, ...args] = rest;
  if (command === undefined) return undefined;
  if (command === '') throw usageError('The command is empty: name the program that starts the server.');
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(command)) {
    const bare = isProgram(command) ? undefined : bareUrl(command);
    if (bare?.local) {
      if (args.length > 0) throw usageError(ALONE);
      return { kind: 'url', url: bare.url, written: command };
    }
    if (bare && args.length === 0) {
      throw usageError(`There is no program \`${command}\`. Did you mean ${bare.url}? Add the scheme to a URL.`);
    }
    return { kind: 'command', command, args };
  }
  if (!/^https?:/i.test(command) || !URL.canParse(command)) {
    throw usageError(`\`${command}\` is not a http or https URL: correct it, or give a command.`);
  }
  if (args.length > 0) throw usageError(ALONE);
  return { kind: 'url', url: command };
}
