import { type ReactNode, useMemo } from 'react';
import { NewestUnmatchedNote } from '@/components/exchange/unmatched-note';
import { focusForm } from '@/components/ui/focus';
import { EmptyState, Spinner } from '@/components/ui/notices';
import { Split } from '@/components/ui/split';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { type Gap, useGap } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { type JsonObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { Entry, Listing } from '@/lib/store/state/state';
import type { ConnectionState } from '@/lib/wire/lifecycle';
import { type CatalogueItem, EntryList } from './entry-list';

interface NamedListingProps {
  readonly log: Log;
  /** Which list; the capability is called the same. */
  readonly what: 'tools' | 'prompts';
  /** What one of its entries is called. */
  readonly one: string;
  /** The display name that an entry gives itself. The same function each time. */
  readonly titleOf: (raw: JsonObject) => string | undefined;
  /** Draws the entry that is chosen. */
  readonly children: (entry: Entry) => ReactNode;
}

const METHODS = { tools: ['tools/list'], prompts: ['prompts/list'] } as const;

/** A list of what the server has under names, and the entry that the address names, or the first. */
export function NamedListing({ log, what, one, titleOf, children }: NamedListingProps) {
  const listing = useLogState(log, (state) => state[what]);
  const connection = useLogState(log, (state) => state.connection.state);
  const gap = useGap(log);
  const past = log !== log.whole;
  const { item } = useLocation();
  const items = useMemo(
    () =>
      listing.items.map(({ key, name, raw, problem }) => ({
        ...{ key, name, problem },
        detail: titleOf(raw),
        more: String(own(raw, 'description') ?? ''),
      })),
    [listing.items, titleOf],
  );
  const selected = listing.items.find(({ key }) => key === item) ?? (item === undefined ? listing.items[0] : undefined);
  const note = (
    <>
      <ListingNote listing={listing} what={what} capability={what} state={connection} gap={gap} past={past} />
      <NewestUnmatchedNote log={log} methods={METHODS[what]} />
    </>
  );
  if (items.length === 0) return note;
  return (
    <Catalogue what={what} items={items} selected={selected?.key} note={note}>
      {selected ? (
        children(selected)
      ) : (
        <EmptyState title={`This server lists no such ${one}`}>Choose one from the list.</EmptyState>
      )}
    </Catalogue>
  );
}

interface CatalogueProps {
  /** What the entries are, in the plural: `tools`. */
  readonly what: string;
  readonly items: readonly CatalogueItem[];
  /** The key of the one that is shown. */
  readonly selected: string | undefined;
  /** What is to be said of the list, above it. */
  readonly note: ReactNode;
  /** The selected entry, where the focus goes when one is opened. */
  readonly children: ReactNode;
}

/** What a server has of one kind: the list on the left, which the address keeps the place in, and the selected entry on the right. */
export function Catalogue({ what, items, selected, note, children }: CatalogueProps) {
  const { navigate } = useLocation();
  return (
    <Split
      id={what}
      orientation="horizontal"
      label={`Resize list of ${what}`}
      startSize="240px"
      startMin="140px"
      endMin="320px"
      start={
        <>
          {note}
          <EntryList
            what={what}
            items={items}
            selected={selected}
            onSelect={(key) => navigate({ item: key })}
            onOpen={() => focusForm()}
          />
        </>
      }
      end={children}
    />
  );
}

interface ListingNoteProps {
  readonly listing: Listing<Entry>;
  /** What the entries are, in the plural. */
  readonly what: string;
  /** The server capability they belong to. */
  readonly capability: string;
  /** Of the connection. */
  readonly state: ConnectionState;
  /** Why the list may be missing, though the server was asked for it. */
  readonly gap: Gap | undefined;
  /** What is shown is a moment of the past: nothing is waited for. */
  readonly past: boolean;
}

/** Why a list is empty or not whole, if it is: nothing for a list that is there. */
export function ListingNote({ listing, what, capability, state, gap, past }: ListingNoteProps): ReactNode {
  if (listing.status === 'failed') {
    return (
      <p role="alert" className="m-2 border-l-2 border-error bg-error/6 px-2 py-1 text-error">
        × The list of {what} failed: {listing.error?.code !== 0 && `${listing.error?.code} `}
        <UntrustedText text={String(listing.error?.message ?? '')} limit={300} />
      </p>
    );
  }
  if (listing.status === 'listing') {
    return past ? (
      <p className="px-2 py-1 text-muted">The {what} were being listed at this moment.</p>
    ) : (
      <p className="flex items-center gap-2 px-2 py-1 text-muted">
        <Spinner /> Listing {what}, page {listing.seqs.length + 1}…
      </p>
    );
  }
  if (listing.items.length > 0) return null;
  if (listing.supported === false) {
    return (
      <EmptyState title={`This server declares no ${capability} capability`}>
        If it should have {what}, have it declare {capability} among its capabilities.
      </EmptyState>
    );
  }
  if (listing.status === 'listed') return <EmptyState title={`This server lists no ${what}`} />;
  if (past && (state === 'starting' || state === 'open')) {
    return (
      <EmptyState title={`The server had listed no ${what} yet at this moment`}>
        Go forward in time to see them.
      </EmptyState>
    );
  }
  if (state === 'starting') {
    return (
      <p className="flex items-center gap-2 p-2 text-muted">
        <Spinner /> Waiting for the server…
      </p>
    );
  }
  if (state === 'open') {
    return <EmptyState title={`No ${what} yet`}>They appear here when the server has listed them.</EmptyState>;
  }
  if (gap) {
    return (
      <EmptyState title={`No list of ${what} is ${WHERE_NOT[gap]}`}>
        Whether the server was asked for its {what} can’t be told from what is here.
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`The ${what} were not listed`}>
      Nobody asked the server for its {what} before the connection ended.
    </EmptyState>
  );
}

const WHERE_NOT: Readonly<Record<Gap, string>> = {
  part: 'in this part of the recording',
  damage: 'among what could be read of the recording',
};
