import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own } from '@/lib/wire/message';

/** What references of one document may point at, found in one pass over it. */
interface Places {
  /** By `$id` as written, and by `$id` resolved against the root's. */
  readonly ids: ReadonlyMap<string, JsonObject>;
  /** By `$anchor`, `$dynamicAnchor`, or the `#name` of an older `$id`. */
  readonly anchors: ReadonlyMap<string, JsonObject>;
  /** The embedded document (a schema with its own `$id`) that an object is part of. Objects of the root are not in it. */
  readonly documents: WeakMap<object, JsonObject>;
}

const known = new WeakMap<object, Places>();

/**
 * What a local reference in `schema` points at: `#`, `#/a/b`, `#anchor`, or an `$id` within `root`. Undefined for anything
 * else. Nothing is ever fetched.
 */
export function pointed(reference: unknown, schema: JsonObject, root: unknown): unknown {
  if (typeof reference !== 'string' || !isObject(root)) return undefined;
  const places = placesIn(root);
  const hash = reference.indexOf('#');
  const address = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  const document = address === '' ? (places.documents.get(schema) ?? root) : byId(address, places, root);
  if (document === undefined || fragment === '') return document;
  if (fragment.startsWith('/')) {
    // Generators write pointers from the root even inside a schema with an `$id`.
    return follow(document, fragment) ?? (document === root ? undefined : follow(root, fragment));
  }
  return places.anchors.get(decoded(fragment));
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
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^\d+$/.test(key) ? at[Number(key)] : undefined;
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
  let left: number = LIMITS.schemaNodes;
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

/** The first wins: a name given twice is the server's mistake. */
function keep(table: Map<string, JsonObject>, name: string, schema: JsonObject): void {
  if (!table.has(name)) table.set(name, schema);
}
