import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { JsonOutline } from '@/lib/store/json-outline';
import { nodeAt, type OutlinePath } from '@/lib/store/outline-path';
import { searchOutline } from '@/lib/store/outline-search';
import { inSlices } from '@/lib/wire/in-slices';
import { holdsJson, readEmbedded } from './embedded-json';
import type { TreePlace } from './tree-document';
import { TreeModel } from './tree-model';
import { TreeSearchBar } from './tree-search-bar';
import { type TreeHandle, TreeView } from './tree-view';
import type { FieldMarks } from './use-field-marks';
import { useTreeSearch } from './use-tree-search';

/** A frame's JSON as a tree with a search. Give it another key for another frame. */
export function PrettyJson({
  outline,
  marks,
  at,
}: {
  readonly outline: JsonOutline;
  /** Fields that are underlined, and open once they are known. */
  readonly marks: FieldMarks;
  /** Gone to at first, and whenever it is another. */
  readonly at: OutlinePath | undefined;
}) {
  const [model] = useState(() => new TreeModel(outline));
  const revealed = useRef(false);
  if (!revealed.current && marks.size > 0) {
    revealed.current = true;
    for (const node of marks.keys()) model.reveal({ document: model.root, node });
  }
  const [documents, setDocuments] = useState(model.documents);
  const input = useRef<HTMLInputElement>(null);
  const tree = useRef<TreeHandle>(null);
  const search = useTreeSearch(documents, (place) => tree.current?.show(place, true));
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  /** Goes to what was found: into the JSON of a string, to the place in a long one. */
  const showFound = async (place: TreePlace) => {
    reading.current?.abort();
    const stop = new AbortController();
    reading.current = stop;
    const embedded = await inSlices(findEmbedded(place, search.query), stop.signal).catch(() => undefined);
    if (stop.signal.aborted) return;
    if (!embedded) return tree.current?.show(place, !hasInName(place, search.query));
    search.enter(place);
    tree.current?.embed(place, embedded);
  };
  useEffect(() => {
    if (at === undefined) return;
    const stop = new AbortController();
    const show = (node: number | undefined) => node !== undefined && tree.current?.show({ document: model.root, node });
    inSlices(nodeAt(outline, at), stop.signal).then(show, () => {});
    return () => stop.abort();
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
        onShow={(place) => void showFound(place)}
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

/** The JSON in a string, if there is any and what is searched for is in one of its values. */
function* findEmbedded({ document, node }: TreePlace, query: string): Generator<unknown, JsonOutline | undefined> {
  if (!holdsJson(document.outline, node)) return undefined;
  const outline = yield* readEmbedded(document.outline, node);
  if (!(outline instanceof JsonOutline)) return undefined;
  const found = yield* searchOutline(outline, query, 1);
  return found.length > 0 ? outline : undefined;
}

function hasInName({ document: { outline }, node }: TreePlace, query: string): boolean {
  return outline.name(node)?.toLowerCase().includes(query.toLowerCase()) === true;
}
