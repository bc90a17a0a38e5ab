import { useState } from 'react';
import type { FieldMark } from './field-marks';
import { JsonSwitch } from './json-switch';
import { TreeMenu } from './tree-menu';
import type { TreeModel } from './tree-model';
import { TreeName } from './tree-name';
import { LINE_HEIGHT, type TreeRow } from './tree-rows';
import { TreeValue } from './tree-value';

/** Of one level, in px. */
export const INDENT = 14;

/** One value on one line: its name, and itself or a glimpse of it. */
export function TreeLine({
  id,
  row,
  model,
  columns,
  query,
  mark,
  active,
  onActive,
  onChange,
}: {
  readonly id: string;
  readonly row: TreeRow;
  readonly model: TreeModel;
  /** Characters of a line at the outermost level. */
  readonly columns: number;
  readonly query: string;
  readonly mark: FieldMark | undefined;
  readonly active: boolean;
  readonly onActive: () => void;
  readonly onChange: (act: (model: TreeModel) => void) => void;
}) {
  const [hovered, setHovered] = useState(false);
  const canOpen = model.canOpen(row);
  const open = canOpen && model.isOpen(row);
  const onClick = () => {
    // A press that ends a selection of text is none.
    if (canOpen && getSelection()?.isCollapsed !== false) onChange((tree) => tree.setOpen(row, !open));
    else onActive();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and keeps it when a line is pressed or scrolls away
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={row.place + 1}
      aria-setsize={siblings(row)}
      aria-selected={active}
      aria-expanded={canOpen ? open : undefined}
      onClick={onClick}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      style={{ height: LINE_HEIGHT, paddingLeft: row.depth * INDENT }}
      className={`flex items-center pr-1 leading-[20px] ${active ? 'bg-accent/12' : 'hover:bg-text/6'} ${canOpen ? 'cursor-pointer' : ''}`}
    >
      <span aria-hidden="true" className="w-4 shrink-0 text-center text-muted">
        {canOpen ? (open ? '▾' : '▸') : ''}
      </span>
      <span className="min-w-0 flex-1 truncate whitespace-pre">
        <TreeName row={row} mark={mark} query={query} />
        <TreeValue row={row} open={open} query={query} characters={columns} />
      </span>
      <JsonSwitch row={row} model={model} active={active} onChange={onChange} />
      {(active || hovered) && <TreeMenu row={row} onChange={onChange} />}
    </div>
  );
}

/** How many values are beside this one, with itself: only those in sight are in the page. */
function siblings({ document: { outline }, node }: TreeRow): number {
  const parent = outline.parent(node);
  return parent === undefined ? 1 : outline.childCount(parent);
}
