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

const META: ReadonlySet<string> = new Set(['_meta']);

/**
 * One text for all requests that ask the same: the method and the canonical params, without {@link ASIDE}. No params, and params
 * that only held that, are `{}`. The id is no part of it.
 */
export function requestKey(method: string, params: string | undefined): string {
  return `${method} ${canonicalParams(params)}`;
}

/** The params of {@link requestKey}. */
export function canonicalParams(params: string | undefined): string {
  const source = params === undefined ? undefined : JsonSource.parse(params);
  if (source === undefined) return params ?? '{}';
  const meta = source.member('_meta');
  if (meta?.kind !== 'object') return canonicalOf(source);
  const kept = canonicalOf(meta, ASIDE);
  const rest = canonicalOf(source, META);
  if (kept === '{}') return rest;
  return `${rest.slice(0, -1)}${rest === '{}' ? '' : ','}"_meta":${kept}}`;
}
