// biome-ignore-all lint/suspicious/noExplicitAny: schemas are read as they come
interface Mutation {
  readonly value: unknown;
  readonly what: string;
}

/** Returns all copies of a value with one change: a member removed, a type swapped, a text or a bound broken. */
export function mutations(value: unknown): Mutation[] {
  return [...changes(value, '')];
}

const OTHERS: readonly unknown[] = ['other', 7, 1.5, -1, true, null, [], ['other'], {}];

function* changes(value: unknown, at: string): Generator<Mutation> {
  for (const other of OTHERS) {
    if (JSON.stringify(other) !== JSON.stringify(value))
      yield { value: other, what: `${at} = ${JSON.stringify(other)}` };
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const { value: changed, what } of changes(item, `${at}[${index}]`)) {
        yield { value: value.with(index, changed), what };
      }
    }
    if (value.length > 0) yield { value: Array(101).fill(value[0]), what: `${at} 101 times` };
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      yield { value: rest, what: `${at}.${key} removed` };
      for (const { value: changed, what } of changes(member, `${at}.${key}`)) {
        yield { value: { ...value, [key]: changed }, what };
      }
    }
  }
}
