import { type ClientSettings, clientProblem } from '@/lib/wire/client-settings';
import { URL_TRANSPORTS, type UrlTarget } from '@/lib/wire/command';
import { headerProblem } from '@/lib/wire/header-fields';
import { PROTOCOL_VERSIONS, type ProtocolChoice } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { TlsOptions } from '@/lib/wire/tls';
import { closest } from './closest';
import { OPTIONS, type OptionName } from './options';
import { tokensOf } from './tokens';

/** What the words after the options ask for. */
export type NamedTarget =
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'url'; readonly url: string };

/** A command line that makes sense by itself; files and names in it have not been looked up. */
export interface RunOptions {
  readonly target?: NamedTarget;
  /** Files to open as recordings. */
  readonly recordings?: readonly string[];
  /** Nothing is recorded. */
  readonly noRecord: boolean;
  /** Where the first connection is recorded. */
  readonly record?: string;
  readonly config?: string;
  readonly server?: string;
  readonly demo: boolean;
  readonly protocol: ProtocolChoice;
  readonly env: ReadonlyMap<string, string>;
  /** For the URL or the server of a config. */
  readonly headers: ReadonlyMap<string, string>;
  /** For the authorization server of either. */
  readonly client: ClientSettings;
  /** For the URL, as well. Paths as written; {} if nothing was given. */
  readonly tls: TlsOptions;
  /** URLs may lead to link-local addresses and metadata services. */
  readonly allowLinkLocal: boolean;
  /** How the URL is reached. */
  readonly transport: UrlTarget['transport'];
  readonly cleanEnv: boolean;
  readonly cwd?: string;
  /** Absent: the default port, or the next free one after it. 0: any. */
  readonly port?: number;
  /** Where to listen; absent: 127.0.0.1. */
  readonly host?: string;
  /** Further names that browsers may use for it. */
  readonly hostNames: readonly string[];
  readonly open: boolean;
  /** How long servers outlive the last tab, in milliseconds. */
  readonly keepMs: number;
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

/** Thrown and caught in this file: leaves the parse with a sentence. */
class Wrong extends Error {}

/**
 * Reads `[options] [--] [command args… | url]`. Options end at the first word that is none, or at `--`: everything after
 * it belongs to the server, untouched.
 */
export function parseArguments(argv: readonly string[]): Arguments {
  try {
    const { given, rest, after } = splitArguments(argv);
    const about = after === 'word' ? RECORDINGS_WORDS.find((word) => word === rest[0]) : undefined;
    if (given.has('help')) return { kind: 'help', ...(about && { about }) };
    if (given.has('version')) return { kind: 'version' };
    if (about === 'recordings') return recordingsAsked(rest.slice(1));
    return {
      kind: 'run',
      options:
        about === 'open'
          ? { ...readOptions(given, undefined), recordings: readRecordings(rest.slice(1)) }
          : readOptions(given, readTarget(rest)),
    };
  } catch (error) {
    if (error instanceof Wrong) return { kind: 'wrong', sentence: error.message };
    throw error;
  }
}

type Given = ReadonlyMap<OptionName, readonly string[]>;

/**
 * `after`: whether `rest` begins with a word, or a `--` stood before it. Behind `open` are files, no server's command line, so
 * options may stand there as well; behind `recordings` is nothing else.
 */
function splitArguments(argv: readonly string[]): { given: Given; rest: readonly string[]; after: 'word' | '--' } {
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
    if (!option) throw new Wrong(unknownOption(token.rawName));
    const values = given.get(option.name) ?? [];
    given.set(option.name, [...values, 'value' in option ? requireValue(option, token) : refuseValue(option, token)]);
  }
  return { given, rest: opened, after: opened.length > 0 ? 'word' : '--' };
}

/** First words that no server's command line follows. */
const RECORDINGS_WORDS = ['open', 'recordings'] as const;

export type RecordingsWord = (typeof RECORDINGS_WORDS)[number];

function recordingsAsked([more]: readonly string[]): Arguments {
  if (more === undefined) return { kind: 'recordings' };
  throw new Wrong(
    `\`${more}\` is one word too many: write \`recordings\`, or \`-- recordings\` for a program of this name.`,
  );
}

interface OptionToken {
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function requireValue(option: { name: string; value: string }, token: OptionToken): string {
  const forgotten = token.value === undefined || (!token.inlineValue && /^--?[a-z]/.test(token.value));
  if (forgotten || token.value === '') {
    throw new Wrong(`\`--${option.name}\` needs a value: write \`--${option.name} ${option.value}\`.`);
  }
  return token.value!;
}

function refuseValue(option: { name: string }, token: OptionToken): string {
  if (token.value === undefined) return '';
  throw new Wrong(`\`--${option.name}\` takes no value: leave \`=${token.value}\` out.`);
}

function unknownOption(rawName: string): string {
  const near = closest(
    rawName.replace(/^-+/, ''),
    OPTIONS.map((option) => option.name),
  );
  return near
    ? `There is no option \`${rawName}\`: did you mean \`--${near}\`?`
    : `There is no option \`${rawName}\`: see \`mcp-inspect --help\`, and put a server’s own options after its command.`;
}

function readRecordings(files: readonly string[]): readonly string[] {
  if (files.length === 0)
    throw new Wrong('`open` needs a recording: write `open FILE`, or `-- open` for a program of this name.');
  return files;
}

function readTarget(rest: readonly string[]): NamedTarget | undefined {
  const [command, ...args] = rest;
  if (command === undefined) return undefined;
  if (command === '') throw new Wrong('The command is empty: name the program that starts the server.');
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(command)) return { kind: 'command', command, args };
  if (!/^https?:/i.test(command) || !URL.canParse(command)) {
    throw new Wrong(`\`${command}\` is not a http or https URL: correct it, or give a command.`);
  }
  if (args.length > 0) throw new Wrong('A URL stands alone: put options before it, and leave out what follows it.');
  return { kind: 'url', url: command };
}

