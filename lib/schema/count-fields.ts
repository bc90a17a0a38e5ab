import { view } from './view';
import type { BoxReason, FieldKind, View } from './view-types';

/** Fields of one schema that are counted. */
const FIELDS_COUNTED = 20_000;

/** The place of the values of a map. */
const OTHERS = '.*';

/** Number of fields in a schema's form. */
export interface FieldCounts {
  readonly kinds: Readonly<Partial<Record<FieldKind, number>>>;
  /** Nodes that are edited as JSON although their schema is not empty, with the reason. */
  readonly boxes: readonly { readonly path: string; readonly because: BoxReason }[];
  /** False if there are more fields than are counted. */
  readonly complete: boolean;
}

/**
 * Counts the fields of a schema by kind. Each subschema counts once, however often it is referenced, so recursive
 * schemas are finite. `path` is the place in the view, such as `filter.anyOf(string)[]`.
 */
export function countFields(root: unknown): FieldCounts {
  const kinds: Partial<Record<FieldKind, number>> = {};
  const boxes: { path: string; because: BoxReason }[] = [];
  const seen = new Set<View>();
  const pending: { node: View; path: string }[] = [{ node: view(root, root), path: '' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next;
    if (seen.has(node)) continue;
    if (seen.size >= FIELDS_COUNTED) return { kinds, boxes, complete: false };
    // Empty schemas share one view.
    if (node.kind !== 'any') seen.add(node);
    if (path !== '') kinds[node.kind] = (kinds[node.kind] ?? 0) + 1;
    if (node.kind === 'any' && node.because !== undefined) boxes.push({ path, because: node.because });
    for (const [name, schema] of childrenOf(node)) {
      const child = view(schema, root);
      // The schema names no field if any name and value is allowed.
      if (name === OTHERS && child.kind === 'any' && child.because === undefined) continue;
      pending.push({ node: child, path: path + name });
    }
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
        ...(typeof node.others.schema === 'boolean' ? [] : [[OTHERS, node.others.schema] as const]),
      ];
    case 'union':
      return node.branches.map(({ label, schema }) => [`(${label})`, schema]);
    default:
      return [];
  }
}
