import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { BOUND_KEYWORDS, boundChanges, NARROWS } from './schema-bounds';
import {
  allows,
  alternatives,
  branchesOf,
  flat,
  identity,
  isSame,
  list,
  overlap,
  propertiesOf,
  requiredOf,
  typesOf,
  UNIONS,
  unionOf,
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

/** Keywords with a look of their own below; what is left of a schema is compared as a value. */
const LOOKED_AT = new Set([
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
    const [one, other] = [flat(before, this.#beforeRoot), flat(after, this.#afterRoot)];
    if (one === undefined || other === undefined) {
      if (!isSame(before, after)) this.note('other', path, shownValue(before), shownValue(after));
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
      this.note(kind, path, word(one, keyword), word(other, keyword));
    this.#properties(one, other, path);
    this.#additional(own(one, 'additionalProperties'), own(other, 'additionalProperties'), path);
    if (overlap(typesOf(one), ARRAY) && overlap(typesOf(other), ARRAY)) {
      // Without a word of them they may be anything.
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
      const isRequired = needs.has(name) && !needed.has(name);
      this.note(isRequired ? 'required-property-added' : 'property-added', within(path, name), '', type);
    }
    // Of some nothing is said but that they have to be there.
    for (const name of needs) {
      if (typeof name !== 'string' || needed.has(name) || Object.hasOwn(was, name) || Object.hasOwn(is, name)) continue;
      this.note('required-property-added', within(path, name), '', '');
    }
  }

  #additional(before: unknown, after: unknown, path: string): void {
    if (isObject(before) && isObject(after)) this.compare(before, after, within(path, '*'));
    else if (before !== false && after === false) this.note('closed', path, '', '');
    else if (before === false && after !== false) this.note('opened', path, '', '');
    else if (isObject(after) || isObject(before))
      this.note('other', path, shownValue(before ?? true), shownValue(after ?? true));
  }

  /** Those that are not on both sides. Each is taken for one that came with values of its type, if there is one. */
  #branches(was: readonly unknown[], is: readonly unknown[], pathOf: (branch: unknown) => string, path: string): void {
    if (was.length * is.length > LIMITS.comparedSchemas) return;
    const come = is.filter((branch) => !was.some((other) => isSame(branch, other)));
    const typesNow = new Map(come.map((branch) => [branch, this.#typesOf(branch, this.#afterRoot)]));
    const left = new Set(come);
    for (const branch of was) {
      if (is.some((other) => isSame(branch, other))) continue;
      const types = this.#typesOf(branch, this.#beforeRoot);
      const fits = (other: unknown) => overlap(types, typesNow.get(other));
      const now = [...left].find(fits) ?? come.find(fits);
      if (now === undefined)
        this.note('branch-removed', path, shownValue(flat(branch, this.#beforeRoot) ?? branch), '');
      else {
        left.delete(now);
        this.compare(branch, now, pathOf(branch));
      }
    }
    // What could be anything can be nothing more.
    if (was.some((branch) => this.#typesOf(branch, this.#beforeRoot) === undefined)) return;
    for (const branch of left) {
      this.note('branch-added', path, '', shownValue(flat(branch, this.#afterRoot) ?? branch));
    }
  }

  #typesOf(branch: unknown, root: JsonObject): readonly string[] | undefined {
    const found = flat(branch, root);
    return found && typesOf(found);
  }

  #rest(before: JsonObject, after: JsonObject, path: string): void {
    const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const keyword of keywords) {
      if (LOOKED_AT.has(keyword) || isSame(own(before, keyword), own(after, keyword))) continue;
      const narrower = NARROWS.has(keyword) && !Object.hasOwn(before, keyword);
      this.note(narrower ? 'bound-narrowed' : 'other', path, word(before, keyword), word(after, keyword));
    }
  }

  note(kind: SchemaChangeKind, path: string, before: string, after: string): void {
    if (this.changes.length < LIMITS.differencesTold) this.changes.push({ kind, path, before, after });
  }
}
