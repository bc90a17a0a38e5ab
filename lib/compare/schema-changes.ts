import { flatten } from '@/lib/schema/flatten';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import {
  allows,
  branchesOf,
  identity,
  isSame,
  list,
  numberOr,
  propertiesOf,
  requiredOf,
  typesOf,
  valuesOf,
  within,
  word,
} from './schema-parts';
import { shownValue } from './shown-value';

/** How a schema can change. `narrowed` allows less than before, `widened` more, `other` is anything that no row knows. */
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
export interface SchemaChange {
  readonly kind: SchemaChangeKind;
  /** The property, from the root: `a.b[]`; '' for the root. */
  readonly path: string;
  /** What it was and what it is, in a word or two each; '' where there is nothing to say. */
  readonly before: string;
  readonly after: string;
}

/** How two schemas differ, in the order of `before`. Local references are followed, none is fetched; bounded. */
export function schemaChanges(before: JsonObject, after: JsonObject): readonly SchemaChange[] {
  const walk = new SchemaWalk(before, after);
  walk.compare(before, after, '');
  // Conditions, say, which are not looked into.
  if (walk.changes.length === 0 && !isSame(before, after)) walk.note('other', '', '', '');
  return walk.changes;
}

/** Words that say something of a schema and change nothing of what it allows. */
const SAID = ['title', 'description', 'default', 'examples', '$comment', 'deprecated'];

/** Keywords that bound a value; 1: the larger, the narrower. */
const BOUNDS: Readonly<Record<string, 1 | -1>> = {
  minimum: 1,
  exclusiveMinimum: 1,
  minLength: 1,
  minItems: 1,
  minProperties: 1,
  maximum: -1,
  exclusiveMaximum: -1,
  maxLength: -1,
  maxItems: -1,
  maxProperties: -1,
};

