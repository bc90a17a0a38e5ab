import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { splitCredentials } from '@/lib/hub/shown-url';
import type { ConfiguredServer } from '@/lib/wire/api';
import type { Target } from '@/lib/wire/command';
import type { ClientSettings, TlsOptions } from '@/lib/wire/connection-settings';
import { MODEL_KEY_VARIABLES } from '@/lib/wire/model-key-variables';
import type { ConfigEntry } from '@/lib/wire/server-config';
import { type CompletePreset, type Preset, withInputsForSecrets } from '../connection/launch';
import {
  type ConfigContext,
  type ConfigServer,
  type EnvFiles,
  type Environment,
  fillEntry,
  readConfigFile,
  withEnvFile,
} from '../servers/config-file';
import type { DiscoveryContext } from '../servers/discovery';
import { leftOut, MOST_SERVERS } from '../servers/host-entries';
import { type Additions, presetOfServer } from '../servers/server-preset';
import { chooseServer } from './choose-server';
import { closest } from './closest';
import type { ServerOptions } from './server-options';

/** The servers that a command line names, and the one to connect to at once. */
export interface Presets {
  readonly presets: readonly Preset[];
  readonly chosen?: Preset;
  /** Sentences to print on stderr before anything starts. */
  readonly notes: readonly string[];
}

/** A project’s config that nobody named, as it was read. */
export interface FoundProject {
  readonly path: string;
  readonly text: string;
  /** Its servers as written. */
  readonly entries: readonly ConfigEntry[];
  /** Those that may start now. */
  readonly servers: readonly ConfigServer[];
}

/**
 * Asks whether the servers of a project may start. Resolves with the files of variables that this covers. Rejects with
 * an ExitError if not.
 */
export type AgreeToProject = (project: FoundProject) => Promise<EnvFiles>;

/** The context in which the servers of a command line are looked up. */
export interface StartContext {
  readonly cwd: string;
  readonly environment: Environment;
  /** Variables that a config of a project does not get, in upper case, unless somebody names it. */
  readonly withheld?: ReadonlySet<string>;
  /** Absent: the config is the user’s. */
  readonly agree?: AgreeToProject | undefined;
  /** Decides which configs of hosts are read. Absent: those that this process sees. */
  readonly discovery?: DiscoveryContext;
  /** How to start the demo server. */
  readonly demo: { readonly command: string; readonly args: readonly string[] };
}

/** The start context of this process. `home` is the folder of the built bin. */
export function startContext(home: string): StartContext {
  return {
    cwd: process.cwd(),
    environment: process.env,
    demo: { command: process.execPath, args: [join(home, '../examples/demo-server/server.mjs')] },
  };
}

/** As {@link startContext}, for configs of projects that somebody else may have written. */
export function withoutModelKeys(home: string): StartContext {
  return { ...startContext(home), withheld: MODEL_KEY_VARIABLES };
}

/** Looks up the servers that `options` name. `wrong` says what is wrong and what to do. */
export async function buildPresets(
  options: ServerOptions,
  around: StartContext,
): Promise<Presets | { readonly wrong: string }> {
  if (options.cwd !== undefined && !isDirectory(resolve(around.cwd, options.cwd))) {
    return { wrong: `There is no directory \`${options.cwd}\`: check the path after \`--cwd\`.` };
  }
  const named = options.target && fromCommandLine(options, around);
  const configured = await fromConfigs(options, around);
  if ('wrong' in configured) return configured;
  const wantsDemo = options.demo && !named && !configured.chosen;
  const demo = fromDemo(options, around, wantsDemo);
  const chosen = configured.chosen ?? named;
  const presets = [...(named ? [named] : []), ...configured.presets].map(withInputsForSecrets);
  return {
    // The demo has no secrets. Looking for them takes 25 ms the first time.
    presets: [...presets, demo],
    notes: [...writtenNote(options), ...configured.notes],
    ...(chosen ? { chosen: withInputsForSecrets(chosen) } : wantsDemo && { chosen: demo }),
  };
}

/** Returns the server that a command line names by its command or URL. It reads no config. */
export function presetOfCommandLine(
  options: ServerOptions,
  around: StartContext,
): Presets & { readonly chosen: CompletePreset } {
  const chosen = withInputsForSecrets(fromCommandLine(options, around));
  return { presets: [chosen], chosen, notes: writtenNote(options) };
}

