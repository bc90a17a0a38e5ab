import {
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { moveFocus } from '@/components/ui/page-focus';
import type { JsonOutline } from '@/lib/json/outline';
import { formatCount } from '@/lib/wire/format';
import type { FieldMark } from '../use-outline';
import { TreeBlock } from './tree-block';
import { copiedText, copy, placePath, TreeLine } from './tree-line';
import { LINE_HEIGHT, MAX_ROWS, type TreeModel, type TreeRow, type TreeRows, type TreeValueRef } from './tree-model';

/** Width of a character of wire text, in px. */
const CHARACTER_WIDTH = 7.23;
/** Width of indentation and padding next to the text of a block, in px. */
const BLOCK_PADDING = 60;
/** Rows rendered beyond each edge. */
const OVERSCAN = 10;

export interface TreeHandle {
  /** Opens the ancestors of a value and scrolls to it. With `whole`, opens a long string as well. */
  readonly show: (place: TreeValueRef, whole?: boolean) => void;
  /** Shows a string as JSON. */
  readonly embed: (place: TreeValueRef, outline: JsonOutline) => void;
  readonly focus: () => void;
}

/**
 * A JSON text of any size as a tree. Renders only the rows in view; their heights differ, so it does not use
 * `useRowWindow`. Keys: those of the WAI-ARIA tree pattern, Enter to toggle, `c` to copy a value, `C` to copy its path.
 */
export function TreeView({
  model,
  marks,
  query,
  handle,
  onChange,
}: {
  readonly model: TreeModel;
  readonly marks: ReadonlyMap<number, FieldMark>;
  /** Text to highlight. */
  readonly query: string;
  readonly handle: RefObject<TreeHandle | null>;
  /** Called after something was opened, closed or shown as JSON. */
  readonly onChange: () => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [active, setActive] = useState<TreeValueRef>({ document: model.root, node: 0 });
  /** The value to show lies beyond the last row. */
  const [beyond, setBeyond] = useState(false);
  const { box, onScroll } = useVisibleBox(scroller);
  const rows = model.rows(box.columns);
  const activeIndex = useMemo(() => rows.indexOf(active.document, active.node), [rows, active]);
  const scrollRows = useScrollToRows(scroller, rows, activeIndex);

  const go = (place: TreeValueRef) => {
    scrollRows.current = 1;
    setBeyond(model.rows(box.columns).indexOf(place.document, place.node) < 0);
    setActive(place);
    render();
  };
  const change = (act: (tree: TreeModel) => void, place: TreeValueRef = active) => {
    act(model);
    onChange();
    go(place);
  };
  handle.current = {
    show: (place, whole = false) => {
      const opens = whole && !place.document.outline.isBranch(place.node) && model.canOpen(place);
      change((tree) => {
        tree.reveal(place);
        if (opens) tree.setOpen(place, true);
      }, place);
      if (opens) scrollRows.current = 2;
    },
    embed: (place, outline) =>
      change((tree) => {
        tree.reveal(place);
        tree.embed({ ...place, depth: tree.depthOf(place) }, outline);
      }, place),
    focus: () => moveFocus(scroller.current),
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key.toLowerCase() === 'c') {
      event.preventDefault();
      copy(event.key === 'c' ? copiedText(active) : placePath(active));
      return;
    }
    const page = Math.max(1, Math.floor(box.height / LINE_HEIGHT) - 1);
    const next = applyTreeKey(event.key, { model, rows, at: Math.max(0, activeIndex), page });
    if (next === undefined) return;
    event.preventDefault();
    go(next);
  };

  const first = Math.max(0, rows.indexAt(box.top) - OVERSCAN);
  const last = Math.min(rows.count, rows.indexAt(box.top + box.height) + 1 + OVERSCAN);
  const shown: { readonly index: number; readonly row: TreeRow }[] = [];
  for (let index = first; index < last; index++) shown.push({ index, row: rows.at(index) });
  return (
    <>
      {beyond && (
        <p role="status" className="shrink-0 border-b border-line bg-warn/8 px-2 py-1 text-warn">
          This is beyond the {formatCount(MAX_ROWS)} lines shown. Close values above it and try again.
        </p>
      )}
      <div
        ref={scroller}
        role="tree"
        aria-label="Message as a tree"
        tabIndex={0}
        aria-activedescendant={activeIndex >= first && activeIndex < last ? `${id}-${activeIndex}` : undefined}
        onKeyDown={onKeyDown}
        onScroll={onScroll}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto font-mono text-wire"
      >
        <div role="presentation" style={{ height: rows.height, paddingTop: rows.top(first) }}>
          {shown.map(({ index, row }) =>
            row.kind === 'line' ? (
              <TreeLine
                key={`${row.document.number} ${row.node}`}
                id={`${id}-${index}`}
                row={row}
                model={model}
                columns={box.columns}
                query={query}
                mark={row.document === model.root ? marks.get(row.node) : undefined}
                active={index === activeIndex}
                onActive={() => setActive({ document: row.document, node: row.node })}
                onChange={(act) => change(act, { document: row.document, node: row.node })}
              />
            ) : (
              <TreeBlock
                key={`${row.document.number} ${row.node} ${row.kind}`}
                row={row}
                height={rows.top(index + 1) - rows.top(index)}
                query={query}
              />
            ),
          )}
        </div>
        {rows.count >= MAX_ROWS && (
          <p className="p-2 text-muted">
            Showing the first {formatCount(MAX_ROWS)} lines. Close values or search to see more.
          </p>
        )}
      </div>
    </>
  );
}

/** Measures the visible part of the tree: scroll position and height in px, width in characters. */
function useVisibleBox(scroller: RefObject<HTMLDivElement | null>) {
  const [box, setBox] = useState({ top: 0, height: 0, columns: 80 });
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () =>
      setBox(({ top }) => ({
        top,
        height: element.clientHeight,
        columns: Math.floor((element.clientWidth - BLOCK_PADDING) / CHARACTER_WIDTH),
      }));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [scroller]);
  const onScroll = () => {
    const top = scroller.current!.scrollTop;
    setBox((before) => ({ ...before, top }));
  };
  return { box, onScroll };
}

/**
 * Returns a ref to the number of rows to scroll into view after the next render: 0, 1 (the active row) or 2 (the active
 * row and the block below it).
 */
function useScrollToRows(
  scroller: RefObject<HTMLDivElement | null>,
  rows: TreeRows,
  activeIndex: number,
): RefObject<0 | 1 | 2> {
  const count = useRef<0 | 1 | 2>(0);
  useLayoutEffect(() => {
    const element = scroller.current!;
    const wanted = count.current;
    count.current = 0;
    if (wanted === 0 || activeIndex < 0) return;
    const top = rows.top(activeIndex);
    const bottom = rows.top(Math.min(rows.count, activeIndex + wanted));
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) {
      element.scrollTop = Math.min(top, bottom - element.clientHeight);
    }
  });
  return count;
}

interface TreeKeyPlace {
  readonly model: TreeModel;
  readonly rows: TreeRows;
  /** Index of the active row. */
  readonly at: number;
  /** Number of rows on a page. */
  readonly page: number;
}

/** The keys of the WAI-ARIA tree pattern. */
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

/** Applies a key to the tree and returns the row that becomes active. undefined for other keys. */
export function applyTreeKey(key: string, place: TreeKeyPlace): TreeRow | undefined {
  return KEYS.get(key)?.(place);
}

/** Returns the line at `index`, or the next line in that direction if it is a block. */
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
