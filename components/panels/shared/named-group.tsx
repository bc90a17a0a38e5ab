import { type ReactNode, useMemo } from 'react';
import { NewestUnmatchedNote } from '@/components/exchange/unmatched-note';
import { EmptyState } from '@/components/ui/notices';
import { useGap } from '@/lib/hooks/connections';
import { useLogState } from '@/lib/hooks/log';
import { type JsonObject, own, textOrJson } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { ListEntry } from '@/lib/store/state/state';
import { type BrowseGroup, isSettled, isUnfinished } from './browse-group';
import { ListingNote, NoLongerListed, useCancelListing } from './catalogue';
import type { CatalogueItem } from './entry-list';
import { ListChangesNote } from './list-changes';
import { useFirstProblems } from './problem-subjects';
import { useSteadyEntry } from './steady-entry';

interface NamedGroupOptions {
  readonly log: Log;
  /** Key of the wanted entry; undefined for the one that was shown last, or the first. */
  readonly item: string | undefined;
  /** Name of the list and of its capability. */
  readonly what: 'tools' | 'prompts';
  readonly title: string;
  /** Singular of `what`. */
  readonly one: string;
  /** Returns an entry's display name. Must be a stable function. */
  readonly titleOf: (raw: JsonObject) => string | undefined;
  /** Returns a badge for an entry. Must be a stable function. */
  readonly markOf?: (entry: ListEntry) => CatalogueItem['mark'];
  /** Returns the view of the results of an entry. Must be a stable function. */
  readonly viewOf?: (raw: JsonObject) => CatalogueItem['view'];
  /** Returns the key that an entry has under another name; the given key if there is none. */
  readonly keyOf?: (item: string) => string;
  /** Shown above the list. */
  readonly above?: ReactNode;
  /** Draws an entry. */
  readonly draw: (entry: ListEntry) => ReactNode;
}

const METHODS = { tools: ['tools/list'], prompts: ['prompts/list'] } as const;

/** Returns the server's tools or prompts. */
export function useNamedGroup(options: NamedGroupOptions): BrowseGroup {
  const { log, item, what, title, one, titleOf, markOf, viewOf, keyOf, above, draw } = options;
  const listing = useLogState(log, (state) => state[what]);
  const state = useLogState(log, ({ connection }) => connection.state);
  const gap = useGap(log);
  const cancelListing = useCancelListing(log);
  const problems = useFirstProblems(log, what);
  const items = useMemo(
    () =>
      listing.items.map((entry): CatalogueItem => {
        const { key, name, raw, problem } = entry;
        return {
          key,
          name,
          problem: problem ?? problems.get(key),
          icons: raw,
          detail: titleOf(raw),
          mark: markOf?.(entry),
          view: viewOf?.(raw),
          searchText: textOrJson(own(raw, 'description')),
        };
      }),
    [listing.items, titleOf, markOf, viewOf, problems],
  );
  const isListed = listing.items.some(({ key }) => key === item);
  const wanted = item === undefined || isListed ? item : (keyOf?.(item) ?? item);
  const { entry, isGone } = useSteadyEntry<ListEntry>(log, listing.items, wanted);
  const note = (
    <ListingNote
      {...{ listing, what, state, gap }}
      past={log !== log.whole}
      capability={what}
      onCancel={() => cancelListing(`${what}/list`)}
    />
  );
  return {
    panel: what,
    title,
    items,
    selected: entry?.key,
    isSettled: isSettled(listing, state),
    note: (
      <>
        {above}
        {isUnfinished(listing) && note}
        <NewestUnmatchedNote log={log} methods={METHODS[what]} />
        <ListChangesNote log={log} listing={listing} what={what} />
      </>
    ),
    draw: () => {
      if (entry) {
        return (
          <>
            {isGone && <NoLongerListed one={one} />}
            {draw(entry)}
          </>
        );
      }
      if (items.length > 0) {
        return <EmptyState title={`This server doesn’t list that ${one}`}>Choose one from the list</EmptyState>;
      }
      return !isUnfinished(listing) && note;
    },
  };
}
