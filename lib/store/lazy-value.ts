import type { JsonOutline } from './json-outline';

/** A value of fewer bytes is parsed at once: microseconds. */
const SMALL_BYTES = 4 * 1024;
/** Members and items that a value may have of which each is only made when it is asked for. */
const MOST_CHILDREN = 1000;

/**
 * What JSON.parse makes of a value, made as it is asked for: of a large object the members are parsed one by one when somebody reads
 * them, so that an id beside a result of ten megabytes costs next to nothing. Anything may be asked of it that may be asked of
 * the parsed value.
 */
export function lazyValue(outline: JsonOutline, node: number): unknown {
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
  // Of members with one name the last one counts, in the place of the first: as JSON.parse has it.
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
