import { isObject, type JsonObject, own } from '@/lib/wire/message';
import type { Property, Shape } from './shape';

/** Says what a flattened schema is, or undefined if it is not this recogniser's kind. */
type Recogniser = (schema: JsonObject) => Shape | undefined;

const typeIs = (schema: JsonObject, type: string) => own(schema, 'type') === type;

/** The first that answers wins; a new kind of field is a new row. What none knows becomes a JSON box for that node alone. */
export const RECOGNISERS: readonly Recogniser[] = [
  (schema) => (Object.hasOwn(schema, 'const') ? { kind: 'const', value: schema.const } : undefined),
  enumOf,
  (schema) => (typeIs(schema, 'null') ? { kind: 'const', value: null } : undefined),
  (schema) => (typeIs(schema, 'string') ? { kind: 'string', format: text(own(schema, 'format')) } : undefined),
  (schema) => (typeIs(schema, 'number') ? { kind: 'number' } : undefined),
  (schema) => (typeIs(schema, 'integer') ? { kind: 'integer' } : undefined),
  (schema) => (typeIs(schema, 'boolean') ? { kind: 'boolean' } : undefined),
  objectOf,
  mapOf,
  arrayOf,
];

/** A string, or undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function enumOf(schema: JsonObject): Shape | undefined {
  const options = own(schema, 'enum');
  return Array.isArray(options) && options.length > 0 ? { kind: 'enum', options } : undefined;
}

function objectOf(schema: JsonObject): Shape | undefined {
  const type = own(schema, 'type');
  const properties = own(schema, 'properties');
  if (type !== undefined && type !== 'object') return undefined;
  if (properties === undefined && type === 'object' && own(schema, 'additionalProperties') === false) {
    return { kind: 'object', properties: [], required: [] };
  }
  if (!isObject(properties)) return undefined;
  const required = names(own(schema, 'required'));
  const wanted = new Set(required);
  const list = Object.entries(properties).map(
    ([name, schema]): Property => ({ name, schema, required: wanted.has(name) }),
  );
  return { kind: 'object', properties: list, required };
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

function mapOf(schema: JsonObject): Shape | undefined {
  if (!typeIs(schema, 'object') || own(schema, 'properties') !== undefined) return undefined;
  return { kind: 'map', values: own(schema, 'additionalProperties') ?? true };
}

function arrayOf(schema: JsonObject): Shape | undefined {
  const items = own(schema, 'items');
  if (!typeIs(schema, 'array') && !(own(schema, 'type') === undefined && isObject(items))) return undefined;
  if (Array.isArray(items) || own(schema, 'prefixItems') !== undefined) return undefined;
  return { kind: 'array', items: items ?? true };
}