function writtenNote({ target }: ServerOptions): readonly string[] {
  if (target?.kind !== 'url' || target.written === undefined) return [];
  return [`Reading \`${target.written}\` as ${target.url}.`];
}

/** Returns the servers of `--config`, or the server of a host’s config that `--server` names. */
async function fromConfigs(
  options: ServerOptions,
  around: StartContext,
): Promise<Presets | { readonly wrong: string }> {
  const { config, server: name } = options;
  if (config !== undefined) return fromConfig(config, options, around);
  if (name === undefined) return { presets: [], notes: [] };
  const { fillFound, ownContext, presetOfFilled } = await import('../servers/discovery');
  const { findKnownServers } = await import('../servers/known-servers');
  const { servers, skipped } = await findKnownServers(around.discovery ?? ownContext());
  const choice = chooseServer(name, servers, skipped);
  if ('wrong' in choice) return choice;
  const { found, note } = choice;
  const withheld = found.project !== undefined && around.withheld;
  const context = { ...fillContext(options, around), overrides: overridesOf(options), ...(withheld && { withheld }) };
  const wrong = checkInputs(options.inputs, [found.entry]);
  if (wrong !== undefined) return { wrong };
  const server = fillFound(found, context);
  const { path, project } = found;
  const entries = servers.filter((one) => one.project !== undefined && one.path === path).map(({ entry }) => entry);
  const files =
    project === undefined ? undefined : await around.agree?.({ path, text: project, entries, servers: [server] });
  const filled = await withEnvFile(server, files);
  const chosen = presetOfFilled(found, filled, options.protocol, additionsOf(options, around));
  return { presets: [chosen], chosen, notes: [note, ...disabledNote(chosen)] };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Applies `--env` and `--cwd` to the one server that the command line names. */
function extras(options: ServerOptions, around: StartContext): { env: Record<string, string>; cwd: string } {
  return { env: Object.fromEntries(options.env), cwd: resolve(around.cwd, options.cwd ?? '.') };
}

function fromCommandLine(options: ServerOptions, around: StartContext): CompletePreset {
  const { env, cwd } = extras(options, around);
  const named = options.target!;
  if (named.kind === 'url') {
    const { url, authorization } = splitCredentials(named.url);
    const own = {
      ...(authorization !== undefined && { Authorization: authorization }),
      ...Object.fromEntries(options.headers),
    };
    const { clientSecret, ...client } = { ...secretOf(around, options.client), ...options.client };
    const about = Object.keys(client).length > 0 && { client };
    const target: Target = { transport: options.transport, url, ...about, ...tlsOf(options) };
    const made = preset(
      { id: 'command-line', origin: 'command-line', source: 'command line' },
      target,
      own,
      'allowlist',
      options,
      undefined,
    );
    return { ...made, ...(clientSecret !== undefined && { clientSecret }) };
  }
  const target: Target = { transport: 'stdio', command: named.command, args: named.args, cwd };
  const policy = options.cleanEnv ? 'allowlist' : 'shell';
  return preset(
    { id: 'command-line', origin: 'command-line', source: 'command line' },
    target,
    env,
    policy,
    options,
    undefined,
  );
}

/** Reads the client secret from the environment, since others on this machine can read arguments. */
function secretOf({ environment }: StartContext, { clientId }: ClientSettings): Pick<ClientSettings, 'clientSecret'> {
  const secret = environment.MCP_INSPECT_CLIENT_SECRET;
  return clientId === undefined || !secret ? {} : { clientSecret: secret };
}

/** Returns TLS settings without empty members. */
function tlsOf({ tls }: ServerOptions): { readonly tls?: TlsOptions } {
  return Object.keys(tls).length > 0 ? { tls } : {};
}

async function fromConfig(
  file: string,
  options: ServerOptions,
  around: StartContext,
): Promise<Presets | { readonly wrong: string }> {
  const path = resolve(around.cwd, file);
  const read = await readConfigFile(path, { isFound: around.agree !== undefined });
  if ('wrong' in read) return read;
  const { entries, note, text } = read;
  const wrong = checkInputs(options.inputs, entries);
  if (wrong !== undefined) return { wrong };
  const isOnly = options.isFile && options.server === undefined && entries.length === 1;
  const index = isOnly ? 0 : entries.findIndex(({ name }) => name === options.server);
  if (options.server !== undefined && index < 0) return { wrong: unknownServer(options.server, entries) };
  const context = { ...fillContext(options, around), withheld: around.withheld };
  const servers = entries.map((entry, at) =>
    fillEntry(entry, path, { ...context, ...(at === index && { overrides: overridesOf(options) }) }),
  );
  const files = await around.agree?.({ path, text, entries, servers });
  const make = async (server: ConfigServer, at: number) => {
    const from = { id: `config-${at + 1}`, origin: 'config', source: path, protocol: options.protocol } as const;
    return presetOfServer(
      await withEnvFile(server, files),
      from,
      at === index ? additionsOf(options, around) : undefined,
    );
  };
  const presets = await Promise.all(servers.map(make));
  const chosen = presets[index];
  // The page would only drown in more. The chosen one may be any.
  const listed = presets.filter((preset, at) => at < MOST_SERVERS || preset === chosen);
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(listed.length < presets.length ? [`\`${path}\`: ${leftOut(presets.length)}`] : []),
    ...(chosen ? disabledNote(chosen) : []),
  ];
  return { presets: listed, notes, ...(chosen && { chosen }) };
}

