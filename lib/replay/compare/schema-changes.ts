import { LongNumber } from '@/lib/json/exact';
import { JSON_DEPTH } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { flatten, resolveReference } from '@/lib/schema/flatten';
import { LIMITS } from '@/lib/wire/limits';
import { NO_NORMALISER } from './normalise';
import { MAX_DIFFERENCES, pathText, shortJson, valueDifferences } from './value-diff';

/** Most subschemas visited while two schemas are compared. Also most pairs of branches compared for one union. */
const COMPARED_SCHEMAS = 20_000;

/** How a schema can change. `narrowed`: allows less than before. `widened`: allows more. `other`: any other change. */
export type SchemaChangeKind =
  | 'property-removed'
  | 'property-added'
  | 'required-property-added'
  | 'became-required'
  | 'became-optional'
  | 'type-changed'
  | 'type-narrowed'
  | 'type-widened'
  | 'values-narrowed'
  | 'values-widened'
  | 'bound-narrowed'
  | 'bound-widened'
  | 'closed'
  | 'opened'
  | 'branch-removed'
  | 'branch-added'
  | 'other';

/** One change of a schema. */
interface SchemaChange {
  readonly kind: SchemaChangeKind;
  /** Path of the property from the root, such as `a.b[]`; '' for the root. */
  readonly path: string;
  /** The old and the new state in a word or two; '' if there is none to show. */
  readonly before: string;
  readonly after: string;
}

/** Lists how two schemas differ, in the order of `before`. Follows local references only; bounded. */
export function schemaChanges(before: JsonObject, after: JsonObject): readonly SchemaChange[] {
  const walk = new SchemaWalk(before, after);
  walk.compare(before, after, '');
  // The schemas differ in a part that is not compared, such as a condition.
  if (walk.changes.length === 0 && !isSameSchema(before, after)) walk.addChange('other', '', '', '');
  return walk.changes;
}

/** Keywords that set a lower or an upper limit, each with the value that means no limit. */
const LOWER: Readonly<Record<string, number>> = {
  minimum: Number.NEGATIVE_INFINITY,
  exclusiveMinimum: Number.NEGATIVE_INFINITY,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
};
const UPPER: Readonly<Record<string, number>> = {
  maximum: Number.POSITIVE_INFINITY,
  exclusiveMaximum: Number.POSITIVE_INFINITY,
  maxLength: Number.POSITIVE_INFINITY,
  maxItems: Number.POSITIVE_INFINITY,
  maxProperties: Number.POSITIVE_INFINITY,
};

const BOUND_KEYWORDS: readonly string[] = [LOWER, UPPER].flatMap(Object.keys);

/** Keywords that narrow a schema when they are added, and may narrow it when they are changed. */
const NARROWS: ReadonlySet<string> = new Set([
  'pattern',
  'format',
  'multipleOf',
  'uniqueItems',
  'propertyNames',
  'contains',
  'not',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
]);

/** Keywords compared by code of their own. All others are compared as values. */
const COMPARED_KEYWORDS = new Set([
  ...BOUND_KEYWORDS,
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'anyOf',
  'oneOf',
  '$defs',
  'definitions',
]);

const ARRAY = ['array'];

class SchemaWalk {
  readonly changes: SchemaChange[] = [];
  readonly #beforeRoot: JsonObject;
  readonly #afterRoot: JsonObject;
  /** Pairs under comparison, since schemas can refer to themselves. */
  readonly #above: (readonly [unknown, unknown])[] = [];
  #steps = 0;

  constructor(before: JsonObject, after: JsonObject) {
    this.#beforeRoot = before;
    this.#afterRoot = after;
  }

