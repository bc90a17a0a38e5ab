import { isExactNumber, writeNumber } from '@/lib/json/exact';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type FlatSchema, flatten } from './flatten';
import { mapOf, objectOf } from './objects';
import { choicesOf, enumOptions, nonEmptyText, stringWithSuggestions, typeUnion, unionOf } from './unions';
import type { BoxReason, FieldShape, View, ViewContext } from './view-types';

/** Schemas visited to make one form node and label its branches. Nested unions can have any number. */
const VIEW_STEPS = 3000;

const ANY: View = { kind: 'any', nullable: false, hints: [], examples: [] };
const NEVER: View = { ...ANY, kind: 'any', because: 'never' };
const MALFORMED: View = { ...ANY, kind: 'any', because: 'malformed' };

// Views by root, because the root decides what a reference means. A schema object never changes, so neither does its
// view.
const views = new WeakMap<object, WeakMap<object, View>>();

// Number of nested views being made.
let making = 0;
// Views made since the outermost one was requested.
let steps = 0;

/**
 * Returns the form node of `schema`, a part of `root`. The same schema always gets the same object. Never throws, loops
 * or fetches: an invalid schema is of kind `any`, with the reason.
 */
export function view(schema: unknown, root: unknown): View {
  if (!isObject(schema)) return schema === true || schema === undefined ? ANY : schema === false ? NEVER : MALFORMED;
  const key = isObject(root) ? root : schema;
  const known = views.get(key) ?? new WeakMap<object, View>();
  views.set(key, known);
  const found = known.get(schema);
  if (found !== undefined) return found;
  if (making === 0) steps = 0;
  // Not cached, because requested alone, this schema may be small enough.
  if (++steps > VIEW_STEPS) return unclear('too-large', schema);
  // A request for this schema while it is being made is a circular reference.
  known.set(schema, unclear('circle', schema));
  making++;
  try {
    const made = make(schema, root);
    known.set(schema, made);
    return made;
  } finally {
    making--;
  }
}

function make(schema: JsonObject, root: unknown): View {
  const flat = flatten(schema, root);
  if (typeof flat === 'string') return unclear(flat, schema);
  const shape = firstShape(flat, { root, view: (schema) => view(schema, root) });
  const encoded = own(flat.schema, 'x-mcp-header');
  return {
    ...shape,
    ...labels(flat.schema),
    nullable: isNullable(shape, flat.nullable),
    hints: schemaHints(flat.schema),
    examples: examplesOf(flat.schema),
    ...(typeof encoded === 'string' && { header: encoded }),
  };
}

function isNullable(shape: FieldShape, nullable: boolean): boolean {
  if (shape.kind === 'union') return nullable || shape.allowsNull;
  // An enum that lists null already offers it.
  return nullable && !(shape.kind === 'enum' && shape.options.some(({ value }) => value === null));
}

function unclear(because: BoxReason, schema: JsonObject): View {
  return { ...ANY, kind: 'any', because, ...labels(schema) };
}

function firstShape(flat: FlatSchema, around: ViewContext): FieldShape {
  for (const recognise of RECOGNISERS) {
    const shape = recognise(flat.schema, flat, around);
    if (shape !== undefined) return shape;
  }
  return { kind: 'any' };
}

function labels(schema: JsonObject): Pick<View, 'title' | 'description' | 'default'> {
  return {
    title: nonEmptyText(own(schema, 'title')),
    description: nonEmptyText(own(schema, 'description')),
    default: Object.hasOwn(schema, 'default') ? { value: schema.default } : undefined,
  };
}

/** Reads `examples`, or the `example` of OpenAPI. */
function examplesOf(schema: JsonObject): readonly unknown[] {
  const several = own(schema, 'examples');
  if (Array.isArray(several)) return several;
  return Object.hasOwn(schema, 'example') ? [schema.example] : [];
}

/** Returns the kind of field for a flattened schema, or undefined if another recogniser must decide. */
type Recogniser = (schema: JsonObject, flat: FlatSchema, around: ViewContext) => FieldShape | undefined;

const typeIs = (schema: JsonObject, type: string) => own(schema, 'type') === type;

