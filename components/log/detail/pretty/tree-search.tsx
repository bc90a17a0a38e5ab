import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { IconButton } from '@/components/ui/button';
import { TextInput } from '@/components/ui/inputs';
import { searchOutline } from '@/lib/json/outline-text';
import { formatCount } from '@/lib/wire/format';
import { runInSlices } from '@/lib/wire/in-slices';
import type { TreeDocument, TreeValueRef } from './tree-model';

/** The search box, with the number of matches and buttons to step through them. */
export function TreeSearchBar({
  search,
  input,
  onShow,
  onLeave,
}: {
  readonly search: TreeSearch;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onShow: (place: TreeValueRef) => void;
  /** Called on Esc in an empty box. */
  readonly onLeave: () => void;
}) {
  const any = typeof search.found === 'object' && search.found.length > 0;
  const go = (by: number) => {
    const place = search.step(by);
    if (place !== undefined) onShow(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else if (event.key !== 'Escape') return;
    else if (search.query === '') onLeave();
    else search.setQuery('');
    event.preventDefault();
  };
  return (
    <search className="flex shrink-0 items-center gap-1 border-b border-line px-2 py-1">
      <TextInput
        ref={input}
        type="search"
        aria-label="Search in the message"
        placeholder="Search in the message"
        value={search.query}
        onChange={search.setQuery}
        onKeyDown={onKeyDown}
        mono
        className="h-6 min-w-0 flex-1"
      />
      <span role="status" className="tabular shrink-0 text-small text-muted">
        {search.query !== '' && words(search)}
      </span>
      <IconButton label="Previous match" disabled={!any} onClick={() => go(-1)}>
        ↑
      </IconButton>
      <IconButton label="Next match" disabled={!any} onClick={() => go(1)}>
        ↓
      </IconButton>
    </search>
  );
}

function words({ found, at }: TreeSearch): string {
  if (found === undefined) return 'searching…';
  if (found === 'failed') return 'search failed';
  if (found.length === 0) return 'not found';
  const count = `${formatCount(found.length)}${found.length === MAX_FOUND ? '+' : ''}`;
  const values = found.length === 1 ? 'value' : 'values';
  return at < 0 ? `in ${count} ${values}` : `${formatCount(at + 1)} of ${count} ${values}`;
}

/** Most matches to find. */
const MAX_FOUND = 100_000;

export interface TreeSearch {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  /** Matching values in tree order. undefined without a query or while searching. `failed`: a bug in mcp-inspect. */
  readonly found: readonly TreeValueRef[] | 'failed' | undefined;
  /** Index of the current match, or -1. */
  readonly at: number;
  /** Moves to another match, wrapping around. Returns undefined without matches. */
  readonly step: (by: number) => TreeValueRef | undefined;
  /** Makes the next search continue in the JSON of this string, which is about to become a document. */
  readonly enter: (host: TreeValueRef) => void;
}

/** Searches the message, and the strings shown as JSON, as the user types. Runs in slices. */
export function useTreeSearch(
  documents: readonly TreeDocument[],
  onEntered: (place: TreeValueRef) => void,
): TreeSearch {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<TreeSearch['found']>();
  const [at, setAt] = useState(-1);
  const entering = useRef<TreeValueRef>(undefined);
  const entered = useRef(onEntered);
  useEffect(() => {
    entered.current = onEntered;
  });
  useEffect(() => {
    setFound(undefined);
    setAt(-1);
    if (query === '') return;
    const stop = new AbortController();
    runInSlices(searchTree(documents, query), stop.signal).then(
      (places) => {
        if (!places) return;
        setFound(places);
        const host = entering.current;
        entering.current = undefined;
        const first = host ? places.findIndex(({ document }) => isHost(document.host, host)) : -1;
        if (first < 0) return;
        setAt(first);
        entered.current(places[first]!);
      },
      () => setFound('failed'),
    );
    return () => stop.abort();
  }, [documents, query]);
  const step = (by: number) => {
    if (found === undefined || found === 'failed' || found.length === 0) return undefined;
    const next = at < 0 ? (by > 0 ? 0 : found.length - 1) : (at + by + found.length) % found.length;
    setAt(next);
    return found[next];
  };
  const enter = (host: TreeValueRef) => {
    entering.current = host;
  };
  return { query, setQuery, found, at, step, enter };
}

function isHost(host: TreeValueRef | undefined, place: TreeValueRef): boolean {
  return host?.document === place.document && host.node === place.node;
}

/** Returns the matches in all documents, those in embedded JSON at the place of their string. Yields now and then. */
export function* searchTree(
  documents: readonly TreeDocument[],
  query: string,
): Generator<undefined, readonly TreeValueRef[]> {
  const found: TreeValueRef[] = [];
  for (const document of documents) {
    // A string shown as JSON is matched inside that JSON.
    const hosts = new Set(documents.flatMap(({ host }) => (host?.document === document ? [host.node] : [])));
    const nodes = yield* searchOutline(document.outline, query, MAX_FOUND - found.length);
    for (const node of nodes) if (!hosts.has(node)) found.push({ document, node });
  }
  return documents.length > 1 ? found.sort((a, b) => compare(way(a), way(b))) : found;
}

/** Returns the nodes that lead to a value, from document to document. */
function way({ document, node }: TreeValueRef): readonly number[] {
  return document.host ? [...way(document.host), node] : [node];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((node, index) => node !== b[index]);
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
}
