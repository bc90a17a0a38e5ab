import { useSyncExternalStore } from 'react';

/** The page's state in its query string. */
export interface PageLocation {
  /** Connection id. */
  readonly connection: string | undefined;
  /** A page that takes the place of the connection's panel and log: `recordings`, or the page of a feature. */
  readonly page: string | undefined;
  /** Whose recordings are listed: `bucket`; undefined for those on this machine. */
  readonly source: string | undefined;
  /** The search among a bucket's recordings. */
  readonly q: string | undefined;
  /** Panel id. */
  readonly panel: string | undefined;
  /** Key of the item chosen in the panel. */
  readonly item: string | undefined;
  /** The log's filter text. */
  readonly filter: string | undefined;
  /** True if the log shows HTTP frames too. */
  readonly http: boolean;
  /** seq of the selected frame. */
  readonly frame: number | undefined;
  /** seq of the newest frame to show, for the state at that time. undefined: the present state. */
  readonly moment: number | undefined;
  /** Tab of the selected frame's detail. */
  readonly view: string | undefined;
  /** id of the connection to compare with. */
  readonly compare: string | undefined;
  /** A field of the selected frame, as a JSON Pointer (RFC 6901). */
  readonly at: string | undefined;
}

const TEXTS = ['connection', 'page', 'source', 'q', 'panel', 'item', 'filter', 'view', 'at', 'compare'] as const;

/** Parses a query string. Missing and empty values are undefined. */
export function parseQuery(search: string): PageLocation {
  const query = new URLSearchParams(search);
  const texts = Object.fromEntries(TEXTS.map((key) => [key, query.get(key) || undefined])) as {
    readonly [Key in (typeof TEXTS)[number]]: string | undefined;
  };
  const seq = (key: string) => {
    const text = query.get(key) ?? '';
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  };
  return { ...texts, http: query.get('http') === '1', frame: seq('frame'), moment: seq('moment') };
}

/**
 * Returns the query string with `patch` applied; '' if nothing is left. Foreign parameters stay. Another frame removes
 * the field. Another connection removes the filter, moment and comparison, and another panel the comparison, unless
 * `patch` sets them. A connection, panel or comparison takes the place of the page and its search.
 */
export function patchQuery(search: string, patch: Partial<PageLocation>): string {
  const query = new URLSearchParams(search);
  if ('frame' in patch) query.delete('at');
  const elsewhere = 'connection' in patch && patch.connection !== parseQuery(search).connection;
  if (elsewhere) query.delete('filter');
  if (elsewhere) query.delete('moment');
  if (elsewhere || 'panel' in patch) query.delete('compare');
  if ('connection' in patch || 'panel' in patch || 'compare' in patch)
    for (const key of ['page', 'source', 'q']) query.delete(key);
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined || value === '' || value === false) query.delete(key);
    else query.set(key, value === true ? '1' : String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

interface NavigateOptions {
  /** True to replace this history entry instead of adding one. For typed text, such as a filter. */
  readonly replace?: boolean;
}

const listeners = new Set<() => void>();
const EMPTY = parseQuery('');
let known = { search: '', location: EMPTY };

/** Changes the page's URL without a reload. Fields that `patch` leaves out stay; undefined removes one. */
export function navigate(patch: Partial<PageLocation>, { replace = false }: NavigateOptions = {}): void {
  const { pathname, search, hash } = window.location;
  const next = patchQuery(search, patch);
  if (next === patchQuery(search, {})) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', `${pathname}${next}${hash}`);
  for (const listener of [...listeners]) listener();
}

/** Returns the page's state in the URL, and a function to change it. */
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
