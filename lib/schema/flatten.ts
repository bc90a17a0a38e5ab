import { withProperty } from '@/lib/json/edit';
import { sameJson } from '@/lib/json/exact';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LIMITS } from '@/lib/wire/limits';
import { percentDecoded } from '@/lib/wire/url';
import type { BoxReason } from './view-types';

/** Most objects and arrays of a schema that are searched for targets of references. */
const SCHEMA_NODES = 500_000;

/** Targets of references in one document, found in one pass. */
interface Places {
  /** By `$id`, as written and resolved against the root's. */
  readonly ids: ReadonlyMap<string, JsonObject>;
  /** By `$anchor`, `$dynamicAnchor`, or the `#name` of an older `$id`. */
  readonly anchors: ReadonlyMap<string, JsonObject>;
  /** The embedded document (a schema with its own `$id`) around an object. Objects of the root are absent. */
  readonly documents: WeakMap<object, JsonObject>;
}

const known = new WeakMap<object, Places>();

/**
 * Returns the target of a local reference: `#`, `#/a/b`, `#anchor`, or an `$id` within `root`; undefined for anything
 * else. Nothing is ever fetched.
 */
export function resolveReference(reference: unknown, schema: JsonObject, root: unknown): unknown {
  if (typeof reference !== 'string' || !isObject(root)) return undefined;
  const places = placesIn(root);
  const hash = reference.indexOf('#');
  const address = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  const document = address === '' ? (places.documents.get(schema) ?? root) : byId(address, places, root);
  if (document === undefined || fragment === '') return document;
  if (fragment.startsWith('/')) {
    // Some generators write pointers from the root, even in a schema with an `$id`.
    return follow(document, fragment) ?? (document === root ? undefined : follow(root, fragment));
  }
  return places.anchors.get(percentDecoded(fragment));
}

function byId(address: string, places: Places, root: JsonObject): JsonObject | undefined {
  return places.ids.get(address) ?? places.ids.get(resolved(address, own(root, '$id')));
}

function resolved(address: string, base: unknown): string {
  try {
    return new URL(address, typeof base === 'string' ? new URL(base, 'schema:/') : 'schema:/').href;
  } catch {
    return address;
  }
}

/** Follows a JSON pointer (RFC 6901). */
function follow(document: unknown, pointer: string): unknown {
  let at = document;
  for (const part of pointer.slice(1).split('/')) {
    const key = percentDecoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^\d+$/.test(key) ? at[Number(key)] : undefined;
    else if (isObject(at)) at = own(at, key);
    else return undefined;
  }
  return at;
}

function placesIn(root: JsonObject): Places {
  const found = known.get(root) ?? findPlaces(root);
  known.set(root, found);
  return found;
}

function findPlaces(root: JsonObject): Places {
  const ids = new Map<string, JsonObject>();
  const anchors = new Map<string, JsonObject>();
  const documents = new WeakMap<object, JsonObject>();
  const pending: { readonly node: unknown; readonly document: JsonObject }[] = [{ node: root, document: root }];
  const seen = new WeakSet<object>();
  let left: number = SCHEMA_NODES;
  for (let next = pending.pop(); next !== undefined && left > 0; next = pending.pop(), left--) {
    const { node } = next;
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    let { document } = next;
    if (isObject(node)) {
      const id = own(node, '$id') ?? own(node, 'id');
      if (typeof id === 'string' && id.startsWith('#')) keep(anchors, id.slice(1), node);
      else if (typeof id === 'string') {
        keep(ids, id, node);
        keep(ids, resolved(id, own(root, '$id')), node);
        document = node;
      }
      for (const keyword of ['$anchor', '$dynamicAnchor']) {
        const anchor = own(node, keyword);
        if (typeof anchor === 'string') keep(anchors, anchor, node);
      }
    }
    if (document !== root) documents.set(node, document);
    for (const child of Object.values(node)) pending.push({ node: child, document });
  }
  return { ids, anchors, documents };
}

/** Adds a name. The first of repeated names wins. */
function keep(table: Map<string, JsonObject>, name: string, schema: JsonObject): void {
  if (!table.has(name)) table.set(name, schema);
}

/** The merged type of two schemas without a common type. */
const CONTRADICTION = 'contradiction';

type Merge = (below: unknown, above: unknown) => unknown;

/** Keywords that are combined when two schemas are merged. For others, the upper schema wins. */
const MERGES: Readonly<Record<string, Merge>> = {
  type: sharedTypes,
  properties: bothProperties,
  patternProperties: bothProperties,
  required: (below, above) => [...(Array.isArray(below) ? below : []), ...(Array.isArray(above) ? above : [])],
  enum: (below, above) => {
    if (!Array.isArray(below) || !Array.isArray(above)) return above;
    const shared = above.filter((value) => below.some((other) => sameJson(value, other)));
    return shared.length > 0 ? shared : above;
  },
  items: bothSchemas,
  additionalProperties: (below, above) => (below === false || above === false ? false : bothSchemas(below, above)),
};

