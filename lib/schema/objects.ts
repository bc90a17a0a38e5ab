import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type FlatSchema, subschemas } from './flatten';
import type { FieldShape, OtherProperties, Property } from './view-types';

/** Recognises an object with named properties. */
export function objectOf(schema: JsonObject, flat: FlatSchema): FieldShape | undefined {
  const type = own(schema, 'type');
  if (type !== undefined && type !== 'object') return undefined;
  const properties = propertiesOf(schema, flat);
  const others = othersOf(schema);
  if (properties === undefined) return undefined;
  // Without named properties, the object is a map.
  const named = isObject(others.schema) || others.patterns.length > 0;
  if (properties.length === 0 && named) return { kind: 'map', others };
  return { kind: 'object', properties, others };
}

/** Recognises a map: an object whose property names the schema leaves open. */
export function mapOf(schema: JsonObject): FieldShape | undefined {
  const type = own(schema, 'type');
  const telling = ['additionalProperties', 'patternProperties', 'propertyNames'];
  if (type === undefined && !telling.some((keyword) => isObject(own(schema, keyword)))) return undefined;
  if ((type !== undefined && type !== 'object') || Object.hasOwn(schema, 'properties')) return undefined;
  return { kind: 'map', others: othersOf(schema) };
}

/** Returns the properties that a schema names; undefined if it names none or `properties` is invalid. */
function propertiesOf(schema: JsonObject, flat: FlatSchema): readonly Property[] | undefined {
  const named = own(schema, 'properties');
  const closed = own(schema, 'type') === 'object' && own(schema, 'additionalProperties') === false;
  if (named === undefined && flat.conditions.length === 0 && !closed) return undefined;
  if (named !== undefined && !isObject(named)) return undefined;
  const required = new Set(names(own(schema, 'required')));
  const list = Object.entries(named ?? {}).map(
    ([name, schema]): Property => ({ name, schema, required: required.has(name) }),
  );
  const taken = new Set(list.map(({ name }) => name));
  for (const { word, schema } of flat.conditions) {
    for (const [name, property] of Object.entries(subschemas(schema, 'properties'))) {
      if (taken.has(name)) continue;
      taken.add(name);
      list.push({ name, schema: property, required: false, condition: word });
    }
  }
  // A required name without a schema is a property too.
  for (const name of required) {
    if (taken.has(name) || named === undefined) continue;
    taken.add(name);
    list.push({ name, schema: true, required: true });
  }
  return list;
}

function othersOf(schema: JsonObject): OtherProperties {
  const rule = subschemas(schema, 'propertyNames');
  const suggested = own(rule, 'enum');
  return {
    patterns: Object.entries(subschemas(schema, 'patternProperties')),
    schema: own(schema, 'additionalProperties') ?? own(schema, 'unevaluatedProperties') ?? true,
    suggested: names(suggested),
  };
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

/** Longest name and pattern that are matched, in characters. Patterns from a server can take for ever. */
const LONGEST_TRIED = 100;

/**
 * Returns true for a pattern without groups and with at most one repetition. With more, a hostile pattern can make the
 * engine backtrack for very long.
 */
function isQuick(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\[\s\S]|\[(?:[^\]\\]|\\[\s\S])*\]/g, '');
  return !plain.includes('(') && (plain.match(/[*+?{]/g)?.length ?? 0) <= 1;
}

/** Returns the schema of a property that is not named; `false` if it is forbidden. */
export function schemaOfName(others: OtherProperties, name: string): unknown {
  if (others.patterns.length === 1 && others.schema === false) return others.patterns[0]![1];
  const match = others.patterns.find(([pattern]) => matches(pattern, name));
  return match ? match[1] : others.schema;
}

/** Returns true if a name matches. A pattern that could be slow is not tried and matches no name. */
function matches(pattern: string, name: string): boolean {
  if (!isQuick(pattern) || pattern.length > LONGEST_TRIED || name.length > LONGEST_TRIED) return false;
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}
