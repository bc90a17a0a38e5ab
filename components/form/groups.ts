import type { View } from '@/lib/schema/shape';
import { view as viewOf } from '@/lib/schema/view';

/**
 * True if the inputs of a view are fields themselves, which open and close as a group. Lists of plain values lie beside
 * their label when they are one of several things a value may be.
 */
export function isGroup(view: View, root: unknown): boolean {
  const known = groups.get(view);
  if (known !== undefined) return known;
  const found = holdsGroup(view, root, new Set());
  groups.set(view, found);
  return found;
}

// A view never changes, and knows no other root than its own.
const groups = new WeakMap<View, boolean>();

/** Views looked at before a union is taken for a group, which is drawn piece by piece. */
const MOST_SEEN = 1000;

/** Each view is looked at once: a union that holds itself, or the same hundred others at each level, is no more work. */
function holdsGroup(view: View, root: unknown, seen: Set<View>): boolean {
  if (seen.has(view)) return false;
  if (seen.size >= MOST_SEEN) return true;
  seen.add(view);
  switch (view.kind) {
    case 'array':
    case 'tuple':
    case 'object':
    case 'map':
      return true;
    case 'union':
      return view.branches.some(({ schema }) => {
        const branch = viewOf(schema, root);
        const inner = branch.kind === 'array' ? viewOf(branch.items, root) : branch;
        return holdsGroup(inner, root, seen);
      });
    default:
      return false;
  }
}
