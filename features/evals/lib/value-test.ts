import { firstMatch } from '@/features/chat/lib/bounded-pattern';
import { canonicalJson } from '@/lib/json/canonical';
import { isObject, own } from '@/lib/json/value';
import type { TimeLimit } from '@/lib/wire/time-limit';
import type { ValueTest } from './eval-case';

/** Characters of a value in a sentence. */
const SHOWN_CHARS = 200;

/**
 * Returns what a value should be, as `contains "fog"`; undefined if it passes the test. Throws a SlowPattern for a
 * pattern that takes too long.
 */
export function failedTest(value: unknown, test: ValueTest, within: TimeLimit): string | undefined {
  const failed = (Object.keys(test) as (keyof ValueTest)[]).find((name) => !HOLDS[name](value, test, within));
  if (failed === undefined) return undefined;
  return testWords({ [failed]: test[failed] });
}

/** Returns true if both are the same JSON value. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return canonicalJson(JSON.stringify(one) ?? '') === canonicalJson(JSON.stringify(other) ?? '');
}

/** A value in a sentence. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

/** Finds a value by a JSON Pointer; undefined if there is none. */
export function valueByPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((inside, part) => {
      if (Array.isArray(inside)) return /^\d+$/.test(part) ? inside[Number(part)] : undefined;
      return isObject(inside) ? own(inside, part) : undefined;
    }, value);
}

const HOLDS: { readonly [K in keyof ValueTest]-?: (value: unknown, test: ValueTest, within: TimeLimit) => boolean } = {
  equals: (value, { equals }) => isSameValue(value, equals),
  oneOf: (value, { oneOf = [] }) => oneOf.some((one) => isSameValue(value, one)),
  contains: (value, { contains }) =>
    Array.isArray(value)
      ? value.some((item) => isSameValue(item, contains))
      : typeof value === 'string' && typeof contains === 'string' && value.includes(contains),
  matches: (value, { matches }, within) =>
    typeof value === 'string' && firstMatch(new RegExp(matches!), value, within) !== undefined,
  atLeast: (value, { atLeast }) => typeof value === 'number' && value >= atLeast!,
  atMost: (value, { atMost }) => typeof value === 'number' && value <= atMost!,
  present: (value, { present }) => (value !== undefined) === present,
  not: (value, { not }, within) => failedTest(value, not!, within) !== undefined,
};

/** Describes a test: `contains "fog"`. */
export function testWords(test: ValueTest): string {
  return (Object.keys(test) as (keyof ValueTest)[])
    .map((name) => {
      if (name === 'present') return test.present ? 'something' : 'nothing';
      if (name === 'not') return `anything but ${testWords(test.not!)}`;
      return `${WORDS[name]}${shownValue(test[name])}`;
    })
    .join(' and ');
}

const WORDS: Readonly<Record<Exclude<keyof ValueTest, 'present' | 'not'>, string>> = {
  equals: '',
  oneOf: 'one of ',
  contains: 'a value with ',
  matches: 'a match of ',
  atLeast: 'at least ',
  atMost: 'at most ',
};
