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

export const isText: TypeCheck = (value) => typeof value === 'string';
export const isFlag: TypeCheck = (value) => typeof value === 'boolean';
export const isTrue: TypeCheck = (value) => value === true;
export const isNumber: TypeCheck = (value) => typeof value === 'number';
export const isTextList: TypeCheck = (value) => Array.isArray(value) && value.every(isText);
export const anyCheck =
  (...checks: readonly TypeCheck[]): TypeCheck =>
  (value) =>
    checks.some((check) => check(value));
export const oneOf =
  (...words: readonly string[]): TypeCheck =>
  (value) =>
    words.includes(value as string);
/** Accepts a list whose items all pass `check`. */
export const listOf =
  (check: TypeCheck): TypeCheck =>
  (value) =>
    Array.isArray(value) && value.every(check);
export const optional = (check: TypeCheck): TypeCheck => anyCheck((value) => value === undefined, check);

/** Accepts an object whose own properties pass `fields`. Other properties are ignored. */
export const objectWith =
  (fields: Readonly<Record<string, TypeCheck>>): TypeCheck =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([key, check]) => check(own(value, key)));
