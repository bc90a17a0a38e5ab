import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { CONTRADICTION, merged } from './merge';
import { pointed } from './references';
import type { Because } from './shape';

/** Properties that only sometimes apply. */
interface Condition {
  readonly word: string;
  readonly schema: JsonObject;
}

/** A schema with its references followed and its simple combinations merged. */
export interface Flat {
  readonly schema: JsonObject;
  readonly nullable: boolean;
  readonly conditions: readonly Condition[];
  /** The last part of the reference that led here: how the server's code calls it. */
  readonly name?: string;
}

/**
 * Follows local references, merges `allOf`, takes `X | null` apart, however it is spelt, and collects what `if` may add. A
 * reason instead if that cannot be done: a dangling, remote or circular reference, a malformed `allOf`, or too much of it.
 */
export function flatten(schema: JsonObject, root: unknown): Flat | Because {
  let steps = 0;

  function visit(schema: unknown, above: readonly JsonObject[]): Flat | Because {
    if (schema === true) return NOTHING;
    if (!isObject(schema)) return schema === false ? 'never' : 'malformed';
    if (++steps > LIMITS.schemaSteps) return 'too-large';
    if (above.includes(schema)) return 'circle';
    const inside = [...above, schema];
    const parts: Flat[] = [];
    for (const part of partsOf(schema, root)) {
      const flat = part === undefined ? 'reference' : visit(part, inside);
      if (typeof flat === 'string') return flat;
      parts.push(flat);
    }
    const own: Flat = { schema: plain(schema), nullable: false, conditions: conditionsOf(schema, inside) };
    const name = nameOf(schema) ?? parts.findLast((part) => part.name !== undefined)?.name;
    const only = onlyBranch(schema);
    if (only === undefined) return { ...together([...parts, own]), name };
    const chosen = visit(only.schema, inside);
    if (typeof chosen === 'string') return chosen;
    const rest = { ...own, schema: without(own.schema, only.keyword), nullable: only.nullable };
    return { ...together([...parts, chosen, rest]), name: name ?? chosen.name };
  }

  function conditionsOf(schema: JsonObject, inside: readonly JsonObject[]): Condition[] {
    return conditional(schema).flatMap(({ word, schema }) => {
      const flat = visit(schema, inside);
      if (typeof flat === 'string') return [];
      return [{ word, schema: flat.schema }, ...flat.conditions];
    });
  }

  const flat = visit(schema, []);
  if (typeof flat === 'string') return flat;
  return own(flat.schema, 'type') === CONTRADICTION ? 'contradiction' : flat;
}

const NOTHING: Flat = { schema: {}, nullable: false, conditions: [] };

/** What applies beside the schema's own keywords: targets of references, then `allOf`. Undefined stands for what is not there. */
function partsOf(schema: JsonObject, root: unknown): readonly unknown[] {
  const parts: unknown[] = [];
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    if (Object.hasOwn(schema, keyword)) parts.push(pointed(schema[keyword], schema, root));
  }
  const all = own(schema, 'allOf');
  if (all !== undefined) parts.push(...(Array.isArray(all) ? all : ['malformed']));
  return parts;
}

/** `Address` of `#/$defs/Address`. Names that generators number say nothing. */
function nameOf(schema: JsonObject): string | undefined {
  const reference = own(schema, '$ref');
  const name = typeof reference === 'string' ? /#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1] : undefined;
  return name === undefined || /^_*schema\d*$/.test(name) ? undefined : name;
}

function conditional(schema: JsonObject): readonly Condition[] {
  const found: { word: string; schema: unknown }[] = [];
  if (Object.hasOwn(schema, 'if')) {
    found.push({ word: 'then', schema: own(schema, 'then') }, { word: 'else', schema: own(schema, 'else') });
  }
  for (const keyword of ['dependentSchemas', 'dependencies']) {
    const dependent = own(schema, keyword);
    if (!isObject(dependent)) continue;
    for (const [name, schema] of Object.entries(dependent)) found.push({ word: `with ${name}`, schema });
  }
  return found.filter((each): each is Condition => isObject(each.schema));
}

const COMBINATORS = ['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'if', 'then', 'else'];

function plain(schema: JsonObject): JsonObject {
  return COMBINATORS.reduce(without, schema);
}

function without(schema: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(schema, key)) return schema;
  const { [key]: _dropped, ...rest } = schema;
  return rest;
}

/** The one branch of an `anyOf` or `oneOf` that is left when `null` is taken out; undefined if it is a real union. */
function onlyBranch(schema: JsonObject): { keyword: string; schema: JsonObject; nullable: boolean } | undefined {
  const keyword = Object.hasOwn(schema, 'anyOf') ? 'anyOf' : 'oneOf';
  const branches = own(schema, keyword);
  if (!Array.isArray(branches)) return undefined;
  const rest = branches.filter((branch) => !isNullSchema(branch));
  if (rest.length !== 1 || !isObject(rest[0])) return undefined;
  return { keyword, schema: rest[0], nullable: rest.length < branches.length };
}

/** True for a schema that only null fits. */
export function isNullSchema(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const options = own(schema, 'enum');
  return (
    own(schema, 'type') === 'null' ||
    (Object.hasOwn(schema, 'const') && schema.const === null) ||
    (Array.isArray(options) && options.length === 1 && options[0] === null)
  );
}

/** Parts laid over one another, the last on top; `null` goes out of the type. */
function together(parts: readonly Flat[]): Flat {
  const schema = parts.map((part) => part.schema).reduce(merged);
  const conditions = parts.flatMap((part) => part.conditions);
  let nullable = parts.some((part) => part.nullable) || own(schema, 'nullable') === true;
  const types = own(schema, 'type');
  if (!Array.isArray(types)) return { schema, nullable, conditions };
  const rest = types.filter((type) => type !== 'null');
  nullable ||= rest.length > 0 && rest.length < types.length;
  if (rest.length === 0)
    return { schema: types.length > 0 ? { ...schema, type: 'null' } : schema, nullable, conditions };
  return { schema: { ...schema, type: rest.length === 1 ? rest[0] : rest }, nullable, conditions };
}