/** Keywords with a look of their own below; what is left of a schema is compared as a value. */
const LOOKED_AT = new Set([
  ...Object.keys(BOUNDS),
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

class SchemaWalk {
  readonly changes: SchemaChange[] = [];
  readonly #beforeRoot: JsonObject;
  readonly #afterRoot: JsonObject;
  /** Pairs above: schemas refer to themselves. */
  readonly #above: (readonly [unknown, unknown])[] = [];
  #steps = 0;

  constructor(before: JsonObject, after: JsonObject) {
    this.#beforeRoot = before;
    this.#afterRoot = after;
  }

  compare(before: unknown, after: unknown, path: string): void {
    if (before === after || this.changes.length >= LIMITS.differencesTold) return;
    const pair = [identity(before, this.#beforeRoot), identity(after, this.#afterRoot)] as const;
    if (this.#above.some(([one, other]) => one === pair[0] && other === pair[1])) return;
    if (++this.#steps > LIMITS.comparedSchemas || this.#above.length >= LIMITS.jsonDepth) return;
    const [one, other] = [this.#flat(before, this.#beforeRoot), this.#flat(after, this.#afterRoot)];
    if (one === undefined || other === undefined) {
      if (!isSame(before, after)) this.note('other', path, shownValue(before), shownValue(after));
      return;
    }
    this.#above.push(pair);
    this.#types(one, other, path);
    this.#values(one, other, path);
    this.#bounds(one, other, path);
    this.#properties(one, other, path);
    this.#additional(own(one, 'additionalProperties'), own(other, 'additionalProperties'), path);
    if (isObject(own(one, 'items')) && isObject(own(other, 'items'))) {
      this.compare(own(one, 'items'), own(other, 'items'), `${path}[]`);
    } else if (!isSame(own(one, 'items'), own(other, 'items'))) {
      this.note('other', path, word(one, 'items'), word(other, 'items'));
    }
    for (const union of ['anyOf', 'oneOf']) this.#branches(one, other, union, path);
    this.#rest(one, other, path);
    this.#above.pop();
  }

  #types(before: JsonObject, after: JsonObject, path: string): void {
    const [was, is] = [typesOf(before), typesOf(after)];
    const gone = is === undefined ? false : was === undefined || was.some((type) => !allows(is, type));
    const come = was === undefined ? false : is === undefined || is.some((type) => !allows(was, type));
    if (!gone && !come) return;
    const kind = gone && come ? 'type-changed' : gone ? 'type-narrowed' : 'type-widened';
    this.note(kind, path, was?.join(' or ') ?? 'anything', is?.join(' or ') ?? 'anything');
  }

  #values(before: JsonObject, after: JsonObject, path: string): void {
    const [was, is] = [valuesOf(before), valuesOf(after)];
    if (was === undefined && is === undefined) return;
    const gone = was?.filter((value) => !is?.some((other) => isSame(value, other))) ?? [];
    const come = is?.filter((value) => !was?.some((other) => isSame(value, other))) ?? [];
    if (is !== undefined && (was === undefined || gone.length > 0)) {
      this.note('values-narrowed', path, was === undefined ? 'any' : list(gone), was === undefined ? list(is) : '');
    }
    if (was !== undefined && (is === undefined || come.length > 0)) {
      this.note('values-widened', path, is === undefined ? list(was) : '', is === undefined ? 'any' : list(come));
    }
  }

  #bounds(before: JsonObject, after: JsonObject, path: string): void {
    for (const [keyword, sign] of Object.entries(BOUNDS)) {
      const [was, is] = [own(before, keyword), own(after, keyword)];
      if (was === is) continue;
      const far = sign * Number.NEGATIVE_INFINITY;
      const [low, high] = [numberOr(was, far), numberOr(is, far)];
      if (low !== high) {
        this.note(
          high * sign > low * sign ? 'bound-narrowed' : 'bound-widened',
          path,
          word(before, keyword),
          word(after, keyword),
        );
      }
    }
  }

  #properties(before: JsonObject, after: JsonObject, path: string): void {
    const [was, is] = [propertiesOf(before), propertiesOf(after)];
    const [needed, needs] = [requiredOf(before), requiredOf(after)];
    for (const [name, schema] of Object.entries(was)) {
      const inside = within(path, name);
      if (!Object.hasOwn(is, name)) {
        this.note('property-removed', inside, '', '');
        continue;
      }
      if (!needed.has(name) && needs.has(name)) this.note('became-required', inside, '', '');
      if (needed.has(name) && !needs.has(name)) this.note('became-optional', inside, '', '');
      this.compare(schema, is[name], inside);
    }
    for (const [name, schema] of Object.entries(is)) {
      if (Object.hasOwn(was, name)) continue;
      const type = isObject(schema) ? (typesOf(schema)?.join(' or ') ?? '') : '';
      this.note(needs.has(name) ? 'required-property-added' : 'property-added', within(path, name), '', type);
    }
  }

  #additional(before: unknown, after: unknown, path: string): void {
    if (isObject(before) && isObject(after)) this.compare(before, after, within(path, '*'));
    else if (before !== false && after === false) this.note('closed', path, '', '');
    else if (before === false && after !== false) this.note('opened', path, '', '');
    else if (isObject(after) || isObject(before))
      this.note('other', path, shownValue(before ?? true), shownValue(after ?? true));
  }

  /** Branches that are not on both sides; one each is taken for the same that changed. */
  #branches(before: JsonObject, after: JsonObject, union: string, path: string): void {
    const [was, is] = [branchesOf(before, union), branchesOf(after, union)];
    if (was.length * is.length > LIMITS.comparedSchemas) return;
    const gone = was.filter((branch) => !is.some((other) => isSame(branch, other)));
    const come = is.filter((branch) => !was.some((other) => isSame(branch, other)));
    const shared = Math.min(gone.length, come.length);
    for (let at = 0; at < shared; at++) this.compare(gone[at], come[at], `${path}(${was.indexOf(gone[at]) + 1})`);
    for (const branch of gone.slice(shared)) this.note('branch-removed', path, shownValue(branch), '');
    for (const branch of come.slice(shared)) this.note('branch-added', path, '', shownValue(branch));
  }

  #rest(before: JsonObject, after: JsonObject, path: string): void {
    const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const keyword of keywords) {
      if (LOOKED_AT.has(keyword) || isSame(own(before, keyword), own(after, keyword))) continue;
      const narrower = NARROWS.has(keyword) && !Object.hasOwn(before, keyword);
      this.note(narrower ? 'bound-narrowed' : 'other', path, word(before, keyword), word(after, keyword));
    }
  }

  /** With references followed; undefined if that can't be done. What is said beside a reference counts. */
  #flat(schema: unknown, root: JsonObject): JsonObject | undefined {
    if (!isObject(schema)) return undefined;
    const flat = flatten(schema, root);
    if (typeof flat === 'string') return undefined;
    const said = Object.fromEntries(SAID.filter((key) => Object.hasOwn(schema, key)).map((key) => [key, schema[key]]));
    const types = own(flat.schema, 'type');
    const type = flat.nullable && types !== undefined ? { type: [types, 'null'].flat() } : {};
    return { ...flat.schema, ...type, ...said };
  }

  note(kind: SchemaChangeKind, path: string, before: string, after: string): void {
    if (this.changes.length < LIMITS.differencesTold) this.changes.push({ kind, path, before, after });
  }
}

/** Where there was none before, it allows less. */
const NARROWS: ReadonlySet<string> = new Set([
  'pattern',
  'multipleOf',
  'uniqueItems',
  'propertyNames',
  'contains',
  'not',
]);
