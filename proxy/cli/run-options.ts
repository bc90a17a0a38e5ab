import { URL_TRANSPORTS, type UrlTarget } from '@/lib/wire/command';
import { type ClientSettings, clientProblem, type TlsOptions } from '@/lib/wire/connection-settings';
import { headerProblem } from '@/lib/wire/header-fields';
import { PROTOCOL_VERSIONS, type ProtocolChoice } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { type PublicUrl, readPublicUrl } from '@/proxy/http/addresses';
import { usageError } from './exit-code';
import type { OptionName } from './options';

/** The longest that the command line may ask for. */
const VIEWER_GRACE_MAX_MS = 7 * 24 * 60 * 60_000;

/** What the words after the options ask for. */
export type NamedTarget =
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }
  | {
      readonly kind: 'url';
      readonly url: string;
      /** As it was typed, if its scheme was added. */
      readonly written?: string;
    };

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
  /** Answers to what the config asks for, by id. */
  readonly inputs: ReadonlyMap<string, string>;
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
  /** The page's address behind a port mapping, tunnel or reverse proxy. */
  readonly publicUrl?: PublicUrl;
  readonly open: boolean;
  /** How long servers outlive the last tab, in milliseconds. */
  readonly keepMs: number;
}

/** The values of each option, in their order; '' for a switch. */
export type GivenOptions = ReadonlyMap<OptionName, readonly string[]>;

/** Options about one server at a URL, and about one server of any kind. */
const CLIENT_OPTIONS = ['client-id', 'client-secret', 'client-metadata-url', 'scope'] as const satisfies OptionName[];
const TLS_OPTIONS = ['ca', 'cert', 'key', 'key-passphrase-env', 'insecure'] as const satisfies OptionName[];
const ABOUT_URLS = ['header', ...CLIENT_OPTIONS, ...TLS_OPTIONS] as const;
const ABOUT_SERVERS = ['env', 'cwd', 'clean-env', ...ABOUT_URLS] as const;

/** What the options given say, of a server that `target` names, if it does. Throws {@link Stop} for what makes no sense. */
export function readOptions(given: GivenOptions, target: NamedTarget | undefined): RunOptions {
  const last = (name: OptionName): string | undefined => given.get(name)?.at(-1);
  const config = last('config');
  const server = last('server');
  const cwd = last('cwd');
  const [host, ...hostNames] = last('host')?.split(',') ?? [];
  const port = last('port');
  const record = last('record');
  const publicUrl = last('public-url');
  const demo = given.has('demo');
  if (record !== undefined && given.has('no-record')) {
    throw usageError('`--record` and `--no-record` contradict each other: leave one of them out.');
  }
  if (given.has('no-handshake') && given.has('protocol')) {
    throw usageError('`--no-handshake` sends nothing, so `--protocol` has no use: leave one of them out.');
  }
  if (target && server !== undefined) {
    throw usageError('A command and `--server` both name the server to connect: give one of them.');
  }
  if (server !== undefined && config === undefined) {
    throw usageError('`--server` names a server of a config file: add `--config FILE`.');
  }
  if (given.has('input') && config === undefined) {
    throw usageError('`--input` answers what a config file asks for: add `--config FILE`.');
  }
  const aboutUrl = ABOUT_URLS.find((name) => given.has(name));
  if (target?.kind === 'command' && aboutUrl !== undefined) {
    const instead = aboutUrl === 'header' ? 'use `--env`, or leave it out' : 'leave it out';
    throw usageError(`\`--${aboutUrl}\` is for a server at a URL, and this is a command: ${instead}.`);
  }
  if (target?.kind !== 'url' && given.has('transport')) {
    throw usageError('`--transport` is for a server at a URL, and none is given: add the URL, or leave it out.');
  }
  const aboutServer = ABOUT_SERVERS.find((name) => given.has(name));
  if (aboutServer && !target && !demo && server === undefined) {
    throw usageError(`\`--${aboutServer}\` is about a server, and none is named: add its command or URL.`);
  }
  return {
    demo,
    protocol: given.has('no-handshake') ? 'none' : readProtocol(last('protocol') ?? 'auto'),
    env: new Map((given.get('env') ?? []).map((text) => readPair(text, 'env', 'a variable'))),
    inputs: new Map((given.get('input') ?? []).map((text) => readPair(text, 'input', 'an answer'))),
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
    ...(publicUrl !== undefined && { publicUrl: readPublic(publicUrl) }),
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
  if (problem !== undefined) throw usageError(problem);
  return client;
}

function readProtocol(text: string): ProtocolChoice {
  const choices: readonly ProtocolChoice[] = ['auto', ...PROTOCOL_VERSIONS];
  const choice = choices.find((known) => known === text);
  if (choice) return choice;
  throw usageError(`There is no protocol version \`${text}\`: choose from ${choices.join(', ')}.`);
}

function readTransport(text: string): UrlTarget['transport'] {
  const kind = URL_TRANSPORTS.find((known) => known === text);
  if (kind) return kind;
  throw usageError(`There is no transport \`${text}\`: choose from ${URL_TRANSPORTS.join(', ')}.`);
}

function readPair(text: string, option: OptionName, what: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  throw usageError(`\`--${option} ${text}\` is not ${what}: write \`--${option} NAME=VALUE\`.`);
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw usageError(`\`--header ${text}\` is not a header: write \`--header "Name: value"\`.`);
  const header: [string, string] = [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  const problem = headerProblem(...header);
  if (problem !== undefined) throw usageError(problem);
  return header;
}

function readTls(given: GivenOptions): TlsOptions {
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

function readPublic(text: string): PublicUrl {
  const publicUrl = readPublicUrl(text);
  if (publicUrl) return publicUrl;
  throw usageError(
    `\`--public-url ${text}\` is not an address of the page: write \`http://HOST[:PORT][/PATH]\`, or https://, as the browser shows it.`,
  );
}

function readKeep(text: string | undefined): number {
  return text === undefined ? LIMITS.viewerGraceMs : readNumber('keep', text, VIEWER_GRACE_MAX_MS / 1000) * 1000;
}

function readNumber(name: OptionName, text: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw usageError(`\`--${name} ${text}\` is out of range: give a whole number from 0 to ${most}.`);
}
