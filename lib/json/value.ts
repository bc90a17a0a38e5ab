/** A JSON object, keys unchecked. Everything a server sends is `unknown` until one of these guards has checked it. */
export type JsonObject = { readonly [key: string]: unknown };

/** Returns true for objects, not for arrays or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an own property, so that `__proto__` and `constructor` are names like any other. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Returns text as it is, any other JSON value as JSON, and nothing for undefined. `String` fails for an object with a
 * member `toString`.
 */
export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Says whether a value has the type that its reader needs. */
export type TypeCheck = (value: unknown) => boolean;
/** A check that the compiler knows the type of. Types of what others write follow from these: see {@link Checked}. */
export type Guard<T> = (value: unknown) => value is T;
/** The type that a check accepts; unknown for one that is not a {@link Guard}. */
export type Checked<C> = C extends Guard<infer T> ? T : unknown;

export const isText = (value: unknown) => typeof value === 'string';
export const isFlag = (value: unknown) => typeof value === 'boolean';
export const isTrue = (value: unknown) => value === true;
export const isNumber = (value: unknown) => typeof value === 'number';
/** Accepts whole numbers from 0 up. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
export const isTextList = listOf(isText);
/** Accepts text of at most so many characters. */
export const atMostChars =
  (most: number): Guard<string> =>
  (value): value is string =>
    isText(value) && value.length <= most;

/** Accepts what one of the checks does. */
export function anyCheck<C extends readonly TypeCheck[]>(...checks: C): Guard<Checked<C[number]>> {
  return (value): value is Checked<C[number]> => checks.some((check) => check(value));
}

/** Accepts these words. */
export function oneOf<const Word>(...words: readonly Word[]): Guard<Word> {
  return (value): value is Word => words.includes(value as Word);
}

/** Accepts a list whose items all pass `check`. */
export function listOf<C extends TypeCheck>(check: C): Guard<readonly Checked<C>[]> {
  return (value): value is readonly Checked<C>[] => Array.isArray(value) && value.every(check);
}

/** The check of a member that may be absent. */
type Optional<T> = Guard<T | undefined> & { readonly isOptional: true };

export function optional<C extends TypeCheck>(check: C): Optional<Checked<C>> {
  const accepts: TypeCheck = (value) => value === undefined || check(value);
  // Only the compiler reads `isOptional`.
  return accepts as Optional<Checked<C>>;
}

/** The members of an object, with their checks. */
export type CheckedFields = Readonly<Record<string, TypeCheck>>;
type Needed<F> = { readonly [K in keyof F as F[K] extends Optional<unknown> ? never : K]: Checked<F[K]> };
type Absent<F> = { readonly [K in keyof F as F[K] extends Optional<unknown> ? K : never]?: Checked<F[K]> };
/** The object that has these fields. */
export type ObjectOf<F> = { readonly [K in keyof (Needed<F> & Absent<F>)]: (Needed<F> & Absent<F>)[K] };

/** Accepts an object whose own properties pass `fields`. Other properties are ignored. */
export function objectWith<F extends CheckedFields>(fields: F): Guard<ObjectOf<F>> {
  return (value): value is ObjectOf<F> =>
    isObject(value) && Object.entries(fields).every(([key, check]) => check(own(value, key)));
}

type Kinds = Readonly<Record<string, CheckedFields>>;
type OneOfKinds<Tag extends string, K extends Kinds> = {
  [Kind in keyof K]: ObjectOf<Readonly<Record<Tag, Guard<Kind>>> & K[Kind]>;
}[keyof K];

/** Accepts an object whose member `tag` names its kind, with the fields of that kind. */
export function kindsWith<Tag extends string, K extends Kinds>(tag: Tag, kinds: K): Guard<OneOfKinds<Tag, K>> {
  const checks = new Map(Object.entries(kinds).map(([kind, fields]) => [kind, objectWith(fields)]));
  return (value): value is OneOfKinds<Tag, K> =>
    isObject(value) && checks.get(own(value, tag) as string)?.(value) === true;
}
