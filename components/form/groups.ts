import type { View } from '@/lib/schema/shape';
import { view as viewOf } from '@/lib/schema/view';

/**
 * True if the inputs of a view are fields themselves, which open and close as a group. Lists of plain values lie beside
 * their label when they are one of several things a value may be.
 */
export function isGroup(view: View, root: unknown, levels = 4): boolean {
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
        return levels > 0 && isGroup(inner, root, levels - 1);
      });
    default:
      return false;
  }
}
