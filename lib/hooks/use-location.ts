import { useSyncExternalStore } from 'react';
import { type PageLocation, parseQuery, patchQuery } from './location-query';

interface NavigateOptions {
  /** Changes this history entry instead of adding one: for what is typed, such as a filter. */
  readonly replace?: boolean;
}

const listeners = new Set<() => void>();
const EMPTY = parseQuery('');
let known = { search: '', location: EMPTY };

/** Changes the page's address without a reload. What `patch` leaves out stays; undefined takes away. */
export function navigate(patch: Partial<PageLocation>, { replace = false }: NavigateOptions = {}): void {
  const { pathname, search, hash } = window.location;
  const next = patchQuery(search, patch);
  if (next === patchQuery(search, {})) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', `${pathname}${next}${hash}`);
  for (const listener of [...listeners]) listener();
}

/** What the address says the page shows, and how to change that. */
export function useLocation(): PageLocation & { readonly navigate: typeof navigate } {
  const location = useSyncExternalStore(subscribe, current, () => EMPTY);
  return { ...location, navigate };
}

function current(): PageLocation {
  const { search } = window.location;
  if (search !== known.search) known = { search, location: parseQuery(search) };
  return known.location;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}
