import { useEffect, useState } from 'react';
import { inSlices } from '@/components/ui/in-slices';
import type { JsonOutline } from '@/lib/store/json-outline';
import { searchOutline } from '@/lib/store/outline-search';

/** Places found at most. */
export const MOST_FOUND = 100_000;

/** A search in an outline. */
export interface TreeSearch {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  /** Values in document order; undefined while they are looked for, or nothing is. */
  readonly found: readonly number[] | undefined;
  /** Place in `found` of the one gone to last; -1 for none. */
  readonly at: number;
  /** The one that many further on, around the ends; undefined if nothing was found. */
  readonly step: (by: number) => number | undefined;
}

/** Searches while it is typed, without keeping the page from anything. */
export function useTreeSearch(outline: JsonOutline): TreeSearch {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<readonly number[]>();
  const [at, setAt] = useState(-1);
  useEffect(() => {
    setFound(undefined);
    setAt(-1);
    if (query === '') return;
    const stop = new AbortController();
    void inSlices(searchOutline(outline, query, MOST_FOUND), stop.signal).then((nodes) => nodes && setFound(nodes));
    return () => stop.abort();
  }, [outline, query]);
  const step = (by: number) => {
    if (found === undefined || found.length === 0) return undefined;
    const next = at < 0 ? (by > 0 ? 0 : found.length - 1) : (at + by + found.length) % found.length;
    setAt(next);
    return found[next];
  };
  return { query, setQuery, found, at, step };
}
