import { homedir } from 'node:os';
import { basename, dirname, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { splitCredentials } from '@/lib/hub/shown-url';
import { isObject } from '@/lib/json/value';
import type { StdioTarget, Target } from '@/lib/wire/command';
import { type ConfigInput, filledWords, isLeftOut } from '@/lib/wire/config-inputs';
import type { ClientSettings } from '@/lib/wire/connection-settings';
import {
  type ConfigEntry,
  type ConfigOddity,
  fillPlaceholders,
  findPlaceholders,
  readServers,
} from '@/lib/wire/server-config';
import { isUrl } from '@/lib/wire/url';
import { repositoryRoot } from '@/proxy/files/repository-folders';
import { type NamedFile, readNamedFile } from '@/proxy/files/user-files';
import { readHostEntries } from './host-entries';
import { HOSTS } from './hosts';
import { CONFIG_BYTES, formatOf, isBundle, odditiesOf, parseConfig } from './parse-config';
import { withoutTap } from './tap-words';

/** Variables by name, as in process.env. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A server of a config file. */
export interface ConfigServer {
  readonly name: string;
  /** As written, with placeholders and without `env` and `headers`, whose values stay in the proxy. */
  readonly target: Target;
  /** The command with its placeholders filled. */
  readonly filled?: Pick<StdioTarget, 'command' | 'args' | 'cwd'>;
  /** The URL with its placeholders filled. */
  readonly filledUrl?: string;
  /** The OAuth client with its placeholders filled, without its secret. */
  readonly filledClient?: ClientSettings;
  /** Secret of the OAuth client that the config names. */
  readonly clientSecret?: string;
  /** Its environment variables, without those in `envFile`. For a server at a URL: its headers. */
  readonly env: Readonly<Record<string, string>>;
  /** Answers to secret inputs. They stay in the proxy. */
  readonly secrets: readonly string[];
  /** Inputs that still need an answer. */
  readonly inputs: readonly ConfigInput[];
  /** Returns the same server with these answers, by id, added to those from the command line. */
  withInputs(answers: ReadonlyMap<string, string>): ConfigServer;
  /** Path of its `envFile`, once that is known, and the variables that are not taken from it. */
  readonly envFile?: { readonly path: string; readonly without: ReadonlySet<string> };
  /** True if the config disables the server, so hosts don’t start it. */
  readonly disabled?: true;
  /** Why it can’t connect, and what to do. */
  readonly problem?: string;
}

/** Sources of values for placeholders. */
export interface ConfigContext {
  readonly environment: Environment;
  /** Folder in which mcp-inspect was started: `${cwd}`. */
  readonly cwd: string;
  /** `${workspaceFolder}`, if it does not follow from the config’s path. */
  readonly workspace?: string;
  /** Variables and headers that the command line sets for the server, so the config’s values are not needed. */
  readonly overrides?: {
    readonly variables: ReadonlySet<string>;
    /** Names in lower case. */
    readonly headers: ReadonlySet<string>;
  };
  /** Answers from the command line, by id. */
  readonly inputs: ReadonlyMap<string, string>;
  /** Variables of ours that the config does not get, in upper case. */
  readonly withheld?: ReadonlySet<string> | undefined;
}

/** The servers in a config file. */
interface ReadConfigFile {
  readonly entries: readonly ConfigEntry[];
  /** '' for a bundle. */
  readonly text: string;
  /** Says what Claude Desktop, the host with the strictest reader, does not accept. */
  readonly note?: string;
}

/**
 * Reads the servers in a config. `isFound`: nobody named it. With `uid`, a file that another user owns or can write is
 * wrong. `wrong` says what is wrong and what to do.
 */
export async function readConfigFile(
  path: string,
  { uid, isFound = false }: { readonly uid?: number | undefined; readonly isFound?: boolean } = {},
): Promise<ReadConfigFile | { readonly wrong: string }> {
  if (isBundle(path)) {
    const bundle = await (await import('./bundle-file')).readBundle(path);
    if ('wrong' in bundle) return { wrong: `Can’t use the bundle \`${path}\`. ${bundle.wrong}` };
    return { entries: readServers(bundle.value).servers, text: '' };
  }
  const format = formatOf(path);
  const { text, bytes, wrong } = await readNamedFile(path, {
    most: CONFIG_BYTES[format],
    uid,
    within: isFound ? repositoryRoot(dirname(path)) : undefined,
  });
  if (wrong !== undefined) {
    return { wrong: `Can’t use the config file \`${path}\`. ${wrong} Check the path after \`--config\`.` };
  }
  if (text === undefined) {
    return { wrong: `The config file \`${path}\` does not exist: check the path after \`--config\`.` };
  }
  const parsed = await parseConfig(text, format);
  if ('wrong' in parsed) {
    return { wrong: `Can’t use the config file \`${path}\`. ${parsed.wrong} Correct it and start again.` };
  }
  const { servers, problem } = readServers(parsed.value);
  const entries = problem === undefined ? servers : readAsHost(parsed.value);
  if (entries.length === 0) return { wrong: `Can’t use the config file \`${path}\`. ${problem}` };
  // Configs of other hosts, such as VS Code, may have them.
  const isStrict = isObject(parsed.value) && Object.hasOwn(parsed.value, 'mcpServers');
  const found = format === 'json' ? odditiesOf({ text, bytes }, parsed) : [];
  const named = found.filter((one) => isStrict || one !== 'relaxed').map((one) => ODDITY_LABELS[one]);
  if (named.length === 0) return { entries, text };
  return { entries, text, note: `\`${path}\` has ${named.join(' and ')}. Claude Desktop can’t read such a file.` };
}

const ODDITY_LABELS: Readonly<Record<ConfigOddity, string>> = {
  'utf-16': 'UTF-16 text',
  'byte-order-mark': 'a byte order mark',
  relaxed: 'comments or trailing commas',
};

/** Reads a config in the form of the first host with a form of its own that finds servers in it. */
function readAsHost(config: unknown): readonly ConfigEntry[] {
  for (const { files, convert } of HOSTS) {
    for (const { key } of convert ? files : []) {
      const read = readHostEntries(config, key, convert);
      if (read && 'entries' in read && read.entries.length > 0) return read.entries;
    }
  }
  return [];
}

/** Folders in which editors keep the config of the folder above. */
const EDITOR_FOLDERS: readonly string[] = ['.vscode', '.cursor', '.roo', '.vs'];

/** Returns the folder of a config, or the one above that of an editor. */
export function workspaceOf(config: string): string {
  const folder = dirname(config);
  return EDITOR_FOLDERS.includes(basename(folder)) ? dirname(folder) : folder;
}

/** Names that VS Code and Cursor give to folders, without the braces. */
function predefinedIn(config: string, { cwd, workspace }: ConfigContext): ReadonlyMap<string, string> {
  const root = workspace ?? workspaceOf(config);
  return new Map([
    ['workspaceFolder', root],
    ['workspaceFolderBasename', basename(root)],
    ['userHome', homedir()],
    ['cwd', cwd],
    ['pathSeparator', sep],
    ['/', sep],
  ]);
}

/**
 * Fills the placeholders of an entry of the config at `path`, but does not read its `envFile`: see {@link
 * withEnvFile}. A tapped server is connected to without its tap.
 */
export function fillEntry(entry: ConfigEntry, path: string, context: ConfigContext): ConfigServer {
  return fill(withoutTap(entry), { ...context, predefined: predefinedIn(path, context) });
}

/** Files of variables that were read before, by path. */
export type EnvFiles = ReadonlyMap<string, NamedFile>;

/** Adds the variables of a server’s `envFile`. Never rejects: a file that can’t be read is a problem of the server. */
export async function withEnvFile(server: ConfigServer, files?: EnvFiles): Promise<ConfigServer> {
  if (server.envFile === undefined) return server;
  const { path, without } = server.envFile;
  const { text, wrong } = files?.get(path) ?? (await readNamedFile(path, { most: ENV_FILE_BYTES }));
  if (text === undefined) return { ...server, problem: server.problem ?? explainEnvFile(path, wrong) };
  const taken = dotenvVariables(text).filter(([name]) => !without.has(name));
  return { ...server, env: { ...Object.fromEntries(taken), ...server.env } };
}

/** A context with the values of names that don’t name variables, such as folders. */
interface Filling extends ConfigContext {
  readonly predefined: ReadonlyMap<string, string>;
}

/**
 * Fills `${NAME}`, `${env:NAME}` and `${NAME:-default}` from our environment, `${input:id}` from answers, and folder
 * names, as hosts do. The filled text is not searched for placeholders again.
 */
export function fill(entry: ConfigEntry, filling: Filling): ConfigServer {
  const { name, target } = entry;
  const declared = new Map(entry.inputs?.map((input) => [input.id, input]));
  const missing = new Set<string>();
  const kept = new Set<string>();
  const open = new Set<string>();
  const secrets = new Set<string>();
  const answer = (id: string): string | undefined => {
    const { secret = false, default: preset } = declared.get(id) ?? {};
    // The default of a password is a secret of the config, so nobody is asked about it and no page gets it.
    const hidden = (secret && preset) || undefined;
    const known = filling.inputs.get(id) ?? variable(variableOf(id), filling.environment) ?? hidden;
    if (known === undefined) open.add(id);
    else if (secret) secrets.add(known);
    return known;
  };
  /** Answers that may leave something out, or have several values. */
  const special = (id: string): { readonly value: string; readonly several?: true } | undefined => {
    const { optional, several } = declared.get(id) ?? {};
    const value = optional || several ? answer(id) : undefined;
    return value === undefined || (value === '' && !optional) ? undefined : { value, ...(several && { several }) };
  };
  const fillName = (placeholder: string): string | undefined => {
    if (placeholder.startsWith('input:')) return answer(placeholder.slice('input:'.length));
    if (filling.withheld?.has(variableIn(placeholder).toUpperCase())) {
      kept.add(placeholder);
      return undefined;
    }
    const known = predefined.get(placeholder) ?? lookUp(placeholder, filling.environment);
    if (known === undefined) missing.add(placeholder);
    return known;
  };
  const text = (value: string): string => fillPlaceholders(value, fillName);
  const { overrides, predefined } = filling;
  const fillAll = (given: StdioTarget['env'] = {}, isGiven: (key: string) => boolean | undefined) =>
    Object.fromEntries(
      Object.entries(given).flatMap(([key, value]) =>
        value === null || isGiven(key) || isLeftOut(value, special) ? [] : [[key, text(value)]],
      ),
    );
  const result = (
    written: Target,
    values: Pick<ConfigServer, 'filled' | 'filledUrl' | 'filledClient' | 'clientSecret' | 'env'>,
    envFile?: ConfigServer['envFile'],
  ): ConfigServer => {
    const problem = entry.problem ?? explainWithheld(kept) ?? (missing.size > 0 ? explainMissing(missing) : undefined);
    return {
      name,
      target: written,
      ...values,
      secrets: [...secrets],
      inputs: Array.from(declared.values()).filter(({ id }) => open.has(id)),
      withInputs: (answers) => fill(entry, { ...filling, inputs: new Map([...filling.inputs, ...answers]) }),
      ...(envFile && { envFile }),
      ...(entry.disabled && { disabled: true }),
      ...(problem !== undefined && { problem }),
    };
  };
  if (target.transport !== 'stdio') {
    const { headers: written, client, ...bare } = target;
    const { clientSecret, ...said } = client ?? {};
    const filledClient = Object.fromEntries(Object.entries(said).map(([key, value]) => [key, text(value)]));
    const named = Object.keys(said).length > 0;
    const rest = { ...bare, ...(named && { client: said }) };
    const secret = {
      ...(named && { filledClient }),
      ...(clientSecret !== undefined && { clientSecret: text(clientSecret) }),
    };
    const headers = fillAll(written, (key) => overrides?.headers.has(key.toLowerCase()));
    const filledUrl = text(target.url);
    if (!isUrl(filledUrl)) return result(rest, { filledUrl, env: headers, ...secret });
    const { url, authorization } = splitCredentials(filledUrl);
    if (authorization === undefined) return result(rest, { filledUrl, env: headers, ...secret });
    // A password must not be shown, so the URL is shown without it.
    return result(
      { ...rest, url: withoutCredentials(target.url) },
      { filledUrl: url, env: { Authorization: authorization, ...headers }, ...secret },
    );
  }
  const { env: given, command, args, cwd } = target;
  const env = fillAll(given, (key) => overrides?.variables.has(key));
  const written: StdioTarget = { transport: 'stdio', name, command, args, ...(cwd !== undefined && { cwd }) };
  const filled = {
    command: text(command),
    args: filledWords(args, text, special),
    cwd: cwd === undefined ? undefined : text(cwd),
  };
  // A path with unanswered inputs is read once they are answered.
  const unfilled = findPlaceholders(entry.envFile).some((placeholder) => fillName(placeholder) === undefined);
  if (entry.envFile === undefined || unfilled) return result(written, { filled, env });
  const path = resolve(predefined.get('workspaceFolder')!, text(entry.envFile));
  const without = new Set(Object.keys(given ?? {}).filter((key) => given![key] === null));
  return result(written, { filled, env }, { path, without });
}

/** Removes user and password from a URL. Placeholders stay. */
function withoutCredentials(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1');
}

function lookUp(placeholder: string, environment: Environment): string | undefined {
  const name = variableIn(placeholder);
  const at = placeholder.indexOf(':-');
  if (at < 0) return variable(name, environment);
  return variable(name, environment) || placeholder.slice(at + 2);
}

/** Returns the name of the variable in a placeholder, without `env:` and a default. */
function variableIn(placeholder: string): string {
  const bare = placeholder.startsWith('env:') ? placeholder.slice(4) : placeholder;
  const at = bare.indexOf(':-');
  return at < 0 ? bare : bare.slice(0, at);
}

/** Looks up own properties only: `constructor` is an ordinary name. */
function variable(name: string, environment: Environment): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

/** Names the variable that answers an input. Others can read our arguments, but not our environment. */
function variableOf(id: string): string {
  return `MCP_INSPECT_INPUT_${id.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}

/** Placeholders that only an editor can fill: settings, commands, files and other folders. */
const EDITORS_OWN =
  /^(?:config|command|workspaceFolder|extensionInstallFolder):|^(?:relativeF|f)ile|^(?:line|column)Number$|^selectedText$/;

function explainWithheld(kept: ReadonlySet<string>): string | undefined {
  if (kept.size === 0) return undefined;
  const named = Array.from(kept, (name) => `\${${name}}`).join(', ');
  return `The project’s config asks for ${named}, the key of a model, which it does not get. Remove that, or name the file with \`--config\`.`;
}

function explainMissing(missing: ReadonlySet<string>): string {
  const named = (names: readonly string[]): string => names.map((name) => `\${${name}}`).join(', ');
  const editors = [...missing].filter((name) => EDITORS_OWN.test(name));
  if (editors.length > 0) {
    return `The config asks for ${named(editors)}, which only an editor knows. Write the value into the config.`;
  }
  return `The config asks for ${named([...missing])}, which this shell doesn’t have. Set it before starting, or give \`--env NAME=VALUE\`.`;
}

/** Largest `envFile` in bytes. Real ones have a few hundred; the config can name any path. */
export const ENV_FILE_BYTES = 1024 * 1024;

/** A valid variable name. */
const NAME = /^[^\s=\0]+$/;

/** Reads the variables of a file in the format of dotenv: quotes, `export`, comments, no expansion. */
export function dotenvVariables(text = ''): readonly (readonly [name: string, value: string])[] {
  const read = Object.entries(parseEnv(text.replace(/^\uFEFF/, '')));
  return read.flatMap(([name, value = '']) => (NAME.test(name) ? [[name, value] as const] : []));
}

function explainEnvFile(path: string, wrong: string | undefined): string {
  return wrong === undefined
    ? `The config’s \`envFile\` \`${path}\` does not exist. Create it, or correct the path in the config.`
    : `Can’t use the config’s \`envFile\` \`${path}\`. ${wrong} Correct the path in the config.`;
}
