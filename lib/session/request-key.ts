import { JsonSource } from '@/lib/wire/json-source';
import { canonicalOf } from './canonical-json';

/** What `_meta` says of who asks, and under which number, and not of what is asked. */
export const ASIDE: ReadonlySet<string> = new Set([
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
 * One text for all requests that ask the same: the method and the canonical params, without {@link ASIDE} and empty arguments. No params, and params
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
  if (meta?.kind !== 'object') return canonicalOf(source, new Set(empty));
  const kept = canonicalOf(meta, ASIDE);
  const rest = canonicalOf(source, new Set(['_meta', ...empty]));
  if (kept === '{}') return rest;
  return `${rest.slice(0, -1)}${rest === '{}' ? '' : ','}"_meta":${kept}}`;
}