function disabledNote({ shown: { disabled, target } }: Preset): readonly string[] {
  if (!disabled) return [];
  return [`\`${target.name}\` is disabled in its config. Connecting to it because \`--server\` names it.`];
}

function fillContext({ inputs }: ServerOptions, { cwd, environment }: StartContext): ConfigContext {
  return { cwd, environment, inputs };
}

function overridesOf({ env, headers }: ServerOptions): ConfigContext['overrides'] {
  const lower = Array.from(headers.keys(), (header) => header.toLowerCase());
  return { variables: new Set(env.keys()), headers: new Set(lower) };
}

function additionsOf(options: ServerOptions, around: StartContext): Additions {
  const { env, cwd } = extras(options, around);
  return {
    env,
    headers: Object.fromEntries(options.headers),
    client: { ...secretOf(around, options.client), ...options.client },
    tls: options.tls,
    ...(options.cwd !== undefined && { cwd }),
  };
}

function fromDemo(options: ServerOptions, around: StartContext, chosen: boolean): Preset {
  const { env, cwd } = chosen ? extras(options, around) : { env: {}, cwd: around.cwd };
  const target: Target = { transport: 'stdio', name: 'demo', ...around.demo, cwd };
  return preset({ id: 'demo', origin: 'demo', source: 'demo' }, target, env, 'allowlist', options, undefined);
}

function preset(
  from: Pick<ConfiguredServer, 'id' | 'origin' | 'source'>,
  target: Target,
  env: Readonly<Record<string, string>>,
  policy: ConfiguredServer['policy'],
  { protocol }: ServerOptions,
  problem: string | undefined,
): CompletePreset {
  return {
    shown: {
      ...from,
      target,
      envNames: Object.keys(env),
      policy,
      placeholders: [],
      protocol,
      ...(problem !== undefined && { problem }),
    },
    env,
  };
}

/** Returns what is wrong with an answer of `--input`. */
function checkInputs(answers: ReadonlyMap<string, string>, entries: readonly ConfigEntry[]): string | undefined {
  const asked = new Map(entries.flatMap(({ inputs = [] }) => inputs.map((input) => [input.id, input])));
  for (const [id, value] of answers) {
    const options = asked.get(id)?.options?.map((option) => option.value);
    if (!asked.has(id)) return unknownInput(id, [...asked.keys()]);
    if (options && !options.includes(value)) {
      return `\`--input ${id}\` takes one of ${options.map((one) => `\`${one}\``).join(', ')}.`;
    }
  }
  return undefined;
}

function unknownInput(id: string, known: readonly string[]): string {
  const near = closest(id, known);
  const has = known.length === 0 ? 'it has none' : `it has ${known.map((one) => `\`${one}\``).join(', ')}`;
  return `The config has no input \`${id}\`: ${near ? `did you mean \`${near}\`?` : `${has}.`}`;
}

function unknownServer(name: string, servers: readonly ConfigEntry[]): string {
  const names = servers.map((server) => server.name);
  const near = closest(name, names);
  return near
    ? `The config has no server \`${name}\`: did you mean \`${near}\`?`
    : `The config has no server \`${name}\`: it has ${names.map((known) => `\`${known}\``).join(', ')}.`;
}
