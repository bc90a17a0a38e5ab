import type { JsonOutline } from './json-outline';

/** Names and places that lead from a value down to one that is in it. */
export type OutlinePath = readonly (string | number)[];

/** Where a value is, from the root down. */
export function pathOf(outline: JsonOutline, node: number): OutlinePath {
  const path: (string | number)[] = [];
  let at = node;
  for (let parent = outline.parent(at); parent !== undefined; parent = outline.parent(at)) {
    path.unshift(outline.name(at) ?? outline.place(at));
    at = parent;
  }
  return path;
}

/** The value at a path, or the last one on the way to it that is there. Of members with one name the last counts. */
export function nodeAt(outline: JsonOutline, path: OutlinePath): number {
  let at = 0;
  for (const key of path) {
    const next = child(outline, at, key);
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

function child(outline: JsonOutline, node: number, key: string | number): number | undefined {
  let found: number | undefined;
  let place = 0;
  const array = outline.kind(node) === 'array';
  for (const at of outline.children(node)) {
    if (array ? String(place) === String(key) : outline.name(at) === String(key)) found = at;
    if (array && found !== undefined) return found;
    place++;
  }
  return found;
}

/** A path as it is written in code: `result.tools[0].name`. */
export function pathWords(path: OutlinePath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

/** A path as a JSON Pointer (RFC 6901); '' leads to the whole. */
export function toPointer(path: OutlinePath): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The path that a JSON Pointer stands for. Places of items are strings in it. */
export function fromPointer(pointer: string): OutlinePath {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
