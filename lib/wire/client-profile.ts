import { canonicalJson } from '@/lib/json/canonical';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type ClientCapabilities, capabilitiesProblem, SUPPORTED_CAPABILITIES } from './client-capabilities';
import { LIMITS } from './limits';
import { META_KEY } from './protocol-names';

/** How mcp-inspect presents itself to a server. Each absent member has its default. */
export interface ClientProfile {
  /** Absent: {@link SUPPORTED_CAPABILITIES}. */
  readonly capabilities?: ClientCapabilities;
  readonly info?: GivenClientInfo;
  /** Members of `_meta` in every request. */
  readonly meta?: JsonObject;
  readonly timeouts?: ClientTimeouts;
  /**
   * Id of the host whose name is borrowed, see {@link HostProfile}. Capabilities are then sent as they are in every
   * version.
   */
  readonly as?: string;
  /** The version that the host asks for in `initialize`. Absent: as chosen for the connection. */
  readonly protocol?: string;
  /** True for a host that answers `roots/list` without declaring roots. */
  readonly answersRoots?: true;
  /**
   * True for a host that repeats a POST as GET, without its body, after HTTP 301, 302 or 303. Absent: such a redirect
   * is not followed.
   */
  readonly postsBecomeGets?: true;
}

/** How a host connects, as its source or a recording shows. Unknown members are absent. */
export interface HostProfile {
  /** Id that `--as` takes. */
  readonly id: string;
  readonly title: string;
  /** Version of the host. */
  readonly version: string;
  /** Protocol versions that it asks for. With several, it probes with the first, and the last is in `initialize`. */
  readonly versions: readonly string[];
  readonly client: ClientProfile & Required<Pick<ClientProfile, 'as' | 'capabilities' | 'info'>>;
  /** Its answer to `roots/list`: folders of the workspace, or none. */
  readonly roots?: 'folders' | 'none';
  /** Methods of its first requests. */
  readonly opening?: readonly string[];
  /** The sources of its parts, as the end of “Taken from …”. */
  readonly from: string;
  /** Day or month of the recording, ISO 8601. */
  readonly on: string;
}

/** Returns the client of a recording whose header says that it borrowed a name; undefined for any other recording. */
export function trueClient({ as, by }: { readonly as?: string | undefined; readonly by: string }) {
  if (as === undefined) return undefined;
  const [name = '', version] = by.split('/');
  return { name, ...(version !== undefined && { version }) };
}

/** Name, title and version to send instead of those of mcp-inspect. */
export interface GivenClientInfo {
  readonly name?: string;
  readonly title?: string;
  readonly version?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
}

/** How long to wait for the response to a request, in ms. */
export interface ClientTimeouts {
  /** Longest wait for each answer of the handshake. Absent: the usual time. */
  readonly startMs?: number;
  /** Longest silence. Absent: the setting of the user. */
  readonly silenceMs?: number;
  /** Longest wait in total, whatever progress comes. */
  readonly totalMs?: number;
}

/**
 * Characters of a profile as JSON. A kept server has at most twice as many bytes, and real settings need a tenth of
 * this.
 */
export const PROFILE_CHARS = 8192;
/** Characters of the client's name, title or version. */
export const CLIENT_INFO_CHARS = 200;

/** Keys of `_meta` with values of mcp-inspect's own. */
const OWN_META: ReadonlySet<string> = new Set([
  'progressToken',
  META_KEY.protocolVersion,
  META_KEY.clientInfo,
  META_KEY.clientCapabilities,
]);

const MEMBERS: { readonly [K in keyof Required<ClientProfile>]: (value: unknown) => string | undefined } = {
  capabilities: capabilitiesProblem,
  info: infoProblem,
  meta: metaProblem,
  timeouts: timeoutsProblem,
  as: (value) =>
    isHostId(value) ? undefined : 'The id of a host has 1 to 40 lower-case letters, digits, "." and "-".',
  protocol: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
      ? undefined
      : 'The protocol must be a version, such as "2025-11-25".',
  answersRoots: (value) => trueProblem('answersRoots', value),
  postsBecomeGets: (value) => trueProblem('postsBecomeGets', value),
};

function trueProblem(name: string, value: unknown): string | undefined {
  return value === true ? undefined : `"${name}" must be true, or left out.`;
}

/** True for the id of a host, which may come from a recording. */
export function isHostId(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9][a-z0-9.-]{0,39}$/.test(value);
}

