import Ajv from 'ajv';
import Ajv2019 from 'ajv/dist/2019.js';
import Ajv2020 from 'ajv/dist/2020.js';
import { isObject } from '@/lib/json/value';
import { SchemaChecker } from '@/lib/schema/check';
import { makeSample } from '@/lib/schema/sample';

/** Verdicts of two validators on the same values. */
export interface Verdicts {
  readonly pairs: number;
  readonly agreed: number;
  /** Tools with a schema that one of the two cannot check. */
  readonly unchecked: readonly string[];
  /** Descriptions of differing verdicts. */
  readonly differences: readonly string[];
}

interface Tool {
  readonly name: string;
  /** JSON text; undefined if the tool has none. */
  readonly schema?: string;
}

/** Invalid values tried per tool. */
const MOST_TRIED = 24;

/** Compares our checker with ajv on valid samples of each tool, and on copies with one invalid place. */
export function compareVerdicts(tools: readonly Tool[]): Verdicts {
  let pairs = 0;
  const unchecked: string[] = [];
  const differences: string[] = [];
  for (const { name, schema } of tools) {
    if (schema === undefined) continue;
    const text = JSON.stringify(comparable(JSON.parse(schema)));
    const official = compiled(text);
    const checker = new SchemaChecker(text);
    if (official === undefined || checker.check('{}', NO_BRANCHES).unchecked !== undefined) {
      unchecked.push(name);
      continue;
    }
    for (const value of valuesOf(text)) {
      const expected = official(value);
      if (expected === undefined) continue;
      const { findings, unchecked } = checker.check(JSON.stringify(value), NO_BRANCHES);
      pairs += 1;
      if (unchecked !== undefined || (findings.length === 0) !== expected) {
        differences.push(
          `${name}: ${JSON.stringify(value).slice(0, 200)}: ${unchecked ?? JSON.stringify(findings[0])}`,
        );
      }
    }
  }
  return { pairs, agreed: pairs - differences.length, unchecked, differences };
}

const NO_BRANCHES = new Map<string, string>();

/**
 * Returns ajv's validator, or undefined if it cannot compile the schema. A verdict is undefined if the stack overflows.
 */
function compiled(text: string): ((value: unknown) => boolean | undefined) | undefined {
  const schema = JSON.parse(text);
  const dialect = isObject(schema) ? String(schema.$schema ?? '') : '';
  const options = { strict: false, ownProperties: true, validateFormats: false, logger: false } as const;
  const Kind = /draft-0[467]/.test(dialect) ? Ajv : dialect.includes('2019-09') ? Ajv2019 : Ajv2020;
  try {
    // Some of its classes are default exports of CommonJS modules.
    const ajv = new ((Kind as unknown as { default?: typeof Ajv }).default ?? (Kind as typeof Ajv))(options);
    const validate = ajv.compile(schema);
    return (value) => {
      try {
        return validate(value) === true;
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}

/** Keywords that only one of the two checks, with the type of their value. A property may have the same name. */
const NOT_COMPARED: ReadonlyMap<string, string> = new Map([
  ['format', 'string'],
  ['nullable', 'boolean'],
]);

function comparable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(comparable);
  if (!isObject(node)) return node;
  const kept = Object.entries(node).filter(([key, value]) => typeof value !== NOT_COMPARED.get(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, comparable(value)]));
}

/** Returns samples of a schema, and copies with one invalid place. */
function valuesOf(schema: string): unknown[] {
  const samples = [true, false].map((all) => {
    try {
      return JSON.parse(makeSample(schema, all)) as unknown;
    } catch {
      return {};
    }
  });
  const mutants = [...mutantsOf(samples[0])];
  // Spread over all copies, not only the first.
  const step = Math.max(1, mutants.length / MOST_TRIED);
  const tried = Array.from({ length: Math.min(MOST_TRIED, mutants.length) }, (_, at) => mutants[Math.floor(at * step)]);
  return [...samples, {}, null, [], 'text', ...tried];
}

const WRONG: readonly unknown[] = [
  '',
  0,
  -1.5,
  true,
  null,
  [],
  {},
  'a text that is longer than most bounds allow it to be',
];

/**
 * Generates copies with one change: a leaf of another type, an empty or longer list, an object with another set of
 * names.
 */
function* mutantsOf(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    yield [];
    yield [...value, 'one more'];
    for (const [at, item] of value.entries()) for (const mutant of mutantsOf(item)) yield value.with(at, mutant);
  } else if (isObject(value)) {
    yield { ...value, 'a name that is not in the schema': 1 };
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _removed, ...rest } = value;
      yield rest;
      for (const mutant of mutantsOf(item)) yield { ...value, [name]: mutant };
    }
  } else yield* WRONG;
}
