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
import { formatCount } from '@/components/ui/format';
import type { JsonOutline } from '@/lib/store/json-outline';
import type { FieldMark } from './field-marks';
import { TreeBlock } from './tree-block';
import { copy, placePath, valueText } from './tree-copy';
import type { TreePlace } from './tree-document';
import { treeKey } from './tree-keys';
import { TreeLine } from './tree-line';
import { MOST_ROWS, type TreeModel } from './tree-model';
import { LINE_HEIGHT, type TreeRow } from './tree-rows';

/** Width of a character of wire text, in px, and of what stands beside the text of a block. */
const CHARACTER = 7.23;
const BESIDE = 60;
/** Rows drawn beyond each edge. */
const OVERSCAN = 10;

/** What whoever has the tree may do with it. */
export interface TreeHandle {
  /** Opens what a value is in, and goes there; with `whole`, opens a long string as well. */
  readonly show: (place: TreePlace, whole?: boolean) => void;
  /** Shows a string as the JSON in it. */
  readonly embed: (place: TreePlace, outline: JsonOutline) => void;
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
  const [active, setActive] = useState<TreePlace>({ document: model.root, node: 0 });
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

  const go = (place: TreePlace) => {
    going.current = 1;
    setBeyond(model.rows(box.columns).indexOf(place.document, place.node) < 0);
    setActive(place);
    render();
  };
  const change = (act: (tree: TreeModel) => void, place: TreePlace = active) => {
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
    const next = treeKey(event.key, { model, rows, at: Math.max(0, activeIndex), page });
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
