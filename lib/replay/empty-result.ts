import { LISTINGS } from '@/lib/protocol/methods';
import type { Era } from '@/lib/wire/lifecycle';
import type { JsonObject } from '@/lib/wire/message';

const LISTS: ReadonlyMap<string, JsonObject> = new Map(
  LISTINGS.map(([method, { items }]) => [method, { [items]: [] }]),
);

const EMPTY: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['tools/call', { content: [] }],
  ['prompts/get', { messages: [] }],
  ['resources/read', { contents: [] }],
  ['completion/complete', { completion: { values: [] } }],
  ['tasks/list', { tasks: [] }],
]);

/** Their results say how long they may be kept (2026-07-28). */
const CACHED: ReadonlySet<string> = new Set([...LISTS.keys(), 'resources/read', 'server/discover']);

/** A result of this method that is valid and says nothing. */
export function emptyResult(method: string, era: Era): JsonObject {
  return inEra(method, era, LISTS.get(method) ?? EMPTY.get(method) ?? {});
}

/** A result with what the modern era wants of every one. */
export function inEra(method: string, era: Era, result: JsonObject): JsonObject {
  if (era === 'legacy') return result;
  return { resultType: 'complete', ...result, ...(CACHED.has(method) && { ttlMs: 0, cacheScope: 'private' }) };
}
