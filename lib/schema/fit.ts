import { LIMITS } from '@/lib/wire/limits';
import { isRecord } from './document';
import { sameJson } from './json';
import { isInteger, isNumber } from './number-text';
import { schemaOfName } from './objects';
import type { Kind, View } from './shape';
import { view } from './view';

/** How far a value that is not of a branch's type is from it. */
const WRONG = -10;

interface Search {
  readonly root: unknown;
  steps: number;
}

type Fit<K extends Kind> = (node: View<K>, value: unknown, search: Search, depth: number) => number;

/** How well a value is described by each kind; above 0 for a value of its type. */
const FITS: { readonly [K in Kind]: Fit<K> } = {
  string: (_node, value) => (typeof value === 'string' ? 1 : WRONG),
  number: (_node, value) => (isNumber(value) ? 1 : WRONG),
  integer: (_node, value) => (isNumber(value) ? (isInteger(value) ? 1.5 : -1) : WRONG),
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

/** The branch of a union that describes a value best; of equals the first. */
export function branchOf(node: View<'union'>, value: unknown, root: unknown): number {
  let best = 0;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const [index, { schema }] of node.branches.entries()) {
    const found = score(view(schema, root), value, { root, steps: 0 }, LIMITS.fitDepth);
    if (found > bestScore) {
      best = index;
      bestScore = found;
    }
  }
  return best;
}

function score(node: View, value: unknown, search: Search, depth: number): number {
  if (value === null && node.nullable) return 1;
  if (depth === 0 || ++search.steps > LIMITS.fitSteps) return 0;
  return (FITS[node.kind] as Fit<Kind>)(node, value, search, depth);
}

function scoreBelow(schema: unknown, value: unknown, search: Search, depth: number): number {
  return score(view(schema, search.root), value, search, depth - 1);
}

function mean(scores: readonly number[]): number {
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