/** Merges two schemas that both apply. `above` wins where keywords can't be combined. */
function mergeSchemas(below: JsonObject, above: JsonObject): JsonObject {
  let schema: JsonObject = { ...below, ...above };
  for (const [keyword, merge] of Object.entries(MERGES)) {
    if (!Object.hasOwn(below, keyword) || !Object.hasOwn(above, keyword)) continue;
    schema = { ...schema, [keyword]: merge(below[keyword], above[keyword]) };
  }
  return schema;
}

function bothProperties(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above ?? below;
  return Object.entries(above).reduce<JsonObject>(
    (all, [name, schema]) =>
      withProperty(all, name, Object.hasOwn(all, name) ? bothSchemas(all[name], schema) : schema),
    below,
  );
}

function bothSchemas(below: unknown, above: unknown): unknown {
  // Compared by identity, because comparing the content of widely shared parts could take for ever.
  if (!isObject(below) || below === above) return above;
  return isObject(above) ? { allOf: [below, above] } : below;
}

function sharedTypes(below: unknown, above: unknown): unknown {
  const [lower, upper] = [below, above].map((type) => (Array.isArray(type) ? type : [type]));
  const shared = upper!.flatMap((type) => {
    if (lower!.includes(type)) return [type];
    if (type === 'integer' && lower!.includes('number')) return ['integer'];
    return type === 'number' && lower!.includes('integer') ? ['integer'] : [];
  });
  if (shared.length === 0) return CONTRADICTION;
  return shared.length === 1 ? shared[0] : shared;
}

/** Returns a schema's object of subschemas, such as `properties`; empty if it has none. */
export function subschemas(schema: JsonObject, keyword: string): JsonObject {
  const found = own(schema, keyword);
  return isObject(found) ? found : {};
}

/** A conditional part of a schema. */
interface Condition {
  readonly word: string;
  readonly schema: JsonObject;
}

/** A schema with references resolved and simple combinations merged. */
export interface FlatSchema {
  readonly schema: JsonObject;
  readonly nullable: boolean;
  readonly conditions: readonly Condition[];
  /** Last part of the reference that led here: the name in the server's code. */
  readonly name?: string;
}

/**
 * Resolves local references, merges `allOf`, separates null from `X | null`, and collects what `if` can add. Returns
 * the reason if that fails: a dangling, remote or circular reference, an invalid `allOf`, or too many schemas.
 */
export function flatten(schema: JsonObject, root: unknown): FlatSchema | BoxReason {
  let steps = 0;

  function visit(schema: unknown, above: readonly JsonObject[]): FlatSchema | BoxReason {
    if (schema === true) return NOTHING;
    if (!isObject(schema)) return schema === false ? 'never' : 'malformed';
    if (++steps > LIMITS.schemaSteps) return 'too-large';
    if (above.includes(schema)) return 'circle';
    const inside = [...above, schema];
    const parts: FlatSchema[] = [];
    for (const part of partsOf(schema, root)) {
      const flat = part === undefined ? 'reference' : visit(part, inside);
      if (typeof flat === 'string') return flat;
      parts.push(flat);
    }
    const own: FlatSchema = { schema: plain(schema), nullable: false, conditions: conditionsOf(schema, inside) };
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

const NOTHING: FlatSchema = { schema: {}, nullable: false, conditions: [] };

/** Returns targets of references, then the parts of `allOf`. A missing target is undefined. */
function partsOf(schema: JsonObject, root: unknown): readonly unknown[] {
  const parts: unknown[] = [];
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    if (Object.hasOwn(schema, keyword)) parts.push(resolveReference(schema[keyword], schema, root));
  }
  const all = own(schema, 'allOf');
  if (all !== undefined) parts.push(...(Array.isArray(all) ? all : ['malformed']));
  return parts;
}

/** Returns `Address` for `#/$defs/Address`. Ignores numbered names of generators. */
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

/** Returns the only branch of `anyOf` or `oneOf` that is not null; undefined for a real union. */
function onlyBranch(schema: JsonObject): { keyword: string; schema: JsonObject; nullable: boolean } | undefined {
  const keyword = Object.hasOwn(schema, 'anyOf') ? 'anyOf' : 'oneOf';
  const branches = own(schema, keyword);
  if (!Array.isArray(branches)) return undefined;
  const rest = branches.filter((branch) => !isNullSchema(branch));
  if (rest.length !== 1 || !isObject(rest[0])) return undefined;
  return { keyword, schema: rest[0], nullable: rest.length < branches.length };
}

/** Returns true for a schema that only accepts null. */
export function isNullSchema(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const options = own(schema, 'enum');
  return (
    own(schema, 'type') === 'null' ||
    (Object.hasOwn(schema, 'const') && schema.const === null) ||
    (Array.isArray(options) && options.length === 1 && options[0] === null)
  );
}

/** Merges parts, the last on top, and moves null from the type to `nullable`. */
function together(parts: readonly FlatSchema[]): FlatSchema {
  const schema = parts.map((part) => part.schema).reduce(mergeSchemas);
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