  compare(before: unknown, after: unknown, path: string): void {
    if (before === after || this.changes.length >= MAX_DIFFERENCES) return;
    const pair = [schemaIdentity(before, this.#beforeRoot), schemaIdentity(after, this.#afterRoot)] as const;
    if (this.#above.some(([one, other]) => one === pair[0] && other === pair[1])) return;
    if (++this.#steps > COMPARED_SCHEMAS || this.#above.length >= JSON_DEPTH) return;
    const [one, other] = [flatSchema(before, this.#beforeRoot), flatSchema(after, this.#afterRoot)];
    if (one === undefined || other === undefined) {
      if (!isSameSchema(before, after)) this.addChange('other', path, shortJson(before), shortJson(after));
      return;
    }
    this.#above.push(pair);
    if (unionOf(one) === unionOf(other)) this.#keywords(one, other, path);
    else this.#branches(alternatives(one), alternatives(other), () => path, path);
    this.#above.pop();
  }

  #keywords(one: JsonObject, other: JsonObject, path: string): void {
    this.#types(one, other, path);
    this.#values(one, other, path);
    for (const [keyword, kind] of boundChanges(one, other))
      this.addChange(kind, path, keywordText(one, keyword), keywordText(other, keyword));
    this.#properties(one, other, path);
    this.#additional(own(one, 'additionalProperties'), own(other, 'additionalProperties'), path);
    if (overlap(typesOf(one), ARRAY) && overlap(typesOf(other), ARRAY)) {
      // Without `items`, array items may be anything.
      this.compare(own(one, 'items') ?? true, own(other, 'items') ?? true, `${path}[]`);
    }
    for (const union of UNIONS) {
      const was = branchesOf(one, union);
      this.#branches(was, branchesOf(other, union), (branch) => `${path}(${was.indexOf(branch) + 1})`, path);
    }
    this.#rest(one, other, path);
  }

  #types(before: JsonObject, after: JsonObject, path: string): void {
    const [was, is] = [typesOf(before), typesOf(after)];
    const gone = is === undefined ? false : was === undefined || was.some((type) => !allows(is, type));
    const come = was === undefined ? false : is === undefined || is.some((type) => !allows(was, type));
    if (!gone && !come) return;
    const kind = gone && come ? 'type-changed' : gone ? 'type-narrowed' : 'type-widened';
    this.addChange(kind, path, was?.join(' or ') ?? 'anything', is?.join(' or ') ?? 'anything');
  }

  #values(before: JsonObject, after: JsonObject, path: string): void {
    const [was, is] = [valuesOf(before), valuesOf(after)];
    if (was === undefined && is === undefined) return;
    const gone = was?.filter((value) => !is?.some((other) => isSameSchema(value, other))) ?? [];
    const come = is?.filter((value) => !was?.some((other) => isSameSchema(value, other))) ?? [];
    if (is !== undefined && (was === undefined || gone.length > 0)) {
      this.addChange(
        'values-narrowed',
        path,
        was === undefined ? 'any' : valueList(gone),
        was === undefined ? valueList(is) : '',
      );
    }
    if (was !== undefined && (is === undefined || come.length > 0)) {
      this.addChange(
        'values-widened',
        path,
        is === undefined ? valueList(was) : '',
        is === undefined ? 'any' : valueList(come),
      );
    }
  }

  #properties(before: JsonObject, after: JsonObject, path: string): void {
    const [was, is] = [propertiesOf(before), propertiesOf(after)];
    const [needed, needs] = [requiredOf(before), requiredOf(after)];
    for (const [name, schema] of Object.entries(was)) {
      const inside = childPath(path, name);
      if (!Object.hasOwn(is, name)) {
        this.addChange('property-removed', inside, '', '');
        continue;
      }
      if (!needed.has(name) && needs.has(name)) this.addChange('became-required', inside, '', '');
      if (needed.has(name) && !needs.has(name)) this.addChange('became-optional', inside, '', '');
      this.compare(schema, is[name], inside);
    }
    for (const [name, schema] of Object.entries(is)) {
      if (Object.hasOwn(was, name)) continue;
      const type = isObject(schema) ? (typesOf(schema)?.join(' or ') ?? '') : '';
      const isRequired = needs.has(name) && !needed.has(name);
      this.addChange(isRequired ? 'required-property-added' : 'property-added', childPath(path, name), '', type);
    }
    // Some required names have no schema.
    for (const name of needs) {
      if (typeof name !== 'string' || needed.has(name) || Object.hasOwn(was, name) || Object.hasOwn(is, name)) continue;
      this.addChange('required-property-added', childPath(path, name), '', '');
    }
  }

  #additional(before: unknown, after: unknown, path: string): void {
    if (isObject(before) && isObject(after)) this.compare(before, after, childPath(path, '*'));
    else if (before !== false && after === false) this.addChange('closed', path, '', '');
    else if (before === false && after !== false) this.addChange('opened', path, '', '');
    else if (isObject(after) || isObject(before))
      this.addChange('other', path, shortJson(before ?? true), shortJson(after ?? true));
  }

  /**
   * Compares branches that are on one side only. Each old branch is matched with a new one of an overlapping type, if
   * any.
   */
  #branches(was: readonly unknown[], is: readonly unknown[], pathOf: (branch: unknown) => string, path: string): void {
    if (was.length * is.length > COMPARED_SCHEMAS) return;
    const come = is.filter((branch) => !was.some((other) => isSameSchema(branch, other)));
    const typesNow = new Map(come.map((branch) => [branch, this.#typesOf(branch, this.#afterRoot)]));
    const left = new Set(come);
    for (const branch of was) {
      if (is.some((other) => isSameSchema(branch, other))) continue;
      const types = this.#typesOf(branch, this.#beforeRoot);
      const fits = (other: unknown) => overlap(types, typesNow.get(other));
      const now = [...left].find(fits) ?? come.find(fits);
      if (now === undefined)
        this.addChange('branch-removed', path, shortJson(flatSchema(branch, this.#beforeRoot) ?? branch), '');
      else {
        left.delete(now);
        this.compare(branch, now, pathOf(branch));
      }
    }
    // A union that allowed any type can’t be widened.
    if (was.some((branch) => this.#typesOf(branch, this.#beforeRoot) === undefined)) return;
    for (const branch of left) {
      this.addChange('branch-added', path, '', shortJson(flatSchema(branch, this.#afterRoot) ?? branch));
    }
  }

  #typesOf(branch: unknown, root: JsonObject): readonly string[] | undefined {
    const found = flatSchema(branch, root);
    return found && typesOf(found);
  }

  #rest(before: JsonObject, after: JsonObject, path: string): void {
    const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const keyword of keywords) {
      if (COMPARED_KEYWORDS.has(keyword) || isSameSchema(own(before, keyword), own(after, keyword))) continue;
      const narrower = NARROWS.has(keyword) && Object.hasOwn(after, keyword);
      this.addChange(
        narrower ? 'bound-narrowed' : 'other',
        path,
        keywordText(before, keyword),
        keywordText(after, keyword),
      );
    }
  }

  addChange(kind: SchemaChangeKind, path: string, before: string, after: string): void {
    if (this.changes.length < MAX_DIFFERENCES) this.changes.push({ kind, path, before, after });
  }
}

/** Returns the target of a reference, so that a definition is the same wherever it is used. */
function schemaIdentity(schema: unknown, root: JsonObject): unknown {
  return (isObject(schema) ? resolveReference(own(schema, '$ref'), schema, root) : undefined) ?? schema;
}

/** Keywords that describe a schema without changing what it allows. */
const ANNOTATIONS = ['title', 'description', 'default', 'examples', '$comment', 'deprecated'];

/** Follows references; undefined if that fails. Keywords beside a reference count. */
function flatSchema(schema: unknown, root: JsonObject): JsonObject | undefined {
  if (schema === true) return {};
  if (!isObject(schema)) return undefined;
  const flat = flatten(schema, root);
  if (typeof flat === 'string') return undefined;
  const annotations = Object.fromEntries(
    ANNOTATIONS.filter((key) => Object.hasOwn(schema, key)).map((key) => [key, schema[key]]),
  );
  const types = typesOf(flat.schema);
  const type = flat.nullable && types !== undefined ? { type: [...types, 'null'] } : {};
  return { ...flat.schema, ...type, ...annotations };
}

/** The types that a schema allows, by name or by its listed values; undefined for all types. */
function typesOf(schema: JsonObject): readonly string[] | undefined {
  const types = [own(schema, 'type')].flat().filter((type) => typeof type === 'string');
  const all = types.length === 0 ? valuesOf(schema)?.map(typeOf) : types;
  return all && [...new Set(all)].slice(0, 10);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const number = numberOr(value, Number.NaN);
  return Number.isNaN(number) ? typeof value : Number.isInteger(number) ? 'integer' : 'number';
}

/** True if a value may have a type of each side; undefined means all types. */
function overlap(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (!one || !other) return true;
  return one.some((type) => allows(other, type)) || other.some((type) => allows(one, type));
}

/** True if values of `type` fit one of `types`. */
function allows(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

const UNIONS = ['anyOf', 'oneOf'] as const;

/** The values listed by `enum`, `const` or a union of constants; undefined for any value. */
function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  const values = own(schema, 'enum');
  if (Array.isArray(values)) return values.slice(0, LIMITS.schemaSteps);
  for (const union of UNIONS) {
    const branches = own(schema, union);
    if (Array.isArray(branches) && isConstants(branches)) return branches.map((branch) => branch.const);
  }
  return undefined;
}

function isConstants(branches: readonly unknown[]): branches is readonly JsonObject[] {
  return branches.length > 0 && branches.every((branch) => isObject(branch) && Object.hasOwn(branch, 'const'));
}

/** The branches of a union, unless they only list values. */
function branchesOf(schema: JsonObject, union: string): readonly unknown[] {
  const branches = own(schema, union);
  return Array.isArray(branches) && !isConstants(branches) ? branches : [];
}

/**
 * Returns the keyword of a schema’s union, such as `anyOf`; undefined if it has none or the union only lists values.
 */
function unionOf(schema: JsonObject): (typeof UNIONS)[number] | undefined {
  return UNIONS.find((union) => branchesOf(schema, union).length > 0);
}

/** Treats a flat schema as a union: its branches, each with the keywords beside them, or its types. */
function alternatives(schema: JsonObject): readonly JsonObject[] {
  const union = unionOf(schema);
  if (union) {
    const { [union]: _branches, ...beside } = schema;
    return branchesOf(schema, union).map((branch) => ({ ...beside, allOf: [branch] }));
  }
  const types = own(schema, 'type');
  return Array.isArray(types) ? types.map((type) => ({ ...schema, type })) : [schema];
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = own(schema, 'properties');
  return isObject(properties) ? properties : {};
}

/** Names of the required properties. */
function requiredOf(schema: JsonObject): ReadonlySet<unknown> {
  const required = own(schema, 'required');
  return new Set(Array.isArray(required) ? required : []);
}

/** The limits that differ, each with whether it allows less than before or more. */
function boundChanges(
  before: JsonObject,
  after: JsonObject,
): readonly (readonly [keyword: string, kind: 'bound-narrowed' | 'bound-widened'])[] {
  return [LOWER, UPPER].flatMap((bounds) =>
    Object.entries(bounds).flatMap(([keyword, none]) => {
      const [was, is] = [numberOr(own(before, keyword), none), numberOr(own(after, keyword), none)];
      if (was === is) return [];
      return [[keyword, is > was === (bounds === LOWER) ? 'bound-narrowed' : 'bound-widened'] as const];
    }),
  );
}

/** Compares as JSON values, whatever the order of members. */
function isSameSchema(before: unknown, after: unknown): boolean {
  if (before === undefined || after === undefined) return before === after;
  return valueDifferences(before, after, { mode: 'strict', normaliser: NO_NORMALISER }).length === 0;
}

/** Returns the number that a value holds, or `otherwise`. */
function numberOr(value: unknown, otherwise: number): number {
  if (value instanceof LongNumber) return Number(value.digits);
  return typeof value === 'number' ? value : otherwise;
}

/** Formats `keyword value`, or `no keyword`. */
function keywordText(schema: JsonObject, keyword: string): string {
  return Object.hasOwn(schema, keyword) ? `${keyword} ${shortJson(schema[keyword])}` : `no ${keyword}`;
}

/** Formats the first five values. */
function valueList(values: readonly unknown[]): string {
  const shown = values.slice(0, 5).map((value) => shortJson(value));
  return `${shown.join(', ')}${values.length > 5 ? ` and ${values.length - 5} more` : ''}`;
}

/** Appends a property to a path. */
function childPath(path: string, name: string): string {
  const step = pathText([name]);
  return path === '' || step.startsWith('[') ? `${path}${step}` : `${path}.${step}`;
}

/** Sentences by kind. `what` names the place, such as: The parameter `a.b`. */
const WORDS: Readonly<Record<SchemaChangeKind, (what: string, change: SchemaChange) => string>> = {
  'property-removed': (what) => `${what} is gone.`,
  'property-added': (what, { after }) => `${what} is new${after && `: ${after}`}.`,
  'required-property-added': (what, { after }) => `${what} is new and required${after && `: ${after}`}.`,
  'became-required': (what) => `${what} is now required.`,
  'became-optional': (what) => `${what} is now optional.`,
  'type-changed': (what, { before, after }) => `${what} was ${before}, and is now ${after}.`,
  'type-narrowed': (what, { before, after }) => `${what} was ${before}, and is now only ${after}.`,
  'type-widened': (what, { before, after }) => `${what} was ${before}, and is now ${after}.`,
  'values-narrowed': (what, { before, after }) =>
    after ? `${what} is now one of ${after}.` : `${what} can’t be ${before} any more.`,
  'values-widened': (what, { before, after }) =>
    before ? `${what} was one of ${before}, and can now have any value.` : `${what} can be ${after} too.`,
  'bound-narrowed': (what, { before, after }) => `${what} has ${after}; it had ${before}.`,
  'bound-widened': (what, { before, after }) => `${what} has ${after}; it had ${before}.`,
  closed: (what) => `${what} no longer allows unlisted members.`,
  opened: (what) => `${what} now allows unlisted members.`,
  'branch-removed': (what, { before }) => `${what} can’t be ${before} any more.`,
  'branch-added': (what, { after }) => `${what} can be ${after} too.`,
  other: (what, { before, after }) =>
    before || after ? `${what} has ${after}; it had ${before}.` : `${what} changed.`,
};

/** Describes a change of a tool’s schema in one sentence. */
export function schemaChangeText(side: 'input' | 'output', change: SchemaChange): string {
  const thing = side === 'input' ? 'parameter' : 'output field';
  const what = change.path === '' ? `\`${side}Schema\`` : `The ${thing} \`${change.path}\``;
  return WORDS[change.kind](what, change);
}
