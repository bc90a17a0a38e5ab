import type { RememberedEra } from '@/lib/mcp/handshake';
import type { RuleSet } from '@/lib/mcp/message-interceptor';
import { secretName } from '@/lib/redact/names';
import type { Headers } from '@/lib/transports/http-link';
import { maskedUrl, secretsInHeader, secretsInUrl } from '@/lib/transports/masking';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConfiguredServer } from '@/lib/wire/api';
import { clientProblem } from '@/lib/wire/client-problem';
import { type ClientProfile, writtenProfile } from '@/lib/wire/client-profile';
import type { RunInfo, UrlTarget } from '@/lib/wire/command';
import { filledInputs, fillInputs, isLeftOut, secretInputs } from '@/lib/wire/config-inputs';
import { type ClientSettings, type TlsOptions, withoutClientSecret } from '@/lib/wire/connection-settings';
import { headerProblem } from '@/lib/wire/header-fields';
import type { LifecycleEvent, ProtocolChoice } from '@/lib/wire/lifecycle';
import { isSecretName } from '@/lib/wire/secret-names';
import { isUrl } from '@/lib/wire/url';
import type { Launchable } from './connection';
import { splitCredentials } from './shown-url';

/** A configured server with its URL. */
interface Configured {
  readonly shown: ConfiguredServer;
  /** Values of its headers, by name. */
  readonly env: Readonly<Record<string, string>>;
  readonly filledUrl?: string;
  /** The real OAuth client, if that of `shown` has placeholders. */
  readonly filledClient?: ClientSettings;
  readonly clientSecret?: string;
  readonly secrets?: readonly string[];
}

/** A server at a URL, ready to be reached. Holds secrets: never shown, logged or sent anywhere else. */
export interface UrlLaunch {
  readonly transport: UrlTarget['transport'];
  readonly name: string;
  /** The URL without its secrets. */
  readonly title: string;
  /**
   * The target as people may see it: without secrets, with placeholders unfilled, and with a name only if one was
   * given.
   */
  readonly shown: UrlTarget;
  /** Names of the `${…}` placeholders that were filled. */
  readonly placeholders: readonly string[];
  /** Without user and password, which became a header. */
  readonly url: string;
  readonly headers: Headers;
  /** Our OAuth client at its authorization server. */
  readonly client: ClientSettings;
  /** Further values that nobody else should see. */
  readonly secrets?: readonly string[];
  readonly profile?: ClientProfile;
  readonly protocol: ProtocolChoice;
  /** Set by a restart. */
  readonly laterRun?: RunInfo;
  /** The era that an earlier run found. */
  readonly remembered?: RememberedEra;
  /** Rules of interception. */
  readonly rules?: readonly RuleSet[];
}

/**
 * Resolves a target to the URL, headers and other values that reach it. A preset's header values go only to the
 * preset's own origin, whatever URL the page asks for. Throws ConnectionError `url-invalid`, `header-invalid` or
 * `client-invalid`.
 */
export function resolveUrl(target: UrlTarget, protocol: ProtocolChoice, preset: Configured | undefined): UrlLaunch {
  // A config's placeholders may stand for secrets: fill them only in the config's own URL, and never show them.
  const same = preset !== undefined && writtenUrl(preset) === target.url;
  const own = (value: string): string => fillInputs(value, target.inputs);
  const text = (same && preset.filledUrl) || own(target.url);
  if (!isUrl(text)) {
    throw new ConnectionError({
      code: 'url-invalid',
      message: `${JSON.stringify(target.url.slice(0, 200))} is not an http or https URL.`,
      advice: 'Correct the URL.',
    });
  }
  const { url, authorization } = splitCredentials(text);
  const headers = new Map<string, readonly [string, string]>();
  if (authorization !== undefined) headers.set('authorization', ['Authorization', authorization]);
  const theirs = preset && sameOrigin(preset, url) ? Object.entries(preset.env) : [];
  const answerTo = (id: string) => target.inputs?.find((input) => input.id === id);
  const ours = Object.entries(target.headers ?? {})
    .filter(([, value]) => value === null || !isLeftOut(value, answerTo))
    .map(([name, value]) => [name, value && own(value)] as const);
  for (const [name, value] of [...theirs, ...ours]) {
    if (value === null) headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), [name, value]);
  }
  for (const [name, value] of headers.values()) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) {
      throw new ConnectionError({
        code: 'header-invalid',
        message: problem,
        advice: 'Correct the header, then connect again.',
      });
    }
  }
  const client = clientOf(target, preset !== undefined && sameOrigin(preset, url) ? preset : undefined);
  const shown = withoutClientSecret(client);
  const tls = target.tls ?? (preset && sameOrigin(preset, url) ? tlsOf(preset) : undefined);
  const named = tls !== undefined && Object.keys(tls).length > 0;
  const given = target.name || preset?.shown.target.name;
  const title = maskedUrl(text === target.url ? url : target.url);
  return {
    transport: target.transport,
    name: given || hostInTitle(title) || new URL(url).host,
    title,
    shown: {
      transport: target.transport,
      ...(given && { name: given }),
      url: title,
      ...(shown && { client: shown }),
      ...(named && { tls }),
    },
    placeholders: same ? preset.shown.placeholders : filledInputs([target.url], target.inputs),
    url,
    headers: [...headers.values()],
    client,
    secrets: [...(preset?.secrets ?? []), ...secretInputs(target.inputs)],
    ...(target.profile && { profile: target.profile }),
    protocol,
  };
}

