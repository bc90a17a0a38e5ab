import { isRawNumber } from '@/lib/json/exact';
import { type JsonObject, own } from '@/lib/json/value';
import { hasDynamicKeys } from './dynamic-keys';
import type { Member, ObjectType, StringFormat, Type } from './types';

/** A value, and the result that it is in. Values of one result are alike, so results count, not values. */
interface Seen {
  readonly value: unknown;
  readonly result: number;
}

/** Nesting beyond which nothing is described. */
const MOST_DEPTH = 40;
/** Objects with more different keys than this are maps: nobody writes such a type. */
const MOST_MEMBERS = 300;

/** Infers the type of values, each from one result of a tool. Numbers may be RawNumbers. Never throws. */
export function inferType(results: readonly unknown[]): Type {
  return typeOf(
    results.map((value, result) => ({ value, result })),
    0,
  );
}

type Kind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** Infers the type of the values of each kind. In a union, null comes last. */
const INFER: { readonly [K in Kind]: (seen: readonly Seen[], depth: number) => Type } = {
  object: typeOfObjects,
  array: (seen, depth) => ({
    kind: 'array',
    items: typeOf(
      seen.flatMap((one) => [...itemsOf(one)]),
      depth,
    ),
  }),
  string: typeOfStrings,
  number: (seen) => ({ kind: seen.every(({ value }) => isInteger(value)) ? 'integer' : 'number' }),
  boolean: () => ({ kind: 'boolean' }),
  null: () => ({ kind: 'null' }),
};

function typeOf(seen: readonly Seen[], depth: number): Type {
  if (depth > MOST_DEPTH) return { kind: 'unknown' };
  const groups = grouped(seen, kindOf);
  const types = KINDS.flatMap((kind) => {
    const group = groups.get(kind);
    return group ? [INFER[kind](group, depth + 1)] : [];
  });
  return unionOf(types);
}

const KINDS = Object.keys(INFER) as readonly Kind[];

function unionOf(types: readonly Type[]): Type {
  const of = types.flatMap((type) => (type.kind === 'union' ? type.of : [type]));
  return of.length === 1 ? of[0]! : of.length === 0 ? { kind: 'unknown' } : { kind: 'union', of };
}

function kindOf({ value }: Seen): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = isRawNumber(value) ? 'number' : typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** True for integers as programs write them. `1.0` is a float that happens to be whole. */
function isInteger(value: unknown): boolean {
  return isRawNumber(value) ? false : Number.isSafeInteger(value);
}

function* itemsOf({ value, result }: Seen): Generator<Seen> {
  for (const item of value as readonly unknown[]) yield { value: item, result };
}

/** Groups in the order of their first members. */
function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function countResults(seen: readonly Seen[]): number {
  return new Set(seen.map(({ result }) => result)).size;
}

/** Fewest results with dates before a format is named: it refuses whatever else comes later. */
const DATE_RESULTS = 10;

function typeOfStrings(seen: readonly Seen[]): Type {
  const values = choicesIn(seen);
  if (values) return { kind: 'string', values };
  const format = dateFormatOf(seen.map(({ value }) => value as string));
  return { kind: 'string', ...(format && countResults(seen) >= DATE_RESULTS && { format }) };
}

/** Most different strings of an enum, and the fewest results for each of them. */
const MOST_CHOICES = 10;
const RESULTS_PER_CHOICE = 10;
/** Fewest results with the rarest choice: where one is rare, another was probably never seen. */
const RAREST_CHOICE = 3;
/** A word as programs name choices. A sentence is not one. */
const WORD = /^[\p{L}\p{N}_.:/-]{1,40}$/u;

/** Returns the only strings that a field has; undefined if others are possible. */
function choicesIn(seen: readonly Seen[]): readonly string[] | undefined {
  const results = new Map<string, Set<number>>();
  for (const { value, result } of seen) {
    const known = results.get(value as string) ?? new Set();
    results.set(value as string, known.add(result));
    if (results.size > MOST_CHOICES) return undefined;
  }
  const isClear =
    results.size > 1 &&
    countResults(seen) >= RESULTS_PER_CHOICE * results.size &&
    [...results].every(([word, { size }]) => size >= RAREST_CHOICE && WORD.test(word));
  return isClear ? [...results.keys()].sort() : undefined;
}

function typeOfObjects(seen: readonly Seen[], depth: number): Type {
  const keys = keysOf(seen);
  const counts = [...keys].map(([key, { length }]) => [key, length] as const);
  const isMap = keys.size > MOST_MEMBERS || hasDynamicKeys(counts, seen.length, () => haveOneKind(keys));
  if (isMap) return { kind: 'map', values: typeOf([...keys.values()].flat(), depth) };
  return variantsOf(seen, keys, depth) ?? objectOf(seen, keys, depth);
}

