import type { ReactNode } from 'react';
import type { ListEntry, Listing } from '@/lib/store/state/state';
import type { ConnectionState } from '@/lib/wire/lifecycle';
import type { CatalogueItem } from './entry-list';

/** One kind of entries in Browse, and the entry of it that is in view. */
export interface BrowseGroup {
  /** The panel's name in the page's address. */
  readonly panel: string;
  readonly title: string;
  readonly items: readonly CatalogueItem[];
  /** Key of the entry in view; undefined if there is none. */
  readonly selected: string | undefined;
  /** False until it is known whether the server has such entries. */
  readonly isSettled: boolean;
  /** Shown above the list: what is in progress, has failed or has changed. */
  readonly note: ReactNode;
  /** Draws the entry in view, or says why there is none. */
  readonly draw: () => ReactNode;
  /** Called when an entry is opened by Enter or a click. Moves the focus into the entry's form by default. */
  readonly onOpen?: (key: string) => void;
}

/** True once it is known which entries a server has, or that it can't be asked any more. */
export function isSettled({ status, supported }: Listing<ListEntry>, connection: ConnectionState): boolean {
  if (status === 'listed' || status === 'failed' || supported === false) return true;
  return connection !== 'starting' && connection !== 'open';
}

/** True for a list that is being read or that failed. */
export function isUnfinished({ status }: Pick<Listing<ListEntry>, 'status'>): boolean {
  return status === 'failed' || status === 'listing';
}
