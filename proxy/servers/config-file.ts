import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { splitCredentials } from '@/lib/hub/url-launch';
import { parseLooseJson } from '@/lib/json/parse';
import type { StdioTarget, Target } from '@/lib/wire/command';
import type { ConfigInput } from '@/lib/wire/config-inputs';
import { type ConfigEntry, fillPlaceholders, findPlaceholders, readServers } from '@/lib/wire/server-config';
import { isUrl } from '@/lib/wire/url';

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
  /** Secret of the OAuth client that the config names. */
  readonly clientSecret?: string;
  /** Its environment variables, including those in `envFile`. For a server at a URL: its headers. */
  readonly env: Readonly<Record<string, string>>;
  /** Answers to secret inputs. They stay in the proxy. */
  readonly secrets: readonly string[];
  /** Inputs that its placeholders ask for, answered or not. */
  readonly asks: readonly ConfigInput[];
  /** Inputs that still need an answer. */
  readonly inputs: readonly ConfigInput[];
  /** Returns the same server with these answers, by id, added to those from the command line. */
  withInputs(answers: ReadonlyMap<string, string>): ConfigServer;
  /** True if the config disables the server, so hosts don’t start it. */
  readonly disabled?: true;
  /** Why it can’t connect, and what to do. */
  readonly problem?: string;
}

