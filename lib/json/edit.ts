import { compactJson, isRawNumber, stringifyJson } from './exact';
import { skipSpace, visitChildren } from './scan';
import { isObject, type JsonObject } from './value';

/**
 * A place in a JSON document: names of properties and indexes of items. Not a dotted string, because `a.b` is a valid
 * name.
 */
export type JsonPath = readonly (string | number)[];

/** Returns true for JSON objects, but not for numbers kept as digits. */
export function isRecord(value: unknown): value is JsonObject {
  return isObject(value) && !isRawNumber(value);
}

/** Returns a copy with one property set, `__proto__` included. Order is kept; a new name goes last. */
export function withProperty(object: JsonObject, name: string, value: unknown): JsonObject {
  const copy = { ...object };
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

function withoutProperty(object: JsonObject, name: string): JsonObject {
  // Object.fromEntries defines own properties, `__proto__` included.
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

/** Returns a copy with one property renamed in place. A property that has the new name is removed. */
export function renameProperty(object: JsonObject, from: string, to: string): JsonObject {
  if (from === to || !Object.hasOwn(object, from)) return object;
  const entries = Object.entries(object).filter(([key]) => key !== to);
  return Object.fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
}

/** Returns a copy with the value at `path` set. Creates missing parents and replaces parents of another type. */
export function setAt(document: unknown, path: JsonPath, value: unknown): unknown {
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

/** Returns a copy without the value at `path`, or the same document if there is none. Later items move up. */
export function removeAt(document: unknown, path: JsonPath): unknown {
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

/** A JSON document: its text and the parsed value. */
export interface JsonDocument {
  readonly text: string;
  readonly value: unknown;
}

/** One change of a document. */
export type Edit =
  | { readonly type: 'set'; readonly path: JsonPath; readonly value: unknown }
  | { readonly type: 'remove'; readonly path: JsonPath }
  /** Renames a property of the object at `path` and removes one that has the new name. */
  | { readonly type: 'rename'; readonly path: JsonPath; readonly from: string; readonly to: string }
  /** Moves an item of the array at `path` to another place. */
  | { readonly type: 'move'; readonly path: JsonPath; readonly from: number; readonly to: number };

/**
 * Applies an edit to both the text and the value. The text is spliced, so everything else in it stays byte for byte:
 * order, digits, white space. Parts of the value that did not change stay the same objects.
 */
export function applyEdit(document: JsonDocument, edit: Edit): JsonDocument {
  // A blank document is not sent. Its first field makes it an object.
  const { text, value } = document.text.trim() === '' ? { text: '{}', value: {} } : document;
  switch (edit.type) {
    case 'set':
      return { text: setText(text, edit.path, edit.value), value: setAt(value, edit.path, edit.value) };
    case 'remove':
      if (edit.path.length === 0) return { text: '', value: undefined };
      return { text: removeText(text, edit.path), value: removeAt(value, edit.path) };
    case 'rename':
      return { text: renameText(text, edit.path, edit.from, edit.to), value: renamed(value, edit) };
    case 'move':
      return { text: moveText(text, edit.path, edit.from, edit.to), value: moved(value, edit) };
  }
}

function renamed(value: unknown, { path, from, to }: Extract<Edit, { type: 'rename' }>): unknown {
  const object = valueAt(value, path);
  return isRecord(object) ? setAt(value, path, renameProperty(object, from, to)) : value;
}

function moved(value: unknown, { path, from, to }: Extract<Edit, { type: 'move' }>): unknown {
  const items = valueAt(value, path);
  if (!Array.isArray(items) || !(from in items) || !(to in items)) return value;
  return setAt(value, path, items.toSpliced(from, 1).toSpliced(to, 0, items[from]));
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  let at = value;
  for (const key of path) {
    if (typeof key === 'number') at = Array.isArray(at) ? at[key] : undefined;
    else at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

interface Place {
  /** Start and end of the member's name, quotes included; -1 for items. */
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
}

/** Returns the members or items of the object or array at `start`, in order; undefined for other values. */
function placesIn(text: string, start: number): Place[] | undefined {
  if (text[start] !== '{' && text[start] !== '[') return undefined;
  const places: Place[] = [];
  visitChildren(text, start, (start, end, nameStart, nameEnd) => places.push({ nameStart, nameEnd, start, end }));
  return places;
}

/** Finds a key. The last of repeated names wins, as in parsers. */
function placeOf(text: string, places: readonly Place[], key: string | number): Place | undefined {
  if (typeof key === 'number') return places[0]?.nameStart === -1 ? places[key] : undefined;
  return places.findLast((place) => place.nameStart >= 0 && nameAt(text, place) === key);
}

function nameAt(text: string, { nameStart, nameEnd }: Place): string {
  return JSON.parse(text.slice(nameStart, nameEnd)) as string;
}

function whole(text: string): Place {
  const start = skipSpace(text, 0);
  return { nameStart: -1, nameEnd: -1, start, end: text.trimEnd().length };
}

/** Follows a path as far as it exists. `rest` is the part that does not exist. */
function descend(text: string, path: JsonPath): { place: Place; rest: JsonPath } {
  let place = whole(text);
  for (const [depth, key] of path.entries()) {
    const next = placeOf(text, placesIn(text, place.start) ?? [], key);
    if (next === undefined) return { place, rest: path.slice(depth) };
    place = next;
  }
  return { place, rest: [] };
}

function setText(text: string, path: JsonPath, value: unknown): string {
  const { place, rest } = descend(text, path);
  const [key, ...deeper] = rest;
  if (key === undefined) return replaced(text, place.start, place.end, written(text, place.start, value));
  const fits = text[place.start] === (typeof key === 'number' ? '[' : '{');
  const places = fits ? placesIn(text, place.start)! : [];
  if (!fits) return replaced(text, place.start, place.end, written(text, place.start, setAt(undefined, rest, value)));
  const inner = deeper.length === 0 ? value : setAt(undefined, deeper, value);
  // JSON arrays have no gaps.
  const gap = typeof key === 'number' ? Array<null>(key - places.length).fill(null) : [];
  return added(text, place, places, key, [...gap, inner]);
}

/** Adds a member or items after the last one, in the document's layout. */
function added(
  text: string,
  container: Place,
  places: readonly Place[],
  key: string | number,
  values: readonly unknown[],
): string {
  const last = places.at(-1);
  const start = last && (last.nameStart >= 0 ? last.nameStart : last.start);
  const gap = start === undefined ? '' : (/\s*$/.exec(text.slice(container.start + 1, start))?.[0] ?? '');
  const spread = last === undefined ? !isCompact(text) : gap.includes('\n');
  const outer = indentAt(text, container.start);
  const indent = last !== undefined && spread ? gap.slice(gap.lastIndexOf('\n') + 1) : `${outer}  `;
  const name = typeof key === 'number' ? '' : `${JSON.stringify(key)}:${isCompact(text) ? '' : ' '}`;
  const between = spread ? `\n${indent}` : isCompact(text) ? '' : ' ';
  const body = values
    .map((value) => name + (spread ? laidOut(value, indent) : stringifyJson(value)))
    .join(`,${between}`);
  if (last === undefined) {
    const inside = spread ? `\n${indent}${body}\n${outer}` : body;
    return replaced(text, container.start + 1, container.end - 1, inside);
  }
  return replaced(text, last.end, last.end, `,${between}${body}`);
}

function removeText(text: string, path: JsonPath): string {
  const { place: container, rest } = descend(text, path.slice(0, -1));
  const key = path.at(-1)!;
  if (rest.length > 0) return text;
  // Removes every member of that name.
  for (let result = text; ; ) {
    const places = placesIn(result, container.start) ?? [];
    const place = placeOf(result, places, key);
    if (place === undefined) return result;
    const index = places.indexOf(place);
    const end = places.at(-1)!.end;
    if (places.length === 1) {
      const close = skipSpace(result, end);
      result = replaced(result, container.start + 1, close, '');
    } else if (index === 0) {
      const next = places[1]!;
      result = replaced(result, place.nameStart >= 0 ? place.nameStart : place.start, startOf(next), '');
    } else {
      result = replaced(result, places[index - 1]!.end, place.end, '');
    }
    if (typeof key === 'number') return result;
  }
}

function renameText(text: string, path: JsonPath, from: string, to: string): string {
  if (from === to) return text;
  const cleared = removeText(text, [...path, to]);
  const { place, rest } = descend(cleared, path);
  const places = rest.length === 0 ? (placesIn(cleared, place.start) ?? []) : [];
  const renamed = places.filter((member) => member.nameStart >= 0 && nameAt(cleared, member) === from);
  if (renamed.length === 0) return text;
  return renamed.reduceRight(
    (all, member) => replaced(all, member.nameStart, member.nameEnd, JSON.stringify(to)),
    cleared,
  );
}

/** Moves an item. The white space between items stays in place. */
function moveText(text: string, path: JsonPath, from: number, to: number): string {
  const { place, rest } = descend(text, path);
  const places = rest.length === 0 && text[place.start] === '[' ? placesIn(text, place.start)! : [];
  if (!(from in places) || !(to in places)) return text;
  const texts = places.map(({ start, end }) => text.slice(start, end));
  const order = texts.toSpliced(from, 1).toSpliced(to, 0, texts[from]!);
  return places.reduceRight((all, { start, end }, index) => replaced(all, start, end, order[index]!), text);
}

function startOf(place: Place): number {
  return place.nameStart >= 0 ? place.nameStart : place.start;
}

function replaced(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** Returns true for a document on one line without spaces, as on the wire. Additions are written the same way. */
function isCompact(text: string): boolean {
  return text.length > 4 && !text.includes('\n') && !/[:,] /.test(text.slice(0, 200));
}

/** Returns the indentation of the line of `at`. */
function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))![0];
}

function written(text: string, at: number, value: unknown): string {
  return text.includes('\n') || text.length <= 4
    ? laidOut(value, indentAt(text, at))
    : compactJson(stringifyJson(value));
}

function laidOut(value: unknown, indent: string): string {
  const text = stringifyJson(value, 2);
  return indent === '' || !text.includes('\n') ? text : text.replaceAll('\n', `\n${indent}`);
}
