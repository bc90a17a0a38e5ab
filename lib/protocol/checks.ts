import { isObject } from '@/lib/json/value';
import type { FieldRow } from './rows';

/** Property names and indexes, from the checked value down. */
export type Path = readonly (string | number)[];

/** A deviation from the table. */
export interface Fault {
  /**
   * `missing`: required. `type`: wrong type. `value`: not one of those listed. `range`: beyond a bound.
   * `other-version`: a field of other versions, which is allowed but has no meaning.
   */
  readonly kind: 'missing' | 'type' | 'value' | 'range' | 'other-version';
  readonly path: Path;
  /** Expected value; for `other-version`, the versions that have the field. */
  readonly expected: string;
}

/** Collects faults while checks walk down a value. */
export class FaultWalk {
  readonly faults: Fault[] = [];
  readonly #path: (string | number)[] = [];
  /** Faults are collected only while this is 0. */
  #trials = 0;

  /** Checks a member at its path. */
  checkMember(key: string | number, check: Check, value: unknown): boolean {
    this.#path.push(key);
    const fine = check(value, this);
    this.#path.pop();
    return fine;
  }

  /** Adds a fault, at the member `key` if given. Returns false, as checks do. */
  addFault(kind: Fault['kind'], expected: string, key?: string): false {
    if (this.#trials === 0) {
      const path = key === undefined ? [...this.#path] : [...this.#path, key];
      this.faults.push({ kind, path, expected });
    }
    return false;
  }

  /** Runs a check without collecting faults. */
  passes(check: Check, value: unknown): boolean {
    this.#trials++;
    const fine = check(value, this);
    this.#trials--;
    return fine;
  }

  /** True while faults are collected. */
  get collectsFaults(): boolean {
    return this.#trials === 0;
  }
}

/** Returns true if the value is allowed, and otherwise adds faults. */
export type Check = (value: unknown, walk: FaultWalk) => boolean;

const plain =
  (expected: string, is: (value: unknown) => boolean): Check =>
  (value, walk) =>
    is(value) || walk.addFault('type', expected);

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';

const bounded =
  (expected: string, isType: (value: unknown) => boolean, least: number, most: number): Check =>
  (value, walk) => {
    if (!isType(value)) return walk.addFault('type', expected);
    return ((value as number) >= least && (value as number) <= most) || walk.addFault('range', expected);
  };

/** Basic types. */
export const SCALARS: ReadonlyMap<string, Check> = new Map([
  ['any', () => true],
  ['object', plain('an object', isObject)],
  ['string', plain('a string', isText)],
  ['uri', plain('a string, a URI', isText)],
  ['base64', plain('a string, base64', isText)],
  ['number', plain('a number', isNumber)],
  ['integer', plain('an integer', Number.isInteger)],
  ['boolean', plain('true or false', (value) => typeof value === 'boolean')],
  ['null', plain('null', (value) => value === null)],
  ['share', bounded('a number from 0 to 1', isNumber, 0, 1)],
  ['milliseconds', bounded('an integer, 0 or more', Number.isInteger, 0, Number.POSITIVE_INFINITY)],
]);

/** A field in one version. */
interface VersionField {
  readonly name: string;
  readonly required: boolean;
  /** undefined if the version lacks the field. */
  readonly check: Check | undefined;
  readonly rows: readonly FieldRow[];
}

/** Returns the check of an object. With `reportsOtherVersions`, the check adds faults for fields of other versions. */
export function objectCheck(fields: readonly VersionField[], reportsOtherVersions: boolean): Check {
  const here = fields.filter((field) => field.check !== undefined);
  const names = new Set(here.map(({ name }) => name));
  const others = new Map(
    reportsOtherVersions ? fields.filter(({ name }) => !names.has(name)).map(({ name, rows }) => [name, rows]) : [],
  );
  return (value, walk) => {
    if (!isObject(value)) return walk.addFault('type', 'an object');
    let fine = true;
    for (const { name, required, check } of here) {
      if (Object.hasOwn(value, name)) fine = walk.checkMember(name, check!, value[name]) && fine;
      else if (required) fine = walk.addFault('missing', 'required', name);
    }
    if (others.size > 0 && walk.collectsFaults) {
      for (const name of Object.keys(value)) {
        const rows = others.get(name);
        if (rows !== undefined) walk.addFault('other-version', spanWords(rows), name);
      }
    }
    return fine;
  };
}

/** Describes the versions from the first row to the last. */
function spanWords(rows: readonly FieldRow[]): string {
  const { since } = rows[0]!;
  const { until } = rows.at(-1)!;
  if (until === undefined) return `since ${since}`;
  return since === until ? `only in ${since}` : `from ${since} to ${until}`;
}

interface Branch {
  readonly check: Check;
  /** Name for the user. */
  readonly words: string;
  /** Members that must have a certain literal as their value. */
  readonly marks: ReadonlyMap<string, string>;
}

/**
 * Returns the check of a union. For a value that matches no branch, the check adds the faults of the closest branch.
 */
export function unionCheck(branches: readonly Branch[]): Check {
  const mark = commonMark(branches);
  const byMark = mark === undefined ? undefined : new Map(branches.map((branch) => [branch.marks.get(mark), branch]));
  const names = branches.map(({ words }) => words).join(', ');
  return (value, walk) => {
    if (byMark !== undefined && isObject(value)) {
      // Each branch has its own literal in this member, so no other branch can match.
      const marked = Object.hasOwn(value, mark!) ? value[mark!] : undefined;
      const branch = typeof marked === 'string' ? byMark.get(marked) : undefined;
      if (branch) return branch.check(value, walk);
      if (!Object.hasOwn(value, mark!)) return walk.addFault('missing', 'required', mark);
      return walk.addFault('value', `one of ${[...byMark.keys()].map((key) => JSON.stringify(key)).join(', ')}`, mark);
    }
    const fitting = branches.find(({ check }) => walk.passes(check, value));
    // Checked again to collect fields of other versions, which are not errors.
    if (fitting) return walk.collectsFaults ? fitting.check(value, walk) : true;
    const near = branches.filter(({ marks }) => marks.size > 0 && isMarked(value, marks));
    if (near.length === 1) return near[0]!.check(value, walk);
    return walk.addFault(isObject(value) ? 'value' : 'type', `one of: ${names}`);
  };
}

/** Returns the member with a different literal in each branch. */
function commonMark(branches: readonly Branch[]): string | undefined {
  return [...branches[0]!.marks.keys()].find((key) => {
    const values = new Set(branches.map(({ marks }) => marks.get(key)));
    return values.size === branches.length && !values.has(undefined);
  });
}

function isMarked(value: unknown, marks: ReadonlyMap<string, string>): boolean {
  return isObject(value) && [...marks].every(([key, mark]) => Object.hasOwn(value, key) && value[key] === mark);
}
