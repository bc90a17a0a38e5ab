import { isObject, own } from '@/lib/json/value';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { type Format, TEXT_FORMATS } from './formats';
import type { FieldRow } from './rows';

/** Property names and indexes, from the checked value down. */
export type FaultPath = readonly (string | number)[];

/** A deviation from the table. */
export interface Fault {
  /**
   * `missing`: required. `type`: wrong type. `value`: not one of those listed. `range`: beyond a bound. The other kinds
   * leave the message valid for its schema. `other-version`: a field of other versions, which has no meaning. `format`:
   * a text without the syntax of its format. `amount`: a number that its meaning rules out. `repeated`: a name that
   * another item of the list has. `excluded`: a member beside another that excludes it.
   */
  readonly kind:
    | 'missing'
    | 'type'
    | 'value'
    | 'range'
    | 'other-version'
    | 'format'
    | 'amount'
    | 'repeated'
    | 'excluded';
  readonly path: FaultPath;
  /**
   * Expected value. For `missing`: `required`, and perhaps `or` other members. For `other-version`: the versions that
   * have the field. For `format`: what is wrong with the text. For `repeated`: the other item. For `excluded`: the
   * other member.
   */
  readonly expected: string;
  /** Only for the kind `format`. */
  readonly format?: Format;
}

const VIOLATIONS: ReadonlySet<Fault['kind']> = new Set(['missing', 'type', 'value', 'range']);

/** Returns true for a fault that makes a message invalid. */
export function isViolation({ kind }: Fault): boolean {
  return VIOLATIONS.has(kind);
}

/** Collects faults while checks walk down a value. */
export class FaultWalk {
  readonly faults: Fault[] = [];
  readonly #path: (string | number)[] = [];
  /** Faults are collected only while this is 0. */
  #trials = 0;
  #members = 0;

  /** Number of members and items checked. */
  get members(): number {
    return this.#members;
  }

