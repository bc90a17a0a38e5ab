import type { JsonOutline } from './outline';
import { BYTE } from './scan';

/** Members visited before yielding. They take well under a millisecond. */
const PORTION = 1024;
/** Bytes of the longest spelling of one UTF-16 unit: an escape. */
const UNIT_BYTES = 6;

/** Names and indexes that lead from a value to a value inside it. */
export type OutlinePath = readonly (string | number)[];

/** Returns the path of a value from the root. */
export function pathOf(outline: JsonOutline, node: number): OutlinePath {
  const path: (string | number)[] = [];
  let at = node;
  for (let parent = outline.parent(at); parent !== undefined; parent = outline.parent(at)) {
    path.unshift(outline.name(at) ?? outline.indexInParent(at));
    at = parent;
  }
  return path;
}

/**
 * Returns the value at a path, or the last existing one on the way. The last of repeated names wins. Yields in between,
 * because an object can have millions of members.
 */
export function* nodeAt(outline: JsonOutline, path: OutlinePath): Generator<undefined, number> {
  let at = 0;
  for (const key of path) {
    const next = yield* childAt(outline, at, String(key));
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

function* childAt(outline: JsonOutline, node: number, key: string): Generator<undefined, number | undefined> {
  const array = outline.kind(node) === 'array';
  const wanted = Number(key);
  if (array && String(wanted) !== key) return undefined;
  const isNamed = array ? undefined : nameMatcher(outline, key);
  let found: number | undefined;
  let place = 0;
  for (const child of outline.children(node)) {
    if (isNamed?.(child)) found = child;
    else if (array && place === wanted) return child;
    place++;
    if (place % PORTION === 0) yield;
  }
  return found;
}

/**
 * Returns a function that tells whether a member is named `key`. It decodes a name only if the name has escapes or
 * invalid UTF-8 and could match.
 */
export function nameMatcher(outline: JsonOutline, key: string): (node: number) => boolean {
  const { bytes } = outline;
  const wanted = new TextEncoder().encode(key);
  const lossy = key.includes('\ufffd');
  return (node) => {
    const from = outline.nameStart(node)! + 1;
    const length = outline.nameEnd(node) - from;
    let at = 0;
    while (at < length && bytes[from + at] === wanted[at] && bytes[from + at] !== BYTE.backslash) at++;
    if (at === length) return length === wanted.length;
    const differs = bytes[from + at]!;
    const mayBe = lossy
      ? differs === BYTE.backslash || differs >= 0x80
      : differs === BYTE.backslash && length > wanted.length;
    return mayBe && length <= key.length * UNIT_BYTES && outline.name(node) === key;
  };
}

/** Formats a path as in code: `result.tools[0].name`. */
export function formatPath(path: OutlinePath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

/** Formats a path as a JSON Pointer (RFC 6901). '' is the whole document. */
export function toPointer(path: OutlinePath): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Reads a JSON Pointer. Indexes of items become strings. */
export function fromPointer(pointer: string): OutlinePath {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
