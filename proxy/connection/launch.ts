import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { quote } from 'shlex';
import {
  headerSecrets,
  type UrlLaunch as LaunchAnywhere,
  resolveUrl as resolveAnywhere,
  urlSecrets,
  urlStart,
} from '@/lib/hub/url-launch';
import type { RememberedEra } from '@/lib/mcp/handshake';
import { secretsInArguments, secretsInVariables } from '@/lib/redact/launch-secrets';
import { ConnectionError, type HttpSink } from '@/lib/transports/transport';
import type { ConfiguredServer } from '@/lib/wire/api';
import { type NearbyAddresses, type StdioTarget, sameCommand, type Target } from '@/lib/wire/command';
import { filledInputs, fillInputs, type GivenInput, secretAnswers } from '@/lib/wire/config-inputs';
import { type ClientFeature, isUnverified } from '@/lib/wire/connection-settings';
import type { EnvironmentNames, LifecycleEvent, ProtocolChoice } from '@/lib/wire/lifecycle';
import { loadTls, type TlsMaterial } from '@/proxy/egress/tls-material';
import { serverEnvironment } from '@/proxy/process/environment';

/** A server from argv, the demo, a config or an earlier connection, with what only the proxy may know of it. */
export interface Preset {
  readonly shown: ConfiguredServer;
  /** What really runs, where `shown` has placeholders: their values may be secrets. */
  readonly filled?: Pick<StdioTarget, 'command' | 'args' | 'cwd'>;
  /** The same for a URL. */
  readonly filledUrl?: string;
  /** Of a client at the authorization server of a URL. */
  readonly clientSecret?: string;
  /** Values of the named extras; of a server at a URL, of its headers. */
  readonly env: Readonly<Record<string, string>>;
  /** Further values that nobody else should see. */
  readonly secrets?: readonly string[];
  /** The same with these answers to `shown.inputs`, by id. Absent: nothing is asked. */
  withInputs?(answers: ReadonlyMap<string, string>): Preset;
}

/** A server, ready to be connected. Holds secrets: never shown, logged or sent. */
export type Launch = StdioLaunch | UrlLaunch;

/** The same server, reached by another transport over HTTP: what auto mode has found. */
export function launchAs(launch: Launch, transport: Launch['transport']): Launch {
  return launch.transport === 'stdio' || transport === 'stdio' ? launch : { ...launch, transport };
}

/** Text that is the same for every run of a server, in any environment. Has no values of placeholders or headers. */
export function serverIdentity({ shown }: Launch): string {
  const { transport } = shown;
  return JSON.stringify(
    transport === 'stdio' ? [transport, shown.command, shown.args, shown.cwd] : [transport, shown.url],
  );
}

/** A stdio server, ready to be started. */
export interface StdioLaunch {
  readonly transport: 'stdio';
  readonly name: string;
  /** The command line as people may see it, quoted as a shell would need it. */
  readonly title: string;
  /** As people may see it: placeholders of a config are not filled. Has a name only if one was given. */
  readonly shown: StdioTarget;
  /** `${…}` names in `shown` that were filled. */
  readonly placeholders: readonly string[];
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What of `env` was named for this server alone. */
  readonly extras: Readonly<Record<string, string>>;
  /** Further values that nobody else should see. */
  readonly secrets: readonly string[];
  readonly environment: EnvironmentNames;
  readonly features?: readonly ClientFeature[];
  readonly protocol: ProtocolChoice;
  /** The era that an earlier run found. */
  readonly remembered?: RememberedEra;
}

/**
 * Returns how to connect `target` here. A target made from a preset gets the preset's environment values, but the
 * user's whole shell environment only while it is the very command that was typed there. Throws ConnectionError for
 * what can't be started, `no-base` for a base that is not there, since without its values the server would be another
 * one, and `inputs-missing` if the base asks for what `target` does not answer.
 */
export function resolveLaunch(target: Target, protocol: ProtocolChoice, presets: readonly Preset[]): Launch {
  const base = presets.find((candidate) => candidate.shown.id === target.base);
  if (target.base !== undefined && !base) throw new ConnectionError(NO_BASE);
  const preset = base && answered(base, target.inputs);
  return target.transport === 'stdio' ? resolveStdio(target, protocol, preset) : resolveUrl(target, protocol, preset);
}

