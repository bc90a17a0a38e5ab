import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { quote } from 'shlex';
import { type UrlLaunch as LaunchAnywhere, resolveUrl, urlSecrets, urlStart } from '@/lib/hub/url-launch';
import type { RememberedEra } from '@/lib/mcp/handshake';
import type { RuleSet } from '@/lib/mcp/message-interceptor';
import { secretsInVariables } from '@/lib/redact/launch-secrets';
import { ConnectionError, type HttpSink } from '@/lib/transports/transport';
import type { ConfiguredServer } from '@/lib/wire/api';
import { type ClientProfile, writtenProfile } from '@/lib/wire/client-profile';
import { type NearbyAddresses, type StdioTarget, sameCommand, type Target } from '@/lib/wire/command';
import { commandName } from '@/lib/wire/command-name';
import {
  filledInputs,
  filledWords,
  fillInputs,
  type GivenInput,
  isLeftOut,
  secretInputs,
} from '@/lib/wire/config-inputs';
import { type ClientSettings, isUnverified } from '@/lib/wire/connection-settings';
import type { EnvironmentNames, LifecycleEvent, ProtocolChoice } from '@/lib/wire/lifecycle';
import { findPlaceholders } from '@/lib/wire/server-config';
import { loadTls, type TlsMaterial } from '@/proxy/egress/tls-material';
import { sha256Of } from '@/proxy/files/native-codecs';
import { serverEnvironment } from '@/proxy/process/environment';
import { argumentSecrets, maskedTarget } from './masked-target';

/** A server from argv, the demo, a config or an earlier connection, with values that only the proxy may know. */
export interface Preset {
  readonly shown: ConfiguredServer;
  /** The real command, if `shown` has placeholders, whose values may be secrets. */
  readonly filled?: Pick<StdioTarget, 'command' | 'args' | 'cwd'>;
  /** The real URL, if `shown` has placeholders. */
  readonly filledUrl?: string;
  /** The real OAuth client, if that of `shown` has placeholders. */
  readonly filledClient?: ClientSettings;
  /** Client secret for the authorization server of a URL. */
  readonly clientSecret?: string;
  /** Values of the extra variables, or of the headers of a server at a URL. */
  readonly env: Readonly<Record<string, string>>;
  /** Further values that nobody else should see. */
  readonly secrets?: readonly string[];
  /**
   * Returns the preset with these answers to `shown.inputs`, by id, and with the values that are looked up only once it
   * is chosen. Absent: no value is missing.
   */
  complete?(answers: ReadonlyMap<string, string>): Promise<Preset>;
}

/** A preset that lacks no value. */
export type CompletePreset = Omit<Preset, 'complete'> & { readonly complete?: never };

/** A server, ready to be connected. Holds secrets: never shown, logged or sent. */
export type Launch = StdioLaunch | ProxyUrlLaunch;

/** A stdio server, ready to be started. */
export interface StdioLaunch {
  readonly transport: 'stdio';
  readonly name: string;
  /** The command line as people may see it, quoted as a shell would need it. */
  readonly title: string;
  /** The target as people may see it: placeholders not filled, and a name only if one was given. */
  readonly shown: StdioTarget;
  /** Names of the `${…}` placeholders that were filled. */
  readonly placeholders: readonly string[];
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The variables of `env` that were given to this server alone. */
  readonly extras: Readonly<Record<string, string>>;
  /** Further values that nobody else should see. */
  readonly secrets: readonly string[];
  readonly environment: EnvironmentNames;
  readonly profile?: ClientProfile;
  readonly protocol: ProtocolChoice;
  /** The era that an earlier run found. */
  readonly remembered?: RememberedEra;
  /** Rules of interception. */
  readonly rules?: readonly RuleSet[];
}

/** A server at a URL, ready to be reached by the proxy. Holds secrets: never shown, logged or sent anywhere else. */
export interface ProxyUrlLaunch extends LaunchAnywhere {
  /** Certificates and keys from files. Absent: none were named, or {@link withTls} has not read them yet. */
  readonly tls?: TlsMaterial;
}

/** Probes addresses near a server's URL. Resolves once the sink has every exchange; never rejects. */
export type LookFurther = (
  launch: ProxyUrlLaunch,
  where: NearbyAddresses,
  sink: HttpSink,
  signal: AbortSignal,
) => Promise<void>;

