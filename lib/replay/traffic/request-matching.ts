import { canonicalSource } from '@/lib/json/canonical';
import { setMembers } from '@/lib/json/members';
import { JsonSource } from '@/lib/json/source';
import { META_KEY } from '@/lib/wire/protocol-names';
import { textHash } from '@/lib/wire/text-hash';

/** Keys of `_meta` that identify the client or the request. They do not count when requests are compared. */
const REQUESTER_KEYS: ReadonlySet<string> = new Set([
  'progressToken',
  META_KEY.protocolVersion,
  META_KEY.clientInfo,
  META_KEY.clientCapabilities,
  META_KEY.logLevel,
  'traceparent',
  'tracestate',
  'baggage',
]);

/**
 * Returns a text that is the same for equal requests: method and canonical params, without ids, {@link REQUESTER_KEYS}
 * and empty arguments. Missing params are `{}`.
 */
export function requestKey(method: string, params: string | undefined): string {
  return `${method} ${canonicalParams(params)}`;
}

/** Characters of the longest key that {@link shortKey} keeps. */
const KEY_CHARS = 64;

/** Returns a key, or a hash of a long one, so that the keys of a million calls fit into memory. */
export function shortKey(key: string): string {
  return key.length <= KEY_CHARS ? key : textHash(key);
}

/** The params of a {@link requestKey}. */
export function canonicalParams(params: string | undefined): string {
  const source = params === undefined ? undefined : JsonSource.parse(params);
  if (source === undefined) return params ?? '{}';
  // Some clients omit empty arguments, others don’t.
  const given = source.member('arguments');
  const empty = given?.kind === 'object' && given.children(1).children.length === 0 ? ['arguments'] : [];
  const meta = source.member('_meta');
  if (meta?.kind !== 'object') return canonicalSource(source, new Set(empty));
  const kept = canonicalSource(meta, REQUESTER_KEYS);
  const rest = canonicalSource(source, new Set(['_meta', ...empty]));
  if (kept === '{}') return rest;
  return `${rest.slice(0, -1)}${rest === '{}' ? '' : ','}"_meta":${kept}}`;
}

/**
 * Removes the members that identify the client from params, so that another client can send them. The rest of the text
 * stays exactly as it was.
 */
export function withoutRequester(params: string | undefined): string | undefined {
  const meta = JsonSource.parse(params ?? '')?.member('_meta');
  if (params === undefined || meta?.kind !== 'object') return params;
  const { children } = meta.children(Number.POSITIVE_INFINITY);
  const kept = children.filter(({ name }) => !REQUESTER_KEYS.has(name!));
  const written = kept.map(({ name, source }) => `${JSON.stringify(name)}:${source.text}`);
  return setMembers(params, [['_meta', `{${written.join(',')}}`]]);
}

/**
 * A client’s position in a recording: which of several matching calls comes next. A call may be in several lists, since
 * there are several ways to match.
 */
export class PlaybackPosition<T> {
  readonly #next = new Map<Items<T>, number>();
  readonly #taken = new Set<T>();

  /**
   * Returns the next unused item, in order. After the last item, returns the last one again. `items` must not be empty.
   */
  next(items: Items<T>): { readonly item: T; readonly again: boolean } {
    let at = this.#next.get(items) ?? 0;
    let item = items.at(at);
    while (item !== undefined && this.#taken.has(item)) item = items.at(++at);
    this.#next.set(items, at);
    const found = item ?? items.at(at - 1)!;
    this.#taken.add(found);
    return { item: found, again: item === undefined };
  }

  /** Starts from the beginning. */
  rewind(): void {
    this.#next.clear();
    this.#taken.clear();
  }
}

/** A list whose length need not be known. */
interface Items<T> {
  /** Returns the item at an index; undefined beyond the last. */
  at(index: number): T | undefined;
}
