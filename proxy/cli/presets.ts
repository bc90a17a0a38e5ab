import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { splitCredentials } from '@/lib/hub/url-launch';
import type { ConfiguredServer } from '@/lib/wire/api';
import type { Target } from '@/lib/wire/command';
import type { ClientSettings, TlsOptions } from '@/lib/wire/connection-settings';
import { findPlaceholders } from '@/lib/wire/server-config';
import { type Preset, withoutSecrets } from '../connection/launch';
import { type ConfigServer, type Environment, readConfigFile } from '../servers/config-file';
import { closest } from './closest';
import type { ServerOptions } from './server-options';

/** The servers that a command line names, and the one to connect to at once. */
export interface Presets {
  readonly presets: readonly Preset[];
  readonly chosen?: Preset;
  /** Sentences to print on stderr before anything starts. */
  readonly notes: readonly string[];
}

/** The context in which the servers of a command line are looked up. */
interface StartContext {
  readonly cwd: string;
  readonly environment: Environment;
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

/** Looks up the servers that `options` name. `wrong` says what is wrong and what to do. */
export function buildPresets(options: ServerOptions, around: StartContext): Presets | { readonly wrong: string } {
  if (options.cwd !== undefined && !isDirectory(resolve(around.cwd, options.cwd))) {
    return { wrong: `There is no directory \`${options.cwd}\`: check the path after \`--cwd\`.` };
  }
  const presets: Preset[] = [];
  const notes: string[] = [];
  let chosen: Preset | undefined;
  if (options.target) {
    chosen = fromCommandLine(options, around);
    const { target } = options;
    if (target.kind === 'url' && target.written !== undefined) {
      notes.push(`Reading \`${target.written}\` as ${target.url}.`);
    }
    presets.push(chosen);
  }
  if (options.config !== undefined) {
    const path = resolve(around.cwd, options.config);
    const servers = readConfigFile(path, {
      environment: around.environment,
      cwd: around.cwd,
      inputs: options.inputs,
      ...(options.server !== undefined && {
        overrides: {
          server: options.server,
          variables: new Set(options.env.keys()),
          headers: new Set(Array.from(options.headers.keys(), (header) => header.toLowerCase())),
        },
      }),
    });
    if ('wrong' in servers) return servers;
    const wrong = checkInputs(options.inputs, servers);
    if (wrong !== undefined) return { wrong };
    const found = servers.map((server, index) => fromConfig(server, `config-${index + 1}`, path, options, around));
    if (options.server !== undefined) {
      chosen = found.find((preset) => preset.shown.target.name === options.server);
      if (!chosen) return { wrong: unknownServer(options.server, servers) };
      if (chosen.shown.disabled) {
        notes.push(`\`${options.server}\` is disabled in its config. Connecting to it because \`--server\` names it.`);
      }
    }
    presets.push(...found);
  }
  const wantsDemo = options.demo && !chosen;
  const demo = fromDemo(options, around, wantsDemo);
  presets.push(demo);
  if (wantsDemo) chosen = demo;
  return { presets: presets.map(withoutSecrets), notes, ...(chosen && { chosen: withoutSecrets(chosen) }) };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Applies `--env` and `--cwd` to the one server that the command line names. */
function extras(options: ServerOptions, around: StartContext): { env: Record<string, string>; cwd: string } {
  return { env: Object.fromEntries(options.env), cwd: resolve(around.cwd, options.cwd ?? '.') };
}

function fromCommandLine(options: ServerOptions, around: StartContext): Preset {
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
function tlsOf({ tls }: ServerOptions, before: TlsOptions = {}): { readonly tls?: TlsOptions } {
  const merged = { ...before, ...tls };
  return Object.keys(merged).length > 0 ? { tls: merged } : {};
}

function fromConfig(
  server: ConfigServer,
  id: string,
  path: string,
  options: ServerOptions,
  around: StartContext,
): Preset {
  const own = server.name === options.server ? extras(options, around) : undefined;
  const cwd = own && options.cwd !== undefined ? { cwd: own.cwd } : {};
  const target =
    server.target.transport === 'stdio'
      ? { ...server.target, ...cwd }
      : { ...server.target, ...(own && tlsOf(options, server.target.tls)) };
  const { clientSecret: _, ...said } = options.client;
  const env = {
    ...server.env,
    ...(own && (target.transport === 'stdio' ? own.env : Object.fromEntries(options.headers))),
  };
  const { inputs, secrets, disabled } = server;
  const ofConfig = ({ shown, ...made }: Preset): Preset => ({
    ...made,
    shown: {
      ...shown,
      ...(inputs.length > 0 && { inputs, ...(own && { waiting: true }) }),
      ...(disabled && { disabled }),
    },
    secrets,
    ...(inputs.length > 0 && {
      complete: (answers: ReadonlyMap<string, string>) =>
        fromConfig(server.withInputs(answers), id, path, options, around),
    }),
  });
  if (target.transport !== 'stdio') {
    const client = { ...target.client, ...(own && said) };
    const about = Object.keys(client).length > 0 && { client };
    const made = ofConfig(
      preset(
        { id, origin: 'config', source: path },
        { ...target, ...about },
        env,
        'allowlist',
        options,
        server.problem,
      ),
    );
    const given = own ? { ...secretOf(around, options.client), ...options.client } : {};
    const clientSecret = given.clientSecret ?? server.clientSecret;
    const placeholders = findPlaceholders([target.url]);
    return {
      ...made,
      shown: { ...made.shown, placeholders },
      ...(server.filledUrl && { filledUrl: server.filledUrl }),
      ...(clientSecret !== undefined && { clientSecret }),
    };
  }
  const made = ofConfig(
    preset({ id, origin: 'config', source: path }, target, env, 'allowlist', options, server.problem),
  );
  if (!server.filled) return made;
  const placeholders = findPlaceholders([target.command, target.args, target.cwd ?? '']);
  return { ...made, shown: { ...made.shown, placeholders }, filled: { ...server.filled, ...cwd } };
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
): Preset {
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
function checkInputs(answers: ReadonlyMap<string, string>, servers: readonly ConfigServer[]): string | undefined {
  const asked = new Map(servers.flatMap(({ asks }) => asks.map((input) => [input.id, input])));
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

function unknownServer(name: string, servers: readonly ConfigServer[]): string {
  const names = servers.map((server) => server.name);
  const near = closest(name, names);
  return near
    ? `The config has no server \`${name}\`: did you mean \`${near}\`?`
    : `The config has no server \`${name}\`: it has ${names.map((known) => `\`${known}\``).join(', ')}.`;
}