function keysOf(seen: readonly Seen[]): ReadonlyMap<string, Seen[]> {
  const keys = new Map<string, Seen[]>();
  for (const { value, result } of seen) {
    for (const key of Object.keys(value as JsonObject)) {
      const values = keys.get(key) ?? [];
      values.push({ value: (value as JsonObject)[key], result });
      if (values.length === 1) keys.set(key, values);
    }
  }
  return keys;
}

/** True if all values have one kind, apart from null. */
function haveOneKind(keys: ReadonlyMap<string, readonly Seen[]>): boolean {
  const kinds = new Set([...keys.values()].flatMap((values) => values.map(kindOf)));
  kinds.delete('null');
  return kinds.size <= 1;
}

function objectOf(
  { length }: readonly Seen[],
  keys: ReadonlyMap<string, readonly Seen[]>,
  depth: number,
  fixed?: Member<Type>,
): ObjectType {
  const members = [...keys].map(([key, values]) =>
    key === fixed?.key ? fixed : { key, required: values.length === length, type: typeOf(values, depth) },
  );
  return { kind: 'object', members };
}

/** Fewest objects and results with each value of a discriminator. With fewer, an optional key may look required. */
const VARIANT_OBJECTS = 10;
const VARIANT_RESULTS = 3;

/** Returns a union if one key tells which other keys an object has, as `type` often does. */
function variantsOf(
  seen: readonly Seen[],
  keys: ReadonlyMap<string, readonly Seen[]>,
  depth: number,
): Type | undefined {
  let best: { readonly key: string; readonly groups: ReadonlyMap<unknown, Seen[]>; readonly told: number } | undefined;
  for (const [key, values] of keys) {
    const groups = values.length === seen.length ? variantGroups(seen, key) : undefined;
    const told = groups ? keysTold([...groups.values()]) : 0;
    if (groups && told > (best?.told ?? 0)) best = { key, groups, told };
  }
  if (!best) return undefined;
  const { key, groups } = best;
  const of = [...groups].map(([value, group]) =>
    objectOf(group, keysOf(group), depth, { key, required: true, type: literalOf(value as string | boolean) }),
  );
  return { kind: 'union', of };
}

function literalOf(value: string | boolean): Type {
  return typeof value === 'string' ? { kind: 'string', values: [value] } : { kind: 'boolean', value };
}

function variantGroups(seen: readonly Seen[], key: string): ReadonlyMap<unknown, Seen[]> | undefined {
  const groups = new Map<unknown, Seen[]>();
  for (const one of seen) {
    const value = own(one.value as JsonObject, key);
    const isLabel = typeof value === 'boolean' || (typeof value === 'string' && WORD.test(value));
    if (!isLabel || (!groups.has(value) && groups.size === MOST_CHOICES)) return undefined;
    const group = groups.get(value) ?? [];
    group.push(one);
    if (group.length === 1) groups.set(value, group);
  }
  const isClear = (group: readonly Seen[]) => group.length >= VARIANT_OBJECTS && countResults(group) >= VARIANT_RESULTS;
  return groups.size > 1 && [...groups.values()].every(isClear) ? groups : undefined;
}

/** Counts the keys that some groups always have and others never. */
function keysTold(groups: readonly (readonly Seen[])[]): number {
  const keys = groups.map(keysOf);
  const always = new Set<string>();
  for (const [at, group] of groups.entries()) {
    for (const [key, { length }] of keys[at]!) if (length === group.length) always.add(key);
  }
  return [...always].filter((key) => keys.some((those) => !those.has(key))).length;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
/** RFC 3339 with capital letters and without leap seconds, which every validator of `date-time` accepts. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

const FORMATS: readonly (readonly [format: StringFormat, isIt: (text: string) => boolean])[] = [
  ['date', isDate],
  ['date-time', (text) => isDate(DATE_TIME.exec(text)?.[1] ?? '')],
];

/** Returns the format that all texts have; undefined if there is none. */
function dateFormatOf(texts: readonly string[]): StringFormat | undefined {
  return FORMATS.find(([, isIt]) => texts.every(isIt))?.[0];
}

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || year === 0) return false;
  const date = new Date(Date.UTC(year, month! - 1, day));
  date.setUTCFullYear(year, month! - 1, day);
  return date.getUTCMonth() === month! - 1 && date.getUTCDate() === day;
}