/** A preset with what it asks for filled in. Throws ConnectionError. */
function answered(preset: Preset, given: readonly GivenInput[] = []): Preset {
  const { inputs = [] } = preset.shown;
  if (!preset.withInputs || inputs.length === 0) return preset;
  const answers = new Map(given.map(({ id, value }) => [id, value]));
  const open = inputs.find(({ id }) => !answers.has(id));
  if (open) {
    throw new ConnectionError({
      code: 'inputs-missing',
      message: `The config asks for \`${open.id}\`.`,
      advice: `Answer it on the page, or start mcp-inspect with \`--input ${open.id}=VALUE\`.`,
    });
  }
  const filled = preset.withInputs(answers);
  const { problem } = filled.shown;
  if (problem === undefined) return { ...filled, shown: preset.shown };
  throw new ConnectionError({ code: 'config-problem', message: problem, advice: 'Then connect again.' });
}

function resolveStdio(target: StdioTarget, protocol: ProtocolChoice, preset: Preset | undefined): StdioLaunch {
  const extras = new Map(Object.entries(preset?.env ?? {}));
  const own = (text: string): string => fillInputs(text, target.inputs);
  for (const [name, value] of Object.entries(target.env ?? {})) {
    if (value === null) extras.delete(name);
    else extras.set(name, own(value));
  }
  const same = preset !== undefined && sameCommand(preset.shown.target, target);
  const { command, args, cwd } = (same && preset.filled) || {
    command: own(target.command),
    args: target.args.map(own),
    cwd: target.cwd && own(target.cwd),
  };
  const runsIn = resolve(expandHome(cwd ?? '.'));
  const named = Object.fromEntries(extras);
  const { env, names } = serverEnvironment({
    policy: same ? preset.shown.policy : 'allowlist',
    own: process.env,
    extras: named,
  });
  const given = target.name || preset?.shown.target.name;
  return {
    transport: 'stdio',
    name: given || commandName(target),
    title: [target.command, ...target.args].map((word) => quote(word)).join(' '),
    shown: {
      transport: 'stdio',
      ...(given && { name: given }),
      command: target.command,
      args: target.args,
      cwd: runsIn,
    },
    placeholders: same
      ? preset.shown.placeholders
      : filledInputs([target.command, ...target.args, target.cwd ?? ''], target.inputs),
    command,
    args,
    cwd: runsIn,
    env,
    extras: named,
    secrets: [...(preset?.secrets ?? []), ...secretAnswers(target.inputs)],
    environment: names,
    ...(target.features && { features: target.features }),
    protocol,
  };
}

/** What was started as connection `id`, to be changed and started again. */
export function presetOf(id: string, launch: Launch): Preset {
  if (launch.transport !== 'stdio') {
    const { title, shown, placeholders, url, headers, client, secrets = [], protocol } = launch;
    const envNames = headers.map(([name]) => name);
    return {
      shown: { id, source: title, target: shown, envNames, policy: 'allowlist', placeholders, protocol },
      filledUrl: url,
      ...(client.clientSecret !== undefined && { clientSecret: client.clientSecret }),
      env: Object.fromEntries(headers),
      secrets,
    };
  }
  const { title, shown, placeholders, command, args, cwd, environment, extras, secrets, protocol } = launch;
  const { added: envNames, policy } = environment;
  return {
    shown: { id, source: title, target: shown, envNames, policy, placeholders, protocol },
    filled: { command, args, cwd },
    env: extras,
    secrets,
  };
}

const NO_BASE = {
  code: 'no-base',
  message: 'The server whose variables this one was to take over is not here any more.',
  advice: 'Type or paste the command again, with its variables.',
};

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path;
}

/** A server at a URL, ready to be reached by the proxy. Holds secrets: never shown, logged or sent anywhere else. */
export interface UrlLaunch extends LaunchAnywhere {
  /** What its files hold; absent: nothing was named. */
  readonly tls?: TlsMaterial;
}

/** What reaching a target means here, TLS of its own included. Throws also what `loadTls` throws. */
function resolveUrl(...given: Parameters<typeof resolveAnywhere>): UrlLaunch {
  const launch = resolveAnywhere(...given);
  const { tls } = launch.shown;
  return tls === undefined ? launch : { ...launch, tls: loadTls(launch.url, tls, process.env) };
}

/** Asks the neighbours of a server at a URL. Resolves when all is told to the sink; never rejects. */
export type LookFurther = (
  launch: UrlLaunch,
  where: NearbyAddresses,
  sink: HttpSink,
  signal: AbortSignal,
) => Promise<void>;

