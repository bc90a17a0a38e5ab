import { useEffect, useMemo, useRef, useState } from 'react';
import { Chevron } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { JsonOutline } from '@/lib/json/outline';
import { formatPath, pathOf } from '@/lib/json/outline-path';
import { runInSlices } from '@/lib/wire/in-slices';
import type { FieldMark } from '../use-outline';
import { holdsJson, readEmbedded } from './string-content';
import { LINE_HEIGHT, type TreeModel, type TreeRow, type TreeValueRef } from './tree-model';
import { TreeName, TreeValue } from './tree-text';

/** Indentation of one level, in px. */
export const INDENT = 14;

/** A value on one line: its name, and the value or a preview of it. */
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
  /** Characters that fit on a line at the outermost level. */
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
    // Ending a text selection is not a click.
    if (canOpen && getSelection()?.isCollapsed !== false) onChange((tree) => tree.setOpen(row, !open));
    else onActive();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus, also when a line scrolls out of view
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={row.siblingIndex + 1}
      aria-setsize={siblings(row)}
      aria-selected={active}
      aria-expanded={canOpen ? open : undefined}
      onClick={onClick}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      style={{ height: LINE_HEIGHT, paddingLeft: row.depth * INDENT }}
      className={`flex items-center pr-1 leading-[20px] ${active ? 'bg-accent/12' : 'hover:bg-text/6'} ${canOpen ? 'cursor-pointer' : ''}`}
    >
      <span className="w-4 shrink-0">{canOpen && <Chevron open={open} />}</span>
      <span className="min-w-0 flex-1 truncate whitespace-pre">
        <TreeName row={row} mark={mark} query={query} />
        <TreeValue row={row} open={open} query={query} characters={columns} />
      </span>
      <JsonSwitch row={row} model={model} active={active} onChange={onChange} />
      {(active || hovered) && <TreeMenu row={row} onChange={onChange} />}
    </div>
  );
}

/** Returns the number of children of the parent, for `aria-setsize`: only those in view are in the page. */
function siblings({ document: { outline }, node }: TreeRow): number {
  const parent = outline.parent(node);
  return parent === undefined ? 1 : outline.childCount(parent);
}

const MENU_BUTTON =
  'inline-flex h-5 w-6 items-center justify-center rounded-sm text-muted hover:bg-text/10 hover:text-text focus-visible:opacity-100';

/** The menu of one value. */
function TreeMenu({
  row,
  onChange,
}: {
  readonly row: TreeRow;
  readonly onChange: (act: (model: TreeModel) => void) => void;
}) {
  const { outline } = row.document;
  const quotes = outline.kind(row.node) === 'string';
  const items = () => [
    { label: 'Copy value', run: () => copy(copiedText(row)) },
    ...(quotes ? [{ label: 'Copy as JSON', run: () => copy(outline.text(row.node)) }] : []),
    ...(row.node === 0 ? [] : [{ label: 'Copy path', run: () => copy(placePath(row)) }]),
    ...(outline.isBranch(row.node)
      ? [{ label: 'Expand all inside', separatorBefore: true, run: () => onChange((tree) => tree.openAll(row)) }]
      : []),
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: stops clicks on the menu from reaching the line
    // biome-ignore lint/a11y/noStaticElementInteractions: the same
    <span onClick={(event) => event.stopPropagation()}>
      <Menu label="Value menu" items={items} className={MENU_BUTTON}>
        ⋯
      </Menu>
    </span>
  );
}

/** Returns a value to copy: a string without quotes and escapes, anything else as written. */
export function copiedText({ document: { outline }, node }: TreeValueRef): string {
  return outline.string(node);
}

/**
 * Returns the path of a value, for example `result.content[0].text`. For JSON in a string, the path of the string comes
 * first.
 */
export function placePath({ document: { outline, host }, node }: TreeValueRef): string {
  const path = formatPath(pathOf(outline, node));
  return host ? `${placePath(host)} → ${path}` : path;
}

/** Copies text. Ignores a browser that refuses. */
export function copy(text: string): void {
  void navigator.clipboard.writeText(text).catch(() => {});
}

const STATE_LABELS = { offered: 'JSON in a string', reading: 'reading…', none: 'not valid JSON' } as const;

/** A toggle that shows the JSON object or array in a string below its line. */
function JsonSwitch({
  row,
  model,
  active,
  onChange,
}: {
  readonly row: TreeRow;
  readonly model: TreeModel;
  /** True if Tab reaches the toggle. */
  readonly active: boolean;
  readonly onChange: (act: (model: TreeModel) => void) => void;
}) {
  const [state, setState] = useState<keyof typeof STATE_LABELS>('offered');
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const { document, node } = row;
  const offered = useMemo(() => holdsJson(document.outline, node), [document, node]);
  if (!offered) return null;
  const shown = model.showsJson(row);
  const read = async () => {
    const stop = new AbortController();
    reading.current = stop;
    setState('reading');
    const outline = await runInSlices(readEmbedded(document.outline, node), stop.signal).catch(
      () => 'not-json' as const,
    );
    if (stop.signal.aborted) return;
    setState(outline instanceof JsonOutline ? 'offered' : 'none');
    if (outline instanceof JsonOutline) onChange((tree) => tree.embed(row, outline));
  };
  const toggle = () => {
    if (state !== 'offered') return;
    const known = model.embedded(row);
    if (shown) onChange((tree) => tree.setOpen(row, false));
    else if (known) onChange((tree) => tree.embed(row, known.outline));
    else void read();
  };
  return (
    <button
      type="button"
      tabIndex={active ? 0 : -1}
      aria-pressed={shown}
      aria-busy={state === 'reading'}
      aria-disabled={state === 'none'}
      onClick={(event) => {
        event.stopPropagation();
        toggle();
      }}
      className="mx-1 shrink-0 rounded-sm border border-line px-1 text-small leading-[15px] text-accent hover:border-control aria-busy:text-muted aria-disabled:text-muted aria-pressed:bg-accent/12"
    >
      {STATE_LABELS[state]}
    </button>
  );
}
