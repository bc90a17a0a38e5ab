import { readFileSync } from 'node:fs';
import { clientProblem } from '@/lib/wire/client-problem';
import type { UrlTarget } from '@/lib/wire/command';
import { type ClientSettings, type TlsOptions, URL_TRANSPORTS } from '@/lib/wire/connection-settings';
import { headerProblem } from '@/lib/wire/header-fields';
import { PROTOCOL_VERSIONS, type ProtocolChoice } from '@/lib/wire/lifecycle';
import { bareUrl } from '@/lib/wire/url';
import { type OtelAddress, readOtelAddress } from '@/proxy/otel/otel-address';
import { usageError } from './exit-code';
import { type CommandRequest, isGiven, isOnPath, isServerFile, lastValue, type ParsedOptions } from './grammar';

/** The server that a command line names by its command or URL. */
type NamedTarget =
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }
  | {
      readonly kind: 'url';
      readonly url: string;
      /** The URL as it was typed, if its scheme was added. */
      readonly written?: string;
    };

/** Options about servers. Files and names in it have not been looked up. */
export interface ServerOptions {
  readonly target?: NamedTarget;
  readonly config?: string;
  /** The config was named in place of a server, so its only server is meant. */
  readonly isFile?: true;
  readonly server?: string;
  readonly demo: boolean;
  readonly protocol: ProtocolChoice;
  readonly env: ReadonlyMap<string, string>;
  /** Answers to the inputs of the configs, by id. */
  readonly inputs: ReadonlyMap<string, string>;
  /** Headers for the URL or the server of the config. */
  readonly headers: ReadonlyMap<string, string>;
  /** The OAuth client for the authorization server. */
  readonly client: ClientSettings;
  /** TLS options for the URL, with paths as written; {} if none was given. */
  readonly tls: TlsOptions;
  /** True if URLs may lead to link-local addresses and metadata services. */
  readonly allowLinkLocal: boolean;
  /** Keeps sign-ins beyond the run. */
  readonly keepSignIns: boolean;
  /** Transport to the URL. */
  readonly transport: UrlTarget['transport'];
  readonly cleanEnv: boolean;
  readonly cwd?: string;
  /** Receives the OpenTelemetry of servers that are started. */
  readonly otel: boolean;
  /** Receives it here, also of servers that somebody else has started. */
  readonly otelAt?: OtelAddress;
  /** Paths of files with rules of interception, or with an overlay of the server's tools. */
  readonly intercept: readonly string[];
}

/** Options for a server at a URL, and options for a server of any kind. */
const ABOUT_URLS = ['header', 'auth', 'tls'];
const ABOUT_COMMANDS = ['env', 'cwd'];
const ABOUT_SERVERS = [...ABOUT_COMMANDS, ...ABOUT_URLS];

/** A value of `--env`: nothing of this shell but what a host would pass on. */
const MINIMAL = 'minimal';

/** Members of an entry in a config, by the option that says the same. */
const IN_CONFIG: Readonly<Record<string, string>> = {
  env: 'env',
  cwd: 'cwd',
  auth: 'oauth',
  header: 'headers',
  tls: 'tls',
  insecure: 'tls',
};

/** Commands that let people write each message themselves, so that they can do without a handshake. */
const WITHOUT_HANDSHAKE: ReadonlySet<string> = new Set(['', 'open', 'list', 'call', 'read', 'prompt', 'raw']);

/** The settings of the OAuth client, and their keys of `--auth`. */
const CLIENT_KEYS = {
  clientId: 'client-id',
  clientSecret: 'client-secret',
  metadataUrl: 'client-metadata-url',
  grant: 'grant',
  keyFile: 'client-key',
  tokenFile: 'token-file',
  idp: 'idp',
  idpClientId: 'idp-client-id',
  issuer: 'issuer',
  scope: 'scope',
} as const;

/**
 * Reads the options of a request that name or set up servers. Throws an ExitError for options that contradict each
 * other.
 */
