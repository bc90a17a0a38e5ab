import { useMemo } from 'react';
import { Catalogue } from '@/components/catalogue/catalogue';
import { ListingNote } from '@/components/catalogue/listing-note';
import { EmptyState } from '@/components/ui/empty-state';
import { useGap } from '@/lib/hooks/use-gap';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { own } from '@/lib/wire/message';
import { PromptDetail } from './prompt-detail';

/** The server's prompts: their arguments, and the messages they make. */
export function PromptsPanel({ log }: { readonly log: Log }) {
  const listing = useLogState(log, (state) => state.prompts);
  const connection = useLogState(log, (state) => state.connection.state);
  const gap = useGap(log);
  const past = log !== log.whole;
  const { item } = useLocation();
  const items = useMemo(
    () =>
      listing.items.map((prompt) => {
        const title = own(prompt.raw, 'title');
        return {
          key: prompt.key,
          name: prompt.name,
          detail: typeof title === 'string' && title !== '' ? title : undefined,
          more: String(own(prompt.raw, 'description') ?? ''),
          problem: prompt.problem,
        };
      }),
    [listing.items],
  );
  const selected =
    listing.items.find((prompt) => prompt.key === item) ?? (item === undefined ? listing.items[0] : undefined);
  const note = (
    <ListingNote listing={listing} what="prompts" capability="prompts" state={connection} gap={gap} past={past} />
  );
  if (items.length === 0) return note;
  return (
    <Catalogue what="prompts" items={items} selected={selected?.key} note={note}>
      {selected ? (
        <PromptDetail key={selected.key} log={log} prompt={selected} />
      ) : (
        <EmptyState title="This server lists no such prompt">Choose one from the list.</EmptyState>
      )}
    </Catalogue>
  );
}
