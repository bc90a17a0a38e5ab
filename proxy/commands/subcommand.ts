import type { Negotiated } from '@/lib/mcp/handshake';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { Frame } from '@/lib/wire/frame';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { bareUrl } from '@/lib/wire/url';
import { parseArguments } from '@/proxy/cli/args';
import { type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { OPTIONS, unknownOption } from '@/proxy/cli/options';
import type { Output } from '@/proxy/cli/output';
import type { RunOptions } from '@/proxy/cli/run-options';
import {
  type FoundSubcommand,
  ownOptions,
  SUBCOMMAND_OPTIONS,
  SUBCOMMANDS,
  type SubcommandName,
  subcommandTokens,
} from '@/proxy/cli/subcommands';
import type { ClientProfile, ServerConnection } from './server-connection';
import type { StrayOutput } from './stray-output';

/** The longest `--timeout` of a subcommand. */
const COMMAND_MAX_MS = 24 * 60 * 60_000;

/** What a subcommand's command line asks for; nothing in it has been looked up. */
export interface HeadlessRequest {
  readonly name: SubcommandName;
  /** The words before the server. */
  readonly words: readonly string[];
  /** Each `--arg` as written. */
  readonly args: readonly string[];
  /** All arguments at once: JSON, `@FILE` or `-`. */
  readonly input?: string;
  /** Exact results instead of text for people. */
  readonly json: boolean;
  readonly timeoutMs?: number;
  /** Where the recording goes. */
  readonly record?: string;
  /** The values of each option that only this subcommand has. */
  readonly own: ReadonlyMap<string, readonly string[]>;
  /** The server, and how to start it. */
  readonly run: RunOptions;
}

type Row = (typeof SUBCOMMANDS)[number];

const ABOUT_THE_PAGE: readonly string[] = ['port', 'host', 'no-open', 'no-record', 'keep'];
const NEED_HANDSHAKE: readonly SubcommandName[] = ['doctor', 'forms', 'verify'];
const URL_START = /^https?:\/\//i;
const isUrlWord = (word: string): boolean => URL_START.test(word) || bareUrl(word) !== undefined;

/** A command line on the way to a request. */
interface Sorted {
  readonly words: string[];
  readonly args: string[];
  readonly inputs: string[];
  readonly timeouts: string[];
  readonly records: string[];
  readonly own: Map<string, readonly string[]>;
  json: boolean;
  /** What the main command understands as well, as written. */
  readonly shared: string[];
  /** What follows `--`. */
  command?: readonly string[];
}

/**
 * Reads what follows a subcommand's name. What is about the server is read by the main command's own parser, so both
 * understand the same. `isProgram`: see {@link parseArguments}. Throws {@link Stop} for what makes no sense.
 */
export function parseRequest(
  { name, argv }: FoundSubcommand,
  isProgram?: (name: string) => boolean,
): HeadlessRequest | 'help' | 'version' {
  const row = SUBCOMMANDS.find((known) => known.name === name)!;
  const sorted = sort(argv, row);
  const { words, url } = readWords(sorted, row);
  const command = sorted.command ?? url;
  const main = parseArguments([...sorted.shared, ...(command === undefined ? [] : ['--', ...command])], isProgram);
  if (main.kind === 'wrong') throw usageError(main.sentence);
  // After `--` there are only programs.
  if (main.kind === 'recordings') throw usageError('`recordings` stands alone.');
  if (main.kind !== 'run') return main.kind;
  if (words.length < row.least)
    throw usageError(`\`${name}\` needs more: write \`mcp-inspect ${name} ${row.words} …\`.`);
  requireServer(main.options, name);
  if (main.options.protocol === 'none' && NEED_HANDSHAKE.includes(name)) {
    throw usageError(`\`${name}\` needs the handshake: leave \`--no-handshake\` out.`);
  }
  if (sorted.inputs.length + Math.min(sorted.args.length, 1) > 1) {
    throw usageError('The arguments are given twice: use either `--arg` for each, or `--args` once for all.');
  }
  const timeout = sorted.timeouts.at(-1);
  if (sorted.records.length > 1) throw usageError('`--record` is given twice: name one file.');
  return {
    name,
    words,
    args: sorted.args,
    json: sorted.json,
    own: sorted.own,
    run: main.options,
    ...(sorted.inputs[0] !== undefined && { input: sorted.inputs[0] }),
    ...(timeout !== undefined && { timeoutMs: readTimeout(timeout) }),
    ...(sorted.records[0] !== undefined && { record: sorted.records[0] }),
  };
}

function sort(argv: readonly string[], row: Row): Sorted {
  const sorted: Sorted = {
    words: [],
    args: [],
    inputs: [],
    timeouts: [],
    records: [],
    own: new Map(),
    json: false,
    shared: [],
  };
  const tokens = subcommandTokens(argv);
  const known = [...OPTIONS, ...SUBCOMMAND_OPTIONS, ...ownOptions(row)];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.kind === 'option-terminator') return { ...sorted, command: argv.slice(token.index + 1) };
    if (token.kind === 'positional') {
      sorted.words.push(token.value);
      continue;
    }
    const { name, rawName, value } = token;
    if (name === 'json') {
      const next = tokens[at + 1];
      const word = next?.kind === 'positional' ? next.value : undefined;
      if (takeJson(sorted, row, value, word)) at++;
    } else if (ownOptions(row).some((option) => option.name === name)) {
      sorted.own.set(name, [...(sorted.own.get(name) ?? []), requireValue(row, name, value)]);
    } else if (SUBCOMMAND_OPTIONS.some((option) => option.name === name)) {
      takeValue(sorted, row, name, value);
    } else if (OPTIONS.some((option) => option.name === name)) {
      if (ABOUT_THE_PAGE.includes(name)) {
        throw usageError(`\`${rawName}\` is about the page, and \`${row.name}\` opens none: leave it out.`);
      }
      sorted.shared.push(
        ...(value === undefined || token.inlineValue ? [argv[token.index]!] : [argv[token.index]!, value]),
      );
    } else {
      throw usageError(
        unknownOption(
          rawName,
          known,
          `see \`mcp-inspect ${row.name} --help\`, and put a server’s own options after \`--\``,
        ),
      );
    }
  }
  return sorted;
}