/** Returns the launch with the HTTP transport that auto mode has found. The launch of a stdio server stays as it is. */
export function launchAs<L extends Pick<Launchable, 'transport'>>(launch: L, transport: Launchable['transport']): L {
  return launch.transport === 'stdio' || transport === 'stdio' ? launch : { ...launch, transport };
}

/** Returns the target's OAuth client. A preset's secret is used only with the preset's own client id. */
function clientOf({ client = {}, inputs }: UrlTarget, preset: Configured | undefined): ClientSettings {
  const known = preset?.shown.target.transport === 'stdio' ? undefined : preset?.shown.target.client;
  const same = client.clientId !== undefined && known?.clientId === client.clientId;
  const secret = client.clientSecret ?? (same ? preset?.clientSecret : undefined);
  const said = Object.entries(client).map(([name, value]) => {
    const key = name as keyof ClientSettings;
    const filled = value === known?.[key] ? preset?.filledClient?.[key] : undefined;
    return [key, filled ?? fillInputs(value, inputs)];
  });
  const settings: ClientSettings = {
    ...Object.fromEntries(said),
    ...(secret !== undefined && {
      clientSecret: client.clientSecret === undefined ? secret : fillInputs(secret, inputs),
    }),
  };
  const problem = clientProblem(settings);
  if (problem === undefined) return settings;
  throw new ConnectionError({ code: 'client-invalid', message: problem, advice: 'Then connect again.' });
}

/** Returns the host and port of a URL; '' for another text. */
export function hostInTitle(title: string): string {
  return isUrl(title) ? new URL(title).host : '';
}

function sameOrigin(preset: Configured, url: string): boolean {
  const own = preset.filledUrl ?? writtenUrl(preset) ?? '';
  return isUrl(own) && new URL(own).origin === new URL(url).origin;
}

function tlsOf({ shown: { target } }: Configured): TlsOptions | undefined {
  return target.transport === 'stdio' ? undefined : target.tls;
}

function writtenUrl({ shown: { target } }: Configured): string | undefined {
  return target.transport === 'stdio' ? undefined : target.url;
}

/**
 * Returns the first frame of a connection to a URL. It names headers and placeholders, but has no values. `at` is ISO
 * 8601.
 */
export function urlStart(launch: UrlLaunch, at: string): Extract<LifecycleEvent, { readonly url: string }> {
  const { name, transport, title, headers, placeholders, shown, profile, protocol } = launch;
  const filled = placeholders.length > 0 && { placeholders };
  const headerNames = headers.map(([key]) => key);
  const about = {
    ...(shown.client && { client: shown.client }),
    ...(shown.tls && { tls: shown.tls }),
    ...writtenProfile(profile),
  };
  return { event: 'start', at, name, transport, url: title, ...filled, headerNames, ...about, protocol };
}

/**
 * Returns the values given to a server that nobody else should see: those of headers and parameters with secret names.
 */
export function urlSecrets({ headers, client, url, secrets = [] }: UrlLaunch): readonly string[] {
  const values = headers.flatMap(([name, value]) => headerSecrets(name, value));
  return [...values, ...secretsInUrl(url), client.clientSecret ?? '', ...secrets];
}

/** Returns the secrets in a header's value, or none if the header's name is not secret. */
export function headerSecrets(name: string, value: string): readonly string[] {
  const named = secretName(name, 'header');
  return isSecretName(name, 'header') || (named !== undefined && named.grade !== 'weak')
    ? secretsInHeader(name, value)
    : [];
}