export function readServerOptions(
  { command, given, server: words }: CommandRequest,
  isProgram: (word: string) => boolean = isOnPath,
): ServerOptions {
  const last = (name: string): string | undefined => lastValue(given, name);
  const file = serverFile(words);
  if (file !== undefined && given.has('config')) {
    throw usageError(`\`${file}\` and \`--config\` both name a file with servers: remove one of them.`);
  }
  const target = file === undefined ? readTarget(words, isProgram) : undefined;
  const config = file ?? last('config');
  const server = last('server');
  const cwd = last('cwd');
  const demo = given.has('demo');
  const env = given.get('env') ?? [];
  const otel = last('otel.receive');
  if (last('protocol') === 'none' && !WITHOUT_HANDSHAKE.has(command)) {
    throw usageError(`\`${command}\` needs the handshake: remove \`--protocol none\`, or send messages with \`raw\`.`);
  }
  if (target && server !== undefined) {
    throw usageError('A command and `--server` both name the server: remove one of them.');
  }
  if (given.has('input') && config === undefined && server === undefined) {
    throw usageError('`--input` answers what a config asks for: add `--server NAME` or `--config FILE`.');
  }
  const aboutUrl = ABOUT_URLS.find((name) => isGiven(given, name));
  if (target?.kind === 'command' && aboutUrl !== undefined) {
    const instead = aboutUrl === 'header' ? 'Use `--env`, or remove' : 'Remove';
    throw usageError(`\`--${aboutUrl}\` works only for a server at a URL. ${instead} \`--${aboutUrl}\`.`);
  }
  const aboutCommand = ABOUT_COMMANDS.find((name) => given.has(name));
  if (target?.kind === 'url' && aboutCommand !== undefined) {
    throw usageError(
      `\`--${aboutCommand}\` works only for a server that a command starts. Remove \`--${aboutCommand}\`.`,
    );
  }
  if (target?.kind !== 'url' && given.has('transport')) {
    throw usageError('`--transport` needs a server at a URL. Add the URL, or remove `--transport`.');
  }
  const aboutServer = ABOUT_SERVERS.find((name) => isGiven(given, name));
  if (aboutServer && !target && !demo && server === undefined && file === undefined) {
    const inConfig = config === undefined ? undefined : IN_CONFIG[aboutServer];
    throw usageError(
      inConfig === undefined
        ? `\`--${aboutServer}\` needs a server. Add its command or URL.`
        : `\`--${aboutServer}\` is about one server: add \`--server NAME\`. For all, write \`${inConfig}\` in their entries in the config, with secrets as \`\${NAME}\` of the environment.`,
    );
  }
  return {
    demo,
    protocol: readProtocol(last('protocol') ?? 'auto'),
    env: new Map(env.filter((text) => text !== MINIMAL).map(readVariable)),
    inputs: new Map((given.get('input') ?? []).map((text) => readPair(text, 'input', 'an answer'))),
    headers: new Map((given.get('header') ?? []).flatMap(readHeaders)),
    client: readClient(last, given.has('auth.dpop')),
    tls: readTls(given),
    allowLinkLocal: given.has('allow-link-local'),
    transport: readTransport(last('transport') ?? 'auto'),
    cleanEnv: env.includes(MINIMAL),
    keepSignIns: given.has('auth.keep'),
    otel: !given.has('otel.off'),
    ...(target && { target }),
    ...(config !== undefined && { config }),
    ...(file !== undefined && { isFile: true }),
    ...(server !== undefined && { server }),
    ...(cwd !== undefined && { cwd }),
    intercept: given.get('intercept') ?? [],
    ...(otel !== undefined && { otelAt: readOtelAt(otel) }),
  };
}

/** Reads the options of a subcommand that needs one server. Throws an ExitError if none is named. */
export function requireServer(request: CommandRequest, isProgram?: (word: string) => boolean): ServerOptions {
  const options = readServerOptions(request, isProgram);
  const { target, demo, server, config, isFile } = options;
  if (target || demo || isFile || server !== undefined) return options;
  throw usageError(
    config === undefined
      ? `No server is named: end with \`-- command args…\` or a URL, or give \`--server NAME\` or \`--demo\`. See \`mcp-inspect help ${request.command}\`.`
      : `\`${request.command}\` needs one server: name one of the config with \`--server NAME\`. \`mcp-inspect servers --config FILE\` lists them.`,
  );
}

const ALONE = 'A URL takes no arguments. Put options before it, and remove anything after it.';

/** Returns the file that is named in place of a server: a server.json, another config, or a bundle. */
function serverFile([word, ...others]: readonly string[]): string | undefined {
  return word !== undefined && others.length === 0 && isServerFile(word) ? word : undefined;
}

