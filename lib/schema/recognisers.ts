import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { choicesOf, enumOptions, stringWithSuggestions } from './choices';
import type { Flat } from './flatten';
import { mapOf, objectOf } from './objects';
import type { Around, Shape } from './shape';
import { typeUnion, unionOf } from './unions';

/** Says what a flattened schema is, or undefined if it is not this recogniser's kind. */
type Recogniser = (schema: JsonObject, flat: Flat, around: Around) => Shape | undefined;

const typeIs = (schema: JsonObject, type: string) => own(schema, 'type') === type;

/** The first that answers wins; a new kind of field is a new row. What none knows becomes a JSON box for that node alone. */
export const RECOGNISERS: readonly Recogniser[] = [
  (schema) => (Object.hasOwn(schema, 'const') ? { kind: 'const', value: schema.const } : undefined),
  enumOf,
  (schema, _flat, { root }) => choicesOf(schema, root),
  (schema, _flat, { root }) => stringWithSuggestions(schema, root),
  unionOf,
  (schema) => (typeIs(schema, 'null') ? { kind: 'const', value: null } : undefined),
  (schema) => (typeIs(schema, 'string') ? { kind: 'string', ...textFacts(schema) } : undefined),
  (schema) => (typeIs(schema, 'number') ? { kind: 'number' } : undefined),
  (schema) => (typeIs(schema, 'integer') ? { kind: 'integer' } : undefined),
  (schema) => (typeIs(schema, 'boolean') ? { kind: 'boolean' } : undefined),
  typeUnion,
  objectOf,
  mapOf,
  arrayOf,
  untyped,
];

const BASE64_FORMATS: readonly unknown[] = ['byte', 'binary', 'base64', 'base64url'];

function textFacts(schema: JsonObject): { format?: string; encoding?: 'base64' } {
  const format = own(schema, 'format');
  const encoded = own(schema, 'contentEncoding') === 'base64' || BASE64_FORMATS.includes(format);
  return { format: typeof format === 'string' ? format : undefined, ...(encoded && { encoding: 'base64' }) };
}

function enumOf(schema: JsonObject): Shape | undefined {
  const options = enumOptions(schema);
  return options && { kind: 'enum', options };
}

function arrayOf(schema: JsonObject): Shape | undefined {
  const items = own(schema, 'items');
  const places = own(schema, 'prefixItems') ?? (Array.isArray(items) ? items : undefined);
  const type = own(schema, 'type');
  if (type !== 'array' && (type !== undefined || !(isObject(items) || Array.isArray(places)))) return undefined;
  if (places === undefined) return { kind: 'array', items: items ?? true };
  if (!Array.isArray(places)) return { kind: 'any', because: 'malformed' };
  const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items;
  return { kind: 'tuple', items: places, rest: rest ?? true };
}

/** Keywords that only say something of one type, for schemas that forget to name it. */
const TELLING: readonly (readonly [kind: 'string' | 'number', keywords: readonly string[]])[] = [
  ['string', ['minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

function untyped(schema: JsonObject): Shape {
  const type = own(schema, 'type');
  if (type !== undefined && !(Array.isArray(type) && type.length === 0)) {
    return { kind: 'any', because: type === 'object' || type === 'array' ? 'malformed' : 'unknown-type' };
  }
  if (Object.hasOwn(schema, 'properties')) return { kind: 'any', because: 'malformed' };
  const told = TELLING.find(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)));
  if (told === undefined) return { kind: 'any' };
  return told[0] === 'string' ? { kind: 'string', ...textFacts(schema) } : { kind: 'number' };
}
