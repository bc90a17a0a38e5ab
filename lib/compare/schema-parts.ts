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

/** The types that are allowed; undefined for all. */
export function typesOf(schema: JsonObject): readonly string[] | undefined {
  const types = [own(schema, 'type')].flat().filter((type) => typeof type === 'string');
  return types.length === 0 ? undefined : [...new Set(types)].slice(0, 10);
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
  for (const union of ['oneOf', 'anyOf']) {
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