function readTarget(rest: readonly string[], isProgram: (word: string) => boolean): NamedTarget | undefined {
  const [command, ...args] = rest;
  if (command === undefined) return undefined;
  if (command === '') throw usageError('The command is empty: name the program that starts the server.');
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(command) ?? [];
  if (scheme === undefined) {
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
  if (!/^https?$/i.test(scheme)) {
    throw usageError(`The scheme \`${scheme}\` is not supported: give an http or https URL, or a command.`);
  }
  if (!URL.canParse(command)) throw usageError(`\`${command}\` is not a valid URL: correct it.`);
  if (args.length > 0) throw usageError(ALONE);
  return { kind: 'url', url: command };
}

function readClient(last: (name: string) => string | undefined, dpop: boolean): ClientSettings {
  const named = Object.entries(CLIENT_KEYS).flatMap(([key, name]) => {
    const value = last(`auth.${name}`);
    return value === undefined ? [] : [[key, value] as const];
  });
  const client: ClientSettings = { ...Object.fromEntries(named), ...(dpop && { dpop: 'always' }) };
  // The secret is better kept in the environment (see presets.ts).
  const secret = process.env.MCP_INSPECT_CLIENT_SECRET;
  const problem = clientProblem({
    ...(client.clientId !== undefined && secret && { clientSecret: secret }),
    ...client,
  });
  if (problem !== undefined) throw usageError(problem);
  return client;
}

function readProtocol(text: string): ProtocolChoice {
  const choices: readonly ProtocolChoice[] = ['auto', ...PROTOCOL_VERSIONS, 'none'];
  const choice = choices.find((known) => known === text);
  if (choice) return choice;
  throw usageError(`There is no protocol version \`${text}\`: choose from ${choices.join(', ')}.`);
}

function readTransport(text: string): UrlTarget['transport'] {
  const kind = URL_TRANSPORTS.find((known) => known === text);
  if (kind) return kind;
  throw usageError(`There is no transport \`${text}\`: choose from ${URL_TRANSPORTS.join(', ')}.`);
}

/** Reads the address of `--otel receive`. Throws an ExitError. */
function readOtelAt(text: string): OtelAddress {
  const address = readOtelAddress(text);
  if (address) return address;
  throw usageError(
    `\`--otel receive=${text}\` is not an address to receive at: write \`http://127.0.0.1:PORT/otel/TOKEN\`, with a token of 16 or more letters and digits.`,
  );
}

function readPair(text: string, option: string, what: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  throw usageError(`\`--${option} ${text}\` is not ${what}: write \`--${option} NAME=VALUE\`.`);
}

/** Reads `--env NAME=VALUE`, or `--env NAME`, which keeps the value out of the list of processes. */
function readVariable(text: string): [string, string] {
  if (text.includes('=')) return readPair(text, 'env', 'a variable');
  const value = process.env[text];
  if (value !== undefined) return [text, value];
  throw usageError(`This shell has no variable \`${text}\`: export it, or write \`--env ${text}=VALUE\`.`);
}

/** Why a file of headers can’t be read. A pipe can be. */
const UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'It does not exist.'],
  ['ENOTDIR', 'It does not exist.'],
  ['EACCES', 'Permission denied.'],
  ['EISDIR', 'It is a directory.'],
]);

/** Reads `--header "Name: value"`, or `--header @FILE` with a header in each line. */
function readHeaders(text: string): readonly (readonly [string, string])[] {
  if (!text.startsWith('@')) return [readHeader(text)];
  let content: string;
  try {
    content = readFileSync(text.slice(1), 'utf8');
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    const why = UNREADABLE.get(code) ?? `It can’t be read (${code}).`;
    throw usageError(`Could not read \`${text.slice(1)}\`. ${why} Check the path after \`--header @\`.`);
  }
  const lines = content.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.flatMap((line, at) => (line.trim() === '' ? [] : [readHeaderLine(line, text.slice(1), at + 1)]));
}

/** Quotes nothing of the line in an error, because a file of headers keeps secrets out of sight. */
function readHeaderLine(line: string, file: string, number: number): [string, string] {
  if (line.indexOf(':') >= 1) return readHeader(line);
  throw usageError(`Line ${number} of \`${file}\` is not a header: write \`Name: value\`, one a line.`);
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw usageError(`\`--header ${text}\` is not a header: write \`--header "Name: value"\`.`);
  const header: [string, string] = [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  const problem = headerProblem(...header);
  if (problem !== undefined) throw usageError(problem);
  return header;
}

function readTls(given: ParsedOptions): TlsOptions {
  const one = (name: string, key: keyof TlsOptions): TlsOptions => {
    const value = lastValue(given, `tls.${name}`);
    return value === undefined ? {} : { [key]: value };
  };
  const ca = given.get('tls.ca');
  return {
    ...(ca && { ca }),
    ...one('cert', 'cert'),
    ...one('key', 'key'),
    ...one('passphrase-env', 'passphraseEnv'),
    ...(given.has('tls.insecure') && { insecure: true }),
  };
}
