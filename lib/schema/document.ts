import { isObject, type JsonObject } from '@/lib/wire/message';
import { isLiteral } from './json';

/** Where in a JSON document: names of properties and numbers of array items. Never a dotted string: `a.b` is a legal name. */
export type Path = readonly (string | number)[];

/** True for JSON objects, not for numbers kept as digits. */
export function isRecord(value: unknown): value is JsonObject {
  return isObject(value) && !isLiteral(value);
}

/** A copy with one property set. `__proto__` becomes a property like others. Order is kept; a new name goes last. */
export function withProperty(object: JsonObject, name: string, value: unknown): JsonObject {
  const copy = { ...object };
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** A copy without one property. */
function withoutProperty(object: JsonObject, name: string): JsonObject {
  return fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

/** A copy with one property renamed in its place. A property that had the new name is replaced. */
export function renameProperty(object: JsonObject, from: string, to: string): JsonObject {
  if (from === to || !Object.hasOwn(object, from)) return object;
  const entries = Object.entries(object).filter(([key]) => key !== to);
  return fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
}

// Object.fromEntries defines own properties, `__proto__` included.
function fromEntries(entries: [string, unknown][]): JsonObject {
  return Object.fromEntries(entries);
}

/** A copy of `document` with the value at `path` set. Missing parents are made; parents of another type are replaced. */
export function setAt(document: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const items: unknown[] = Array.isArray(document) ? [...document] : [];
    items[key] = setAt(items[key], rest, value);
    return items;
  }
  const object = isRecord(document) ? document : {};
  return withProperty(object, key, setAt(Object.hasOwn(object, key) ? object[key] : undefined, rest, value));
}

/** A copy of `document` without what is at `path`; the same document if nothing is there. Array items close up. */
export function removeAt(document: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return undefined;
  if (typeof key === 'number') {
    if (!Array.isArray(document) || key >= document.length) return document;
    return rest.length === 0 ? document.toSpliced(key, 1) : document.with(key, removeAt(document[key], rest));
  }
  if (!isRecord(document) || !Object.hasOwn(document, key)) return document;
  if (rest.length === 0) return withoutProperty(document, key);
  return withProperty(document, key, removeAt(document[key], rest));
}
