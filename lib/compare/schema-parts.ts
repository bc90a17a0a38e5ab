import { flatten } from '@/lib/schema/flatten';
import { pointed } from '@/lib/schema/references';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { LongNumber } from './exact-json';
import { AS_IT_IS } from './normalise';
import { pathText } from './path-text';
import { shownValue } from './shown-value';
import { valueDifferences } from './value-diff';

/** What a reference points at is the same wherever it stands. */
export function identity(schema: unknown, root: JsonObject): unknown {
  return (isObject(schema) ? pointed(own(schema, '$ref'), schema, root) : undefined) ?? schema;
}

/** Words that say something of a schema and change nothing of what it allows. */
const SAID = ['title', 'description', 'default', 'examples', '$comment', 'deprecated'];

/** With references followed; undefined if that can't be done. What is said beside a reference counts. */
export function flat(schema: unknown, root: JsonObject): JsonObject | undefined {
  if (schema === true) return {};
  if (!isObject(schema)) return undefined;
  const flat = flatten(schema, root);
  if (typeof flat === 'string') return undefined;
  const said = Object.fromEntries(SAID.filter((key) => Object.hasOwn(schema, key)).map((key) => [key, schema[key]]));
  const types = typesOf(flat.schema);
  const type = flat.nullable && types !== undefined ? { type: [...types, 'null'] } : {};
  return { ...flat.schema, ...type, ...said };
}

/** The types that are allowed, by name or as those of the values that are listed; undefined for all. */
export function typesOf(schema: JsonObject): readonly string[] | undefined {
  const types = [own(schema, 'type')].flat().filter((type) => typeof type === 'string');
  const all = types.length === 0 ? valuesOf(schema)?.map(typeOf) : types;
  return all && [...new Set(all)].slice(0, 10);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const number = numberOr(value, Number.NaN);
  return Number.isNaN(number) ? typeof value : Number.isInteger(number) ? 'integer' : 'number';
}

/** True if a value may be of a type in each; undefined for all types. */
export function overlap(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (!one || !other) return true;
  return one.some((type) => allows(other, type)) || other.some((type) => allows(one, type));
}

/** True if values of `type` fit one of `types`. */
export function allows(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** The values that are listed, by `enum`, `const`, or a union of constants; undefined for any. */
export function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  const values = own(schema, 'enum');
  if (Array.isArray(values)) return values.slice(0, LIMITS.schemaSteps);
  for (const union of UNIONS) {
    const branches = own(schema, union);
    if (Array.isArray(branches) && isConstants(branches)) return branches.map((branch) => branch.const);
  }
  return undefined;
}

function isConstants(branches: readonly unknown[]): branches is readonly JsonObject[] {
  return branches.length > 0 && branches.every((branch) => isObject(branch) && Object.hasOwn(branch, 'const'));
}

/** The branches of a union, unless they only list values. */
export function branchesOf(schema: JsonObject, union: string): readonly unknown[] {
  const branches = own(schema, union);
  return Array.isArray(branches) && !isConstants(branches) ? branches : [];
}

export const UNIONS = ['anyOf', 'oneOf'] as const;

/** The keyword of its union, unless that only lists values; undefined for none. */
export function unionOf(schema: JsonObject): (typeof UNIONS)[number] | undefined {
  return UNIONS.find((union) => branchesOf(schema, union).length > 0);
}

/** What a flat schema allows, as if it were a union: its branches, each with what stands beside them, or its types. */
export function alternatives(schema: JsonObject): readonly JsonObject[] {
  const union = unionOf(schema);
  if (union) {
    const { [union]: _branches, ...beside } = schema;
    return branchesOf(schema, union).map((branch) => ({ ...beside, allOf: [branch] }));
  }
  const types = own(schema, 'type');
  return Array.isArray(types) ? types.map((type) => ({ ...schema, type })) : [schema];
}

/** {} if it has none. */
export function propertiesOf(schema: JsonObject): JsonObject {
  const properties = own(schema, 'properties');
  return isObject(properties) ? properties : {};
}

/** Names of the properties that must be there. */
export function requiredOf(schema: JsonObject): ReadonlySet<unknown> {
  const required = own(schema, 'required');
  return new Set(Array.isArray(required) ? required : []);
}

/** `keyword value`; the keyword alone says enough of a long text. */
export function word(schema: JsonObject, keyword: string): string {
  return Object.hasOwn(schema, keyword) ? `${keyword} ${shownValue(schema[keyword])}` : `no ${keyword}`;
}

/** The first of some values, for people. */
export function list(values: readonly unknown[]): string {
  const shown = values.slice(0, 5).map((value) => shownValue(value));
  return `${shown.join(', ')}${values.length > 5 ? ` and ${values.length - 5} more` : ''}`;
}

/** The path of a property below another. */
export function within(path: string, name: string): string {
  const step = pathText([name]);
  return path === '' || step.startsWith('[') ? `${path}${step}` : `${path}.${step}`;
}

/** The number that a value is. */
export function numberOr(value: unknown, otherwise: number): number {
  if (value instanceof LongNumber) return Number(value.digits);
  return typeof value === 'number' ? value : otherwise;
}

/** Whatever the order of members. */
export function isSame(before: unknown, after: unknown): boolean {
  if (before === undefined || after === undefined) return before === after;
  return valueDifferences(before, after, { mode: 'strict', normalising: AS_IT_IS }).length === 0;
}
