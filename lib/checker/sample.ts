import { generateSync, type JsonSchema } from 'json-schema-faker';
import { table } from '@/lib/schema/merge';
import { pointed } from '@/lib/schema/references';
import { isObject, type JsonObject, own } from '@/lib/wire/message';

/** Levels of optional parts that are filled: a schema may contain itself. */
const DEPTH = 4;

/**
 * A document that fits the schema, always the same: what the schema gives as example, default or first choice, else made up.
 * `all` fills optional properties too. Throws what the generator throws on a schema it cannot follow.
 */
export function makeSample(text: string, all: boolean): string {
  const schema = preferring(JSON.parse(text)) as JsonSchema;
  const value = generateSync(schema, {
    seed: 7,
    maxDepth: DEPTH,
    maxDefaultItems: 1,
    alwaysFakeOptionals: all,
    optionalsProbability: all ? 1 : 0,
    useDefaultValue: true,
  });
  return JSON.stringify(value, null, 2) ?? '{}';
}

const TABLES = ['properties', '$defs', 'definitions', 'patternProperties'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLES = ['items', 'additionalProperties', 'then', 'else'];

/**
 * A copy in which every schema that names a value is that value, and which is spelt as the generator reads it: places of a
 * tuple as `prefixItems`, references as pointers.
 */
function preferring(root: unknown): unknown {
  const targets = new Map<JsonObject, string>();
  const $defs: Record<string, unknown> = {};
  const copy = visit(root, 0);
  return targets.size > 0 && isObject(copy) ? { ...copy, $defs: { ...table(copy, '$defs'), ...$defs } } : copy;

  function visit(schema: unknown, depth: number): unknown {
    if (!isObject(schema) || depth > 200) return schema;
    const named = depth === 0 ? undefined : namedValue(schema);
    if (named !== undefined) return { const: named.value };
    const copy: Record<string, unknown> = { ...schema };
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
    const target = pointed(reference, schema, root);
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

function namedValue(schema: JsonObject): { value: unknown } | undefined {
  const examples = own(schema, 'examples');
  if (Array.isArray(examples) && examples.length > 0) return { value: examples[0] };
  if (Object.hasOwn(schema, 'example')) return { value: schema.example };
  if (Object.hasOwn(schema, 'default') && schema.default !== null) return { value: schema.default };
  const options = own(schema, 'enum');
  return Array.isArray(options) && options.length > 0 ? { value: options[0] } : undefined;
}
