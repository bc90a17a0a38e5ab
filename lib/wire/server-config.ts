import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { StdioTarget, Target, UrlTarget } from './command';
import { type ConfigInput, inputIds, readInputs, undeclaredInput } from './config-inputs';
import type { ClientSettings, TlsOptions } from './connection-settings';
import { configOfRegistryServer, isRegistryServer } from './registry-server';
import { isUrl } from './url';

/** How a JSON file is written that few readers accept. `relaxed`: with comments or trailing commas. */
export type ConfigOddity = 'utf-16' | 'byte-order-mark' | 'relaxed';

/** A server in a config. */
export interface ConfigEntry {
  readonly name: string;
  /** Its placeholders stay as written. The command is empty if the entry is invalid. */
  readonly target: Target;
  /** Distinct `${…}` names in the entry, without the braces: `HOME`, `env:HOME`, `input:key`. */
  readonly placeholders: readonly string[];
  /** Inputs that the `input:` placeholders ask for. */
  readonly inputs?: readonly ConfigInput[];
  /** Path of a file with more variables, as written. Variables of the entry override them. */
  readonly envFile?: string;
  /** `"disabled": true` or `"enabled": false`. */
  readonly disabled?: true;
  /** Why mcp-inspect can't connect to it, and what to do. */
  readonly problem?: string;
}

/** Servers of a config in the order written, or why none could be read. */
export interface ServerConfig {
  readonly servers: readonly ConfigEntry[];
  readonly problem?: string;
}

/**
 * Where hosts keep their servers: Claude, Cursor and mcphost; VS Code's mcp.json; VS Code's settings, nested or dotted.
 */
const PLACES: readonly (readonly string[])[] = [['mcpServers'], ['servers'], ['mcp', 'servers'], ['mcp.servers']];

/**
 * Reads a host's config, a server.json of the registry, a map of names to servers, or one bare server object (which is
 * then named `server`).
 */
export function readServers(json: unknown): ServerConfig {
  if (!isObject(json)) return noServers('This is JSON, but not an object.');
  if (isRegistryServer(json)) return readServers(configOfRegistryServer(json));
  for (const path of PLACES) {
    const place = path.reduce<unknown>((value, key) => (isObject(value) ? own(value, key) : undefined), json);
    if (place === undefined) continue;
    if (!isObject(place)) return noServers(`\`${path.join('.')}\` is not an object of servers by name.`);
    const servers = readEntries(place, inputsBeside(json, path));
    return servers.length > 0 ? { servers } : noServers(`There are no servers in \`${path.join('.')}\`.`);
  }
  if (looksLikeServer(json)) return { servers: readEntries({ server: json }) };
  const values = Object.values(json);
  if (values.length > 0 && values.every(looksLikeServer)) return { servers: readEntries(json) };
  return noServers('This JSON names no servers.');
}

/** Reads servers by name. `inputs` is the list that describes their inputs. */
export function readEntries(map: JsonObject, inputs?: unknown): readonly ConfigEntry[] {
  const declared = readInputs(inputs);
  return Object.entries(map).map(([name, value]) => readServer(name, value, declared));
}

/** Returns the `inputs` that VS Code keeps next to `servers`. */
function inputsBeside(json: JsonObject, place: readonly string[]): unknown {
  if (place[0] === 'mcp.servers') return own(json, 'mcp.inputs');
  const holder = place.length === 1 ? json : own(json, place[0]!);
  return isObject(holder) ? own(holder, 'inputs') : undefined;
}

function noServers(what: string): ServerConfig {
  return {
    servers: [],
    problem: `${what} Expected \`{"mcpServers": {"name": {"command": "…", "args": []}}}\`, or VS Code’s \`servers\`.`,
  };
}

function looksLikeServer(value: unknown): value is JsonObject {
  return isObject(value) && (own(value, 'command') !== undefined || urlIn(value) !== undefined);
}

