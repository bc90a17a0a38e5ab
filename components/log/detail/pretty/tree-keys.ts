import type { TreeModel } from './tree-model';
import type { TreeRow, TreeRows } from './tree-rows';

/** Where a key is pressed. */
interface TreeKeyPlace {
  readonly model: TreeModel;
  readonly rows: TreeRows;
  /** The active row. */
  readonly at: number;
  /** Rows of a page. */
  readonly page: number;
}

/** What each key does, as the pattern for trees has it (WAI-ARIA APG); answers with where that leads. */
const KEYS: ReadonlyMap<string, (place: TreeKeyPlace) => TreeRow> = new Map([
  ['ArrowDown', ({ rows, at }) => line(rows, at + 1, 1)],
  ['ArrowUp', ({ rows, at }) => line(rows, at - 1, -1)],
  ['PageDown', ({ rows, at, page }) => line(rows, at + page, 1)],
  ['PageUp', ({ rows, at, page }) => line(rows, at - page, -1)],
  ['Home', ({ rows }) => rows.at(0)],
  ['End', ({ rows }) => line(rows, rows.count - 1, -1)],
  ['ArrowRight', right],
  ['ArrowLeft', left],
  ['Enter', toggle],
  [' ', toggle],
  ['*', openSiblings],
]);

/** Does what a key does; undefined for a key that does nothing here. */
export function treeKey(key: string, place: TreeKeyPlace): TreeRow | undefined {
  return KEYS.get(key)?.(place);
}

/** The line at `index`, or the next one that way: blocks are no places of their own. */
function line(rows: TreeRows, index: number, way: 1 | -1): TreeRow {
  let at = Math.max(0, Math.min(rows.count - 1, index));
  while (rows.at(at).kind !== 'line' && at + way >= 0 && at + way < rows.count) at += way;
  while (rows.at(at).kind !== 'line') at--;
  return rows.at(at);
}

function right({ model, rows, at }: TreeKeyPlace): TreeRow {
  const row = rows.at(at);
  if (!model.canOpen(row)) return row;
  if (model.isOpen(row)) return line(rows, at + 1, 1);
  model.setOpen(row, true);
  return row;
}

function left({ model, rows, at }: TreeKeyPlace): TreeRow {
  const row = rows.at(at);
  if (model.canOpen(row) && model.isOpen(row)) {
    model.setOpen(row, false);
    return row;
  }
  for (let above = at - 1; above >= 0; above--) if (rows.at(above).depth < row.depth) return rows.at(above);
  return row;
}

function toggle({ model, rows, at }: TreeKeyPlace): TreeRow {
  const row = rows.at(at);
  if (model.canOpen(row)) model.setOpen(row, !model.isOpen(row));
  return row;
}

function openSiblings({ model, rows, at }: TreeKeyPlace): TreeRow {
  const row = rows.at(at);
  const { document, node } = row;
  const { outline } = document;
  const parent = outline.parent(node);
  for (const sibling of parent === undefined ? [node] : outline.children(parent)) {
    if (outline.isBranch(sibling)) model.setOpen({ document, node: sibling }, true);
  }
  return row;
}
