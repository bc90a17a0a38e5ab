import { useEffect, useMemo, useRef, useState } from 'react';
import { Menu } from '@/components/ui/menu';
import { JsonOutline } from '@/lib/json/outline';
import { formatPath, pathOf } from '@/lib/json/outline-path';
import { runInSlices } from '@/lib/wire/in-slices';
import type { FieldMark } from '../use-outline';
import { holdsJson, readEmbedded } from './string-content';
import { LINE_HEIGHT, type TreeModel, type TreeRow, type TreeValueRef } from './tree-model';
import { TreeName, TreeValue } from './tree-text';

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

const LOOK =
  'inline-flex h-5 w-6 items-center justify-center rounded-sm text-muted hover:bg-text/10 hover:text-text focus-visible:opacity-100';

/** What can be done with one value. */
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
    { label: 'Copy value', run: () => copy(valueText(row)) },
    ...(quotes ? [{ label: 'Copy as JSON', run: () => copy(outline.text(row.node)) }] : []),
    ...(row.node === 0 ? [] : [{ label: 'Copy path', run: () => copy(placePath(row)) }]),
    ...(outline.isBranch(row.node)
      ? [{ label: 'Open all in it', separatorBefore: true, run: () => onChange((tree) => tree.openAll(row)) }]
      : []),
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keeps a press on the menu from being one on the line
    // biome-ignore lint/a11y/noStaticElementInteractions: the same
    <span onClick={(event) => event.stopPropagation()}>
      <Menu label="What to do with the value" items={items} className={LOOK}>
        ⋯
      </Menu>
    </span>
  );
}

/** A value as it is copied: a string without quotes and escapes, anything else as it was written. */
export function valueText({ document: { outline }, node }: TreeValueRef): string {
  return outline.string(node);
}

/** The place of a value in its message: `result.content[0].text`; of JSON in a string with what leads to the string. */
export function placePath({ document: { outline, host }, node }: TreeValueRef): string {
  const path = formatPath(pathOf(outline, node));
  return host ? `${placePath(host)} → ${path}` : path;
}

/** A browser that refuses leaves the clipboard as it is. */
export function copy(text: string): void {
  void navigator.clipboard.writeText(text).catch(() => {});
}

const SAID = { offered: 'JSON in a string', reading: 'reading…', none: 'not JSON after all' } as const;

/** Offers to read a string that holds JSON, an object or an array, as such: in place, below its line. */
function JsonSwitch({
  row,
  model,
  active,
  onChange,
}: {
  readonly row: TreeRow;
  readonly model: TreeModel;
  /** It is a stop of the Tab key. */
  readonly active: boolean;
  readonly onChange: (act: (model: TreeModel) => void) => void;
}) {
  const [said, setSaid] = useState<keyof typeof SAID>('offered');
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const { document, node } = row;
  const offered = useMemo(() => holdsJson(document.outline, node), [document, node]);
  if (!offered) return null;
  const shown = model.showsJson(row);
  const read = async () => {
    const stop = new AbortController();
    reading.current = stop;
    setSaid('reading');
    const outline = await runInSlices(readEmbedded(document.outline, node), stop.signal).catch(
      () => 'not-json' as const,
    );
    if (stop.signal.aborted) return;
    setSaid(outline instanceof JsonOutline ? 'offered' : 'none');
    if (outline instanceof JsonOutline) onChange((tree) => tree.embed(row, outline));
  };
  const toggle = () => {
    if (said !== 'offered') return;
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
      aria-busy={said === 'reading'}
      aria-disabled={said === 'none'}
      onClick={(event) => {
        event.stopPropagation();
        toggle();
      }}
      className="mx-1 shrink-0 rounded-sm border border-line px-1 text-small leading-[15px] text-accent hover:border-control aria-busy:text-muted aria-disabled:text-muted aria-pressed:bg-accent/12"
    >
      {SAID[said]}
    </button>
  );
}
