/** JSON-RPC 2.0 as MCP uses it. Everything a server sends is `unknown` until one of these guards says otherwise. */

/** MCP allows strings and integers, never null. */
export type RequestId = string | number;

/** A JSON object, keys unchecked. */
export type JsonObject = { readonly [key: string]: unknown };

/** The `error` member of a response. Servers get this wrong, so `data` is anything. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** True for objects, not arrays or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own property, so that `__proto__` and `constructor` are names like others. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** One key per id and its JSON type: `1` and `"1"` are two ids. What no id may be has a key that none has. */
export function idKey(id: unknown): string {
  if (typeof id === 'string') return `s${id}`;
  // Not String(id): a server may send an object whose own `toString` is none.
  return typeof id === 'number' ? `n${id}` : `x${id === null ? 'null' : typeof id}`;
}

/** Whether a value, of whoever wrote it, is what its reader expects. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isNumber: Check = (value) => typeof value === 'number';
export const isTextList: Check = (value) => Array.isArray(value) && value.every(isText);
export const anyOf =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
export const optional = (check: Check): Check => anyOf((value) => value === undefined, check);

/** An object that has these as its own; what else it has is nobody's business. */
export const objectWith =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([key, check]) => check(own(value, key)));