/** Context for reading a config. */
export interface ConfigContext {
  readonly environment: Environment;
  /** Folder in which mcp-inspect was started: `${cwd}`. */
  readonly cwd: string;
  /** Variables and headers that the command line sets for one server, so the config’s values are not needed. */
  readonly overrides?: {
    readonly server: string;
    readonly variables: ReadonlySet<string>;
    /** Names in lower case. */
    readonly headers: ReadonlySet<string>;
  };
  /** Answers from the command line, by id. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** Largest config file in bytes. An editor’s settings file can have several hundred thousand. */
const CONFIG_BYTES = 16 * 1024 * 1024;

/** Reads the servers in a host’s config file. `wrong` says what is wrong with the file and what to do. */
export function readConfigFile(
  path: string,
  context: ConfigContext,
): readonly ConfigServer[] | { readonly wrong: string } {
  let text: string;
  try {
    if (statSync(path).size > CONFIG_BYTES) {
      return { wrong: `The config file \`${path}\` is larger than 16 MiB: check the path after \`--config\`.` };
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'does not exist' : `can’t be read (${code})`;
    return { wrong: `The config file \`${path}\` ${what}: check the path after \`--config\`.` };
  }
  let json: unknown;
  try {
    json = parseLooseJson(text);
  } catch (error) {
    return {
      wrong: `The config file \`${path}\` is not JSON: ${(error as Error).message}. Correct it and start again.`,
    };
  }
  const { servers, problem } = readServers(json);
  if (problem) return { wrong: `The config file \`${path}\` can’t be used. ${problem}` };
  const filling = { ...context, predefined: predefinedIn(path, context.cwd) };
  return servers.map((entry) => fill(entry, filling));
}

/** Folders in which editors keep the config of the folder above. */
const EDITOR_FOLDERS: readonly string[] = ['.vscode', '.cursor', '.roo', '.vs'];

/** Names that VS Code and Cursor give to folders, without the braces. */
function predefinedIn(config: string, cwd: string): ReadonlyMap<string, string> {
  const folder = dirname(config);
  const workspace = EDITOR_FOLDERS.includes(basename(folder)) ? dirname(folder) : folder;
  return new Map([
    ['workspaceFolder', workspace],
    ['workspaceFolderBasename', basename(workspace)],
    ['userHome', homedir()],
    ['cwd', cwd],
    ['pathSeparator', sep],
    ['/', sep],
  ]);
}

/** Sources of values for placeholders. */
interface Filling extends ConfigContext {
  readonly predefined: ReadonlyMap<string, string>;
}

/**
 * Fills `${NAME}`, `${env:NAME}` and `${NAME:-default}` from our environment, `${input:id}` from answers, and folder
 * names, as hosts do. The filled text is not searched for placeholders again.
 */
function fill(entry: ConfigEntry, filling: Filling): ConfigServer {
  const { name, target } = entry;
  const declared = new Map(entry.inputs?.map((input) => [input.id, input]));
  const missing = new Set<string>();
  const open = new Set<string>();
  const secrets = new Set<string>();
  const answer = (id: string): string | undefined => {
    const known = filling.inputs.get(id) ?? variable(variableOf(id), filling.environment);
    if (known === undefined) open.add(id);
    else if (declared.get(id)?.secret) secrets.add(known);
    return known;
  };
  const fillName = (placeholder: string): string | undefined => {
    if (placeholder.startsWith('input:')) return answer(placeholder.slice('input:'.length));
    const known = filling.predefined.get(placeholder) ?? lookUp(placeholder, filling.environment);
    if (known === undefined) missing.add(placeholder);
    return known;
  };
  const text = (value: string): string => fillPlaceholders(value, fillName);
  const overrides = filling.overrides?.server === name ? filling.overrides : undefined;
  const fillAll = (given: StdioTarget['env'] = {}, isGiven: (key: string) => boolean | undefined) =>
    Object.fromEntries(
      Object.entries(given).flatMap(([key, value]) => (value === null || isGiven(key) ? [] : [[key, text(value)]])),
    );
  const result = (
    written: Target,
    values: Pick<ConfigServer, 'filled' | 'filledUrl' | 'clientSecret' | 'env'>,
    wrong?: string,
  ): ConfigServer => {
    const problem = entry.problem ?? (missing.size > 0 ? explainMissing(missing) : wrong);
    return {
      name,
      target: written,
      ...values,
      secrets: [...secrets],
      asks: entry.inputs ?? [],
      inputs: Array.from(declared.values()).filter(({ id }) => open.has(id)),
      withInputs: (answers) => fill(entry, { ...filling, inputs: new Map([...filling.inputs, ...answers]) }),
      ...(entry.disabled && { disabled: true }),
      ...(problem !== undefined && { problem }),
    };
  };
  if (target.transport !== 'stdio') {
    const { headers: written, client, ...bare } = target;
    const { clientSecret, ...said } = client ?? {};
    const filledClient = Object.fromEntries(Object.entries(said).map(([key, value]) => [key, text(value)]));
    const rest = { ...bare, ...(Object.keys(said).length > 0 && { client: filledClient }) };
    const secret = clientSecret !== undefined && { clientSecret: text(clientSecret) };
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
  const filled = { command: text(command), args: args.map(text), cwd: cwd === undefined ? undefined : text(cwd) };
  // A path with unanswered inputs is read once they are answered.
  const unfilled = findPlaceholders(entry.envFile).some((placeholder) => fillName(placeholder) === undefined);
  if (entry.envFile === undefined || unfilled) return result(written, { filled, env });
  const file = readEnvFile(resolve(filling.predefined.get('workspaceFolder')!, text(entry.envFile)));
  if ('wrong' in file) return result(written, { filled, env }, file.wrong);
  const taken = file.variables.filter(([key]) => given?.[key] !== null);
  return result(written, { filled, env: { ...Object.fromEntries(taken), ...env } });
}

/** Removes user and password from a URL. Placeholders stay. */
function withoutCredentials(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1');
}

function lookUp(placeholder: string, environment: Environment): string | undefined {
  const bare = placeholder.startsWith('env:') ? placeholder.slice(4) : placeholder;
  const at = bare.indexOf(':-');
  if (at < 0) return variable(bare, environment);
  return variable(bare.slice(0, at), environment) || bare.slice(at + 2);
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

function explainMissing(missing: ReadonlySet<string>): string {
  const named = (names: readonly string[]): string => names.map((name) => `\${${name}}`).join(', ');
  const editors = [...missing].filter((name) => EDITORS_OWN.test(name));
  if (editors.length > 0) {
    return `The config asks for ${named(editors)}, which only an editor knows. Write the value into the config.`;
  }
  return `The config asks for ${named([...missing])}, which this shell doesn’t have. Set it before starting, or give \`--env NAME=VALUE\`.`;
}

/** Largest `envFile` in bytes. Real ones have a few hundred; the config can name any path. */
const ENV_FILE_BYTES = 1024 * 1024;

interface EnvFile {
  readonly variables: readonly (readonly [name: string, value: string])[];
}

/** A valid variable name. */
const NAME = /^[^\s=\0]+$/;

/**
 * Reads an `envFile` in the format of dotenv: quotes, `export`, comments, no expansion. `wrong` says what is wrong
 * with the file and what to do.
 */
function readEnvFile(path: string): EnvFile | { readonly wrong: string } {
  let text: string;
  try {
    const stat = statSync(path);
    if (!stat.isFile())
      return { wrong: `The config’s \`envFile\` \`${path}\` is not a file. Correct the path in the config.` };
    if (stat.size > ENV_FILE_BYTES) {
      return {
        wrong: `The config’s \`envFile\` \`${path}\` is larger than 1 MiB. Name a file of variables in the config.`,
      };
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    return {
      wrong: missing
        ? `The config’s \`envFile\` \`${path}\` does not exist. Create it, or correct the path in the config.`
        : `The config’s \`envFile\` \`${path}\` can’t be read (${code}). Correct its permissions, or the path in the config.`,
    };
  }
  const read = Object.entries(parseEnv(text.replace(/^\uFEFF/, '')));
  return { variables: read.flatMap(([name, value = '']) => (NAME.test(name) ? [[name, value] as const] : [])) };
}