/** Programs that run another one: the name is in their arguments. */
const RUNNERS = /^(?:node|npx|bunx?|deno|python[\d.]*|uvx?|pnpm|yarn|npm|tsx|ruby|java|sh|bash|zsh)(?:\.exe|\.cmd)?$/;
const CONTAINERS = /^(?:docker|podman|nerdctl)(?:\.exe)?$/;
/** Their options that have no value behind them; all others do. */
const FLAGS_WITHOUT_VALUE =
  /^(?:-[diPqt]+|--(?:detach|init|interactive|no-healthcheck|oom-kill-disable|privileged|publish-all|quiet|read-only|rm|sig-proxy|tty))$/;
const SUBCOMMANDS = /^(?:run|exec|dlx|x)$/;
/** What follows is a program's text, which is no name, and may hold anything. */
const PROGRAM_TEXT_FLAGS = /^(?:-\w*c|-\w*e|-p|--eval|--print|--command)$/;

interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** A short name for people: the script, package or image that runs, not the program that runs it. Never what a server is given: variables, values of flags. */
export function commandName({ command, args }: CommandLine): string {
  const program = lastSegment(command);
  if (program === 'env') {
    // `env -i A=1 node server.js` runs the first word that is neither an option nor a variable.
    const at = args.findIndex(isName);
    return at < 0 ? program : commandName({ command: args[at]!, args: args.slice(at + 1) });
  }
  if (CONTAINERS.test(program)) return imageIn(args) ?? program;
  if (!RUNNERS.test(program)) return program;
  const at = args.findIndex((arg) => PROGRAM_TEXT_FLAGS.test(arg) || (isName(arg) && !SUBCOMMANDS.test(arg)));
  const word = args[at];
  return (word !== undefined && isName(word) && lastSegment(word)) || program;
}

function isName(word: string): boolean {
  return !word.startsWith('-') && !word.includes('=');
}

/** `docker run -i -e KEY=x ghcr.io/me/server:1` → `server`. */
function imageIn(args: readonly string[]): string | undefined {
  let at = args.findIndex((arg) => SUBCOMMANDS.test(arg)) + 1;
  while (args[at]?.startsWith('-')) at += FLAGS_WITHOUT_VALUE.test(args[at]!) || args[at]!.includes('=') ? 1 : 2;
  return args[at] && lastSegment(args[at]!.replace(/@.*/, '')).replace(/:.*/, '');
}

function lastSegment(path: string): string {
  return path.split(/[/\\]/).pop() || path;
}

/** The first frame of a connection: names of what it was started with, never values. `at` is ISO 8601. */
export function startEvent(launch: Launch, at: string): LifecycleEvent {
  const { name, protocol } = launch;
  if (launch.transport !== 'stdio') return urlStart(launch, at);
  const { transport, shown, placeholders, cwd, environment, features } = launch;
  const { command, args } = shown;
  const filled = placeholders.length > 0 && { placeholders };
  return {
    event: 'start',
    at,
    name,
    transport,
    command,
    args,
    ...filled,
    cwd,
    environment,
    ...(features && { features }),
    protocol,
  };
}

/** What a server was given and nobody else should see: values of variables, flags, headers and parameters that are named so, or look like it. */
export function launchSecrets(launch: Launch): readonly string[] {
  if (launch.transport !== 'stdio') return urlSecrets(launch);
  return [
    ...launch.secrets,
    ...secretsInVariables(launch.env),
    ...secretsInArguments(launch.args),
    ...inHeaders(launch.args),
  ];
}

/** `--header "X-Auth: …"`, of programs that go on to a URL. */
function inHeaders(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const [, name = '', value = ''] = /^([^:\s]{1,100}):\s*(.+)$/.exec(arg) ?? [];
    return /^(?:-H|--headers?)$/.test(args[at - 1] ?? '') ? headerSecrets(name, value) : [];
  });
}

/** True while whoever answers is believed. */
export function isInsecure(launch: Launch): boolean {
  return launch.transport !== 'stdio' && isUnverified(launch.url, launch.shown.tls);
}

/** What the terminal says about that; undefined if there is nothing to say. */
export function insecureNote(launch: Launch): string | undefined {
  if (launch.transport === 'stdio' || !isInsecure(launch)) return undefined;
  return `WARNING: the certificate of ${new URL(launch.url).host} is NOT verified (--insecure). Whoever answers is believed.`;
}