/** Returns the URL of an entry: `serverUrl` in Windsurf, `httpUrl` in Gemini. */
function urlIn(entry: JsonObject): unknown {
  return own(entry, 'url') ?? own(entry, 'serverUrl') ?? own(entry, 'httpUrl');
}

type Inputs = ReadonlyMap<string, ConfigInput>;

function readServer(name: string, value: unknown, declared: Inputs): ConfigEntry {
  if (!isObject(value)) return broken(name, 'is not an object');
  const entry = readEntry(name, value);
  const ids = inputIds(entry.placeholders);
  // Inputs are asked for in the order of the config.
  const described = Array.from(declared.values()).filter(({ id }) => ids.includes(id));
  const inputs = [...described, ...ids.filter((id) => !declared.has(id)).map(undeclaredInput)];
  return {
    ...entry,
    ...(inputs.length > 0 && { inputs }),
    ...((own(value, 'disabled') === true || own(value, 'enabled') === false) && { disabled: true }),
  };
}

function readEntry(name: string, value: JsonObject): ConfigEntry {
  const command = own(value, 'command');
  const url = urlIn(value);
  const parts = ['command', 'args', 'cwd', 'env', 'envFile', 'headers', 'tls', 'oauth', 'auth'].map((key) =>
    own(value, key),
  );
  const placeholders = findPlaceholders([...parts, url]);
  if (typeof url === 'string' && command === undefined) return readUrlEntry(name, url, value, placeholders);
  if (typeof command !== 'string' || command === '') return broken(name, 'has no `command`');
  const args = own(value, 'args') ?? [];
  if (!Array.isArray(args) || !args.every(isScalar)) return broken(name, 'has `args` that are not a list of strings');
  const cwd = own(value, 'cwd');
  if (cwd !== undefined && typeof cwd !== 'string') return broken(name, 'has a `cwd` that is not a string');
  const envFile = own(value, 'envFile');
  if (envFile !== undefined && typeof envFile !== 'string')
    return broken(name, 'has an `envFile` that is not a string');
  const env = own(value, 'env') ?? {};
  if (!isObject(env) || !Object.values(env).every((one) => one === null || isScalar(one))) {
    return broken(name, 'has an `env` that is not an object of strings');
  }
  const target: StdioTarget = {
    transport: 'stdio',
    name,
    command,
    args: args.map(String),
    ...(cwd !== undefined && { cwd }),
    ...(Object.keys(env).length > 0 && { env: readEnv(env) }),
  };
  return { name, target, placeholders, ...(envFile !== undefined && envFile !== '' && { envFile }) };
}

/** Transports by the names that hosts use. Without a type, the server is probed. */
const URL_TYPES: ReadonlyMap<unknown, UrlTarget['transport']> = new Map([
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['streamableHttp', 'http'],
  ['sse', 'sse'],
]);

function readUrlEntry(name: string, url: string, entry: JsonObject, placeholders: readonly string[]): ConfigEntry {
  const headers = own(entry, 'headers') ?? {};
  if (!isObject(headers) || !Object.values(headers).every((one) => one === null || isScalar(one))) {
    return broken(name, 'has `headers` that are not an object of strings');
  }
  const tls = readTls(own(entry, 'tls') ?? {});
  if (tls === undefined) {
    return broken(name, 'has a `tls` that is not an object of `ca`, `cert`, `key`, `passphraseEnv` and `insecure`');
  }
  const target: UrlTarget = {
    transport: URL_TYPES.get(own(entry, 'type')) ?? (own(entry, 'httpUrl') === url ? 'http' : 'auto'),
    name,
    url,
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(Object.keys(headers).length > 0 && { headers: readEnv(headers) }),
    ...readClient(entry),
  };
  const problem = isUrl(url) || placeholders.length > 0 ? undefined : urlProblem(name);
  return { name, target, placeholders, ...(problem !== undefined && { problem }) };
}