/** The first recogniser that returns a kind wins. A schema that none recognises is edited as JSON, that node alone. */
const RECOGNISERS: readonly Recogniser[] = [
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

function enumOf(schema: JsonObject): FieldShape | undefined {
  const options = enumOptions(schema);
  return options && { kind: 'enum', options };
}

function arrayOf(schema: JsonObject): FieldShape | undefined {
  const items = own(schema, 'items');
  const places = own(schema, 'prefixItems') ?? (Array.isArray(items) ? items : undefined);
  const type = own(schema, 'type');
  if (type !== 'array' && (type !== undefined || !(isObject(items) || Array.isArray(places)))) return undefined;
  if (places === undefined) return { kind: 'array', items: items ?? true };
  if (!Array.isArray(places)) return { kind: 'any', because: 'malformed' };
  const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items;
  return { kind: 'tuple', items: places, rest: rest ?? true };
}

/** Keywords that imply a type, for schemas without one. */
const TELLING: readonly (readonly [kind: 'string' | 'number', keywords: readonly string[]])[] = [
  ['string', ['minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

function untyped(schema: JsonObject): FieldShape {
  const type = own(schema, 'type');
  if (type !== undefined && !(Array.isArray(type) && type.length === 0)) {
    return { kind: 'any', because: type === 'object' || type === 'array' ? 'malformed' : 'unknown-type' };
  }
  if (Object.hasOwn(schema, 'properties')) return { kind: 'any', because: 'malformed' };
  const told = TELLING.find(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)));
  if (told === undefined) return { kind: 'any' };
  return told[0] === 'string' ? { kind: 'string', ...textFacts(schema) } : { kind: 'number' };
}

/** Characters of a pattern shown beside a field. */
const PATTERN = 14;

/**
 * Bounds of 32-bit integers, which are not worth showing. Neither are those of safe integers, which zod always writes.
 */
const OF_TYPES = [2 ** 31, 2 ** 31 - 1];

type Hint = (schema: JsonObject) => string | undefined;

/** Hints beside a field, in this order. */
const HINTS: readonly Hint[] = [
  (schema) => words(own(schema, 'format')),
  (schema) => range(bound(schema, 'minimum'), bound(schema, 'maximum')),
  (schema) => signed(bound(schema, 'exclusiveMinimum'), '>'),
  (schema) => signed(bound(schema, 'exclusiveMaximum'), '<'),
  (schema) => signed(bound(schema, 'multipleOf'), 'multiple of'),
  (schema) => range(bound(schema, 'minLength'), bound(schema, 'maxLength'), 'character'),
  (schema) => {
    const pattern = own(schema, 'pattern');
    // With a format, the pattern only spells out the format.
    if (typeof pattern !== 'string' || words(own(schema, 'format')) !== undefined) return undefined;
    return `/${pattern.length > PATTERN ? `${pattern.slice(0, PATTERN)}…` : pattern}/`;
  },
  (schema) => range(bound(schema, 'minItems'), bound(schema, 'maxItems'), 'item'),
  (schema) => (own(schema, 'uniqueItems') === true ? 'all different' : undefined),
  (schema) => range(bound(schema, 'minProperties'), bound(schema, 'maxProperties'), 'property', 'properties'),
  (schema) => (own(schema, 'readOnly') === true ? 'read-only' : undefined),
  (schema) => (own(schema, 'deprecated') === true ? 'deprecated' : undefined),
];

/** Describes a schema's format and bounds, each in a few words. */
export function schemaHints(schema: JsonObject): readonly string[] {
  return isObject(schema) ? HINTS.flatMap((hint) => hint(schema) ?? []) : [];
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function bound(schema: JsonObject, keyword: string): string | undefined {
  const value = own(schema, keyword);
  if (!isExactNumber(value)) return undefined;
  const text = writeNumber(value);
  const size = Math.abs(Number(text));
  return size >= Number.MAX_SAFE_INTEGER || OF_TYPES.includes(size) ? undefined : text;
}

function signed(text: string | undefined, sign: string): string | undefined {
  return text === undefined ? undefined : `${sign} ${text}`;
}

/** `24 characters`, `1–64 characters`, `-90 to 90`, `≥ 1 item`, `≤ 9`. `plural`: the unit, for all numbers but 1. */
function range(
  least: string | undefined,
  most: string | undefined,
  unit = '',
  plural = `${unit}s`,
): string | undefined {
  const last = most ?? least;
  if (last === undefined) return undefined;
  const of = unit === '' ? '' : ` ${last === '1' ? unit : plural}`;
  if (least === undefined) return `≤ ${last}${of}`;
  if (most === undefined) return `≥ ${last}${of}`;
  if (least === most) return `${last}${of}`;
  const dash = last.startsWith('-') || least.startsWith('-') ? ' to ' : '–';
  return `${least}${dash}${last}${of}`;
}
