import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { isObject } from '@/lib/wire/message';
import type { Check } from './fault';
import { objectCheck } from './object-check';
import { SCALARS } from './scalars';
import type { FieldRow, FieldRows } from './shape';
import { ALIASES, FREE_SHAPES, SHAPES } from './shapes/table';
import { ALWAYS, spans } from './spans';
import { parseType, type TypeNode } from './type-text';
import { unionCheck } from './union-check';

/** The table as one version has it: checks by type, made when first asked for. */
export class VersionChecks {
  readonly #version: ProtocolVersion;
  readonly #named = new Map<string, Check>();

  constructor(version: ProtocolVersion) {
    this.#version = version;
  }

  /** The check of a type. Throws SyntaxError for a row that is miswritten. */
  of(text: string): Check {
    const known = this.#named.get(text);
    if (known) return known;
    // Types may hold themselves: until this one is made, it stands for itself.
    let made: Check | undefined;
    this.#named.set(text, (value, walk) => made!(value, walk));
    made = this.#compile(parseType(text));
    this.#named.set(text, made);
    return made;
  }

  /** True if this version requires no member of a type, which is a shape or a union of some. */
  isOptional(text: string): boolean {
    const branches = this.#unfold(parseType(text));
    return branches.some((branch) => branch.kind === 'name' && this.#required(branch.name).length === 0);
  }

  #required(shape: string): readonly string[] {
    return Object.entries(SHAPES.get(shape) ?? {})
      .filter(([key, rows]) => !key.endsWith('?') && this.#row(rows) !== undefined)
      .map(([key]) => key);
  }

  #compile(node: TypeNode): Check {
    switch (node.kind) {
      case 'literal': {
        const { value: literal } = node;
        return (value, walk) => value === literal || walk.fault('value', JSON.stringify(literal));
      }
      case 'list':
        return listCheck(this.#compile(node.item), node.most);
      case 'map':
        return mapCheck(this.#compile(node.member));
      case 'union':
        return this.#union(node.branches);
      case 'name':
        return this.#name(node.name);
    }
  }

  #name(name: string): Check {
    const scalar = SCALARS.get(name);
    if (scalar) return scalar;
    const alias = ALIASES.get(name);
    if (alias !== undefined) return this.of(this.#row(alias)?.type ?? 'any');
    const shape = SHAPES.get(name);
    if (!shape) throw new SyntaxError(`There is no type ${name}.`);
    const named = this.#named.get(`shape ${name}`);
    if (named) return named;
    let made: Check | undefined;
    this.#named.set(`shape ${name}`, (value, walk) => made!(value, walk));
    const fields = Object.entries(shape).map(([key, rows]) => {
      const row = this.#row(rows);
      return {
        name: key.replace(/\?$/, ''),
        required: !key.endsWith('?'),
        check: row && this.of(row.type),
        rows: typeof rows === 'string' ? [] : Array.isArray(rows) ? rows : [rows as FieldRow],
      };
    });
    made = objectCheck(fields, !FREE_SHAPES.has(name));
    this.#named.set(`shape ${name}`, made);
    return made;
  }

  #union(branches: readonly TypeNode[]): Check {
    const flat = branches.flatMap((branch) => this.#unfold(branch));
    if (flat.every((branch) => branch.kind === 'literal')) {
      const literals = flat.map(({ value }) => value);
      const expected = literals.map((literal) => JSON.stringify(literal)).join(', ');
      return (value, walk) => literals.includes(value as string) || walk.fault('value', `one of ${expected}`);
    }
    return unionCheck(
      flat.map((branch) => ({
        check: this.#compile(branch),
        words: branch.kind === 'name' ? branch.name : branch.kind,
        marks: branch.kind === 'name' ? this.#marks(branch.name) : new Map(),
      })),
    );
  }

  /** A branch that is itself a union by another name, as its branches. */
  #unfold(node: TypeNode): readonly TypeNode[] {
    const alias = node.kind === 'name' ? ALIASES.get(node.name) : undefined;
    const inner = alias === undefined ? undefined : parseType(this.#row(alias)?.type ?? 'any');
    if (inner === undefined) return [node];
    return (inner.kind === 'union' ? inner.branches : [inner]).flatMap((branch) => this.#unfold(branch));
  }

  /** The members of a shape that have to be one literal each. */
  #marks(name: string): ReadonlyMap<string, string> {
    const marks = new Map<string, string>();
    for (const key of this.#required(name)) {
      const type = parseType(this.#row(SHAPES.get(name)![key]!)!.type);
      if (type.kind === 'literal') marks.set(key, type.value);
    }
    return marks;
  }

  #row(rows: FieldRows): FieldRow | undefined {
    if (typeof rows === 'string') return { ...ALWAYS, type: rows };
    const all = Array.isArray(rows) ? (rows as readonly FieldRow[]) : [rows as FieldRow];
    return all.find((row) => spans(row, this.#version));
  }
}

function listCheck(item: Check, most: number | undefined): Check {
  return (value, walk) => {
    if (!Array.isArray(value)) return walk.fault('type', 'an array');
    let fine = true;
    for (let index = 0; index < value.length; index++) fine = walk.down(index, item, value[index]) && fine;
    if (most === undefined || value.length <= most) return fine;
    return walk.fault('range', `at most ${most} items`);
  };
}

function mapCheck(member: Check): Check {
  return (value, walk) => {
    if (!isObject(value)) return walk.fault('type', 'an object');
    let fine = true;
    for (const key of Object.keys(value)) fine = walk.down(key, member, value[key]) && fine;
    return fine;
  };
}
