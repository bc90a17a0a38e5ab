import { generateSync, type JsonSchema } from 'json-schema-faker';
import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import { resolveReference, subschemas } from './flatten';

/** Most levels of optional parts that are filled, because a schema can contain itself. */
const DEPTH = 6;

/**
 * Makes a valid document, the same each time, from examples, defaults and first choices, or else made-up values that
 * are neither empty nor null if possible. `all` fills optional properties too. Throws the generator's error for a
 * schema that it can't handle.
 */
export function makeSample(text: string, all: boolean): string {
  const schema = preferring(JSON.parse(text)) as JsonSchema;
  const value = generateSync(schema, {
    seed: 7,
    maxDepth: DEPTH,
    maxDefaultItems: 1,
    alwaysFakeOptionals: all,
    optionalsProbability: all ? 1 : 0,
    useDefaultValue: false,
  });
  return JSON.stringify(value, withoutHoles, 2) ?? '{}';
}

/** Characters of a made-up text. */
const SHORTEST = 4;

/** Empties lists of nulls, which the generator writes where it gives up. */
function withoutHoles(_key: string, value: unknown): unknown {
  return Array.isArray(value) && value.every((item) => item === null) ? [] : value;
}

const TABLES = ['properties', '$defs', 'definitions', 'patternProperties'];
const LISTS = ['allOf', 'prefixItems'];
const UNIONS = ['anyOf', 'oneOf'];
const SINGLES = ['items', 'additionalProperties', 'then', 'else'];

/**
 * Returns a copy in which each schema with an example, default or choices is that value. Rewrites tuples to
 * `prefixItems` and references to pointers, as the generator needs.
 */
function preferring(root: unknown): unknown {
  const targets = new Map<JsonObject, string>();
  const $defs: Record<string, unknown> = {};
  const copy = visit(root, 0);
  return targets.size > 0 && isObject(copy) ? { ...copy, $defs: { ...subschemas(copy, '$defs'), ...$defs } } : copy;

  function visit(schema: unknown, depth: number): unknown {
    if (!isObject(schema) || depth > 200) return schema;
    const named = depth === 0 ? undefined : namedValue(schema);
    if (named !== undefined) return { const: named.value };
    const copy: Record<string, unknown> = { ...schema, ...telling(schema) };
    const inner = (each: unknown) => visit(each, depth + 1);
    for (const keyword of TABLES) {
      const table = own(schema, keyword);
      if (!isObject(table)) continue;
      copy[keyword] = Object.fromEntries(Object.entries(table).map(([name, each]) => [name, inner(each)]));
    }
    for (const keyword of LISTS) {
      const list = own(schema, keyword);
      if (Array.isArray(list)) copy[keyword] = list.map(inner);
    }
    for (const keyword of UNIONS) {
      const branches = own(schema, keyword);
      if (Array.isArray(branches)) copy[keyword] = withoutNull(branches).map(inner);
    }
    for (const keyword of SINGLES) {
      const single = own(schema, keyword);
      if (single !== undefined) copy[keyword] = Array.isArray(single) ? single.map(inner) : inner(single);
    }
    if (Array.isArray(copy.items)) {
      copy.prefixItems = copy.items;
      copy.items = own(schema, 'additionalItems') ?? true;
    }
    if (typeof copy.$ref === 'string' && !/^#(?:\/|$)/.test(copy.$ref)) copy.$ref = pointer(copy.$ref, schema, depth);
    return copy;
  }

  function pointer(reference: string, schema: JsonObject, depth: number): string {
    const target = resolveReference(reference, schema, root);
    if (!isObject(target)) return reference;
    const known = targets.get(target) ?? `target ${targets.size}`;
    if (!targets.has(target)) {
      targets.set(target, known);
      const { $id: _id, $anchor: _anchor, ...rest } = target;
      $defs[known] = visit(rest, depth + 1);
    }
    return `#/$defs/${known}`;
  }
}

/** Returns keywords that make a made-up value neither empty nor null. */
function telling(schema: JsonObject): JsonObject {
  const types = own(schema, 'type');
  const filled = Array.isArray(types) && types.some(isFilled) ? types.filter(isFilled) : types;
  const is = (type: string) => filled === type || (Array.isArray(filled) && filled.includes(type));
  return {
    ...(types !== filled && { type: filled }),
    ...(is('string') && sized(schema)),
    ...(is('string') && atLeast(schema, 'minLength', 'maxLength', SHORTEST)),
    ...(is('array') && atLeast(schema, 'minItems', 'maxItems', 1)),
  };
}

function isFilled(type: unknown): boolean {
  return type !== 'null';
}

function atLeast(schema: JsonObject, least: string, most: string, wanted: number): JsonObject {
  const bound = own(schema, most);
  if (Object.hasOwn(schema, least) || Object.hasOwn(schema, 'pattern') || Object.hasOwn(schema, 'format')) return {};
  return { [least]: typeof bound === 'number' ? Math.min(bound, wanted) : wanted };
}

/** Adds the length to a repeated character class, because the generator would make it too short. */
function sized(schema: JsonObject): JsonObject {
  const [, start] = /^(\^\[[^\]]+\])[+*]\$$/.exec(textOrJson(own(schema, 'pattern'))) ?? [];
  const least = own(schema, 'minLength');
  if (start === undefined || typeof least !== 'number' || least > 1_000) return {};
  return { pattern: `${start}{${least}}$` };
}

/** Removes null branches, unless there are no others. */
function withoutNull(branches: readonly unknown[]): readonly unknown[] {
  const filled = branches.filter((each) => !isNull(each));
  return filled.length > 0 ? filled : branches;
}

function isNull(schema: unknown): boolean {
  return (
    isObject(schema) && (own(schema, 'type') === 'null' || (Object.hasOwn(schema, 'const') && schema.const === null))
  );
}

function namedValue(schema: JsonObject): { value: unknown } | undefined {
  const examples = own(schema, 'examples');
  if (Array.isArray(examples) && examples.length > 0) return { value: examples[0] };
  if (Object.hasOwn(schema, 'example')) return { value: schema.example };
  if (Object.hasOwn(schema, 'default') && schema.default !== null) return { value: schema.default };
  const options = own(schema, 'enum');
  return Array.isArray(options) && options.length > 0 ? { value: options[0] } : undefined;
}
