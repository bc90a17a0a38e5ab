import { applyEdit, isRecord, type JsonDocument, type JsonPath } from '@/lib/json/edit';
import { isExactInteger, isExactNumber, sameJson } from '@/lib/json/exact';
import { typeWords, withArticle } from '@/lib/json/type-words';
import { schemaOfName } from './objects';
import { view as viewOf } from './view';
import type { FieldKind, View } from './view-types';

/** Most schemas compared with a value to find its branch of a union. */
const FIT_STEPS = 2000;
/** Most levels of a value that are compared. */
const FIT_DEPTH = 4;

type Check = (value: unknown, view: View) => boolean;

/** Says whether a field of a kind can show a value. The validator checks bounds. */
const ACCEPTS: Record<FieldKind, Check> = {
  string: (value) => typeof value === 'string',
  // Text in a number field is sent as text, and a cleared item as null. The field shows both with a problem.
  number: (value) => isExactNumber(value) || typeof value === 'string' || value === null,
  integer: (value) => isExactNumber(value) || typeof value === 'string' || value === null,
  boolean: (value) => typeof value === 'boolean',
  enum: (value, view) => view.kind === 'enum' && view.options.some((option) => sameJson(option.value, value)),
  const: (value, view) => view.kind === 'const' && sameJson(view.value, value),
  array: Array.isArray,
  tuple: Array.isArray,
  object: isRecord,
  map: isRecord,
  // The field of the chosen branch decides.
  union: () => true,
  any: () => true,
};

/** Returns true if a field for `view` can show `value`. Otherwise it is shown as JSON. */
export function accepts(view: View, value: unknown): boolean {
  return value === undefined || (value === null && view.nullable) || ACCEPTS[view.kind](value, view);
}

/** Returns how a value differs from its field's type. Used for schemas that can't be checked. */
export function typeProblem(view: View, value: unknown): string | undefined {
  const { kind } = view;
  const fits =
    kind === 'integer' ? isExactInteger(value) : kind === 'number' ? isExactNumber(value) : accepts(view, value);
  if (fits || value === undefined || (value === null && view.nullable)) return undefined;
  if (kind === 'enum' || kind === 'const') return 'is not one of the listed values';
  return `is ${typeWords(value)}, expected ${withArticle(kind)}`;
}

/** Returns a value's JSON type. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isExactNumber(value) ? 'number' : typeof value;
}

const STARTS: { readonly [K in FieldKind]: (view: View<K>, root: unknown) => unknown } = {
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

/** Returns the first value of an array item or map entry: the default, or the simplest of its kind. */
export function startValue(view: View, root: unknown): unknown {
  if (view.default !== undefined && view.default.value !== null) return view.default.value;
  return (STARTS[view.kind] as (view: View, root: unknown) => unknown)(view, root);
}

/** Returns the value of an added item: null for a number, which shows as an empty field, or else {@link startValue}. */
export function newItemValue(view: View, root: unknown): unknown {
  const isNumber = view.kind === 'number' || view.kind === 'integer';
  return isNumber && !view.nullable && !view.default ? null : startValue(view, root);
}

/**
 * Returns the value after *null* is pressed: null, or unset if it was null. Items and entries can't be unset, so they
 * get their first value.
 */
export function toggleNull(value: unknown, view: View, root: unknown, unsettable: boolean): unknown {
  if (value !== null) return null;
  return unsettable ? undefined : startValue(view, root);
}

/** Returns the first value of a picked branch: only the properties that distinguish it. */
export function branchStart(union: View<'union'>, index: number, root: unknown): unknown {
  const { schema, marks } = union.branches[index]!;
  if (marks.length > 0) return Object.fromEntries(marks);
  const view = viewOf(schema, root);
  // The first branch can be the same union again, without end.
  return view.kind === 'union' ? null : startValue(view, root);
}

/** Score of a value of the wrong type. */
const WRONG = -10;

interface Search {
  readonly root: unknown;
  steps: number;
}

type Fit<K extends FieldKind> = (node: View<K>, value: unknown, search: Search, depth: number) => number;

