import { topLevelMembers } from '@/lib/json/members';
import type { ClientProfile } from '@/lib/wire/client-profile';
import type { Era, LifecycleEvent } from '@/lib/wire/lifecycle';
import { META_PREFIX } from '@/lib/wire/protocol-names';
import type { TaskWish } from '@/lib/wire/task';

/** How a connection was started. */
export type Start = Extract<LifecycleEvent, { event: 'start' }>;

/** A request that somebody else should be able to repeat, and its server. */
export interface DescribedRequest {
  readonly method: string;
  /** JSON text without the members that every client adds; undefined without params. */
  readonly params: string | undefined;
  readonly start: Start;
  readonly era: Era | undefined;
  /** The negotiated protocol version. */
  readonly version: string | undefined;
  /** How the client presented itself. */
  readonly profile: ClientProfile;
  /** Set if the call asks for a task, and its params don't say so yet. */
  readonly task?: TaskWish | undefined;
}

/** Members of `_meta` that clients add to each request, and that must be new in the next one. */
const ADDED: ReadonlySet<string> = new Set(['progressToken', 'traceparent']);

/** Returns a request's params without the `_meta` that clients add: progress token, trace, version, client info. */
export function ownParams(params: string | undefined): string | undefined {
  if (params === undefined || !params.startsWith('{')) return params;
  const all = topLevelMembers(params);
  const kept = all.flatMap(({ key, start, end }) => {
    const value = params.slice(start, end);
    const own = key === '_meta' && value.startsWith('{') ? ownMeta(value) : value;
    return own === undefined ? [] : [`${JSON.stringify(key)}:${own}`];
  });
  return kept.length === 0 ? undefined : `{${kept.join(',')}}`;
}

function ownMeta(meta: string): string | undefined {
  const kept = topLevelMembers(meta).filter(({ key }) => !ADDED.has(key) && !key.startsWith(META_PREFIX));
  if (kept.length === 0) return undefined;
  return `{${kept.map(({ key, start, end }) => `${JSON.stringify(key)}:${meta.slice(start, end)}`).join(',')}}`;
}

/** Returns the text of one member of params; undefined if absent. */
export function paramText(params: string | undefined, name: string): string | undefined {
  const member = params?.startsWith('{') ? topLevelMembers(params).findLast(({ key }) => key === name) : undefined;
  return member && params?.slice(member.start, member.end);
}

/** Returns true if params have only these members, each once, so that a request made from them is the same. */
export function hasOnly(params: string | undefined, names: readonly string[]): boolean {
  if (params === undefined) return true;
  const keys = params.startsWith('{') ? topLevelMembers(params).map(({ key }) => key) : [undefined];
  return new Set(keys).size === keys.length && keys.every((key) => key !== undefined && names.includes(key));
}

/** Returns the string in a JSON text; undefined for other JSON, for none and for the empty string. */
export function nonEmptyString(json: string | undefined): string | undefined {
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the variable for a secret: `Authorization` → `AUTHORIZATION`. */
export function environmentVariable(name: string): string {
  const words = name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');
  // `$_` and `$` have other meanings.
  return /^_?$/.test(words) ? 'SECRET' : words;
}
