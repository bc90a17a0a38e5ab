import type { JsonOutline } from '@/lib/store/json-outline';

/** Members looked at: objects with more are tables of something, and no line waits for them. */
const MOST = 2000;
/** Bytes of a name, which are more than any field's: it is not compared. */
const MOST_BYTES = 200;

/** The members whose names came before, by the object: found once. */
const known = new WeakMap<JsonOutline, Map<number, ReadonlySet<number>>>();

/** True if a member of this name came before it in its object. */
export function repeatsName(outline: JsonOutline, node: number): boolean {
  const parent = outline.parent(node);
  if (parent === undefined || outline.nameStart(node) === undefined || outline.childCount(parent) > MOST) return false;
  const objects = known.get(outline) ?? new Map<number, ReadonlySet<number>>();
  known.set(outline, objects);
  const repeated = objects.get(parent) ?? repeatedIn(outline, parent);
  objects.set(parent, repeated);
  return repeated.has(node);
}

function repeatedIn(outline: JsonOutline, object: number): ReadonlySet<number> {
  const names = new Set<string | undefined>();
  const repeated = new Set<number>();
  for (const member of outline.children(object)) {
    if (outline.nameEnd(member) - outline.nameStart(member)! > MOST_BYTES) continue;
    const name = outline.name(member);
    if (names.has(name)) repeated.add(member);
    names.add(name);
  }
  return repeated;
}