/** Options about one server at a URL, and about one server of any kind. */
const CLIENT_OPTIONS = ['client-id', 'client-secret', 'client-metadata-url', 'scope'] as const satisfies OptionName[];
const TLS_OPTIONS = ['ca', 'cert', 'key', 'key-passphrase-env', 'insecure'] as const satisfies OptionName[];
const ABOUT_URLS = ['header', ...CLIENT_OPTIONS, ...TLS_OPTIONS] as const;
const ABOUT_SERVERS = ['env', 'cwd', 'clean-env', ...ABOUT_URLS] as const;

function readOptions(given: Given, target: NamedTarget | undefined): RunOptions {
  const last = (name: OptionName): string | undefined => given.get(name)?.at(-1);
  const config = last('config');
  const server = last('server');
  const cwd = last('cwd');
  const [host, ...hostNames] = last('host')?.split(',') ?? [];
  const port = last('port');
  const record = last('record');
  const demo = given.has('demo');
  if (record !== undefined && given.has('no-record')) {
    throw new Wrong('`--record` and `--no-record` contradict each other: leave one of them out.');
  }
  if (target && server !== undefined) {
    throw new Wrong('A command and `--server` both name the server to connect: give one of them.');
  }
  if (server !== undefined && config === undefined) {
    throw new Wrong('`--server` names a server of a config file: add `--config FILE`.');
  }
  const aboutUrl = ABOUT_URLS.find((name) => given.has(name));
  if (target?.kind === 'command' && aboutUrl !== undefined) {
    const instead = aboutUrl === 'header' ? 'use `--env`, or leave it out' : 'leave it out';
    throw new Wrong(`\`--${aboutUrl}\` is for a server at a URL, and this is a command: ${instead}.`);
  }
  if (target?.kind !== 'url' && given.has('transport')) {
    throw new Wrong('`--transport` is for a server at a URL, and none is given: add the URL, or leave it out.');
  }
  const aboutServer = ABOUT_SERVERS.find((name) => given.has(name));
  if (aboutServer && !target && !demo && server === undefined) {
    throw new Wrong(`\`--${aboutServer}\` is about a server, and none is named: add its command or URL.`);
  }
  return {
    demo,
    protocol: readProtocol(last('protocol') ?? 'auto'),
    env: new Map((given.get('env') ?? []).map(readPair)),
    headers: new Map((given.get('header') ?? []).map(readHeader)),
    client: readClient(last),
    tls: readTls(given),
    allowLinkLocal: given.has('allow-link-local'),
    transport: readTransport(last('transport') ?? 'auto'),
    cleanEnv: given.has('clean-env'),
    noRecord: given.has('no-record'),
    hostNames,
    open: !given.has('no-open'),
    keepMs: readKeep(last('keep')),
    ...(target && { target }),
    ...(config !== undefined && { config }),
    ...(server !== undefined && { server }),
    ...(cwd !== undefined && { cwd }),
    ...(host !== undefined && { host }),
    ...(record !== undefined && { record }),
    ...(port !== undefined && { port: readNumber('port', port, 65_535) }),
  };
}

function readClient(last: (name: OptionName) => string | undefined): ClientSettings {
  const [clientId, clientSecret, metadataUrl, scope] = CLIENT_OPTIONS.map((name) => last(name));
  const client = {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(metadataUrl !== undefined && { metadataUrl }),
    ...(scope !== undefined && { scope }),
  };
  const problem = clientProblem(client);
  if (problem !== undefined) throw new Wrong(problem);
  return client;
}

function readProtocol(text: string): ProtocolChoice {
  const choices: readonly ProtocolChoice[] = ['auto', ...PROTOCOL_VERSIONS];
  const choice = choices.find((known) => known === text);
  if (choice) return choice;
  throw new Wrong(`There is no protocol version \`${text}\`: choose from ${choices.join(', ')}.`);
}

function readTransport(text: string): UrlTarget['transport'] {
  const kind = URL_TRANSPORTS.find((known) => known === text);
  if (kind) return kind;
  throw new Wrong(`There is no transport \`${text}\`: choose from ${URL_TRANSPORTS.join(', ')}.`);
}

function readPair(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  throw new Wrong(`\`--env ${text}\` is not a variable: write \`--env NAME=VALUE\`.`);
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw new Wrong(`\`--header ${text}\` is not a header: write \`--header "Name: value"\`.`);
  const header: [string, string] = [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  const problem = headerProblem(...header);
  if (problem !== undefined) throw new Wrong(problem);
  return header;
}

function readTls(given: Given): TlsOptions {
  const one = (name: OptionName, key: keyof TlsOptions): TlsOptions => {
    const value = given.get(name)?.at(-1);
    return value === undefined ? {} : { [key]: value };
  };
  return {
    ...(given.has('ca') && { ca: given.get('ca')! }),
    ...one('cert', 'cert'),
    ...one('key', 'key'),
    ...one('key-passphrase-env', 'passphraseEnv'),
    ...(given.has('insecure') && { insecure: true }),
  };
}

function readKeep(text: string | undefined): number {
  return text === undefined ? LIMITS.viewerGraceMs : readNumber('keep', text, LIMITS.viewerGraceMaxMs / 1000) * 1000;
}

function readNumber(name: OptionName, text: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw new Wrong(`\`--${name} ${text}\` is out of range: give a whole number from 0 to ${most}.`);
}
