import type { JsonOutline } from '@/lib/store/json-outline';

/** Members looked at: objects with more are tables of something, and no line waits for them. */
const MOST = 1000;

/** True if a member of this name came before it in its object. */
export function repeatsName(outline: JsonOutline, node: number): boolean {
  const name = outline.name(node);
  const parent = outline.parent(node);
  if (name === undefined || parent === undefined || outline.childCount(parent) > MOST) return false;
  for (let at = parent + 1; at < node; at = outline.next(at)) if (outline.name(at) === name) return true;
  return false;
}
