import { useEffect, useRef, useState } from 'react';
import { searchOutline } from '@/lib/store/outline-search';
import { inSlices } from '@/lib/wire/in-slices';
import type { TreeDocument, TreePlace } from './tree-document';

/** Places found at most. */
export const MOST_FOUND = 100_000;

/** A search in a tree. */
export interface TreeSearch {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  /** Values in the order of the tree; undefined while they are looked for, or nothing is; `failed` by a fault of ours. */
  readonly found: readonly TreePlace[] | 'failed' | undefined;
  /** Place in `found` of the one gone to last; -1 for none. */
  readonly at: number;
  /** The one that many further on, around the ends; undefined if nothing was found. */
  readonly step: (by: number) => TreePlace | undefined;
  /** What is found next is to be gone on with in the JSON of this string, which is about to be a document. */
  readonly enter: (host: TreePlace) => void;
}

/** Searches while it is typed, without keeping the page from anything: in the message, and in strings that were read as JSON. */
export function useTreeSearch(documents: readonly TreeDocument[], onEntered: (place: TreePlace) => void): TreeSearch {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<TreeSearch['found']>();
  const [at, setAt] = useState(-1);
  const entering = useRef<TreePlace>(undefined);
  const entered = useRef(onEntered);
  useEffect(() => {
    entered.current = onEntered;
  });
  useEffect(() => {
    setFound(undefined);
    setAt(-1);
    if (query === '') return;
    const stop = new AbortController();
    inSlices(searchTree(documents, query), stop.signal).then(
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
  const enter = (host: TreePlace) => {
    entering.current = host;
  };
  return { query, setQuery, found, at, step, enter };
}

function isHost(host: TreePlace | undefined, place: TreePlace): boolean {
  return host?.document === place.document && host.node === place.node;
}

/** The places in all documents, what is in a string where the string is. Yields now and then. */
export function* searchTree(
  documents: readonly TreeDocument[],
  query: string,
): Generator<undefined, readonly TreePlace[]> {
  const found: TreePlace[] = [];
  for (const document of documents) {
    // A string that is read as JSON is found in there.
    const hosts = new Set(documents.flatMap(({ host }) => (host?.document === document ? [host.node] : [])));
    const nodes = yield* searchOutline(document.outline, query, MOST_FOUND - found.length);
    for (const node of nodes) if (!hosts.has(node)) found.push({ document, node });
  }
  return documents.length > 1 ? found.sort((a, b) => compare(way(a), way(b))) : found;
}

/** The nodes that lead to a place, from document to document. */
function way({ document, node }: TreePlace): readonly number[] {
  return document.host ? [...way(document.host), node] : [node];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((node, index) => node !== b[index]);
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
}
