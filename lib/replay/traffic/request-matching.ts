import { canonicalSource } from '@/lib/json/canonical';
import { setMembers } from '@/lib/json/members';
import { JsonSource } from '@/lib/json/source';

/** What `_meta` says of who asks, and under which number, and not of what is asked. */
const REQUESTER_KEYS: ReadonlySet<string> = new Set([
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/logLevel',
  'traceparent',
  'tracestate',
  'baggage',
]);

/**
 * One text for all requests that ask the same: the method and the canonical params, without {@link REQUESTER_KEYS} and empty arguments. No params, and params
 * that only held that, are `{}`. The id is no part of it.
 */
export function requestKey(method: string, params: string | undefined): string {
  return `${method} ${canonicalParams(params)}`;
}

/** The params of {@link requestKey}. */
export function canonicalParams(params: string | undefined): string {
  const source = params === undefined ? undefined : JsonSource.parse(params);
  if (source === undefined) return params ?? '{}';
  // Some clients leave out arguments where there are none, others don't.
  const given = source.member('arguments');
  const empty = given?.kind === 'object' && given.children(1).children.length === 0 ? ['arguments'] : [];
  const meta = source.member('_meta');
  if (meta?.kind !== 'object') return canonicalSource(source, new Set(empty));
  const kept = canonicalSource(meta, REQUESTER_KEYS);
  const rest = canonicalSource(source, new Set(['_meta', ...empty]));
  if (kept === '{}') return rest;
  return `${rest.slice(0, -1)}${rest === '{}' ? '' : ','}"_meta":${kept}}`;
}

/** Params without what only says who asks: for a server that is asked by somebody else. The rest stays as it was written. */
export function withoutRequester(params: string | undefined): string | undefined {
  const meta = JsonSource.parse(params ?? '')?.member('_meta');
  if (params === undefined || meta?.kind !== 'object') return params;
  const { children } = meta.children(Number.POSITIVE_INFINITY);
  const kept = children.filter(({ name }) => !REQUESTER_KEYS.has(name!));
  const written = kept.map(({ name, source }) => `${JSON.stringify(name)}:${source.text}`);
  return setMembers(params, [['_meta', `{${written.join(',')}}`]]);
}

/** Where one client is in a recording: of things that are alike, which one is next. A thing may be alike to others in more than one way. */
export class PlaybackPosition<T> {
  readonly #next = new Map<readonly T[], number>();
  readonly #taken = new Set<T>();

  /** The next of these that was not taken, in order; after the last one, the last again. Never of none. */
  next(items: readonly T[]): { readonly item: T; readonly again: boolean } {
    let at = this.#next.get(items) ?? 0;
    while (at < items.length && this.#taken.has(items[at]!)) at++;
    this.#next.set(items, at);
    const item = items[Math.min(at, items.length - 1)]!;
    this.#taken.add(item);
    return { item, again: at >= items.length };
  }

  /** Begins anew. */
  rewind(): void {
    this.#next.clear();
    this.#taken.clear();
  }
}