  /** Checks a member at its path. */
  checkMember(key: string | number, check: FaultCheck, value: unknown): boolean {
    if (this.#trials === 0) this.#members++;
    this.#path.push(key);
    const fine = check(value, this);
    this.#path.pop();
    return fine;
  }

  /** Leaves the member that is being checked out of {@link members}, because the shape does not have it. */
  skipMember(): void {
    if (this.#trials === 0) this.#members--;
  }

  /** Adds a fault, at the member `key` if given. Returns false, as checks do. */
  addFault(kind: Fault['kind'], expected: string, key?: string): false {
    if (this.#trials === 0) this.faults.push({ kind, path: this.#pathOf(key), expected });
    return false;
  }

  /** Adds a fault if a text is not in its format, at the member `key` if given. */
  checkFormat(format: Format, text: string, key?: string): void {
    if (this.#trials > 0) return;
    const expected = TEXT_FORMATS[format](text);
    if (expected !== undefined) this.faults.push({ kind: 'format', path: this.#pathOf(key), expected, format });
  }

  #pathOf(key: string | undefined): FaultPath {
    return key === undefined ? [...this.#path] : [...this.#path, key];
  }

  /** Runs a check without collecting faults. */
  passes(check: FaultCheck, value: unknown): boolean {
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
export type FaultCheck = (value: unknown, walk: FaultWalk) => boolean;

/** A field in one version. */
interface VersionField {
  readonly name: string;
  readonly required: boolean;
  /** undefined if the version lacks the field. */
  readonly check: FaultCheck | undefined;
  readonly rows: readonly FieldRow[];
}

/** Returns the check of an object. With `reportsOtherVersions`, the check adds faults for fields of other versions. */
export function objectCheck(fields: readonly VersionField[], reportsOtherVersions: boolean): FaultCheck {
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

/** Keys of `_meta` without a prefix, whose values have formats of their own. */
const TRACE_KEYS = ['traceparent', 'tracestate', 'baggage'] as const;

/** Returns the check of a `_meta`, whose keys have a format of their own. 2025-11-25 changed which are reserved. */
export function metaCheck(check: FaultCheck, version: ProtocolVersion): FaultCheck {
  const reserved = version >= '2025-11-25' ? 'reserved-key' : 'reserved-key-2025-06';
  return (value, walk) => {
    if (isObject(value) && walk.collectsFaults) {
      for (const key of Object.keys(value)) {
        walk.checkFormat('meta-key', key, key);
        walk.checkFormat(reserved, key, key);
      }
      for (const key of version >= '2026-07-28' ? TRACE_KEYS : []) {
        const text = own(value, key);
        if (text !== undefined) walk.checkFormat(key, typeof text === 'string' ? text : JSON.stringify(text), key);
      }
    }
    return check(value, walk);
  };
}

/** A branch of a union. */
interface Branch {
  readonly check: FaultCheck;
  readonly kind: 'object' | 'list' | 'other';
  /** The type of a value of this branch: `a string`, `an object`. Several branches may have the same. */
  readonly words: string;
  /** Members that must be there, with a certain literal as their value. */
  readonly marks: ReadonlyMap<string, string>;
  /** Members whose value is one of these literals, if they are there. */
  readonly literals: ReadonlyMap<string, readonly string[]>;
}

/**
 * Returns the check of a union. For a value that matches no branch, the check adds the faults of the branch that was
 * probably meant.
 */
export function unionCheck(branches: readonly Branch[]): FaultCheck {
  const objects = branches.filter(({ kind }) => kind === 'object');
  const lists = branches.filter(({ kind }) => kind === 'list');
  const mark = commonMark(objects);
  const byMark = mark === undefined ? undefined : new Map(objects.map((branch) => [branch.marks.get(mark), branch]));
  const telling = tellingMembers(objects);
  const types = either([...new Set(branches.map(({ words }) => words))]);
  return (value, walk) => {
    if (byMark !== undefined && isObject(value)) {
      // Each branch has its own literal in this member, so no other branch can match.
      const marked = Object.hasOwn(value, mark!) ? value[mark!] : undefined;
      const branch = typeof marked === 'string' ? byMark.get(marked) : undefined;
      if (branch) return branch.check(value, walk);
      if (!Object.hasOwn(value, mark!)) return walk.addFault('missing', 'required', mark);
      return walk.addFault('value', oneOf(byMark.keys()), mark);
    }
    const fitting = branches.find(({ check }) => walk.passes(check, value));
    // Checked again to collect faults that leave it valid.
    if (fitting) return walk.collectsFaults ? fitting.check(value, walk) : true;
    if (!walk.collectsFaults) return false;
    if (Array.isArray(value) && lists.length === 1) return lists[0]!.check(value, walk);
    if (isObject(value) && objects.length > 0) return addFaultsOfMeant(value, objects, telling, walk);
    return walk.addFault('type', types);
  };
}

/** Returns the member with a different literal in each branch. */
function commonMark(branches: readonly Branch[]): string | undefined {
  return [...(branches[0]?.marks.keys() ?? [])].find((key) => {
    const values = new Set(branches.map(({ marks }) => marks.get(key)));
    return values.size === branches.length && !values.has(undefined);
  });
}

/** Returns the members that have a literal in several branches, so that their value tells which one was meant. */
function tellingMembers(branches: readonly Branch[]): readonly string[] {
  const keys = branches.flatMap(({ literals }) => [...literals.keys()]);
  return [...new Set(keys)].filter((key) => keys.indexOf(key) !== keys.lastIndexOf(key));
}

/** Adds the faults of the branch that an object was meant for. Returns false. */
function addFaultsOfMeant(
  value: Readonly<Record<string, unknown>>,
  branches: readonly Branch[],
  telling: readonly string[],
  walk: FaultWalk,
): false {
  let left = branches;
  for (const key of telling) {
    if (!Object.hasOwn(value, key)) continue;
    const fitting = left.filter(({ literals }) => literals.get(key)?.includes(value[key] as string) ?? true);
    if (fitting.length === 0)
      return walk.addFault('value', oneOf(left.flatMap((each) => each.literals.get(key) ?? [])), key);
    left = fitting;
  }
  const [meant, ...others] = left.map((branch) => new Trial(branch, value)).sort(compareTrials);
  // Nothing tells whether a text or a blob was meant: either is missing.
  const equal = others.filter((other) => compareTrials(meant!, other) === 0);
  const missing = new Set([meant!, ...equal].map(({ onlyMissing }) => onlyMissing));
  if (equal.length > 0 && !missing.has(undefined)) {
    const [first, ...alternatives] = missing;
    return walk.addFault('missing', ['required', ...alternatives].join(' or '), first);
  }
  meant!.branch.check(value, walk);
  return false;
}

/** The result of checking a value against one branch of a union. */
class Trial {
  readonly branch: Branch;
  /** Members that the branch knows, at any depth. */
  readonly known: number;
  readonly faults: readonly Fault[];

  constructor(branch: Branch, value: unknown) {
    this.branch = branch;
    const walk = new FaultWalk();
    branch.check(value, walk);
    this.known = walk.members;
    this.faults = walk.faults.filter(isViolation);
  }

  /** The member that is missing, if nothing else is wrong. */
  get onlyMissing(): string | undefined {
    const [fault, ...others] = this.faults;
    return others.length === 0 && fault?.kind === 'missing' && fault.path.length === 1
      ? String(fault.path[0])
      : undefined;
  }
}

/** Puts the likeliest branch first: the one that knows most of the value, then the one with the fewest faults. */
function compareTrials(one: Trial, other: Trial): number {
  return other.known - one.known || one.faults.length - other.faults.length;
}

/** Joins words: `a string, a number or an array`. */
function either(words: readonly string[]): string {
  const last = words.at(-1)!;
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

function oneOf(literals: Iterable<string | undefined>): string {
  return `one of ${[...new Set(literals)].map((literal) => JSON.stringify(literal)).join(', ')}`;
}
