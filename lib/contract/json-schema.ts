import type { JsonObject } from '@/lib/json/value';
import type { Type } from './types';

/** The dialect of {@link jsonSchema}. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Writes a type as JSON Schema. Objects may have further keys, since servers add some. */
export function jsonSchema(type: Type): JsonObject {
  return { $schema: DIALECT, ...schemaOf(type) };
}

/** Writes a type of each kind. */
const WRITE: { readonly [K in Type['kind']]: (type: Extract<Type, { kind: K }>) => JsonObject } = {
  unknown: () => ({}),
  null: scalar,
  integer: scalar,
  number: scalar,
  boolean: ({ value }) => (value === undefined ? { type: 'boolean' } : { const: value }),
  string: ({ values, format }) => {
    if (values) return values.length === 1 ? { const: values[0] } : { type: 'string', enum: values };
    return { type: 'string', ...(format && { format }) };
  },
  array: ({ items }) => ({ type: 'array', ...(items.kind !== 'unknown' && { items: schemaOf(items) }) }),
  map: ({ values }) => ({ type: 'object', additionalProperties: schemaOf(values) }),
  object: ({ members }) => {
    const required = members.filter((member) => member.required).map(({ key }) => key);
    return {
      type: 'object',
      // Made of entries, so that a key `__proto__` is a key like any other.
      properties: Object.fromEntries(members.map(({ key, type }) => [key, schemaOf(type)])),
      ...(required.length > 0 && { required }),
    };
  },
  union: ({ of }) => {
    const schemas = of.map(schemaOf);
    const plain = schemas.every((schema) => Object.keys(schema).join() === 'type');
    return plain ? { type: schemas.map(({ type }) => type) } : { anyOf: schemas };
  },
};

function scalar({ kind }: { readonly kind: string }): JsonObject {
  return { type: kind };
}

function schemaOf(type: Type): JsonObject {
  return (WRITE[type.kind] as (type: Type) => JsonObject)(type);
}
