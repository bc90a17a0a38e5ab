import fc from 'fast-check';

/** Makes one value of a family, by random numbers. */
type Make = (random: Random) => unknown;

/** A kind of result that a tool could have. `mutants`: values that break it, each by one change. */
export interface Family {
  readonly name: string;
  make(random: Random): unknown;
  /** Returns values in which one type is changed or one key dropped that the family always has. */
  mutants(value: unknown): readonly unknown[];
}

/** A source of numbers from 0 to 1. The same seed gives the same numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

const NOTHING: readonly unknown[] = [];

function scalar(name: string, make: Make, wrong: readonly unknown[]): Family {
  return { name, make, mutants: () => wrong };
}

function word(random: Random, length = 12): string {
  return Array.from({ length }, () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('');
}

const hex = (random: Random, length: number) => Array.from({ length }, () => random.below(16).toString(16)).join('');
const uuid = (random: Random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-');
const isoTime = (random: Random) => new Date(1.6e12 + random.next() * 2e11).toISOString();

const SCALARS: readonly Family[] = [
  scalar('integer', (random) => random.below(100_000) - 500, ['1', true, 1.5, { a: 1 }]),
  scalar('number', (random) => (random.next() - 0.2) * 1000, ['1.5', false, []]),
  scalar('whole or not', (random) => random.below(1000) / random.pick([1, 2, 10]), ['1.5', false, []]),
  scalar('boolean', (random) => random.next() < 0.5, ['true', 1, {}]),
  scalar('words', (random) => `${word(random)} ${word(random, 3)}`, [7, true, ['a']]),
  scalar('ids', uuid, [7, false, {}]),
  scalar('choices', (random) => random.pick(['open', 'closed', 'merged']), [7, false, {}]),
  scalar('some choices', (random) => random.pick(['a', 'a', 'a', 'a', 'a', 'b', 'c']), [7, false]),
  scalar('times', isoTime, [7, false, ['x']]),
  scalar('days', (random) => isoTime(random).slice(0, 10), [7, false]),
  scalar('times or not', (random) => (random.next() < 0.2 ? 'unknown' : isoTime(random)), [7, false]),
];

function nullable(inner: Family, share: number): Family {
  return {
    name: `${inner.name} or null`,
    make: (random) => (random.next() < share ? null : inner.make(random)),
    mutants: (value) => (value === null ? NOTHING : inner.mutants(value)),
  };
}

function list(inner: Family): Family {
  return {
    name: `[${inner.name}]`,
    make: (random) => Array.from({ length: random.below(5) }, () => inner.make(random)),
    mutants: (value) => {
      const items = value as readonly unknown[];
      const changed = items
        .slice(0, 1)
        .flatMap((item) => inner.mutants(item).map((other) => [other, ...items.slice(1)]));
      return [...changed, { 0: 1 }, 'x'];
    },
  };
}

/** A list with items of two families, of different types. */
function mixed(one: Family, other: Family): Family {
  return {
    name: `[${one.name} | ${other.name}]`,
    make: (random) => Array.from({ length: random.below(6) }, () => random.pick([one, other]).make(random)),
    mutants: () => [{ 0: 1 }, [[]], 'x'],
  };
}

function dictionary(inner: Family, key: (random: Random) => string): Family {
  return {
    name: `{ id: ${inner.name} }`,
    make: (random) =>
      Object.fromEntries(Array.from({ length: random.below(6) }, () => [key(random), inner.make(random)])),
    mutants: (value) => {
      const [first] = Object.entries(value as object);
      const changed = first
        ? inner.mutants(first[1]).map((other) => ({ ...(value as object), [first[0]]: other }))
        : [];
      return [...changed, [1], 'x'];
    },
  };
}

interface Field {
  readonly key: string;
  readonly family: Family;
  /** How often it is there; 1: always. */
  readonly share: number;
}

function record(fields: readonly Field[]): Family {
  return {
    name: `{ ${fields.map(({ key, family, share }) => `${key}${share < 1 ? '?' : ''}: ${family.name}`).join(', ')} }`,
    make: (random) =>
      Object.fromEntries(
        fields.flatMap(({ key, family, share }) => (random.next() < share ? [[key, family.make(random)]] : [])),
      ),
    mutants: (value) => {
      const whole = value as Record<string, unknown>;
      const without = fields.filter(({ share }) => share === 1).map(({ key }) => omit(whole, key));
      const changed = fields.flatMap(({ key, family }) =>
        Object.hasOwn(whole, key) ? family.mutants(whole[key]).map((other) => ({ ...whole, [key]: other })) : [],
      );
      return [...without, ...changed, 'x'];
    },
  };
}

function omit(value: Record<string, unknown>, key: string): unknown {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** Objects of two kinds, which a key tells apart. */
function tagged(key: string, one: Family, other: Family): Family {
  return {
    name: `${key}: ${one.name} | ${other.name}`,
    make: (random) => {
      const isOne = random.next() < 0.5;
      return {
        [key]: isOne ? 'one' : 'other',
        ...(isOne ? { first: one.make(random) } : { second: other.make(random) }),
      };
    },
    mutants: (value) => {
      const whole = value as Record<string, unknown>;
      const [name, inner] = whole[key] === 'one' ? ['first', one] : (['second', other] as const);
      return [
        omit(whole, key),
        omit(whole, name),
        ...inner.mutants(whole[name]).map((wrong) => ({ ...whole, [name]: wrong })),
      ];
    },
  };
}

const KEYS = ['id', 'name', 'created_at', 'total', 'next', 'items', 'user', 'meta-data', 'class', '$ref', 'model_name'];

/** Families of results: objects of anything, up to three levels deep. */
export const families: fc.Arbitrary<Family> = fc.letrec<{ value: Family; record: Family }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...SCALARS),
    fc.tuple(tie('value'), fc.constantFrom(0.1, 0.5)).map(([inner, share]) => nullable(inner, share)),
    tie('value').map(list),
    fc.constantFrom(
      mixed(SCALARS[0]!, SCALARS[4]!),
      mixed(SCALARS[4]!, record([{ key: 'id', family: SCALARS[0]!, share: 1 }])),
    ),
    fc
      .tuple(
        tie('value'),
        fc.constantFrom(
          uuid,
          (random: Random) => `user_${random.below(1e6)}`,
          (random: Random) => word(random),
        ),
      )
      .map(([inner, key]) => dictionary(inner, key)),
    fc.tuple(tie('value'), tie('value')).map(([one, other]) => tagged('type', one, other)),
    tie('record'),
  ),
  record: fc
    .uniqueArray(
      fc.record({ key: fc.constantFrom(...KEYS), family: tie('value'), share: fc.constantFrom(1, 1, 0.9, 0.5, 0.1) }),
      {
        minLength: 1,
        maxLength: 6,
        selector: ({ key }) => key,
      },
    )
    .map(record),
})).record;
