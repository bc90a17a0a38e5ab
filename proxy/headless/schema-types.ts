import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';

/** Types of JSON values as schemas name them. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const;

/**
 * The types that a schema speaks of, by `type`, `const`, `enum`, unions and local references; none if it speaks of no type.
 * `root` is where references start. Bounded: a schema that refers to itself ends.
 */
export function allowedTypes(schema: unknown, root: unknown): ReadonlySet<JsonType> {
  const found = new Set<JsonType>();
  const waiting = [schema];
  for (let steps = 0; waiting.length > 0 && steps < LIMITS.schemaSteps; steps++) {
    const next = waiting.pop();
    if (!isObject(next)) continue;
    for (const type of [own(next, 'type')].flat()) if (isType(type)) found.add(type);
    const values = own(next, 'enum');
    if (Array.isArray(values)) for (const value of values) found.add(typeOf(value));
    if (Object.hasOwn(next, 'const')) found.add(typeOf(next.const));
    for (const union of UNIONS) {
      const members = own(next, union);
      if (Array.isArray(members)) waiting.push(...members.slice(0, LIMITS.schemaSteps));
    }
    const ref = own(next, '$ref');
    if (typeof ref === 'string') waiting.push(resolve(ref, root));
  }
  return found;
}

function isType(type: unknown): type is JsonType {
  return typeof type === 'string' && TYPES.includes(type);
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return isType(type) ? type : 'object';
}

/** What a reference into the same schema points to; undefined for all others: nothing is ever fetched. */
function resolve(ref: string, root: unknown): unknown {
  if (!ref.startsWith('#')) return undefined;
  return ref
    .slice(1)
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => (isObject(value) ? own(value, part) : undefined), root);
}
