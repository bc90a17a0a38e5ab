import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Path } from '@/lib/protocol/checks';
import { percentDecoded } from '@/lib/wire/url';
import { quote } from './rule';

/** Most nodes of a schema that are checked. In a result with more nodes, only the first fault is reported. */
export const FAULT_NODES = 20_000;

/** Something that is invalid in every JSON Schema dialect, or an unresolved reference. */
interface SchemaFault {
  readonly message: string;
  readonly path: Path;
}

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

type KeywordCheck = (value: unknown) => boolean;
const isSchema: KeywordCheck = (value) => isObject(value) || typeof value === 'boolean';
const isTexts: KeywordCheck = (value) => Array.isArray(value) && value.every((each) => typeof each === 'string');
const isCount: KeywordCheck = (value) => Number.isInteger(value) && (value as number) >= 0;
const isNumber: KeywordCheck = (value) => typeof value === 'number';
const isSchemas: KeywordCheck = (value) => Array.isArray(value) && value.length > 0;

/**
 * For each keyword, a test of its value and a description of valid values. Has only keywords on which all dialects
 * agree.
 */
const KEYWORDS: ReadonlyMap<string, readonly [KeywordCheck, expected: string]> = new Map<
  string,
  readonly [KeywordCheck, string]
>([
  [
    'type',
    [
      (value) => (Array.isArray(value) ? value.every((each) => TYPES.includes(each)) : TYPES.includes(value)),
      'a type name or an array of them',
    ],
  ],
  ['properties', [isObject, 'an object']],
  ['required', [isTexts, 'an array of names']],
  ['enum', [Array.isArray, 'an array']],
  ['anyOf', [isSchemas, 'an array of schemas']],
  ['oneOf', [isSchemas, 'an array of schemas']],
  ['allOf', [isSchemas, 'an array of schemas']],
  ['additionalProperties', [isSchema, 'a schema']],
  ['minimum', [isNumber, 'a number']],
  ['maximum', [isNumber, 'a number']],
  ['minLength', [isCount, 'a non-negative integer']],
  ['maxLength', [isCount, 'a non-negative integer']],
  ['minItems', [isCount, 'a non-negative integer']],
  ['maxItems', [isCount, 'a non-negative integer']],
  ['pattern', [(value) => typeof value === 'string' && isPattern(value), 'a regular expression']],
]);

const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];

/** Returns the faults of a schema. Looks at `FAULT_NODES` nodes at most and follows no references. */
export function schemaFaults(root: unknown): SchemaFault[] {
  const faults: SchemaFault[] = [];
  const pending: { readonly node: unknown; readonly path: Path }[] = [{ node: root, path: [] }];
  for (let looked = 0; pending.length > 0 && looked < FAULT_NODES; looked++) {
    const { node, path } = pending.pop()!;
    if (!isObject(node)) {
      if (typeof node !== 'boolean') faults.push({ message: `${quote(node)} is not a schema.`, path });
      continue;
    }
    faults.push(...keywordFaults(node, path), ...refFaults(node, root, path));
    pending.push(...within(node, path));
  }
  return faults;
}

function keywordFaults(node: JsonObject, path: Path): SchemaFault[] {
  const faults: SchemaFault[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    const row = KEYWORDS.get(keyword);
    if (row === undefined || row[0](value)) continue;
    faults.push({ message: `${keyword} is ${quote(value)}, expected ${row[1]}.`, path: [...path, keyword] });
  }
  return faults;
}

function refFaults(node: JsonObject, root: unknown, path: Path): SchemaFault[] {
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

function within(node: JsonObject, path: Path): { node: unknown; path: Path }[] {
  const found: { node: unknown; path: Path }[] = [];
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
    // Before 2020-12, `items` could be a list.
    if (inner !== undefined && !Array.isArray(inner)) found.push({ node: inner, path: [...path, key] });
  }
  return found;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    // Some escapes are valid only without the u flag.
    try {
      new RegExp(text);
      return true;
    } catch {
      return false;
    }
  }
}
