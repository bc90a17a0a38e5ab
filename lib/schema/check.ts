import { format, type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import type { JsonPath } from '@/lib/json/edit';
import { withArticle } from '@/lib/json/type-words';
import { isObject, own } from '@/lib/json/value';
import type { BranchPlaces, CheckResult, SchemaFinding } from './schema-worker';

// A format of no draft, which the library checks with a pattern that can take for ever.
delete format.url;

/** Most problems that are reported for one document. */
const MAX_FINDINGS = 500;

/** Checks documents against one schema. Nothing throws; the result says if the schema can't be checked. */
export class SchemaChecker {
  readonly #validator: Validator | undefined;
  readonly #unchecked: string | undefined;
  readonly #schema: unknown;

  /** `text` is the schema as JSON. */
  constructor(text: string) {
    try {
      // The validator adds hidden keys to the schema, so it gets its own copy.
      const schema: unknown = JSON.parse(text);
      this.#schema = schema;
      const dialect = dialectOf(schema);
      const draft = schemaDraft(dialect);
      if (draft === undefined) this.#unchecked = `unknown dialect ${JSON.stringify(dialect)}`;
      else this.#validator = new Validator(schema as Schema, draft, false);
    } catch (error) {
      this.#unchecked = reason(error);
    }
  }

  /** Checks JSON text. Blank text, which means no arguments, counts as an empty object. */
  check(text: string, branches: BranchPlaces): CheckResult {
    if (this.#validator === undefined) return { findings: [], unchecked: this.#unchecked };
    try {
      const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
      const { errors }: { errors: OutputUnit[] } = this.#validator.validate(value);
      return { findings: toFindings(errors, value, branches, this.#schema).slice(0, MAX_FINDINGS) };
    } catch (error) {
      return { findings: [], unchecked: reason(error) };
    }
  }
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError) return 'it refers to itself without end';
  return message.split('\n')[0]!.slice(0, 300);
}

const DRAFTS: readonly (readonly [pattern: RegExp, draft: SchemaDraft])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, '7'],
  [/^https?:\/\/json-schema\.org\/draft-04\/schema#?$/, '4'],
];

/** Returns a schema's `$schema`; undefined without one. */
export function dialectOf(schema: unknown): unknown {
  return isObject(schema) ? own(schema, '$schema') : undefined;
}

/** Returns the validator's name for a dialect. The default is 2020-12 (SEP-1613); undefined for unknown dialects. */
export function schemaDraft(dialect: unknown): SchemaDraft | undefined {
  if (dialect === undefined) return '2020-12';
  return DRAFTS.find(([pattern]) => typeof dialect === 'string' && pattern.test(dialect))?.[1];
}

type Words = (message: string) => string | undefined;

const after = (pattern: RegExp, words: (...groups: string[]) => string): Words => {
  return (message) => {
    const match = pattern.exec(message);
    return match === null ? undefined : words(...match.slice(1).map((group) => group ?? ''));
  };
};

/** Rewrites the validator's messages by keyword. Other messages are shown as they are. */
const WORDS: Readonly<Record<string, Words>> = {
  type: after(
    /type "(.*)" is invalid\. Expected "(.*)"\./,
    (is, wanted) => `is ${withArticle(is)}, expected ${wanted.split('", "').map(withArticle).join(' or ')}`,
  ),
  const: after(/does not match (.*)\.$/, (value) => `is not ${value.slice(0, 80)}`),
  enum: () => 'is not one of the listed values',
  required: () => 'is missing',
  dependentRequired: after(/has "(.*)" but/, (name) => `is missing, but required together with ${name}`),
  dependencies: after(/has "(.*)" but does not have/, (name) => `is missing, but required together with ${name}`),
  false: () => 'is not in the schema',
  anyOf: () => 'matches none of the alternatives',
  oneOf: after(/\((\d+) matches\)/, (count) =>
    count === '0' ? 'matches none of the alternatives' : `matches ${count} alternatives, expected one`,
  ),
  not: () => 'matches what the schema excludes',
  format: after(/does not match format "(.*)"/, (format) => `is not a valid ${format}`),
  minLength: after(/\((\d+) < (\d+)\)/, (is, wanted) => `has ${counted(is, 'character')}, expected at least ${wanted}`),
  maxLength: after(/\((\d+) > (\d+)\)/, (is, wanted) => `has ${counted(is, 'character')}, expected at most ${wanted}`),
  minItems: after(/\((\d+) < (\d+)\)/, (is, wanted) => `has ${counted(is, 'item')}, expected at least ${wanted}`),
  maxItems: after(/\((\d+) > (\d+)\)/, (is, wanted) => `has ${counted(is, 'item')}, expected at most ${wanted}`),
  minimum: after(/less than\s+(?:or equal to\s+)?(\S+)\.$/, (bound) => `is less than ${bound}`),
  maximum: after(/greater than\s+(?:or equal to\s+)?(\S+)\.$/, (bound) => `is more than ${bound}`),
  exclusiveMinimum: after(/(\S+)\.$/, (bound) => `is not more than ${bound}`),
  exclusiveMaximum: after(/(\S+)\.$/, (bound) => `is not less than ${bound}`),
  uniqueItems: after(/indexes (\d+) and (\d+)/, (a, b) => `has equal items ${a} and ${b}`),
};

function counted(count: string, noun: string): string {
  return `${count} ${noun}${count === '1' ? '' : 's'}`;
}

/** Says what is wrong in a few words that follow the field's name. `schema` is the one that was checked against. */
export function errorText({ keyword, keywordLocation, error }: OutputUnit, schema: unknown): string {
  if (keyword === 'pattern') {
    const pattern = valueAt(schema, keywordLocation);
    return `must match ${typeof pattern === 'string' ? pattern.slice(0, 200) : 'the pattern'}`;
  }
  return WORDS[keyword]?.(error) ?? error.replace(/^Instance /, '').slice(0, 300);
}

/** Returns the value of a keyword, which may be behind local references. */
function valueAt(schema: unknown, location: string): unknown {
  let at = schema;
  for (const part of location.split('/').slice(1)) {
    const name = nameIn(part);
    at = Array.isArray(at) ? at[Number(name)] : isObject(at) ? own(at, name) : undefined;
    if (name === '$ref' && typeof at === 'string') at = at.startsWith('#') ? valueAt(schema, at) : undefined;
  }
  return at;
}

/** Returns the name of a missing required property. */
export function missingName({ keyword, error }: OutputUnit): string | undefined {
  if (keyword === 'required') return /^Instance does not have required property "(.*)"\.$/s.exec(error)?.[1];
  if (keyword !== 'dependentRequired' && keyword !== 'dependencies') return undefined;
  return /but does not have "(.*)"\.$/s.exec(error)?.[1];
}

/**
 * Turns a validator's errors into findings at places of the document. Drops errors that only wrap another one. For a
 * union, keeps only the errors of the picked branch. `schema` is the one that they were checked against.
 */
export function toFindings(
  errors: readonly OutputUnit[],
  value: unknown,
  branches: BranchPlaces,
  schema: unknown,
): SchemaFinding[] {
  const found: SchemaFinding[] = [];
  const told = new Set<string>();
  for (const error of leaves(errors, value, branches)) {
    const name = missingName(error);
    const at = pathOf(error.instanceLocation, value);
    const finding = {
      path: name === undefined ? at : [...at, name],
      text: errorText(error, schema),
      missing: name !== undefined,
    };
    const key = JSON.stringify([finding.path, finding.text]);
    if (!told.has(key)) found.push(finding);
    told.add(key);
  }
  return found;
}

/** Returns the innermost errors. Each wrapper comes before its errors, whose locations are inside its own. */
function leaves(errors: readonly OutputUnit[], value: unknown, branches: BranchPlaces): OutputUnit[] {
  const found: OutputUnit[] = [];
  for (let at = 0; at < errors.length; ) {
    const error = errors[at]!;
    let end = at + 1;
    while (end < errors.length && isWithin(errors[end]!, error)) end++;
    const inner = errors.slice(at + 1, end);
    if (inner.length === 0) found.push(error);
    else if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      found.push(...leaves(ofBranch(error, inner, value, branches), value, branches));
    } else found.push(...leaves(inner, value, branches));
    at = end;
  }
  return found;
}

function isWithin(error: OutputUnit, wrapper: OutputUnit): boolean {
  // The error of a `false` schema has the location of the value as its keyword location.
  if (error.keyword === 'false') return error.instanceLocation.startsWith(`${wrapper.instanceLocation}/`);
  return error.keywordLocation.startsWith(`${wrapper.keywordLocation}/`);
}

/** Returns the errors of one branch: the one shown in the form, or the one closest to the value. */
function ofBranch(
  union: OutputUnit,
  inner: readonly OutputUnit[],
  value: unknown,
  branches: BranchPlaces,
): OutputUnit[] {
  const groups = new Map<string, OutputUnit[]>();
  let last = '';
  for (const error of inner) {
    const own = error.keyword !== 'false';
    if (own) last = error.keywordLocation.slice(union.keywordLocation.length + 1).split('/')[0]!;
    groups.set(last, [...(groups.get(last) ?? []), error]);
  }
  const place = branches.get(JSON.stringify(pathOf(union.instanceLocation, value)));
  const picked = place === undefined ? undefined : pickedIndex(place, union.keywordLocation);
  if (picked !== undefined && groups.has(picked)) return groups.get(picked)!;
  const ranked = [...groups.values()].sort((a, b) => distance(a, union) - distance(b, union));
  return ranked[0] ?? [];
}

/**
 * Returns the index in `anyOf/1`, or in `anyOf/0/anyOf/1` for the inner union. `union` is the location of its keyword.
 */
export function pickedIndex(place: string, union: string): string | undefined {
  const parts = place.split('/');
  const location = union.replaceAll('/$ref', '');
  for (let at = parts.length - 2; at >= 0; at -= 2) {
    if (location.endsWith(`/${parts.slice(0, at + 1).join('/')}`)) return parts[at + 1];
  }
  return undefined;
}

/**
 * Returns how far a value is from a branch: a wrong type counts most, then a wrong discriminator, then other errors.
 */
function distance(errors: readonly OutputUnit[], union: OutputUnit): number {
  let sum = 0;
  for (const { keyword, instanceLocation } of errors) {
    const depth = instanceLocation.slice(union.instanceLocation.length).split('/').length - 1;
    if (keyword === 'type' && depth === 0) sum += 1000;
    else if ((keyword === 'const' || keyword === 'enum') && depth <= 1) sum += 100;
    else sum += 1;
  }
  return sum;
}

function nameIn(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Converts `#/a/0` to a path. The value tells indexes from names. */
function pathOf(pointer: string, value: unknown): JsonPath {
  const path: (string | number)[] = [];
  let at = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = nameIn(part);
    const key = Array.isArray(at) ? Number(name) : name;
    path.push(key);
    if (Array.isArray(at)) at = at[key as number];
    else at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return path;
}
