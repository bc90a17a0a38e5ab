import { isObject, own } from '@/lib/json/value';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { type FaultCheck, type FaultWalk, metaCheck, objectCheck, unionCheck } from './checks';
import { ALWAYS, type FieldRow, type FieldRows, isInVersion, type TypeText } from './rows';
import { SCALARS } from './scalars';
import { ALIASES, OBJECT_SHAPES, OPEN_SHAPES } from './shapes';

/** A parsed {@link TypeText}. */
export type TypeNode =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string }
  | {
      readonly kind: 'list';
      readonly item: TypeNode;
      readonly most: number | undefined;
      /** The member of the items that tells them apart. */
      readonly key: string | undefined;
    }
  /** A member that must not stand beside another. */
  | { readonly kind: 'excluded'; readonly by: string }
  | { readonly kind: 'map'; readonly member: TypeNode }
  | { readonly kind: 'union'; readonly branches: readonly TypeNode[] };

const TOKEN = /\s*('[^']*'|!?\w+|\[\w*\]|[{}|()])/gy;

/** Parses a type. Throws SyntaxError for an invalid row of our tables. */
export function parseType(text: string): TypeNode {
  const tokens: string[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    tokens.push(match[1]!);
    end = match.index + match[0].length;
  }
  if (end < text.length) throw new SyntaxError(`${text}: unexpected ${text.slice(end)}`);
  const node = union(tokens);
  if (tokens.length > 0) throw new SyntaxError(`${text}: unexpected ${tokens[0]}`);
  return node;
}

function union(tokens: string[]): TypeNode {
  const branches = [postfix(tokens)];
  while (tokens[0] === '|') {
    tokens.shift();
    branches.push(postfix(tokens));
  }
  return branches.length === 1 ? branches[0]! : { kind: 'union', branches };
}

function postfix(tokens: string[]): TypeNode {
  let node = primary(tokens);
  while (tokens[0]?.startsWith('[')) {
    const inside = tokens.shift()!.slice(1, -1);
    const most = /^\d+$/.test(inside) ? Number(inside) : undefined;
    node = { kind: 'list', item: node, most, key: most === undefined && inside !== '' ? inside : undefined };
  }
  return node;
}

function primary(tokens: string[]): TypeNode {
  const token = tokens.shift();
  if (token === '(' || token === '{') {
    const inner = union(tokens);
    if (tokens.shift() !== (token === '(' ? ')' : '}')) throw new SyntaxError(`${token} is not closed`);
    return token === '(' ? inner : { kind: 'map', member: inner };
  }
  if (token?.startsWith("'")) return { kind: 'literal', value: token.slice(1, -1) };
  if (token?.startsWith('!')) return { kind: 'excluded', by: token.slice(1) };
  if (token !== undefined && /^\w+$/.test(token)) return { kind: 'name', name: token };
  throw new SyntaxError(`a type is missing${token === undefined ? '' : ` before ${token}`}`);
}

/** The checks of one version, compiled on first use. */
export class VersionChecks {
  readonly #version: ProtocolVersion;
  readonly #named = new Map<string, FaultCheck>();

  constructor(version: ProtocolVersion) {
    this.#version = version;
  }

  /** Returns the check of a type. Throws SyntaxError for an invalid row. */
  of(text: string): FaultCheck {
    const known = this.#named.get(text);
    if (known) return known;
    // Types can be recursive, so a placeholder stands for this one until it is compiled.
    let made: FaultCheck | undefined;
    this.#named.set(text, (value, walk) => made!(value, walk));
    made = this.#compile(parseType(text));
    this.#named.set(text, made);
    return made;
  }

