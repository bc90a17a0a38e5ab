import { useMemo } from 'react';
import { Catalogue } from '@/components/catalogue/catalogue';
import { ListingNote } from '@/components/catalogue/listing-note';
import { EmptyState } from '@/components/ui/empty-state';
import { useGap } from '@/lib/hooks/use-gap';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { own } from '@/lib/wire/message';
import { ToolDetail } from './tool-detail';
import { toolTitle } from './tool-title';

/** The server's tools: what they say of themselves, a form to call each, and what came back. */
export function ToolsPanel({ log }: { readonly log: Log }) {
  const listing = useLogState(log, (state) => state.tools);
  const connection = useLogState(log, (state) => state.connection.state);
  const gap = useGap(log);
  const past = log !== log.whole;
  const { item } = useLocation();
  const items = useMemo(
    () =>
      listing.items.map((tool) => ({
        key: tool.key,
        name: tool.name,
        detail: toolTitle(tool.raw),
        more: String(own(tool.raw, 'description') ?? ''),
        problem: tool.problem,
      })),
    [listing.items],
  );
  const selected =
    listing.items.find((tool) => tool.key === item) ?? (item === undefined ? listing.items[0] : undefined);
  const note = (
    <ListingNote listing={listing} what="tools" capability="tools" state={connection} gap={gap} past={past} />
  );
  if (items.length === 0) return note;
  return (
    <Catalogue what="tools" items={items} selected={selected?.key} note={note}>
      {selected ? (
        <ToolDetail key={selected.key} log={log} tool={selected} />
      ) : (
        <EmptyState title="This server lists no such tool">Choose one from the list.</EmptyState>
      )}
    </Catalogue>
  );
}
