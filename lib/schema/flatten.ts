import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { withProperty } from './document';

/** A schema with its references followed and its simple combinations merged. */
export interface Flat {
  readonly schema: JsonObject;
  readonly nullable: boolean;
}

/**
 * Follows local `$ref`s, merges `allOf`, and takes `X | null` apart, however it is spelt. Undefined if that cannot be done:
 * a dangling, remote or circular reference, a malformed `allOf`, or too much of it.
 */
export function flatten(schema: JsonObject, root: unknown): Flat | undefined {
  let steps = 0;

  function visit(schema: JsonObject, above: readonly JsonObject[]): Flat | undefined {
    if (++steps > LIMITS.schemaSteps || above.includes(schema)) return undefined;
    const inside = [...above, schema];
    const parts: Flat[] = [];
    for (const part of partsOf(schema, root)) {
      const flat = part === true ? NOTHING : isObject(part) ? visit(part, inside) : undefined;
      if (flat === undefined) return undefined;
      parts.push(flat);
    }
    const rest = withoutCombinators(schema);
    const branch = onlyBranch(schema);
    if (branch === undefined) return withTypeList([...parts, { schema: rest, nullable: false }]);
    const chosen = visit(branch.schema, inside);
    if (chosen === undefined) return undefined;
    const plain = without(without(rest, 'anyOf'), 'oneOf');
    return withTypeList([...parts, chosen, { schema: plain, nullable: branch.nullable }]);
  }

  return visit(schema, []);
}

const NOTHING: Flat = { schema: {}, nullable: false };

/** What applies beside the schema's own keywords: the reference's target, then `allOf`. */
function partsOf(schema: JsonObject, root: unknown): readonly unknown[] {
  const reference = own(schema, '$ref');
  const all = own(schema, 'allOf');
  return [
    ...(reference === undefined ? [] : [pointed(root, reference)]),
    ...(all === undefined ? [] : Array.isArray(all) ? all : [undefined]),
  ];
}

/** What a local reference (`#`, `#/a/b`) points at; undefined for anything else. Nothing is ever fetched. */
function pointed(root: unknown, reference: unknown): unknown {
  if (reference === '#') return root;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  let at = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isObject(at)) at = own(at, key);
    else return undefined;
  }
  return at;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function without(schema: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(schema, key)) return schema;
  const { [key]: _dropped, ...rest } = schema;
  return rest;
}

function withoutCombinators(schema: JsonObject): JsonObject {
  return without(without(schema, '$ref'), 'allOf');
}

/** The one branch of an `anyOf` or `oneOf` that is left when `null` is taken out; undefined if it is a real union. */
function onlyBranch(schema: JsonObject): { schema: JsonObject; nullable: boolean } | undefined {
  const branches = own(schema, 'anyOf') ?? own(schema, 'oneOf');
  if (!Array.isArray(branches)) return undefined;
  const rest = branches.filter((branch) => !isNullSchema(branch));
  if (rest.length !== 1 || !isObject(rest[0])) return undefined;
  return { schema: rest[0], nullable: rest.length < branches.length };
}

function isNullSchema(schema: unknown): boolean {
  return (
    isObject(schema) && (own(schema, 'type') === 'null' || (Object.hasOwn(schema, 'const') && schema.const === null))
  );
}

function withTypeList(flats: readonly Flat[]): Flat {
  const schema = flats.map((flat) => flat.schema).reduce(merged);
  let nullable = flats.some((flat) => flat.nullable) || own(schema, 'nullable') === true;
  const types = own(schema, 'type');
  if (!Array.isArray(types)) return { schema, nullable };
  const rest = types.filter((type) => type !== 'null');
  nullable ||= rest.length > 0 && rest.length < types.length;
  const type = rest.length === 0 ? 'null' : rest.length === 1 ? rest[0] : rest;
  return { schema: { ...schema, type }, nullable };
}

/** `below` with `above` laid over it: names of properties and of required ones add up, any other keyword of `above` wins. */
function merged(below: JsonObject, above: JsonObject): JsonObject {
  const schema = { ...below, ...above };
  const properties = mergedProperties(own(below, 'properties'), own(above, 'properties'));
  const required = [own(below, 'required'), own(above, 'required')].flatMap((names) =>
    Array.isArray(names) ? names : [],
  );
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function mergedProperties(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above ?? below;
  return Object.entries(above).reduce<JsonObject>(
    (all, [name, schema]) =>
      withProperty(all, name, Object.hasOwn(all, name) ? { allOf: [all[name], schema] } : schema),
    below,
  );
}
