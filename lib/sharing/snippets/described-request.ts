import { topLevelMembers } from '@/lib/json/members';
import type { Era, LifecycleEvent } from '@/lib/wire/lifecycle';

/** How a connection was made. */
export type Start = Extract<LifecycleEvent, { event: 'start' }>;

/** A request that is to be written down for somebody else, and the server that it is for. */
export interface DescribedRequest {
  readonly method: string;
  /** JSON text, without what every client adds by itself; undefined for none. */
  readonly params: string | undefined;
  readonly start: Start;
  readonly era: Era | undefined;
  /** Protocol version that was agreed on. */
  readonly version: string | undefined;
}

/** The params of a request without the `_meta` that clients put there themselves: progress token, version, who they are. */
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
  const kept = topLevelMembers(meta).filter(
    ({ key }) => key !== 'progressToken' && !key.startsWith('io.modelcontextprotocol/'),
  );
  if (kept.length === 0) return undefined;
  return `{${kept.map(({ key, start, end }) => `${JSON.stringify(key)}:${meta.slice(start, end)}`).join(',')}}`;
}

/** The text of one member of params; undefined for none. */
export function paramText(params: string | undefined, name: string): string | undefined {
  const member = params?.startsWith('{') ? topLevelMembers(params).findLast(({ key }) => key === name) : undefined;
  return member && params?.slice(member.start, member.end);
}

/** True if params have no members but these, and none twice: what is made of these alone is the same request. */
export function hasOnly(params: string | undefined, names: readonly string[]): boolean {
  if (params === undefined) return true;
  const keys = params.startsWith('{') ? topLevelMembers(params).map(({ key }) => key) : [undefined];
  return new Set(keys).size === keys.length && keys.every((key) => key !== undefined && names.includes(key));
}

/** The string that this JSON text is; undefined for other JSON, for none and for the empty string. */
export function nonEmptyString(json: string | undefined): string | undefined {
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The variable that stands for a secret: `Authorization` → `AUTHORIZATION`. */
export function environmentVariable(name: string): string {
  const words = name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');
  // `$_` and `$` are something else.
  return /^_?$/.test(words) ? 'SECRET' : words;
}