/** Scores how well a value fits each kind; above 0 for the right type. */
const FITS: { readonly [K in FieldKind]: Fit<K> } = {
  string: (_node, value) => (typeof value === 'string' ? 1 : WRONG),
  number: (_node, value) => (isExactNumber(value) ? 1 : WRONG),
  integer: (_node, value) => (isExactNumber(value) ? (isExactInteger(value) ? 1.5 : -1) : WRONG),
  boolean: (_node, value) => (typeof value === 'boolean' ? 1 : WRONG),
  enum: ({ options }, value) => (options.some((option) => sameJson(option.value, value)) ? 3 : WRONG / 2),
  const: (node, value) => (sameJson(node.value, value) ? 3 : WRONG),
  array: ({ items }, value, search, depth) =>
    Array.isArray(value) ? 1 + mean(value.slice(0, 4).map((item) => scoreBelow(items, item, search, depth))) : WRONG,
  tuple: ({ items, rest }, value, search, depth) => {
    if (!Array.isArray(value)) return WRONG;
    const lengths = value.length === items.length || (value.length > items.length && rest !== false) ? 0.5 : -0.5;
    return (
      1 + lengths + mean(items.slice(0, value.length).map((item, at) => scoreBelow(item, value[at], search, depth)))
    );
  },
  object: ({ properties, others }, value, search, depth) => {
    if (!isRecord(value)) return WRONG;
    let sum = 1;
    const names = new Set(Object.keys(value));
    for (const { name, schema, required } of properties) {
      if (!names.delete(name)) sum -= required ? 1 : 0;
      else sum += 0.5 + Math.max(-4, scoreBelow(schema, value[name], search, depth) / 2);
    }
    for (const name of names) sum -= schemaOfName(others, name) === false ? 2 : 0.25;
    return sum;
  },
  map: ({ others }, value, search, depth) => {
    if (!isRecord(value)) return WRONG;
    const inner = Object.entries(value).slice(0, 4);
    return 0.75 + mean(inner.map(([name, item]) => scoreBelow(schemaOfName(others, name), item, search, depth)));
  },
  union: ({ branches }, value, search, depth) =>
    Math.max(...branches.map(({ schema }) => scoreBelow(schema, value, search, depth))),
  any: (node) => (node.because === 'never' ? WRONG : 0.25),
};

/** Returns the index of the branch that fits a value best. Of equally good branches, the first wins. */
export function bestBranch(node: View<'union'>, value: unknown, root: unknown): number {
  let best = 0;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const [index, { schema }] of node.branches.entries()) {
    const found = score(viewOf(schema, root), value, { root, steps: 0 }, FIT_DEPTH);
    if (found > bestScore) {
      best = index;
      bestScore = found;
    }
  }
  return best;
}

function score(node: View, value: unknown, search: Search, depth: number): number {
  if (value === null && node.nullable) return 1;
  if (depth === 0 || ++search.steps > FIT_STEPS) return 0;
  return (FITS[node.kind] as Fit<FieldKind>)(node, value, search, depth);
}

function scoreBelow(schema: unknown, value: unknown, search: Search, depth: number): number {
  return score(viewOf(schema, search.root), value, search, depth - 1);
}

function mean(scores: readonly number[]): number {
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** Returns the schema's defaults for unset properties, at the top level and in objects that exist. */
export function defaultsFor(
  schema: unknown,
  value: unknown,
): readonly { readonly path: JsonPath; readonly value: unknown }[] {
  const found: { path: JsonPath; value: unknown }[] = [];
  collect(viewOf(schema, schema), value ?? {}, []);
  return found;

  function collect(view: View, value: unknown, path: JsonPath): void {
    if (view.kind !== 'object' || !isRecord(value)) return;
    for (const { name, schema: inner } of view.properties) {
      const property = viewOf(inner, schema);
      if (Object.hasOwn(value, name)) collect(property, value[name], [...path, name]);
      else if (property.default !== undefined) found.push({ path: [...path, name], value: property.default.value });
    }
  }
}

/** Adds the schema's defaults for unset properties. */
export function withDefaults(schema: unknown, document: JsonDocument): JsonDocument {
  return defaultsFor(schema, document.value).reduce(
    (at, { path, value }) => applyEdit(at, { type: 'set', path, value }),
    document,
  );
}
