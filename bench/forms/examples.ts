import { isRecord } from '@/lib/json/edit';
import { isNumber } from '@/lib/json/exact';
import { view as viewOf } from '@/lib/schema/view';
import type { Kind, View } from '@/lib/schema/view-types';

/** Levels filled: a schema may contain itself. */
const DEPTH = 18;
/** Levels of one schema within itself. */
const REPEATS = 1;

interface Making {
  readonly root: unknown;
  readonly pick: 'first' | 'last';
  count: number;
  readonly above: readonly View[];
}

type Maker = { readonly [K in Kind]: (view: View<K>, making: Making) => unknown };

const MAKERS: Maker = {
  string: (_view, making) => `m${marker(making)}`,
  number: (_view, making) => 100_000 + marker(making) + 0.5,
  integer: (_view, making) => 100_000 + marker(making),
  boolean: (_view, making) => making.pick === 'first',
  enum: ({ options }, { pick }) => options.at(pick === 'first' ? 0 : -1)!.value,
  const: ({ value }) => value,
  array: ({ items }, making) => [below(items, making), below(items, making)],
  tuple: ({ items }, making) => items.map((item) => below(item, making)),
  object: ({ properties }, making) =>
    Object.fromEntries(properties.map(({ name, schema }) => [name, below(schema, making)])),
  map: ({ others }, making) => ({
    'a key': below(others.schema === false ? others.patterns[0]?.[1] : others.schema, making),
  }),
  union: ({ branches }, making) => below(branches.at(making.pick === 'first' ? 0 : -1)!.schema, making),
  any: (_view, making) => `m${marker(making)}`,
};

/** A document with every leaf filled in, texts and numbers all different. `pick` is which branch and choice. */
export function exampleOf(view: View, root: unknown, pick: 'first' | 'last'): unknown {
  const made = make(view, { root, pick, count: 0, above: [] });
  return view.kind === 'any' ? {} : made;
}

/** The texts and numbers of an example by which its leaves are found in the page. */
export function markersIn(value: unknown): string[] {
  if (typeof value === 'string') return /^m\d+$/.test(value) ? [value] : [];
  if (isNumber(value)) return Number(value) > 100_000 ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap(markersIn);
  return isRecord(value) ? Object.values(value).flatMap(markersIn) : [];
}

function below(schema: unknown, making: Making): unknown {
  return make(viewOf(schema, making.root), making);
}

function make(view: View, making: Making): unknown {
  // Every node counts, or a schema of nothing but choices would have no end.
  making.count += 1;
  const repeats = making.above.filter((other) => other === view).length;
  if (making.above.length > DEPTH || repeats > REPEATS || making.count > 2500) return empty(view.kind);
  const inner: Making = {
    ...making,
    above: [...making.above, view],
    get count() {
      return making.count;
    },
    set count(next) {
      making.count = next;
    },
  };
  return (MAKERS[view.kind] as (view: View, making: Making) => unknown)(view, inner);
}

function empty(kind: Kind): unknown {
  if (kind === 'array' || kind === 'tuple') return [];
  return kind === 'object' || kind === 'map' || kind === 'union' ? {} : null;
}

function marker(making: Making): number {
  making.count += 1;
  return making.count;
}
