import type { ReactNode } from 'react';
import { EmptyState } from '@/components/ui/empty-state';
import { Spinner } from '@/components/ui/spinner';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { Gap } from '@/lib/hooks/use-gap';
import type { Entry, Listing } from '@/lib/store/state';
import type { ConnectionState } from '@/lib/wire/lifecycle';

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
