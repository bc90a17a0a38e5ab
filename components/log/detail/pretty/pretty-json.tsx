import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Problem } from '@/lib/problems/problem';
import type { JsonOutline } from '@/lib/store/json-outline';
import { nodeAt, type OutlinePath } from '@/lib/store/outline-path';
import { fieldMarks } from './field-marks';
import { TreeModel } from './tree-model';
import { TreeSearchBar } from './tree-search-bar';
import { type TreeHandle, TreeView } from './tree-view';
import { useTreeSearch } from './use-tree-search';

/** A frame's JSON as a tree with a search. Give it another key for another frame. */
export function PrettyJson({
  outline,
  problems,
  at,
}: {
  readonly outline: JsonOutline;
  /** The fields that they are about are underlined. */
  readonly problems: readonly Problem[];
  /** Gone to at first, and whenever it is another. */
  readonly at: OutlinePath | undefined;
}) {
  const marks = useMemo(() => fieldMarks(outline, problems), [outline, problems]);
  const [model] = useState(() => {
    const made = new TreeModel(outline);
    for (const node of marks.keys()) made.reveal({ document: made.root, node });
    return made;
  });
  const [documents, setDocuments] = useState(model.documents);
  const search = useTreeSearch(documents);
  const input = useRef<HTMLInputElement>(null);
  const tree = useRef<TreeHandle>(null);
  useEffect(() => {
    if (at !== undefined) tree.current?.show({ document: model.root, node: nodeAt(outline, at) });
  }, [model, outline, at]);
  const onKeyDown = (event: KeyboardEvent) => {
    // What the browser would find is only what is drawn.
    if (event.key !== 'f' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    input.current?.select();
    input.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that bubble from what has the focus
    <div onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col">
      <TreeSearchBar
        search={search}
        input={input}
        onShow={(place) => tree.current?.show(place)}
        onLeave={() => tree.current?.focus()}
      />
      <TreeView
        model={model}
        marks={marks}
        query={search.query}
        handle={tree}
        onChange={() => setDocuments(model.documents)}
      />
    </div>
  );
}