/**
 * `--json` alone asks for exact results. Before what can only be arguments it gives those, since people expect that too;
 * true if it took the `word` after it.
 */
function takeJson(sorted: Sorted, row: Row, value: string | undefined, word: string | undefined): boolean {
  if (value !== undefined) {
    takeValue(sorted, row, 'args', value);
    return false;
  }
  const takes = row.takesArguments && word !== undefined && (word === '-' || /^\s*\{|^@/.test(word));
  if (takes) sorted.inputs.push(word);
  else sorted.json = true;
  return takes;
}

function requireValue(row: Row, name: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw usageError(`\`--${name}\` needs a value: see \`mcp-inspect ${row.name} --help\`.`);
}

function takeValue(sorted: Sorted, row: Row, name: string, given: string | undefined): void {
  const value = requireValue(row, name, given);
  if (name === 'timeout' || name === 'record') {
    (name === 'timeout' ? sorted.timeouts : sorted.records).push(value);
    return;
  }
  if (!row.takesArguments) throw usageError(`\`${row.name}\` takes no arguments: leave \`--${name}\` out.`);
  (name === 'arg' ? sorted.args : sorted.inputs).push(value);
}

/** The subcommand's words. A URL may follow them bare; a command may not, for nobody could tell where it begins. */
function readWords({ words, command }: Sorted, row: Row): { words: readonly string[]; url?: readonly string[] } {
  const last = words.at(-1);
  const url = command === undefined && words.length > row.least && last !== undefined && isUrlWord(last);
  const own = url ? words.slice(0, -1) : words;
  if (own.length > row.most) {
    const extra = own[row.most]!;
    throw usageError(`\`${extra}\` is one word too many: put \`--\` before the command that starts the server.`);
  }
  return { words: own, ...(url && { url: [last] }) };
}

function requireServer({ target, demo, server, config }: RunOptions, name: SubcommandName): void {
  if (target || demo || server !== undefined) return;
  throw usageError(
    config === undefined
      ? `No server is named: end with \`-- command args…\`, or give \`--config FILE --server NAME\`, or \`--demo\`.`
      : `\`${name}\` is about one server: say which of the config by \`--server NAME\`.`,
  );
}

function readTimeout(text: string): number {
  const ms = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) * 1000 : Number.NaN;
  if (ms > 0 && ms <= COMMAND_MAX_MS) return ms;
  throw usageError(
    `\`--timeout ${text}\` is out of range: give seconds, more than 0 and at most ${COMMAND_MAX_MS / 1000}.`,
  );
}

/** A connected server, and where to write. */
export interface Run {
  readonly connection: Pick<ServerConnection, 'request' | 'sendRaw' | 'requestSeq' | 'notify'>;
  /** undefined: there was no handshake. */
  readonly negotiated: Negotiated | undefined;
  readonly out: Output;
  /** The server's output that is not MCP. */
  readonly stray: Pick<StrayOutput, 'takeLines'>;
}

/** What is done once the server is connected, and what is special about the connection. */
export type Action = ((run: Run) => Promise<ExitCode>) & {
  readonly connect?: {
    /** Spoken unless the command line says another. */
    readonly protocol?: ProtocolChoice;
    readonly client?: ClientProfile;
    /** Sees every frame. */
    readonly heard?: (frame: Frame) => void;
    /** Is told of what the server is given and of what is masked in frames, before they come. */
    readonly redactor?: CaptureRedactor;
  };
};

/**
 * What one word of the command line does. First it reads what it was given, before any server starts, throwing Stop for what
 * makes no sense; what it returns is run once the server is connected.
 */
export type Subcommand = (request: HeadlessRequest) => Promise<Action>;