/** Returns a launch that reaches an address which a process printed. It carries nothing of the process's own. */
export function printedUrlLaunch(printed: string): ProxyUrlLaunch {
  return resolveUrl({ transport: 'auto', url: printed }, 'auto', undefined);
}

/**
 * Returns a text that identifies a server over all runs and environments. It has no values of placeholders or headers.
 */
export function serverIdentity({ shown }: Launch): string {
  const { transport } = shown;
  return JSON.stringify(
    transport === 'stdio' ? [transport, shown.command, shown.args, shown.cwd] : [transport, shown.url],
  );
}

/**
 * Returns a digest of what is really started or reached, with the values of placeholders. Another command, argument,
 * folder or URL has another digest.
 */
export function serverDigest(launch: Launch): string {
  const real = launch.transport === 'stdio' ? ['stdio', launch.command, launch.args, launch.cwd] : ['url', launch.url];
  return sha256Of(Buffer.from(JSON.stringify(real)));
}

/**
 * Resolves a target to what is started or reached. A target made from a preset gets the preset's variables, and the
 * user's whole shell environment only if its command is the one typed in that shell. Throws ConnectionError for invalid
 * targets, and `no-base` if the base is gone.
 */
export function resolveLaunch(target: Target, protocol: ProtocolChoice, presets: readonly CompletePreset[]): Launch {
  const preset = baseOf(target, presets);
  return target.transport === 'stdio' ? resolveStdio(target, protocol, preset) : resolveUrl(target, protocol, preset);
}

/**
 * Resolves a target as {@link resolveLaunch} does, and reads the files that it and its base name. Rejects as that does
 * and as `loadTls` does, and with `inputs-missing` if an input of the base has no answer.
 */
export async function prepareLaunch(
  target: Target,
  protocol: ProtocolChoice,
  presets: readonly Preset[],
): Promise<Launch> {
  const base = baseOf(target, presets);
  const launch = resolveLaunch(target, protocol, base ? [await completed(base, target.inputs)] : []);
  if (launch.transport === 'stdio' || launch.shown.tls === undefined) return launch;
  return { ...launch, tls: await loadTls(launch.url, launch.shown.tls, process.env) };
}

function baseOf<P extends Pick<Preset, 'shown'>>({ base }: Target, presets: readonly P[]): P | undefined {
  const found = presets.find(({ shown }) => shown.id === base);
  if (base !== undefined && !found) throw new ConnectionError(NO_BASE);
  return found;
}

const NO_BASE = {
  code: 'no-base',
  message: 'The server that this one takes its variables from is gone.',
  advice: 'Type or paste the command again, with its variables.',
};

/** Fills in what is missing in a preset. Rejects with a ConnectionError. */
async function completed(preset: Preset, given: readonly GivenInput[] = []): Promise<CompletePreset> {
  const { complete, ...rest } = preset;
  if (!complete) return rest;
  const { inputs = [] } = preset.shown;
  const answers = new Map(given.map(({ id, value }) => [id, value]));
  const open = inputs.find(({ id }) => !answers.has(id));
  if (open) {
    throw new ConnectionError({
      code: 'inputs-missing',
      message: `The config asks for \`${open.id}\`.`,
      advice: `Answer it on the page, or start mcp-inspect with \`--input ${open.id}=VALUE\`.`,
    });
  }
  const { complete: _, ...filled } = await complete(answers);
  const { problem } = filled.shown;
  if (problem === undefined) return { ...filled, shown: preset.shown };
  throw new ConnectionError({
    code: 'config-problem',
    message: problem,
    advice: 'Fix the config, then connect again.',
  });
}

