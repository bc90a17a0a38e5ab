import type { JsonOutline } from './outline';
import { nameMatcher } from './outline-path';
import { type JsonChild, type JsonChildren, type JsonKind, JsonSource } from './source';

/** Most bytes that one UTF-16 unit takes in UTF-8. */
const UNIT_BYTES = 3;
/** Most bytes that one UTF-16 unit takes as an escape. */
const ESCAPE_BYTES = 6;

const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** A value in the bytes of a large frame. Decodes and parses only what is asked for. */
export class OutlineSource extends JsonSource {
  readonly #outline: JsonOutline;
  readonly #node: number;
  #made: { readonly value: unknown } | undefined;

  /** Wraps the root, or another value of the outline. */
  constructor(outline: JsonOutline, node = 0) {
    super();
    this.#outline = outline;
    this.#node = node;
  }

  get kind(): JsonKind {
    return this.#outline.kind(this.#node);
  }

  get text(): string {
    return this.#outline.text(this.#node);
  }

  textStart(length: number): string {
    const start = this.#outline.start(this.#node);
    const end = Math.min(this.#outline.end(this.#node), start + UNIT_BYTES * length);
    return lossy.decode(this.#outline.bytes.subarray(start, end)).slice(0, length);
  }

  stringStart(length: number): string {
    return this.#outline.stringStart(this.#node, ESCAPE_BYTES * length).text.slice(0, length);
  }

  get length(): number {
    return this.#outline.end(this.#node) - this.#outline.start(this.#node);
  }

  get value(): unknown {
    this.#made ??= { value: lazyValue(this.#outline, this.#node) };
    return this.#made.value;
  }

  protected findMember(name: string): JsonSource | undefined {
    if (this.kind !== 'object') return undefined;
    const isNamed = nameMatcher(this.#outline, name);
    let found: number | undefined;
    for (const child of this.#outline.children(this.#node)) if (isNamed(child)) found = child;
    return found === undefined ? undefined : new OutlineSource(this.#outline, found);
  }

  protected listChildren(limit: number, except: readonly string[]): JsonChildren {
    const outline = this.#outline;
    const unwanted = this.kind === 'object' ? except.map((name) => nameMatcher(outline, name)) : [];
    const children: JsonChild[] = [];
    let left = 0;
    for (const child of outline.children(this.#node)) {
      if (unwanted.length === 0 && children.length === limit) break;
      if (unwanted.some((isNamed) => isNamed(child))) left++;
      else if (children.length < limit) {
        children.push({ name: outline.name(child), source: new OutlineSource(outline, child) });
      }
    }
    return { count: outline.childCount(this.#node) - left, children };
  }
}

/** Values of fewer bytes are parsed at once, which takes microseconds. */
const SMALL_BYTES = 4 * 1024;
/** Most children of a value that each get a getter. A value with more children is parsed at once. */
const MOST_CHILDREN = 1000;

/**
 * Returns what JSON.parse would return, but parses the members of a large object when they are read. So an id beside a
 * result of ten megabytes costs next to nothing.
 */
function lazyValue(outline: JsonOutline, node: number): unknown {
  const small = outline.end(node) - outline.start(node) < SMALL_BYTES;
  if (small || !outline.isBranch(node) || outline.childCount(node) > MOST_CHILDREN) {
    return JSON.parse(outline.text(node));
  }
  return outline.kind(node) === 'array' ? lazyItems(outline, node) : lazyMembers(outline, node);
}

function lazyItems(outline: JsonOutline, node: number): unknown[] {
  const items: unknown[] = [];
  for (const child of outline.children(node)) define(items, items.length, outline, child);
  return items;
}

function lazyMembers(outline: JsonOutline, node: number): object {
  const members = {};
  // As in JSON.parse, the last of repeated names wins, in the place of the first.
  for (const child of outline.children(node)) define(members, outline.name(child)!, outline, child);
  return members;
}

function define(into: object, key: string | number, outline: JsonOutline, node: number): void {
  let made: { readonly value: unknown } | undefined;
  Object.defineProperty(into, key, {
    configurable: true,
    enumerable: true,
    get() {
      made ??= { value: lazyValue(outline, node) };
      return made.value;
    },
  });
}
