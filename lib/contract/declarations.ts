import type { Member, ObjectType, Type, TypeOf } from './types';

/** A type whose objects have names. */
export type Ref = TypeOf<{ readonly kind: 'named'; readonly name: string }>;

/** An object type with a name. */
export interface Declaration {
  readonly name: string;
  readonly members: readonly Member<Ref>[];
}

/** The type of one tool's results. */
export interface ToolType {
  readonly tool: string;
  readonly type: Type;
  /** Number of results that the type was inferred from. */
  readonly results: number;
}

/** A type of one tool, written with the declarations. `name`: a name for it, which is its own if it is an object. */
export interface RootType extends Omit<ToolType, 'type'> {
  readonly name: string;
  readonly type: Ref;
}

export interface Declarations {
  /** Each after those that it refers to. */
  readonly objects: readonly Declaration[];
  readonly roots: readonly RootType[];
}

/**
 * Names every object type: the result of a tool by the tool, others by their keys. Equal types with equal names are
 * declared once; of different ones the later get numbers.
 */
export function declare(tools: readonly ToolType[]): Declarations {
  const names = new Names();
  const roots = tools.map(({ tool, type, results }) => {
    const wanted = `${typeName(tool)}Result`;
    const ref = names.refTo(type, wanted);
    return { tool, results, type: ref, name: ref.kind === 'named' ? ref.name : names.take(wanted) };
  });
  return { objects: names.objects, roots };
}

/** Names that mean something in generated code, or that a reader would take for something else. */
const TAKEN: readonly string[] = [
  'Any',
  'AwareDatetime',
  'BaseModel',
  'ConfigDict',
  'Field',
  'Literal',
  'RootModel',
  'None',
  'True',
  'False',
  'Array',
  'Boolean',
  'Date',
  'Error',
  'Function',
  'Map',
  'Number',
  'Object',
  'Promise',
  'Record',
  'Set',
  'String',
  'Symbol',
];

class Names {
  readonly objects: Declaration[] = [];
  readonly #taken = new Set(TAKEN);
  /** Names of declarations, by the name that was wanted and the members. */
  readonly #known = new Map<string, string>();

  take(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number++) name = `${wanted}${number}`;
    this.#taken.add(name);
    return name;
  }

  refTo(type: Type, wanted: string): Ref {
    if (type.kind === 'object') return { kind: 'named', name: this.#declared(type, wanted) };
    if (type.kind === 'array') return { kind: 'array', items: this.refTo(type.items, singular(wanted)) };
    if (type.kind === 'map') return { kind: 'map', values: this.refTo(type.values, singular(wanted)) };
    if (type.kind !== 'union') return type;
    return { kind: 'union', of: type.of.map((one) => this.refTo(one, `${variantName(one)}${wanted}`)) };
  }

  #declared({ members: own }: ObjectType, wanted: string): string {
    const members = own.map(({ key, required, type }) => ({ key, required, type: this.refTo(type, typeName(key)) }));
    const key = JSON.stringify([wanted, members]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const name = this.take(wanted);
    this.#known.set(key, name);
    this.objects.push({ name, members });
    return name;
  }
}

/** Returns the value of an object's only literal, as a name: `{ type: 'text', … }` is a `Text…`. */
function variantName(type: Type): string {
  if (type.kind !== 'object') return '';
  for (const { type: member } of type.members) {
    if (member.kind === 'string' && member.values?.length === 1) return typeName(member.values[0]!);
    if (member.kind === 'boolean' && member.value !== undefined) return member.value ? 'True' : 'False';
  }
  return '';
}

/** Longest name made of a key, in characters. */
const NAME_CHARS = 40;

/** Makes a type's name from a key: `created-by` → `CreatedBy`. It has only ASCII letters and digits. */
function typeName(key: string): string {
  const words = key
    .slice(0, 4 * NAME_CHARS)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .match(/[A-Za-z\d]+/g);
  const name = (words ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const cut = name.slice(0, NAME_CHARS);
  return /^[A-Za-z]/.test(cut) ? cut : `Type${cut}`;
}

/** Returns a name for one of several: `Entries` → `Entry`. A name that is not a plural gets `Item`. */
function singular(name: string): string {
  if (/[^aeiou]ies$/.test(name)) return `${name.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(name)) return name.slice(0, -2);
  if (/[^sui]s$/.test(name)) return name.slice(0, -1);
  return `${name}Item`;
}
