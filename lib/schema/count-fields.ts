import { view } from './view';
import type { BoxReason, Kind, View } from './view-types';

/** Fields of one schema that are counted for a report. */
const FIELDS_COUNTED = 20_000;

/** The fields a schema makes. */
export interface FieldCounts {
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  /** Nodes that are a JSON box though their schema says something, with the reason. */
  readonly boxes: readonly { readonly path: string; readonly because: BoxReason }[];
  /** False if there were more than could be gone through. */
  readonly complete: boolean;
}

/**
 * Counts the fields of a schema by kind, each schema once, however often it is referred to: that is what a form can draw,
 * and it ends for schemas that contain themselves. `path` is in the view: `filter.anyOf(string)[]`.
 */
export function countFields(root: unknown): FieldCounts {
  const kinds: Partial<Record<Kind, number>> = {};
  const boxes: { path: string; because: BoxReason }[] = [];
  const seen = new Set<View>();
  const pending: { node: View; path: string }[] = [{ node: view(root, root), path: '' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next;
    if (seen.has(node)) continue;
    if (seen.size >= FIELDS_COUNTED) return { kinds, boxes, complete: false };
    // Plain nodes without a schema of their own are one object.
    if (node.kind !== 'any') seen.add(node);
    if (path !== '') kinds[node.kind] = (kinds[node.kind] ?? 0) + 1;
    if (node.kind === 'any' && node.because !== undefined) boxes.push({ path, because: node.because });
    for (const [name, schema] of childrenOf(node)) pending.push({ node: view(schema, root), path: path + name });
  }
  return { kinds, boxes, complete: true };
}

function childrenOf(node: View): readonly (readonly [name: string, schema: unknown])[] {
  switch (node.kind) {
    case 'array':
      return [['[]', node.items]];
    case 'tuple':
      return node.items.map((item, index) => [`[${index}]`, item]);
    case 'object':
      return [
        ...node.properties.map(({ name, schema }) => [`.${name}`, schema] as const),
        ...node.others.patterns.map(([pattern, schema]) => [`./${pattern}/`, schema] as const),
      ];
    case 'map':
      return [
        ...node.others.patterns.map(([pattern, schema]) => [`./${pattern}/`, schema] as const),
        ...(node.others.schema === false ? [] : [['.*', node.others.schema] as const]),
      ];
    case 'union':
      return node.branches.map(({ label, schema }) => [`(${label})`, schema]);
    default:
      return [];
  }
}
