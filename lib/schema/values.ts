import { isRecord } from './document';
import { sameJson } from './json';
import { isInteger, isNumber } from './number-text';
import type { Kind, View } from './shape';
import { view as viewOf } from './view';

type Check = (value: unknown, view: View) => boolean;

/** Whether a field of a kind can show a value. Bounds are the validator's business. */
const ACCEPTS: Record<Kind, Check> = {
  string: (value) => typeof value === 'string',
  // Text typed into a number field is sent as text, a cleared item as null: the field shows it and says so.
  number: (value) => isNumber(value) || typeof value === 'string' || value === null,
  integer: (value) => isNumber(value) || typeof value === 'string' || value === null,
  boolean: (value) => typeof value === 'boolean',
  enum: (value, view) => view.kind === 'enum' && view.options.some((option) => sameJson(option.value, value)),
  const: (value, view) => view.kind === 'const' && sameJson(view.value, value),
  array: Array.isArray,
  tuple: Array.isArray,
  object: isRecord,
  map: isRecord,
  // Its branch is a field of its own, which shows what it cannot take as JSON.
  union: () => true,
  any: () => true,
};

/** True if a field for `view` can show `value` as it is; otherwise it is shown as JSON. Unset can always be shown. */
export function accepts(view: View, value: unknown): boolean {
  return value === undefined || (value === null && view.nullable) || ACCEPTS[view.kind](value, view);
}

/** Why a value is not of its field's type, in words; undefined if it is. What is said of a schema that cannot be checked. */
export function typeProblem(view: View, value: unknown): string | undefined {
  if (value === undefined || (value === null && view.nullable)) return undefined;
  if (view.kind === 'integer') return isInteger(value) ? undefined : `not an integer, sent as ${typeName(value)}`;
  if (view.kind === 'number') return isNumber(value) ? undefined : `not a number, sent as ${typeName(value)}`;
  if (view.kind === 'enum') return accepts(view, value) ? undefined : 'not one of the listed values';
  if (view.kind === 'const') return accepts(view, value) ? undefined : 'not the one allowed value';
  return accepts(view, value) ? undefined : `${typeName(value)} where the schema has ${view.kind}`;
}

/** A value's JSON type. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isNumber(value) ? 'number' : typeof value;
}

const STARTS: { readonly [K in Kind]: (view: View<K>, root: unknown) => unknown } = {
  string: () => '',
  number: () => 0,
  integer: () => 0,
  boolean: () => false,
  enum: (view) => view.options[0]!.value,
  const: (view) => view.value,
  array: () => [],
  tuple: () => [],
  object: () => ({}),
  map: () => ({}),
  union: (view, root) => branchStart(view, 0, root),
  any: () => null,
};

/** What a new array item or map entry begins with, since neither can be unset: the default, or the kind's plainest value. */
export function startValue(view: View, root: unknown): unknown {
  if (view.default !== undefined && view.default.value !== null) return view.default.value;
  return (STARTS[view.kind] as (view: View, root: unknown) => unknown)(view, root);
}

/** What an item that is added begins with: an empty field of a number, which is null and says so until one is typed; else {@link startValue}. */
export function addedItem(view: View, root: unknown): unknown {
  const isNumber = view.kind === 'number' || view.kind === 'integer';
  return isNumber && !view.nullable && !view.default ? null : startValue(view, root);
}

/** What a press of *null* makes of a value: null, and of null what was there without it. Items and entries can't be unset. */
export function toggledNull(value: unknown, view: View, root: unknown, unsettable: boolean): unknown {
  if (value !== null) return null;
  return unsettable ? undefined : startValue(view, root);
}

/** What a branch begins with when it is picked: what tells it from the others, and nothing else. */
export function branchStart(union: View<'union'>, index: number, root: unknown): unknown {
  const { schema, marks } = union.branches[index]!;
  if (marks.length > 0) return Object.fromEntries(marks);
  const view = viewOf(schema, root);
  // A union whose first branch is a union of the same schema again would have no end.
  return view.kind === 'union' ? null : startValue(view, root);
}
