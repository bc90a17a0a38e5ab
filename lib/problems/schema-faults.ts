import type { SchemaDraft } from '@cfworker/json-schema';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { FaultPath } from '@/lib/protocol/checks';
import { dialectOf, schemaDraft } from '@/lib/schema/check';
import { percentDecoded } from '@/lib/wire/url';
import { quote } from './rule';
import { keywordsOf } from './schema-keywords';

type Keywords = ReturnType<typeof keywordsOf>;

/** Most nodes of a schema that are checked. In a result with more nodes, only the first fault is reported. */
export const FAULT_NODES = 20_000;

/** Something that the dialect of a schema forbids, or an unresolved reference. */
interface SchemaFault {
  readonly message: string;
  readonly path: FaultPath;
}

const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLE = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];

/**
 * Returns the faults of a schema. Looks at `FAULT_NODES` nodes at most and follows no references. `unnamed` is the
 * dialect of a schema that does not name one; if it is undefined too, only what all dialects forbid is a fault.
 */
export function schemaFaults(root: unknown, unnamed?: SchemaDraft): SchemaFault[] {
  const dialect = dialectOf(root);
  const keywords = keywordsOf(dialect === undefined ? unnamed : schemaDraft(dialect));
  const faults: SchemaFault[] = [];
  const pending: { readonly node: unknown; readonly path: FaultPath }[] = [{ node: root, path: [] }];
  for (let looked = 0; pending.length > 0 && looked < FAULT_NODES; looked++) {
    const { node, path } = pending.pop()!;
    if (!isObject(node)) {
      if (typeof node !== 'boolean') faults.push({ message: `${quote(node)} is not a schema.`, path });
      continue;
    }
    faults.push(...keywordFaults(node, keywords, path), ...refFaults(node, root, path));
    pending.push(...within(node, path));
  }
  return faults;
}

function keywordFaults(node: JsonObject, keywords: Keywords, path: FaultPath): SchemaFault[] {
  const faults: SchemaFault[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    const row = keywords.get(keyword);
    if (row === undefined || row.isValid(value)) continue;
    faults.push({ message: `${keyword} is ${quote(value)}, expected ${row.expected}.`, path: [...path, keyword] });
  }
  return faults;
}

function refFaults(node: JsonObject, root: unknown, path: FaultPath): SchemaFault[] {
  const ref = own(node, '$ref');
  if (ref === undefined) return [];
  const at = [...path, '$ref'];
  if (typeof ref !== 'string') return [{ message: `$ref is ${quote(ref)}, expected a string.`, path: at }];
  if (/^https?:/i.test(ref))
    return [{ message: `${quote(ref)} is a remote reference, which clients do not load.`, path: at }];
  if (!ref.startsWith('#/') || resolves(root, ref)) return [];
  return [{ message: `${quote(ref)} does not exist in the schema.`, path: at }];
}

function resolves(root: unknown, ref: string): boolean {
  let at = root;
  for (const part of ref.slice(2).split('/')) {
    const key = percentDecoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as JsonObject)[key];
  }
  return true;
}

function within(node: JsonObject, path: FaultPath): { node: unknown; path: FaultPath }[] {
  const found: { node: unknown; path: FaultPath }[] = [];
  for (const key of NAMED) {
    const members = own(node, key);
    if (!isObject(members)) continue;
    for (const [name, member] of Object.entries(members)) found.push({ node: member, path: [...path, key, name] });
  }
  for (const key of LISTS) {
    const items = own(node, key);
    if (Array.isArray(items))
      for (const [index, item] of items.entries()) found.push({ node: item, path: [...path, key, index] });
  }
  for (const key of SINGLE) {
    const inner = own(node, key);
    // Before 2020-12, `items` could be a list. Its schemas are not checked.
    if (inner !== undefined && !Array.isArray(inner)) found.push({ node: inner, path: [...path, key] });
  }
  return found;
}
