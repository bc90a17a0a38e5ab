import { useSyncExternalStore } from 'react';

/** What the page shows, as its query string says it. */
export interface PageLocation {
  /** Connection id. */
  readonly connection: string | undefined;
  /** Panel id. */
  readonly panel: string | undefined;
  /** key of the entry chosen in the panel. */
  readonly item: string | undefined;
  /** Text of the log's filter. */
  readonly filter: string | undefined;
  /** The log shows HTTP besides messages. */
  readonly http: boolean;
  /** seq of the selected frame. */
  readonly frame: number | undefined;
  /** seq of the frame that is the newest in what is shown: the state as it was then. undefined: as it is now. */
  readonly moment: number | undefined;
  /** What of the selected frame is shown: id of a tab of the detail. */
  readonly view: string | undefined;
  /** id of the connection that this one is compared with. */
  readonly compare: string | undefined;
  /** A field of the selected frame, as a JSON Pointer (RFC 6901). */
  readonly at: string | undefined;
}

const TEXTS = ['connection', 'panel', 'item', 'filter', 'view', 'at', 'compare'] as const;

/** Reads a query string; what it doesn't say, or says emptily, is undefined. */
export function parseQuery(search: string): PageLocation {
  const query = new URLSearchParams(search);
  const [connection, panel, item, filter, view, at, compare] = TEXTS.map((key) => query.get(key) || undefined);
  const seq = (key: string) => {
    const text = query.get(key) ?? '';
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  };
  const http = query.get('http') === '1';
  return {
    connection,
    panel,
    item,
    filter,
    http,
    frame: seq('frame'),
    moment: seq('moment'),
    view,
    at,
    compare,
  };
}

/**
 * The query string of the page after `patch`; parameters that aren't ours stay. A field belongs to its frame, a filter and a
 * moment and a comparison to their connection: another one takes them away, unless `patch` says which. A panel takes the place of
 * a comparison. '' if nothing is left.
 */
export function patchQuery(search: string, patch: Partial<PageLocation>): string {
  const query = new URLSearchParams(search);
  if ('frame' in patch) query.delete('at');
  const elsewhere = 'connection' in patch && patch.connection !== parseQuery(search).connection;
  if (elsewhere) query.delete('filter');
  if (elsewhere) query.delete('moment');
  if (elsewhere || 'panel' in patch) query.delete('compare');
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined || value === '' || value === false) query.delete(key);
    else query.set(key, value === true ? '1' : String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

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
