import { isRecord, type Path } from '@/lib/schema/document';
import { branchOf } from '@/lib/schema/fit';
import { schemaOfName } from '@/lib/schema/objects';
import type { View } from '@/lib/schema/shape';
import { view as viewOf } from '@/lib/schema/view';
import type { BranchMemory } from './branch-memory';
import { pathKey } from './problem-board';

/** The branch that is shown of a union: the one picked before, or else the one that fits its value best, which is remembered. */
export function shownBranch(
  union: View<'union'>,
  path: Path,
  value: unknown,
  root: unknown,
  memory: BranchMemory,
): number {
  const chosen = memory.chosen(union, path);
  if (chosen !== undefined) return chosen;
  const branch = branchOf(union, value === undefined ? union.default?.value : value, root);
  memory.choose(union, path, branch);
  return branch;
}

/**
 * Has all unions of a document choose the branch that the form shows, also where it has not drawn them. Returns where in the
 * schema these branches stand (`anyOf/1`), by path of the value: whoever checks the document tells of their errors. A union
 * that is a branch of another has the place of both, `oneOf/0/anyOf/1`.
 */
export function chooseBranches(schema: unknown, value: unknown, memory: BranchMemory): Map<string, string> {
  const places = new Map<string, string>();
  const pending: { readonly node: View; readonly value: unknown; readonly path: Path }[] = [
    { node: viewOf(schema, schema), value, path: [] },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    let { node } = next;
    // A union may be a branch of another; one that holds itself ends after some levels.
    for (let levels = 0; node.kind === 'union' && levels < 8; levels++) {
      const branch = node.branches[shownBranch(node, path, value, schema, memory)]!;
      const key = pathKey(path);
      const outer = places.get(key);
      places.set(key, outer === undefined ? branch.at : `${outer}/${branch.at}`);
      node = viewOf(branch.schema, schema);
    }
    const below = (key: string | number, inner: unknown, item: unknown) => {
      const node = viewOf(inner, schema);
      const more = node.kind === 'union' || (typeof item === 'object' && item !== null);
      if (more) pending.push({ node, value: item, path: [...path, key] });
    };
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (node.kind === 'array') below(index, node.items, item);
        if (node.kind === 'tuple') below(index, index < node.items.length ? node.items[index] : node.rest, item);
      }
    } else if (isRecord(value) && (node.kind === 'object' || node.kind === 'map')) {
      const named = new Map(node.kind === 'object' ? node.properties.map(({ name, schema }) => [name, schema]) : []);
      const { others } = node;
      for (const [name, item] of Object.entries(value)) {
        below(name, named.has(name) ? named.get(name) : schemaOfName(others, name), item);
      }
    }
  }
  return places;
}
