import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { focusForm } from '@/components/ui/focus';
import { Icon } from '@/components/ui/icon';
import { EmptyState, Spinner } from '@/components/ui/notices';
import { WorkProgress } from '@/components/ui/progress';
import { Split } from '@/components/ui/split';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useClient } from '@/lib/hooks/client';
import type { Gap } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { type Log, lastExchange } from '@/lib/store/log';
import type { ListEntry, Listing } from '@/lib/store/state/state';
import { formatCount } from '@/lib/wire/format';
import type { ConnectionState } from '@/lib/wire/lifecycle';
import { type CatalogueItem, EntryList } from './entry-list';

/** Says that an entry in view is not in the server's list any more. */
export function NoLongerListed({ one }: { readonly one: string }) {
  return (
    <p role="status" className="shrink-0 px-3 pt-2 text-warn">
      ! The server no longer lists this {one}
    </p>
  );
}

interface CatalogueProps {
  readonly log: Log;
  /** Plural name of the entries: `tools`. */
  readonly what: string;
  /** Under which the list's width and its search are kept; `what` by default. */
  readonly id?: string;
  readonly items: readonly CatalogueItem[];
  /** Key of the selected entry. */
  readonly selected: string | undefined;
  /** Shown above the list. */
  readonly note?: ReactNode;
  /** Shown beside the search. */
  readonly aside?: ReactNode;
  /** Shown below the list. */
  readonly foot?: ReactNode;
  /** Called when an entry is selected. Puts its key into the address by default. */
  readonly onSelect?: (key: string) => void;
  /** Called when the heading of a group is pressed, with the key of its first entry. */
  readonly onGroup?: (first: string) => void;
  /** Called when an entry is opened by Enter or a click. Moves the focus into the entry's form by default. */
  readonly onOpen?: (key: string) => void;
  /** The selected entry; opening one moves the focus here. */
  readonly children: ReactNode;
}

/**
 * A list on the left and the selected entry on the right. A narrow window shows one of them. The URL holds the
 * selection.
 */
export function Catalogue(props: CatalogueProps) {
  const { log, what, id = what, items, selected, note, aside, foot, children } = props;
  const { onSelect = (key) => navigate({ item: key }), onGroup = onSelect, onOpen = () => focusForm() } = props;
  const { panel, item, navigate } = useLocation();
  const place = JSON.stringify([panel, item]);
  const [seen, setSeen] = useState(place);
  // The next place is one that the list chooses.
  const [isOwn, setIsOwn] = useState(false);
  // Matters only in a narrow window.
  const [isOpen, setIsOpen] = useState(item !== undefined);
  if (place !== seen) {
    setSeen(place);
    setIsOwn(false);
    // A link led here, or back from here.
    if (!isOwn) setIsOpen(item !== undefined);
  }
  return (
    <Split
      id={id}
      orientation="horizontal"
      label={`Resize list of ${what}`}
      // Two lines of this width hold a name of 64 characters, which is the longest that models accept.
      startSize="272px"
      startMin="140px"
      endMin="320px"
      narrow={isOpen ? 'end' : 'start'}
      start={
        <>
          {note}
          <EntryList
            log={log}
            what={what}
            id={id}
            items={items}
            selected={selected}
            aside={aside}
            onSelect={(key) => {
              setIsOwn(true);
              onSelect(key);
            }}
            onGroup={(key) => {
              setIsOwn(true);
              onGroup(key);
            }}
            onOpen={(key) => {
              setIsOpen(true);
              onOpen(key);
            }}
          />
          {foot}
        </>
      }
      end={
        <>
          <Button
            variant="ghost"
            onClick={() => setIsOpen(false)}
            className="not-narrow:hidden m-1 self-start text-muted!"
          >
            <Icon name="back" /> All {what}
          </Button>
          {children}
        </>
      }
    />
  );
}

/** Returns a function that cancels the page of a list that is awaited. The list then ends there. */
export function useCancelListing(log: Log): (method: string) => void {
  const client = useClient();
  return (method) => {
    const { connection } = log;
    const asked = lastExchange(log, method);
    // If the response comes first, there is nothing to cancel.
    if (asked?.status !== 'pending' || asked.id === null || asked.id === undefined) return;
    client.send({ type: 'cancel', connection, id: asked.id }).catch(() => {});
  };
}

interface ListingNoteProps {
  readonly listing: Listing<ListEntry>;
  /** Plural name of the entries. */
  readonly what: string;
  /** The server capability they belong to. */
  readonly capability: string;
  readonly state: ConnectionState;
  /** Why the list may be missing even though the client requested it. */
  readonly gap: Gap | undefined;
  /** True if a past moment is shown, so that nothing is in progress. */
  readonly past: boolean;
  /** Cancels the listing in progress. */
  readonly onCancel: () => void;
}

/** Says why a list is empty or incomplete. Empty for a complete list. */
export function ListingNote({ listing, what, capability, state, gap, past, onCancel }: ListingNoteProps): ReactNode {
  if (listing.status === 'failed') {
    return (
      <p role="alert" className="m-2 border-l-2 border-error bg-error/6 px-2 py-1 text-error">
        × Listing {what} failed: {listing.error?.code !== 0 && `${listing.error?.code} `}
        <UntrustedText text={String(listing.error?.message ?? '')} limit={300} />
      </p>
    );
  }
  if (listing.status === 'listing') {
    return past ? (
      <p className="px-2 py-1 text-muted">Listing {what} was in progress at this moment</p>
    ) : (
      <div className="flex shrink-0 px-2 py-1 empty:hidden">
        <WorkProgress
          what={`Listing ${what}`}
          figures={listing.seqs.length > 0 ? `page ${formatCount(listing.seqs.length + 1)}` : undefined}
          onCancel={onCancel}
        />
      </div>
    );
  }
  if (listing.items.length > 0) return null;
  if (listing.supported === false) {
    return (
      <EmptyState title={`This server declares no ${capability} capability`}>
        If it has {what}, add {capability} to the capabilities it declares.
      </EmptyState>
    );
  }
  if (listing.status === 'listed') return <EmptyState title={`This server lists no ${what}`} />;
  if (past && (state === 'starting' || state === 'open')) {
    return <EmptyState title={`No ${what} listed yet at this moment`}>Go forward in time to see them</EmptyState>;
  }
  if (state === 'starting') {
    return (
      <p className="flex items-center gap-2 p-2 text-muted">
        <Spinner /> Waiting for the server…
      </p>
    );
  }
  if (state === 'open') {
    return <EmptyState title={`No ${what} yet`}>They appear here once the server has listed them</EmptyState>;
  }
  if (gap) {
    return (
      <EmptyState title={`No list of ${what} in ${WHERE_MISSING[gap]}`}>
        The client may have requested it in the missing part
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`The ${what} were not listed`}>
      The client did not request the {what} before the connection ended
    </EmptyState>
  );
}

const WHERE_MISSING: Readonly<Record<Gap, string>> = {
  part: 'this part of the recording',
  damage: 'the readable part of the recording',
};
