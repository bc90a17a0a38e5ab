import { isObject, type JsonObject, own } from '@/lib/json/value';
import { SchemaChecker } from '@/lib/schema/check';
import { makeSample } from '@/lib/schema/sample';
import { LIMITS } from '@/lib/wire/limits';
import type { TimeLimit } from '@/lib/wire/time-limit';

/** Arguments for a call, made from a tool's schema. */
export interface CallCase {
  readonly kind: 'valid' | 'boundary' | 'wrong';
  /** The case in a few words: "n is missing". Has server text. */
  readonly about: string;
  /** JSON of the arguments. */
  readonly text: string;
}

/** Cases of each kind per tool. */
const MOST_CASES = 6;
const NO_BRANCHES = new Map<string, string>();

/**
 * Makes arguments for a tool: valid ones, ones at the bounds of the schema, and wrong ones. Each is checked: the schema
 * accepts the first two kinds and rejects the third. Returns [] for a schema from which no valid arguments can be made.
 */
export function callCases(schema: unknown, within: TimeLimit): readonly CallCase[] {
  let cases: readonly CallCase[] = [];
  const inTime = within(LIMITS.schemaWorkMs, () => {
    cases = makeCases(schema);
  });
  return inTime ? cases : [];
}

/** Arguments of a call with a text that no other call has. */
export interface CanaryCase {
  /** JSON of the arguments. */
  readonly text: string;
  readonly canary: string;
}

const CANARIES = ['mcp-inspect-canary-ax', 'mcp-inspect-canary-bx'];

/** Makes two valid arguments that differ in a text; [] for a schema without a property that takes any text. */
export function canaryCases(schema: unknown, within: TimeLimit): readonly CanaryCase[] {
  let found: readonly CanaryCase[] = [];
  within(LIMITS.schemaWorkMs, () => {
    found = makeCanaries(schema);
  });
  return found;
}

function makeCanaries(schema: unknown): readonly CanaryCase[] {
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  if (!isObject(properties)) return [];
  const text = JSON.stringify(schema);
  const checker = new SchemaChecker(text);
  const base: unknown = JSON.parse(sampleOf(text, false) ?? 'null');
  if (!isObject(base)) return [];
  for (const name of Object.keys(properties)) {
    const pair = CANARIES.map((canary) => ({ canary, text: JSON.stringify({ ...base, [name]: canary }) }));
    const fits = pair.every(({ text: json }) => {
      const { findings, unchecked } = checker.check(json, NO_BRANCHES);
      return unchecked === undefined && findings.length === 0;
    });
    if (fits) return pair;
  }
  return [];
}

function makeCases(schema: unknown): readonly CallCase[] {
  if (!isObject(schema)) return [];
  const text = JSON.stringify(schema);
  const checker = new SchemaChecker(text);
  const accepts = (json: string): boolean | undefined => {
    const { findings, unchecked } = checker.check(json, NO_BRANCHES);
    return unchecked === undefined ? findings.length === 0 : undefined;
  };
  const samples = [false, true].flatMap((all) => sampleOf(text, all) ?? []);
  const valid = [...new Set(samples)].filter((json) => accepts(json) === true);
  const base: unknown = valid[0] === undefined ? undefined : JSON.parse(valid[0]);
  if (!isObject(base)) return [];
  const changed = (kind: CallCase['kind'], changes: readonly Change[]): readonly CallCase[] =>
    changes
      .map(([about, value]) => ({ kind, about, text: JSON.stringify(value(base)) }))
      .filter(({ text: json }) => accepts(json) === (kind === 'boundary'))
      .slice(0, MOST_CASES);
  const properties = own(schema, 'properties');
  const all = isObject(properties) ? Object.entries(properties) : [];
  return [
    ...valid.map((json, at): CallCase => ({ kind: 'valid', about: at === 0 ? 'required only' : 'all', text: json })),
    ...changed(
      'boundary',
      all.flatMap(([name, property]) => boundaries(name, property)),
    ),
    ...changed('wrong', [...missing(schema), ...all.flatMap(([name, property]) => wrongs(name, property))]),
  ];
}

type Change = readonly [about: string, change: (base: JsonObject) => JsonObject];

function sampleOf(text: string, all: boolean): string | undefined {
  try {
    return JSON.stringify(JSON.parse(makeSample(text, all)));
  } catch {
    // The generator can’t handle this schema.
    return undefined;
  }
}

function set(name: string, about: string, value: unknown): Change {
  return [`${name} ${about}`, (base) => ({ ...base, [name]: value })];
}

function numberOf(schema: JsonObject, keyword: string): number | undefined {
  const value = own(schema, keyword);
  return typeof value === 'number' ? value : undefined;
}

/** Characters of the longest text that is made. */
const LONGEST = 100_000;

function boundaries(name: string, property: unknown): readonly Change[] {
  if (!isObject(property)) return [];
  const [minimum, maximum] = [numberOf(property, 'minimum'), numberOf(property, 'maximum')];
  const [shortest, longest] = [numberOf(property, 'minLength'), numberOf(property, 'maxLength')];
  const choices = own(property, 'enum');
  return [
    ...(minimum === undefined ? [] : [set(name, 'is its minimum', minimum)]),
    ...(maximum === undefined ? [] : [set(name, 'is its maximum', maximum)]),
    ...(shortest === undefined || shortest > LONGEST
      ? []
      : [set(name, 'is as short as it may be', 'x'.repeat(shortest))]),
    ...(longest === undefined || longest > LONGEST ? [] : [set(name, 'is as long as it may be', 'x'.repeat(longest))]),
    ...(Array.isArray(choices) && choices.length > 1 ? [set(name, 'is its last choice', choices.at(-1))] : []),
  ];
}

function missing(schema: JsonObject): readonly Change[] {
  const required = own(schema, 'required');
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return names.map(
    (name): Change => [
      `${name} is missing`,
      (base) => Object.fromEntries(Object.entries(base).filter(([key]) => key !== name)),
    ],
  );
}

/** Values of another type that no lenient server converts. */
const OTHER_TYPE: Readonly<Record<string, unknown>> = {
  string: { 'mcp-inspect': 'wrong' },
  number: 'not a number',
  integer: 'not a number',
  boolean: 'not a boolean',
  array: 'not an array',
  object: 'not an object',
};

function wrongs(name: string, property: unknown): readonly Change[] {
  if (!isObject(property)) return [];
  const type = own(property, 'type');
  const minimum = numberOf(property, 'minimum');
  return [
    ...(typeof type === 'string' && Object.hasOwn(OTHER_TYPE, type)
      ? [set(name, `is not of the type ${type}`, OTHER_TYPE[type])]
      : []),
    ...(Array.isArray(own(property, 'enum')) ? [set(name, 'is not a choice', 'mcp-inspect-no-such-choice')] : []),
    ...(minimum === undefined ? [] : [set(name, 'is below its minimum', minimum - 1)]),
  ];
}