function resolveStdio(target: StdioTarget, protocol: ProtocolChoice, preset: CompletePreset | undefined): StdioLaunch {
  const extras = new Map(Object.entries(preset?.env ?? {}));
  const own = (text: string): string => fillInputs(text, target.inputs);
  const answerTo = (id: string) => target.inputs?.find((input) => input.id === id);
  for (const [name, value] of Object.entries(target.env ?? {})) {
    if (value === null) extras.delete(name);
    else if (!isLeftOut(value, answerTo)) extras.set(name, own(value));
  }
  const same = preset !== undefined && sameCommand(preset.shown.target, target);
  const { command, args, cwd } = (same && preset.filled) || {
    command: own(target.command),
    args: filledWords(target.args, own, answerTo),
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
  // A preset is masked already.
  const written = same ? target : maskedTarget(target);
  const masked = findPlaceholders(wordsOf(written)).filter((name) => !findPlaceholders(wordsOf(target)).includes(name));
  return {
    transport: 'stdio',
    name: given || commandName(target),
    title: [written.command, ...written.args].map((word) => quote(word)).join(' '),
    shown: {
      transport: 'stdio',
      ...(given && { name: given }),
      command: written.command,
      args: written.args,
      cwd: runsIn,
    },
    placeholders: same ? preset.shown.placeholders : [...filledInputs(wordsOf(target), target.inputs), ...masked],
    command,
    args,
    cwd: runsIn,
    env,
    extras: named,
    secrets: [...(preset?.secrets ?? []), ...secretInputs(target.inputs)],
    environment: names,
    ...(target.profile && { profile: target.profile }),
    protocol,
  };
}

function wordsOf({ command, args, cwd = '' }: StdioTarget): readonly string[] {
  return [command, ...args, cwd];
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path;
}

/** Returns the preset with an `${input:NAME}` in place of each secret in what it shows. Its real values stay. */
export function withInputsForSecrets<P extends Preset>(preset: P): P {
  const { shown } = preset;
  const { target } = shown;
  const masked = maskedTarget(
    target,
    shown.inputs?.map(({ id }) => id),
  );
  if (masked === target) return preset;
  const placeholders = findPlaceholders(masked.transport === 'stdio' ? wordsOf(masked) : [masked.url]);
  const real = target.transport === 'stdio' ? { filled: target, ...preset } : { filledUrl: target.url, ...preset };
  return { ...real, shown: { ...shown, target: masked, placeholders } };
}

/** Returns a preset made from connection `id`, to be edited and started again. */
export function presetOf(id: string, launch: Launch): CompletePreset {
  if (launch.transport !== 'stdio') {
    const { title, shown, placeholders, url, headers, client, secrets = [], protocol } = launch;
    const envNames = headers.map(([name]) => name);
    return {
      shown: {
        id,
        origin: 'kept',
        source: title,
        target: shown,
        envNames,
        policy: 'allowlist',
        placeholders,
        protocol,
      },
      filledUrl: url,
      ...(client.clientSecret !== undefined && { clientSecret: client.clientSecret }),
      env: Object.fromEntries(headers),
      secrets,
    };
  }
  const { title, shown, placeholders, command, args, cwd, environment, extras, secrets, protocol } = launch;
  const { added: envNames, policy } = environment;
  return {
    shown: { id, origin: 'kept', source: title, target: shown, envNames, policy, placeholders, protocol },
    filled: { command, args, cwd },
    env: extras,
    secrets,
  };
}

/**
 * Returns the first frame of a connection. It names variables, headers and placeholders, but has no values. `at` is ISO
 * 8601. `telemetry`: variables that the server gets so that its OpenTelemetry comes to us.
 */
export function startEvent(launch: Launch, at: string, telemetry: readonly string[] = []): LifecycleEvent {
  const { name, protocol } = launch;
  if (launch.transport !== 'stdio') return urlStart(launch, at);
  const { transport, shown, placeholders, cwd, environment, profile } = launch;
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
    environment: { ...environment, ...(telemetry.length > 0 && { telemetry }) },
    ...writtenProfile(profile),
    protocol,
  };
}

/** Returns the values given to a server that are secret by their names or by how they look. */
export function launchSecrets(launch: Launch): readonly string[] {
  if (launch.transport !== 'stdio') return urlSecrets(launch);
  return [...launch.secrets, ...secretsInVariables(launch.env), ...argumentSecrets(launch.args)];
}

/** Returns true if the server's certificate is not verified. */
export function skipsVerification(launch: Launch): boolean {
  return launch.transport !== 'stdio' && isUnverified(launch.url, launch.shown.tls);
}

/** Returns the warning for the terminal that the certificate is not verified; undefined if it is verified. */
export function insecureNote(launch: Launch): string | undefined {
  if (launch.transport === 'stdio' || !skipsVerification(launch)) return undefined;
  const { host } = new URL(launch.url);
  return `WARNING: the certificate of ${host} is NOT verified (--tls insecure), so anyone could pose as this server.`;
}
