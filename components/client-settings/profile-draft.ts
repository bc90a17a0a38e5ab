import { isObject, type JsonObject } from '@/lib/json/value';
import type { ClientCapabilities } from '@/lib/wire/client-capabilities';
import {
  type ClientProfile,
  declaredBy,
  type GivenClientInfo,
  profileProblem,
  tidyProfile,
} from '@/lib/wire/client-profile';
import { EXTENSION } from '@/lib/wire/protocol-names';

/** Client settings as typed. */
export interface ProfileDraft {
  /** The members that are not typed, from the profile of a host. */
  readonly host?: Pick<ClientProfile, 'as' | 'protocol' | 'answersRoots' | 'postsBecomeGets'> & {
    readonly info: Pick<GivenClientInfo, 'description' | 'websiteUrl'>;
  };
  /** Without extensions of other names and without `experimental`, which are typed. */
  readonly capabilities: ClientCapabilities;
  readonly extensions: readonly ExtensionDraft[];
  /** JSON text; '' for none. */
  readonly experimental: string;
  /** '' for those of mcp-inspect. */
  readonly info: Readonly<Record<'name' | 'title' | 'version', string>>;
  /** JSON text; '' for none. */
  readonly meta: string;
  /** Seconds; '' for the usual time. */
  readonly timeouts: Readonly<Record<'start' | 'silence' | 'total', string>>;
}

/** An extension that mcp-inspect does not know. */
export interface ExtensionDraft {
  /** Stable while the row is edited. */
  readonly id: number;
  readonly name: string;
  /** JSON text. */
  readonly settings: string;
}

const KNOWN_EXTENSIONS: readonly string[] = Object.values(EXTENSION);

/** Returns a profile as text to edit. */
export function profileDraftOf(profile: ClientProfile): ProfileDraft {
  const { info = {}, meta, timeouts = {}, as, protocol, answersRoots, postsBecomeGets } = profile;
  const { name, title, version, ...others } = info;
  const { extensions = {}, experimental, ...capabilities } = declaredBy(profile);
  const entries = Object.entries(extensions);
  const known = entries.filter(([name]) => KNOWN_EXTENSIONS.includes(name));
  return {
    ...(as !== undefined && {
      host: {
        as,
        ...(protocol && { protocol }),
        ...(answersRoots && { answersRoots }),
        ...(postsBecomeGets && { postsBecomeGets }),
        info: others,
      },
    }),
    capabilities: { ...capabilities, ...(known.length > 0 && { extensions: Object.fromEntries(known) }) },
    extensions: entries
      .filter(([name]) => !KNOWN_EXTENSIONS.includes(name))
      .map(([name, settings], id) => ({ id, name, settings: JSON.stringify(settings) })),
    experimental: experimental === undefined ? '' : JSON.stringify(experimental, null, 2),
    info: { name: name ?? '', title: title ?? '', version: version ?? '' },
    meta: meta === undefined ? '' : JSON.stringify(meta, null, 2),
    timeouts: {
      start: secondsOf(timeouts.startMs),
      silence: secondsOf(timeouts.silenceMs),
      total: secondsOf(timeouts.totalMs),
    },
  };
}

function secondsOf(ms: number | undefined): string {
  return ms === undefined ? '' : String(ms / 1000);
}

/** A profile, or why the draft is none. */
export type ReadDraft = { readonly profile: ClientProfile } | { readonly problem: string };

/** Returns the profile of a draft. */
export function readProfileDraft(draft: ProfileDraft): ReadDraft {
  const named = draft.extensions.filter(({ name }) => name.trim() !== '');
  const settings = named.map(({ name, settings }) => [name.trim(), objectIn(settings)] as const);
  const wrong = settings.find(([, value]) => value === undefined);
  if (wrong) return { problem: `The settings of the extension ${wrong[0].slice(0, 100)} are not a JSON object.` };
  const experimental = objectIn(draft.experimental);
  if (experimental === undefined) return { problem: 'Experimental capabilities are not a JSON object.' };
  const meta = objectIn(draft.meta);
  if (meta === undefined) return { problem: 'Extra `_meta` is not a JSON object.' };
  const extensions = { ...draft.capabilities.extensions, ...Object.fromEntries(settings) };
  const { extensions: _, ...capabilities } = draft.capabilities;
  const times = {
    // A draft that an earlier version kept has none.
    startMs: msOf(draft.timeouts.start ?? ''),
    silenceMs: msOf(draft.timeouts.silence),
    totalMs: msOf(draft.timeouts.total),
  };
  const { info: others, ...host } = draft.host ?? {};
  const profile = {
    ...host,
    capabilities: {
      ...capabilities,
      ...(Object.keys(extensions).length > 0 && { extensions }),
      ...(Object.keys(experimental).length > 0 && { experimental }),
    },
    info: { ...filled(draft.info), ...others },
    meta,
    timeouts: Object.fromEntries(Object.entries(times).filter(([, ms]) => ms !== undefined)),
  };
  const problem = profileProblem(profile);
  return problem === undefined ? { profile: tidyProfile(profile as ClientProfile) } : { problem };
}

/** Returns the names of the experimental capabilities, as far as they can be read. */
export function experimentalNames(draft: ProfileDraft): readonly string[] {
  return Object.keys(objectIn(draft.experimental) ?? {});
}

function filled(texts: ProfileDraft['info']): JsonObject {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

/** Returns {} for an empty text, and undefined for text that is not a JSON object. */
function objectIn(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns NaN, which is an invalid time, for text that is not a number. */
function msOf(seconds: string): number | undefined {
  const text = seconds.trim();
  if (text === '') return undefined;
  return /^\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * 1000) : Number.NaN;
}