  /** Returns true if a shape, or a union of shapes, has no required member in this version. */
  isOptional(text: string): boolean {
    const branches = this.#unfold(parseType(text));
    return branches.some((branch) => branch.kind === 'name' && this.#required(branch.name).length === 0);
  }

  #required(shape: string): readonly string[] {
    return Object.entries(OBJECT_SHAPES.get(shape) ?? {})
      .filter(([key, rows]) => !key.endsWith('?') && this.#row(rows) !== undefined)
      .map(([key]) => key);
  }

  #compile(node: TypeNode): FaultCheck {
    switch (node.kind) {
      case 'literal': {
        const { value: literal } = node;
        return (value, walk) => value === literal || walk.addFault('value', JSON.stringify(literal));
      }
      case 'list':
        return listCheck(this.#compile(node.item), node.most, node.key);
      case 'excluded':
        return excludedBy(node.by);
      case 'map':
        return mapCheck(this.#compile(node.member));
      case 'union':
        return this.#union(node.branches);
      case 'name':
        return this.#name(node.name);
    }
  }

  #name(name: string): FaultCheck {
    const scalar = SCALARS.get(name);
    if (scalar) return scalar;
    const alias = ALIASES.get(name);
    if (alias !== undefined) return this.of(this.#row(alias)?.type ?? 'any');
    const shape = OBJECT_SHAPES.get(name);
    if (!shape) throw new SyntaxError(`There is no type ${name}.`);
    const named = this.#named.get(`shape ${name}`);
    if (named) return named;
    let made: FaultCheck | undefined;
    this.#named.set(`shape ${name}`, (value, walk) => made!(value, walk));
    const fields = Object.entries(shape).map(([key, rows]) => {
      const row = this.#row(rows);
      return {
        name: key.replace(/\?$/, ''),
        required: !key.endsWith('?'),
        check: row && this.#memberCheck(key, row.type),
        rows: typeof rows === 'string' ? [] : Array.isArray(rows) ? rows : [rows as FieldRow],
      };
    });
    made = objectCheck(fields, !OPEN_SHAPES.has(name));
    this.#named.set(`shape ${name}`, made);
    return made;
  }

  #memberCheck(key: string, type: TypeText): FaultCheck {
    // Earlier versions do not restrict the keys of `_meta`.
    const isMeta = key.replace(/\?$/, '') === '_meta' && this.#version >= '2025-06-18';
    return isMeta ? metaCheck(this.of(type), this.#version) : this.of(type);
  }

  #union(branches: readonly TypeNode[]): FaultCheck {
    const flat = branches.flatMap((branch) => this.#unfold(branch));
    const literals = literalsOf(flat);
    if (literals) {
      const expected = literals.map((literal) => JSON.stringify(literal)).join(', ');
      return (value, walk) => literals.includes(value as string) || walk.addFault('value', `one of ${expected}`);
    }
    return unionCheck(
      flat.map((branch) => ({
        check: this.#compile(branch),
        kind: kindOf(branch),
        words: wordsOf(branch),
        ...this.#literalMembers(branch),
      })),
    );
  }

  /** Replaces a union, or an alias of one, by its branches. */
  #unfold(node: TypeNode): readonly TypeNode[] {
    if (node.kind === 'union') return node.branches.flatMap((branch) => this.#unfold(branch));
    const alias = node.kind === 'name' ? ALIASES.get(node.name) : undefined;
    return alias === undefined ? [node] : this.#unfold(parseType(this.#row(alias)?.type ?? 'any'));
  }

  /** Returns the members of a shape that have literals as their values: those that must be there, and all. */
  #literalMembers(node: TypeNode): {
    readonly marks: ReadonlyMap<string, string>;
    readonly literals: ReadonlyMap<string, readonly string[]>;
  } {
    const marks = new Map<string, string>();
    const literals = new Map<string, readonly string[]>();
    for (const [key, rows] of Object.entries((node.kind === 'name' && OBJECT_SHAPES.get(node.name)) || {})) {
      const row = this.#row(rows);
      const values = row && literalsOf(this.#unfold(parseType(row.type)));
      if (!values) continue;
      literals.set(key.replace(/\?$/, ''), values);
      if (values.length === 1 && !key.endsWith('?')) marks.set(key, values[0]!);
    }
    return { marks, literals };
  }

  #row(rows: FieldRows): FieldRow | undefined {
    if (typeof rows === 'string') return { ...ALWAYS, type: rows };
    const all = Array.isArray(rows) ? (rows as readonly FieldRow[]) : [rows as FieldRow];
    return all.find((row) => isInVersion(row, this.#version));
  }
}

function kindOf(node: TypeNode): 'object' | 'list' | 'other' {
  if (node.kind === 'list') return 'list';
  return node.kind === 'map' || (node.kind === 'name' && OBJECT_SHAPES.has(node.name)) ? 'object' : 'other';
}

/** Names of basic types in sentences, but for texts in a format. */
const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['number', 'a number'],
  ['integer', 'an integer'],
  ['count', 'an integer'],
  ['positive', 'an integer'],
  ['quantity', 'a number'],
  ['share', 'a number'],
  ['milliseconds', 'an integer'],
  ['boolean', 'a boolean'],
  ['null', 'null'],
]);

/** Returns the type of a branch for people, who don't know our names of shapes. */
function wordsOf(node: TypeNode): string {
  if (node.kind === 'literal') return JSON.stringify(node.value);
  if (node.kind === 'list') return 'an array';
  if (node.kind !== 'name' || node.name === 'object' || OBJECT_SHAPES.has(node.name)) return 'an object';
  return TYPE_WORDS.get(node.name) ?? 'a string';
}

/** Returns the values of a type that consists of literals only. */
function literalsOf(branches: readonly TypeNode[]): readonly string[] | undefined {
  const literals = branches.flatMap((branch) => (branch.kind === 'literal' ? [branch.value] : []));
  return literals.length > 0 && literals.length === branches.length ? literals : undefined;
}

function listCheck(item: FaultCheck, most: number | undefined, key: string | undefined): FaultCheck {
  return (value, walk) => {
    if (!Array.isArray(value)) return walk.addFault('type', 'an array');
    let fine = true;
    for (let index = 0; index < value.length; index++) fine = walk.checkMember(index, item, value[index]) && fine;
    if (key !== undefined && walk.collectsFaults) addRepeated(value, key, walk);
    if (most === undefined || value.length <= most) return fine;
    return walk.addFault('range', `at most ${most} items`);
  };
}

/** Adds a fault for each item whose `key` an earlier item has. */
function addRepeated(items: readonly unknown[], key: string, walk: FaultWalk): void {
  const places = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    const name = isObject(item) ? own(item, key) : undefined;
    if (typeof name !== 'string') continue;
    const before = places.get(name);
    if (before === undefined) places.set(name, index);
    else walk.checkMember(index, () => walk.addFault('repeated', `item ${before}`, key), item);
  }
}

/** Returns the check of a member that must not stand beside the member `by`. null stands for a missing member. */
function excludedBy(by: string): FaultCheck {
  return (value, walk) => {
    walk.skipMember();
    if (value !== null) walk.addFault('excluded', by);
    return true;
  };
}

function mapCheck(member: FaultCheck): FaultCheck {
  return (value, walk) => {
    if (!isObject(value)) return walk.addFault('type', 'an object');
    let fine = true;
    for (const key of Object.keys(value)) fine = walk.checkMember(key, member, value[key]) && fine;
    return fine;
  };
}
