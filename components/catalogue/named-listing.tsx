import { type ReactNode, useMemo } from 'react';
import { NewestUnmatchedNote } from '@/components/exchange/unmatched-note';
import { EmptyState } from '@/components/ui/empty-state';
import { useGap } from '@/lib/hooks/use-gap';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import type { Entry } from '@/lib/store/state';
import { type JsonObject, own } from '@/lib/wire/message';
import { Catalogue } from './catalogue';
import { ListingNote } from './listing-note';

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
