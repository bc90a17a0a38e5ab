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
import type { JsonOutline } from '@/lib/json/outline';
import { formatCount } from '@/lib/wire/format';
import type { FieldMark } from '../use-outline';
import { TreeBlock } from './tree-block';
import { copy, placePath, TreeLine, valueText } from './tree-line';
import { LINE_HEIGHT, MOST_ROWS, type TreeModel, type TreeRow, type TreeRows, type TreeValueRef } from './tree-model';

/** Width of a character of wire text, in px, and of what stands beside the text of a block. */
const CHARACTER = 7.23;
const BESIDE = 60;
/** Rows drawn beyond each edge. */
const OVERSCAN = 10;

/** What whoever has the tree may do with it. */
export interface TreeHandle {
  /** Opens what a value is in, and goes there; with `whole`, opens a long string as well. */
  readonly show: (place: TreeValueRef, whole?: boolean) => void;
  /** Shows a string as the JSON in it. */
  readonly embed: (place: TreeValueRef, outline: JsonOutline) => void;
  readonly focus: () => void;
}

/**
 * A JSON text as a tree, however large: only the rows in sight exist. Its own keys are those of trees: arrows, Home, End, `*`;
 * and Enter, `c` to copy a value, `C` its path.
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
  /** Marked wherever it occurs. */
  readonly query: string;
  readonly handle: RefObject<TreeHandle | null>;
  /** Something was opened, closed, or read as JSON. */
  readonly onChange: () => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [active, setActive] = useState<TreeValueRef>({ document: model.root, node: 0 });
  const [box, setBox] = useState({ top: 0, height: 0, columns: 80 });
  /** What was gone to last is behind the rows that are shown. */
  const [beyond, setBeyond] = useState(false);
  /** Rows that are to be scrolled to when they are drawn next: the active one, or what stands below it as well. */
  const going = useRef<0 | 1 | 2>(0);

  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () =>
      setBox(({ top }) => ({
        top,
        height: element.clientHeight,
        columns: Math.floor((element.clientWidth - BESIDE) / CHARACTER),
      }));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  const rows = model.rows(box.columns);
  const activeIndex = useMemo(() => rows.indexOf(active.document, active.node), [rows, active]);

  useLayoutEffect(() => {
    const element = scroller.current!;
    const wanted = going.current;
    going.current = 0;
    if (wanted === 0 || activeIndex < 0) return;
    const top = rows.top(activeIndex);
    const bottom = rows.top(Math.min(rows.count, activeIndex + wanted));
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) {
      element.scrollTop = Math.min(top, bottom - element.clientHeight);
    }
  });

  const go = (place: TreeValueRef) => {
    going.current = 1;
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
      if (opens) going.current = 2;
    },
    embed: (place, outline) =>
      change((tree) => {
        tree.reveal(place);
        tree.embed({ ...place, depth: tree.depthOf(place) }, outline);
      }, place),
    focus: () => scroller.current?.focus(),
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key.toLowerCase() === 'c') {
      event.preventDefault();
      copy(event.key === 'c' ? valueText(active) : placePath(active));
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
          This is behind the {formatCount(MOST_ROWS)} lines that are shown. Close what is before it, then go there
          again.
        </p>
      )}
      <div
        ref={scroller}
        role="tree"
        aria-label="Message as a tree"
        tabIndex={0}
        aria-activedescendant={activeIndex >= first && activeIndex < last ? `${id}-${activeIndex}` : undefined}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget: { scrollTop } }) => setBox((before) => ({ ...before, top: scrollTop }))}
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
        {rows.count >= MOST_ROWS && (
          <p className="p-2 text-muted">
            No more than {formatCount(MOST_ROWS)} lines are shown: close what you don’t need, or search.
          </p>
        )}
      </div>
    </>
  );
}

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
export function applyTreeKey(key: string, place: TreeKeyPlace): TreeRow | undefined {
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
