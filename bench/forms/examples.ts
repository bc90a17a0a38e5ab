import { isRecord } from '@/lib/json/edit';
import { isExactNumber } from '@/lib/json/exact';
import { view as viewOf } from '@/lib/schema/view';
import type { FieldKind, View } from '@/lib/schema/view-types';

/** Levels that are filled in, because a schema may contain itself. */
const DEPTH = 18;
/** Levels of the same schema within itself. */
const REPEATS = 1;

interface Making {
  readonly root: unknown;
  readonly pick: 'first' | 'last';
  count: number;
  readonly above: readonly View[];
}

type Maker = { readonly [K in FieldKind]: (view: View<K>, making: Making) => unknown };

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

/** Makes a document with every leaf filled in. All texts and numbers differ. `pick` selects branches and choices. */
export function exampleOf(view: View, root: unknown, pick: 'first' | 'last'): unknown {
  const made = make(view, { root, pick, count: 0, above: [] });
  return view.kind === 'any' ? {} : made;
}

/** Returns the texts and numbers of an example that identify its leaves in the page. */
export function markersIn(value: unknown): string[] {
  if (typeof value === 'string') return /^m\d+$/.test(value) ? [value] : [];
  if (isExactNumber(value)) return Number(value) > 100_000 ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap(markersIn);
  return isRecord(value) ? Object.values(value).flatMap(markersIn) : [];
}

function below(schema: unknown, making: Making): unknown {
  return make(viewOf(schema, making.root), making);
}

function make(view: View, making: Making): unknown {
  // Every node counts, or a schema of nested choices would never end.
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

function empty(kind: FieldKind): unknown {
  if (kind === 'array' || kind === 'tuple') return [];
  return kind === 'object' || kind === 'map' || kind === 'union' ? {} : null;
}

function marker(making: Making): number {
  making.count += 1;
  return making.count;
}

/** Ways to make a document invalid everywhere at once. */
export const MUTATIONS = ['types', 'names'] as const;

const WRONG_NAME = 'a name that is not in the schema';

/** Returns a copy in which each leaf has another type, or each object lacks a property and has an unknown one. */
export function mutant(value: unknown, mutation: (typeof MUTATIONS)[number]): unknown {
  if (Array.isArray(value)) return value.map((item) => mutant(item, mutation));
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([name, item]) => [name, mutant(item, mutation)] as const);
    if (mutation === 'types') return Object.fromEntries(entries);
    return Object.fromEntries([...entries.slice(1), [WRONG_NAME, 1]]);
  }
  if (mutation === 'names') return value;
  return typeof value === 'string' || isExactNumber(value) ? [value] : 'text';
}

/** Number of leaves of an example, by their place in the page. */
export interface Places {
  /** In their own control, or in the JSON box of an untyped value. */
  readonly own: number;
  /** Only inside a larger JSON box. */
  readonly json: number;
  /** Not in the page. */
  readonly missing: number;
}

/** Finds markers in the controls of the mounted form. */
export function placesOf(markers: readonly string[]): Places {
  const own = new Set<string>();
  let json = '';
  for (const control of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    '[data-form] :is(input, textarea)',
  )) {
    const { value } = control;
    own.add(value);
    // A JSON box shows a string with its quotes.
    if (/^"m\d+"$/.test(value)) own.add(value.slice(1, -1));
    else if (/^[[{]/.test(value)) json += value;
  }
  const inOwn = markers.filter((marker) => own.has(marker)).length;
  const inJson = markers.filter((marker) => !own.has(marker) && json.includes(marker)).length;
  return { own: inOwn, json: inJson, missing: markers.length - inOwn - inJson };
}
