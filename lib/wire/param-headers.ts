import { isObject, type JsonObject, own } from '@/lib/json/value';
import { isHeaderToken } from './header-fields';

/** A tool argument that has to be repeated in a header. */
export interface HeaderParam {
  /** The header's name after `Mcp-Param-`. */
  readonly header: string;
  /** Property names, from the arguments down. */
  readonly path: readonly string[];
}

const KEY = 'x-mcp-header';
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

/**
 * Reads the `x-mcp-header` annotations of an input schema (2026-07-28, custom headers from tool parameters). `problem`
 * says why clients must not call the tool over HTTP: an annotation is malformed, on the wrong type, a duplicate, or at
 * a place that no chain of `properties` leads to.
 */
export function readHeaderParams(schema: unknown): {
  readonly params: readonly HeaderParam[];
  readonly problem?: string;
} {
  const params: HeaderParam[] = [];
  const names = new Set<string>();
  let reachable = 0;
  const pending: { readonly node: JsonObject; readonly path: readonly string[] }[] = [];
  if (isObject(schema)) pending.push({ node: schema, path: [] });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next;
    const properties = own(node, 'properties');
    for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
      if (!isObject(property)) continue;
      const here = [...path, name];
      pending.push({ node: property, path: here });
      if (!Object.hasOwn(property, KEY)) continue;
      reachable++;
      const header = property[KEY];
      if (typeof header !== 'string' || !isHeaderToken(header)) return problem(here, 'is not a valid header name');
      if (!TYPES.includes(own(property, 'type')))
        return problem(here, 'is on a value that is not a string, integer or boolean');
      if (names.has(header.toLowerCase())) return problem(here, 'repeats the header name of another argument');
      names.add(header.toLowerCase());
      params.push({ header, path: here });
    }
  }
  if (countKey(schema) > reachable) {
    return {
      params: [],
      problem: `An ${KEY} is not reachable through properties alone, so it belongs to no argument.`,
    };
  }
  return { params };
}

function problem(path: readonly string[], what: string): { readonly params: []; readonly problem: string } {
  return { params: [], problem: `The ${KEY} of ${path.join('.')} ${what}.` };
}

/** Counts the annotations anywhere in `root`. A property that happens to be named `x-mcp-header` does not count. */
function countKey(root: unknown): number {
  let count = 0;
  const pending: { readonly node: unknown; readonly names: boolean }[] = [{ node: root, names: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, names } = next;
    if (Array.isArray(node)) for (const item of node) pending.push({ node: item, names: false });
    if (!isObject(node)) continue;
    if (!names && Object.hasOwn(node, KEY)) count++;
    for (const [key, value] of Object.entries(node)) {
      if (!names && DATA.has(key)) continue;
      pending.push({ node: value, names: !names && NAMED.has(key) });
    }
  }
  return count;
}

/** Keywords whose keys are names chosen by the author, and keywords whose value is data. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const DATA = new Set(['default', 'const', 'enum', 'examples', KEY]);