/** Keys of OAuth client settings: Claude Code and Gemini have them in `oauth`, Cursor in `auth`. */
const CLIENT_KEYS: readonly (readonly [keyof ClientSettings, readonly string[]])[] = [
  ['clientId', ['clientId', 'client_id', 'CLIENT_ID']],
  ['clientSecret', ['clientSecret', 'client_secret', 'CLIENT_SECRET']],
  ['scope', ['scope', 'scopes']],
  ['metadataUrl', ['clientMetadataUrl']],
  ['grant', ['grant']],
  ['keyFile', ['keyFile']],
  ['tokenFile', ['tokenFile']],
  ['idp', ['idp']],
  ['idpClientId', ['idpClientId']],
  ['issuer', ['issuer']],
  ['dpop', ['dpop']],
];

function readClient(entry: JsonObject): { readonly client?: ClientSettings } {
  const said = own(entry, 'oauth') ?? own(entry, 'auth');
  if (!isObject(said)) return {};
  const found = CLIENT_KEYS.flatMap(([key, names]) => {
    const value = names.map((name) => own(said, name)).find((one) => one !== undefined);
    const text = Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(' ') : value;
    return typeof text === 'string' && text !== '' ? [[key, text] as const] : [];
  });
  return found.length === 0 ? {} : { client: Object.fromEntries(found) };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Reads each member of `tls`; undefined if it is invalid. `ca` can be a single path. */
const TLS_MEMBERS: { readonly [K in keyof TlsOptions]-?: (value: unknown) => TlsOptions[K] } = {
  ca: (value) => (isText(value) ? [value] : Array.isArray(value) && value.every(isText) ? value : undefined),
  cert: (value) => (isText(value) ? value : undefined),
  key: (value) => (isText(value) ? value : undefined),
  passphraseEnv: (value) => (isText(value) ? value : undefined),
  insecure: (value) => (value === true ? true : undefined),
};

function readTls(value: unknown): TlsOptions | undefined {
  if (!isObject(value)) return undefined;
  const given = Object.entries(value).filter(([key, member]) => !(key === 'insecure' && member === false));
  const read = given.map(([key, member]) => [
    key,
    Object.hasOwn(TLS_MEMBERS, key) ? TLS_MEMBERS[key as keyof TlsOptions](member) : undefined,
  ]);
  return read.every(([, member]) => member !== undefined) ? Object.fromEntries(read) : undefined;
}

function urlProblem(name: string): string {
  return `The \`url\` of \`${name}\` is not an http or https URL. Correct it in the config.`;
}

function broken(name: string, what: string): ConfigEntry {
  return {
    name,
    target: { transport: 'stdio', name, command: '', args: [] },
    placeholders: [],
    problem: `The entry \`${name}\` ${what}. Correct it in the config.`,
  };
}

/** Returns true for strings, and for numbers and booleans, which some configs have in place of strings. */
function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function readEnv(env: JsonObject): Record<string, string | null> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value === null ? null : String(value)]));
}

/** Matches `${NAME}`, `${env:NAME}`, `${input:id}`, `${NAME:-default}`. */
const PLACEHOLDER = /\$\{([^{}$]+)\}/g;

/** Levels searched for placeholders. Nothing we use lies deeper, and a hostile config can have any depth. */
const DEEPEST = 4;

/** Returns the distinct `${…}` names in all strings of a value, without the braces. Looks a few levels deep. */
export function findPlaceholders(value: unknown): readonly string[] {
  const found = textsIn(value, DEEPEST).flatMap((text) => Array.from(text.matchAll(PLACEHOLDER), (match) => match[1]!));
  return [...new Set(found)];
}

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth - 1));
}

/** Replaces each placeholder that `lookup` knows by its name; others stay as written. */
export function fillPlaceholders(text: string, lookup: (placeholder: string) => string | undefined): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => lookup(name) ?? whole);
}