/** Returns why a value is not a {@link ClientProfile}, with advice; undefined if it is. */
export function profileProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'Client settings must be a JSON object.';
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(MEMBERS, name));
  if (unknown !== undefined) return `There is no client setting ${quoted(unknown)}: remove it.`;
  if (JSON.stringify(value).length > PROFILE_CHARS) {
    return `The client settings are longer than ${PROFILE_CHARS} characters: shorten them.`;
  }
  for (const [name, problemOf] of Object.entries(MEMBERS)) {
    const member = own(value, name);
    const problem = member === undefined ? undefined : problemOf(member);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns true for a valid profile. */
export function isProfile(value: unknown): value is ClientProfile {
  return profileProblem(value) === undefined;
}

function infoProblem(value: unknown): string | undefined {
  const names = ['name', 'title', 'version', 'description', 'websiteUrl'];
  const isText = (text: unknown): boolean =>
    text === undefined || (typeof text === 'string' && text !== '' && text.length <= CLIENT_INFO_CHARS);
  const fits = isObject(value) && Object.keys(value).every((key) => names.includes(key));
  if (fits && names.every((name) => isText(own(value, name)))) return undefined;
  return `Client name, title, version, description and website must be texts of 1 to ${CLIENT_INFO_CHARS} characters.`;
}

/** Returns why a value can't be sent as extra `_meta`, with advice; undefined if it can. */
export function metaProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'Extra `_meta` must be a JSON object, such as {"com.example/tenant":"a"}.';
  const ours = Object.keys(value).find((key) => OWN_META.has(key));
  return ours && `mcp-inspect sets ${quoted(ours)} in \`_meta\` itself: remove it.`;
}

function timeoutsProblem(value: unknown): string | undefined {
  const names = ['startMs', 'silenceMs', 'totalMs'];
  const isTime = (ms: unknown): boolean =>
    ms === undefined || (Number.isSafeInteger(ms) && (ms as number) >= 1 && (ms as number) <= LIMITS.timerMs);
  const fits = isObject(value) && Object.keys(value).every((key) => names.includes(key));
  if (fits && names.every((name) => isTime(own(value, name)))) return undefined;
  return `Timeouts must be whole milliseconds from 1 to ${LIMITS.timerMs}.`;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

/** Returns the profile that a connection has now, from its latest profile and its start as the log has them. */
export function presentProfile(latest: unknown, start: object | undefined): ClientProfile {
  return readProfile(latest === undefined ? (start ?? {}) : { profile: latest });
}

/** Returns the capabilities that a profile declares. */
export function declaredBy({ capabilities = SUPPORTED_CAPABILITIES }: ClientProfile): ClientCapabilities {
  return capabilities;
}

/** Returns the profile without the members that only repeat a default; {} for mcp-inspect as it is. */
export function tidyProfile({ capabilities, info, meta, timeouts, ...host }: ClientProfile): ClientProfile {
  return {
    ...host,
    ...(capabilities && !isSame(capabilities, SUPPORTED_CAPABILITIES) && { capabilities }),
    ...(info && Object.keys(info).length > 0 && { info }),
    ...(meta && Object.keys(meta).length > 0 && { meta }),
    ...(timeouts && Object.keys(timeouts).length > 0 && { timeouts }),
  };
}

/** Returns the member that holds a profile where it is written down; {} for mcp-inspect as it is. */
export function writtenProfile(profile: ClientProfile = {}): { readonly profile?: ClientProfile } {
  const tidy = tidyProfile(profile);
  return Object.keys(tidy).length === 0 ? {} : { profile: tidy };
}

/** Returns true if both profiles do the same. */
export function isSameProfile(one: ClientProfile, other: ClientProfile): boolean {
  return isSame(tidyProfile(one), tidyProfile(other));
}

/** Returns true if the profiles differ in what a server learns of its client: capabilities, name, title, version. */
export function introducesAnew(before: ClientProfile, after: ClientProfile): boolean {
  return (
    !isSame(declaredBy(before), declaredBy(after)) ||
    !isSame(before.info ?? {}, after.info ?? {}) ||
    before.as !== after.as ||
    before.protocol !== after.protocol
  );
}

/**
 * Returns true if a server can learn of the change in a handshake only. The header of a recording has one `as`, so
 * another host always needs a restart.
 */
export function needsHandshake(before: ClientProfile, after: ClientProfile, era: string | undefined): boolean {
  return introducesAnew(before, after) && (era !== 'modern' || before.as !== after.as);
}

function isSame(one: object, other: object): boolean {
  return canonicalJson(JSON.stringify(one)) === canonicalJson(JSON.stringify(other));
}

/** The settings of a client in the log of a connection, or in a kept server. */
interface Written {
  readonly profile?: unknown;
  /** Written by earlier versions of mcp-inspect: the features that the server may use. */
  readonly features?: unknown;
}

/** Reads a profile that anybody can have written. What is invalid has its default. */
export function readProfile({ profile, features }: Written): ClientProfile {
  if (isProfile(profile)) return profile;
  return Array.isArray(features) ? { capabilities: featureCapabilities(features) } : {};
}

function featureCapabilities(features: readonly unknown[]): ClientCapabilities {
  const { roots, sampling, elicitation } = SUPPORTED_CAPABILITIES;
  const [form, url] = [features.includes('elicitation'), features.includes('elicitation-url')];
  return {
    ...(features.includes('roots') && { roots }),
    ...(features.includes('sampling') && { sampling }),
    ...((form || url) && {
      elicitation: { ...(form && { form: elicitation!.form }), ...(url && { url: elicitation!.url }) },
    }),
  };
}
